// What happened in a run, as curves over its time: what statistics know (heat, amounts, particles, volume that was made), and what only the
// frames show (light, where the visible gas is and how large).
//
//   Record record = read_run("out/my", look);                  // stats.jsonl and cache/
//   Record other;                                              // or, while it runs:
//   other.add(stats, stats.time), other.add(frame, look);
//   record.find("heat")->at(0.5);
//
// curve              from          meaning                                                                                   unit
// heat               stats.jsonl   excess temperature times volume, or the enthalpy of a real gas                            K m^3, J
// amount of X        stats.jsonl   of a species, wherever it is                                                              mol
// soot formed        stats.jsonl   of visible species that soot particles have taken along so far                            mol
// soot particles     stats.jsonl   that are there
// expanded volume    stats.jsonl   that reactions have made so far                                                           m^3
// sub-steps          stats.jsonl   so far: what it cost; runs may differ in it
// radiated power     cache         luminous, of all glowing gas, by the renderer's own law (render/volumes/appearance.h)     m^2
// height, width      cache         of the box that holds the middle 98 % of the visible gas along each axis                  m
// height of centre   cache         of the visible gas                                                                        m
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "models/model.h"
#include "render/look/params.h"

namespace phlo::compare {

struct Curve {
    std::string name, unit;
    std::vector<double> times, values;   ///< times [s] ascend

    double at(double time) const;                        ///< linear between points; the first or last value outside
    double mean(double from, double to) const;           ///< of what at() says
    double largest() const;                              ///< absolute
};

class Record {
public:
    /// Of a frame that ends at `time`, in the order of the frames.
    void add(const models::FrameStats& stats, double time);
    void add(const field::Frame& frame, const render::RenderParams& look);

    const std::vector<Curve>& curves() const { return curves_; }
    const Curve* find(const std::string& name) const;    ///< null if there is none
    double end() const { return times().empty() ? 0 : times().back(); }   ///< [s]
    std::vector<double> times() const;                   ///< of the frames, as the curve with the most points has them [s]

private:
    void point(const std::string& name, const std::string& unit, double time, double value);
    void sum(const std::string& name, const std::string& unit, double time, double change);

    std::vector<Curve> curves_;
};

/// DIR/stats.jsonl and DIR/cache, each as far as it is there. Throws InputError if there is neither.
Record read_run(const std::filesystem::path& directory, const render::RenderParams& look);

}  // namespace phlo::compare
