// Names and scales of other programs' grids: how ours are written for them, and how theirs are brought to ours.
//
//   const FileForm form = file_form(volume, naming);   // before a field is written
//   adopt_usual_names(frame, path);                     // after a file was read
//
// Blender's Principled Volume multiplies the grid `temperature` by 1000 K and lets everything shine with T^4, cold air too, with or without
// density. So for Blender temperatures are written in thousands of kelvin, and empty space as 0; what it holds in truth is in the grid's
// metadata.
//
// | theirs                                   | becomes                                                                     |
// | temperature in kK (ours, for Blender)    | kelvin, times 1000                                                          |
// | heat (Blender)                           | temperature, if there is none                                               |
// | temperature without unit, 20 at the most | kelvin, times 1000: what Blender's volume shader makes of it by default      |
#pragma once
#include <filesystem>

#include "field/frame.h"
#include "io/vdb.h"

namespace phlo::io {

/// A field as it stands in a file.
struct FileForm {
    std::string unit;
    float per_unit = 1;    ///< one of the file's unit in ours: a value is written divided by it
    float background = 0;  ///< of empty space in the file
    float ambient = 0;     ///< what empty space holds in truth; in the file's unit, as all numbers there
};

FileForm file_form(const field::Volume& volume, GridNaming naming);

/// The metadata key of FileForm::ambient; written where it differs from the background.
constexpr const char* ambient_key = "ambient";

void adopt_usual_names(field::Frame& frame, const std::filesystem::path& path);

}  // namespace phlo::io
