// The whole state of a gas, byte by byte: what neither threads nor an interruption may change.
#pragma once
#include <algorithm>
#include <vector>

#include "models/gas/gas.h"

namespace phlo::verify {

inline std::vector<char> state_bits(models::Gas& gas) {
    std::vector<char> all;
    const models::StateView state = gas.state();
    const auto add = [&](const void* p, std::size_t n) { all.insert(all.end(), static_cast<const char*>(p), static_cast<const char*>(p) + n); };
    for (const auto& n : state.numbers) add(n.value, sizeof(double));
    for (const auto& f : state.fields) add(f.values.data(), f.values.size_bytes());
    for (const auto& b : state.blocks) {
        const std::vector<char> data = b.save();
        add(data.data(), data.size());
    }
    return all;
}

/// Goes on where another gas of the same scene is.
inline void take_over(models::Gas& from, models::Gas& to) {
    const models::StateView source = from.state(), target = to.state();
    for (std::size_t n = 0; n < source.numbers.size(); ++n) *target.numbers[n].value = *source.numbers[n].value;
    for (std::size_t f = 0; f < source.fields.size(); ++f) std::ranges::copy(source.fields[f].values, target.fields[f].values.begin());
    for (std::size_t b = 0; b < source.blocks.size(); ++b) target.blocks[b].load(source.blocks[b].save());
}

}  // namespace phlo::verify
