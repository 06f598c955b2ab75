// Everything that is wrong with an input, told at once and in the order of the file.
//
//   Problems problems;
//   problems.add(node.position, "domain.size", "expected three numbers");
//   problems.raise();       // throws InputError if there are any: one line each
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"

namespace phlo::config {

class Problems {
public:
    void add(const Position& position, const std::string& path, const std::string& message);
    bool empty() const { return list_.empty(); }
    std::size_t count() const { return list_.size(); }
    std::string text() const;
    void raise() const;

private:
    struct Problem {
        Position position;
        std::string path, message;
    };
    std::vector<Problem> list_;
};

/// The candidate that was probably meant; "" if none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);
/// "; did you mean 'x'?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);
/// "a, b or c".
std::string one_of(std::span<const std::string> words);
/// "gas" + "cooling" = "gas.cooling".
std::string joined(const std::string& path, std::string_view key);

}  // namespace phlo::config
