// What the ledgers of all frames say together: whether amounts were kept, and what a transport scheme lost or made.
//
//   LedgerSummary summary;
//   for (...) summary.add(stats.ledger);
//   summary.lines();      // {"totals kept to 2e-07 (S1 + 0.5 S4)", "chemistry kept them to 3e-08 (S2)", "transport changed density by +1.8 %"}
#pragma once
#include <map>
#include <string>
#include <vector>

namespace phlo::sim {

class LedgerSummary {
public:
    void add(const std::map<std::string, std::map<std::string, double>>& frame);

    /// |start + changes - now| over the largest amount there ever was, of the quantity's whole run. What chemistry did to a total that it conserves is
    /// no change that explains anything: it counts as missing.
    double imbalance(const std::string& quantity) const;
    /// The worst of the ledger's entries that must be zero (models/shot/ledger.h): its absolute values summed over the frames, over the same.
    double chemistry_error(const std::string& quantity) const;
    /// What transport alone did, over the same; 0 with a transport that keeps amounts.
    double transported(const std::string& quantity) const;
    std::vector<std::string> lines() const;

private:
    struct Book {
        double start = 0, now = 0, changes = 0, transported = 0, largest = 0;
        std::map<std::string, double> errors;   ///< by entry that must be zero: sum of its absolute values
        bool begun = false;
    };
    std::map<std::string, Book> books_;
};

/// Quantities that no reaction changes are written down under this and their name.
inline constexpr const char* conserved_prefix = "total ";

}  // namespace phlo::sim
