// What every model offers to the program that runs it: go on by one frame, show a Frame, hand out its exact state.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/stage.h"
#include "field/frame.h"
#include "models/shot/ledger.h"

namespace phlo::models {

/// One line of stats.jsonl: what all models tell, and named numbers that each chooses.
struct FrameStats {
    int frame = 0;
    double time = 0;                 ///< at the end of the frame [s]
    double dt = 0;                   ///< mean sub-step [s]
    int substeps = 0;
    double left = 0;                 ///< of the time that was asked for, if Model::enough has ended it early [s]
    StageTimes seconds;
    std::map<std::string, long> particles;
    std::vector<std::pair<std::string, double>> numbers;   ///< in their order; those called "group.name" stand together as a group
    Ledger::Entries ledger;          ///< ledger["density"]["emitted"]
    std::size_t memory_bytes = 0;
    std::string words;               ///< for the progress line: "1 sub-step, 4 iterations"

    double number(std::string_view name) const;            ///< NaN if there is none of this name
    void follow(const FrameStats& earlier);                ///< joins what an earlier part of the same frame has told; `numbers` and `words` stay those of the last part
};

/// The whole state of a model as named memory, so that a checkpoint is exact and needs no code of the model's own.
struct StateView {
    struct Floats {
        std::string name;
        std::span<float> values;
    };
    struct Number {
        std::string name;
        double* value;
    };
    /// Something whose size changes, such as a set of particles.
    struct Block {
        std::string name;
        std::function<std::vector<char>()> save;
        std::function<void(std::span<const char>)> load;   ///< throws RunError if the data cannot be right
    };
    std::vector<Floats> fields;
    std::vector<Number> numbers;
    std::vector<Block> blocks = {};
};

class Model {
public:
    virtual ~Model() = default;
    /// What it tells of the first frame, before anything has happened.
    virtual FrameStats first_stats() const;
    /// Simulates `seconds`, in as many sub-steps as it takes; less where `enough` says so, and FrameStats::left is the rest.
    virtual FrameStats advance(double seconds) = 0;
    /// All that is seen now. The frame keeps it, whatever happens to the model.
    virtual field::Frame show() const = 0;
    virtual StateView state() = 0;
    virtual std::size_t bytes() const = 0;   ///< memory of its fields

    Warnings warnings;                       ///< of this run
    std::function<bool()> enough;            ///< asked between sub-steps, if it is there: true ends advance()
};

}  // namespace phlo::models
