// stats.jsonl: one JSON object a frame, for scripts and plots.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "models/model.h"

namespace phlo::sim {

std::string to_json(const models::FrameStats& stats);

/// Keeps the lines of the frames up to `last_frame`, so that a resumed run does not say anything twice.
void keep_stats_until(const std::filesystem::path& path, int last_frame);
void append_stats(const std::filesystem::path& path, const models::FrameStats& stats);
/// All frames in their order, without the seconds; none if there is no such file. Throws InputError with the line that cannot be read.
std::vector<models::FrameStats> read_stats(const std::filesystem::path& path);

}  // namespace phlo::sim
