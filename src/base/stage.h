// A step is a list of named stages. A scoped Stage times one of them.
//
//   StageTimes times;
//   { Stage stage(times, "velocity"); advect_velocity(...); }
//   times.seconds("velocity");
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phlo {

/// Seconds spent in each stage, in the order in which the stages first ran.
class StageTimes {
public:
    void add(std::string_view name, double seconds);
    void add(const StageTimes& other);
    void clear() { entries_.clear(); }
    double seconds(std::string_view name) const;
    double total() const;
    const std::vector<std::pair<std::string, double>>& entries() const { return entries_; }

private:
    std::vector<std::pair<std::string, double>> entries_;
};

class Stage {
public:
    Stage(StageTimes& times, std::string_view name) : times_(times), name_(name) {}
    ~Stage() { times_.add(name_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()); }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

private:
    StageTimes& times_;
    std::string_view name_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace phlo
