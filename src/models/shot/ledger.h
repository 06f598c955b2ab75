// What came and went, by quantity and entry. Every quantity closes: start + changes = now.
//
//   Ledger ledger;
//   ledger.record("density", "emitted", 0.2);
//   ledger.entries().at("density").at("emitted");
#pragma once
#include <map>
#include <string>

namespace phlo::models {

class Ledger {
public:
    using Entries = std::map<std::string, std::map<std::string, double>>;

    void record(const std::string& quantity, const std::string& entry, double change) { entries_[quantity][entry] += change; }
    void clear() { entries_.clear(); }
    const Entries& entries() const { return entries_; }

private:
    Entries entries_;
};

}  // namespace phlo::models
