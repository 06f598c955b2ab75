// What `phlo react` leaves behind: a table, a plot and a few lines of text.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "chem/integration/reactor_columns.h"
#include "io/plot.h"

namespace phlo::apps {

/// A plot as the command line asks for it.
struct PlotOptions {
    std::filesystem::path file;
    std::string species;  ///< names with commas; "": those worth drawing
    std::string axes;  ///< "x:log,y:linear"; "": each decides for itself
};

/// The same, understood. Throws InputError, before anything runs.
struct PlotRequest {
    PlotRequest(const PlotOptions& options, const chem::Mechanism& mechanism);
    std::filesystem::path file;
    std::vector<int> species;
    io::Scale x = io::Scale::automatic, y = io::Scale::automatic;
};

void write_table(const std::filesystem::path& file, const std::vector<chem::Column>& columns);
void draw(const PlotRequest& request, const chem::Network& network, const chem::ReactorParams& params,
          const std::vector<chem::Column>& columns);
std::string summary(const chem::Network& network, const chem::ReactorParams& params, const chem::ReactorRun& run);

}  // namespace phlo::apps
