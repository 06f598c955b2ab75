// What came and went, by quantity and entry. Every quantity closes: start + changes = now.
//
//   Ledger ledger;
//   ledger.record("density", "emitted", 0.2);
//   ledger.record("S1", ledger_entry::hand_back_error, after - before - reacted);
//   ledger.entries().at("density").at("emitted");
//
// Closing alone proves nothing where an entry is itself the difference of after and before. So the parts of chemistry that only move amounts
// about book what they changed by mistake, and that must be zero for every species; and what the reactions made of each species, by the
// integrator's word, must add up to zero for every total that they conserve.
#pragma once
#include <map>
#include <string>

namespace phlo::models {

namespace ledger_entry {
inline constexpr const char* reacted = "reacted";                  ///< by the integrator's word; zero for a conserved total
inline constexpr const char* hand_back_error = "hand-back error";  ///< what reached particles and fields, less what the integrator said
inline constexpr const char* birth_error = "birth error";          ///< what newborn carriers got, less what they were to get
inline constexpr const char* removal_error = "removal error";      ///< what fellows took over from particles that went, less what these had
inline constexpr const char* vanished = "vanished";                ///< parts of a solid that came loose and are gone, by choice or as crumbs
}  // namespace ledger_entry

class Ledger {
public:
    using Entries = std::map<std::string, std::map<std::string, double>>;

    void record(const std::string& quantity, const std::string& entry, double change) { entries_[quantity][entry] += change; }
    void clear() { entries_.clear(); }
    const Entries& entries() const { return entries_; }

private:
    Entries entries_;
};

/// What was booked first, and what came after it, as one: "start" of the first, "now" of the last, the sum of all others.
inline void add_entries(Ledger::Entries& sums, const Ledger::Entries& later) {
    for (const auto& [quantity, entries] : later)
        for (const auto& [entry, value] : entries) {
            const auto [place, first] = sums[quantity].try_emplace(entry, 0.0);
            if (entry == "now") place->second = value;
            else if (entry != "start") place->second += value;
            else if (first) place->second = value;
        }
}

}  // namespace phlo::models
