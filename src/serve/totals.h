// What is in the whole box, frame by frame: the amount and the largest value of each volume, and what the ledger has counted since the beginning.
//
//   std::string json = totals_json(frame);              // {"c_fuel": {"sum": 0.3, "most": 11}, "temperature": {…}}
//   LedgerTotals ledger;
//   ledger.add(stats.ledger);   ledger.to_json();       // {"fuel": {"start": 0, "emitted": 3.2, "reacted": -2.9, "now": 0.3}}
#pragma once
#include <string>

#include "field/frame.h"
#include "models/shot/ledger.h"

namespace phlo::serve {

/// Of fog volumes: Σ value × volume of a cell, and the largest.
std::string totals_json(const field::Frame& frame);

class LedgerTotals {
public:
    void add(const models::Ledger::Entries& frame) { models::add_entries(sums_, frame); }
    std::string to_json() const;

private:
    models::Ledger::Entries sums_;
};

}  // namespace phlo::serve
