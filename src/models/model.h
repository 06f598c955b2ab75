// What every model offers to the program that runs it: go on by one frame, show a Frame, hand out its exact state.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/stage.h"
#include "field/frame.h"

namespace phlo::models {

/// One line of stats.jsonl.
struct FrameStats {
    int frame = 0;
    double time = 0;                 ///< at the end of the frame [s]
    double dt = 0;                   ///< mean sub-step [s]
    int substeps = 0;
    StageTimes seconds;
    std::map<std::string, long> particles;
    int pressure_iterations = 0;     ///< summed over the sub-steps
    double pressure_residual = 0;    ///< worst
    double divergence_max = 0;       ///< worst |div u - phi| [1/s]
    double divergence_rms = 0;       ///< worst [1/s]
    double active_fraction = 0;      ///< share of the tiles that worked, mean
    /// What came and went, by quantity: ledger["density"]["emitted"]. Every quantity closes: start + changes = now.
    std::map<std::string, std::map<std::string, double>> ledger;
    std::size_t memory_bytes = 0;
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
    /// Simulates `seconds`, in as many sub-steps as it takes.
    virtual FrameStats advance(double seconds) = 0;
    /// All that is seen now. The frame keeps it, whatever happens to the model.
    virtual field::Frame show() const = 0;
    virtual StateView state() = 0;
    virtual std::size_t bytes() const = 0;   ///< memory of its fields
};

}  // namespace phlo::models
