// A movie from frames, through ffmpeg: H.264, yuv420p, plays everywhere.
//
//   Movie movie("out/movie.mp4", 640, 360, 24);
//   for (...) movie.add(display_image);
//   movie.finish();                                   // until then out/movie.mp4 is not touched
#pragma once
#include <filesystem>

#include "io/atomic_file.h"
#include "io/child_input.h"
#include "io/image.h"

namespace phlo::io {

enum class MovieEffort {
    thorough,   ///< the smallest file for its quality
    quick,      ///< for pictures that are made while one watches
};

class Movie {
public:
    /// Throws RunError with the remedy if there is no ffmpeg.
    Movie(const std::filesystem::path& path, int width, int height, double fps, MovieEffort effort = MovieEffort::thorough);
    Movie(const Movie&) = delete;
    Movie& operator=(const Movie&) = delete;

    void add(const DisplayImage& image);
    void finish();

private:
    [[noreturn]] void fail();

    std::filesystem::path path_;
    int width_, height_;
    AtomicFile file_;
    ChildInput ffmpeg_;
};

/// All pictures DIR/frame_NNNN.png in order.
void write_movie(const std::filesystem::path& path, const std::vector<std::filesystem::path>& pictures, double fps);

}  // namespace phlo::io
