#include "config/problems.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::config {
namespace {

/// Fewest insertions, deletions, replacements and swaps of neighbours that make `a` into `b` [damerau1964].
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// '-', '_' and capitals are common slips and count as equal.
std::string folded(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = c == '-' || c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return result;
}

}  // namespace

void Problems::add(const Position& position, const std::string& path, const std::string& message) {
    list_.push_back({position, path, message});
}

std::string Problems::text() const {
    std::vector<Problem> sorted = list_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.position.file, a.position.line, a.position.column) <
               std::tie(b.position.file, b.position.line, b.position.column);
    });
    std::string lines;
    for (const Problem& problem : sorted) {
        if (!lines.empty()) lines += '\n';
        if (!problem.position.file.empty()) lines += problem.position.where() + ": ";
        if (!problem.path.empty()) lines += problem.path + ": ";
        lines += problem.message;
    }
    return lines;
}

void Problems::raise() const {
    if (!empty()) throw InputError(text());
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
    const std::string wanted = folded(word.substr(0, 100));
    std::string best;
    std::size_t best_distance = 1 + std::max<std::size_t>(1, wanted.size() * 2 / 5);
    for (const std::string& candidate : candidates) {
        const std::string name = folded(candidate);
        std::size_t distance = edit_distance(wanted, name);
        const bool part =
            wanted.size() >= 3 && (name.find(wanted) != std::string::npos || (name.size() >= 3 && wanted.find(name) != std::string::npos));
        if (part) distance = std::min<std::size_t>(distance, 2);  // 'temp' is 'temperature'
        if (distance < best_distance) best = candidate, best_distance = distance;
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::string guess = nearest(word, candidates);
    return guess.empty() ? "" : fmt::format("; did you mean '{}'?", guess);
}

std::string one_of(std::span<const std::string> words) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) result += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return result;
}

std::string joined(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

}  // namespace phlo::config
