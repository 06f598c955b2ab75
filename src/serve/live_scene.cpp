#include "serve/live_scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::serve {

std::vector<scene::Section> look_section(render::RenderParams& look) { return {scene::section("render", render::render_table(), look)}; }

namespace {

constexpr std::size_t any_memory = std::size_t(-1);

LookedScene read(const std::string& text, const std::string& file, int resolution, std::size_t memory, std::vector<std::string> overrides = {}) {
    LookedScene result;
    if (resolution > 0) overrides.push_back(fmt::format("domain.resolution={}", resolution));
    result.scene = scene::parse_scene(text, file, {.overrides = overrides, .sections = look_section(result.look), .memory_limit = memory});
    return result;
}

}  // namespace

LookedScene read_scene(const std::string& text, const std::string& file, int resolution, const std::vector<std::string>& overrides) {
    return read(text, file, resolution, 0, overrides);
}

CheckedScene check_text(const std::string& text, const std::string& file) {
    CheckedScene result;
    try {
        result.scene = read(text, file, 0, any_memory);
    } catch (const InputError& error) {
        result.problems = diagnostics(error.what(), file);
    }
    return result;
}

bool has_resolution(const scene::Scene& scene) {
    return std::visit([](const auto& setup) { return setup.fills_domain; }, scene.model);
}

double frame_seconds(const scene::Scene& scene) {
    const models::Estimate cost = scene::estimate(scene);
    return cost.seconds / std::max(1, cost.frames);
}

int live_resolution(const std::string& text, const std::string& file, double seconds) {
    const LookedScene whole = read(text, file, 0, any_memory);
    if (!has_resolution(whole.scene)) return 0;
    constexpr int coarsest = 24;
    const int finest = whole.scene.shot.domain.resolution;
    if (frame_seconds(whole.scene) <= seconds) return finest;
    // Halving: the cost only grows with the resolution.
    int good = std::min(coarsest, finest), bad = finest + 1;
    while (bad - good > 4) {
        const int middle = (good + bad) / 2;
        (frame_seconds(read(text, file, middle, any_memory).scene) <= seconds ? good : bad) = middle;
    }
    return good;
}

}  // namespace phlo::serve
