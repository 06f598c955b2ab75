#include "sim/ledger_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/shot/ledger.h"

namespace phlo::sim {
namespace {

/// Whether chemistry must leave this entry at zero.
bool must_be_zero(const std::string& quantity, const std::string& entry) {
    namespace is = models::ledger_entry;
    return entry == is::hand_back_error || entry == is::birth_error || entry == is::removal_error ||
           (entry == is::reacted && quantity.starts_with(conserved_prefix));
}

}  // namespace

void LedgerSummary::add(const std::map<std::string, std::map<std::string, double>>& frame) {
    for (const auto& [quantity, entries] : frame) {
        Book& book = books_[quantity];
        for (const auto& [entry, value] : entries) {
            if (must_be_zero(quantity, entry)) book.errors[entry] += std::abs(value);
            if (must_be_zero(quantity, entry) && quantity.starts_with(conserved_prefix)) continue;
            if (entry == "now") book.now = value;
            else if (entry != "start") book.changes += value;
            else if (!book.begun) book.start = value, book.begun = true;
            if (entry == "transported") book.transported += value;
            if (entry == "now" || entry == "start") book.largest = std::max(book.largest, std::abs(value));
        }
    }
}

double LedgerSummary::imbalance(const std::string& quantity) const {
    const Book& book = books_.at(quantity);
    return book.largest > 0 ? std::abs(book.start + book.changes - book.now) / book.largest : 0;
}

double LedgerSummary::chemistry_error(const std::string& quantity) const {
    const Book& book = books_.at(quantity);
    double worst = 0;
    for (const auto& [entry, error] : book.errors) worst = std::max(worst, error);
    return book.largest > 0 ? worst / book.largest : 0;
}

double LedgerSummary::transported(const std::string& quantity) const {
    const Book& book = books_.at(quantity);
    return book.largest > 0 ? book.transported / book.largest : 0;
}

std::vector<std::string> LedgerSummary::lines() const {
    std::string worst, worst_of_chemistry;
    std::vector<std::string> lines;
    for (const auto& [quantity, book] : books_) {
        if (quantity.starts_with(conserved_prefix) && (worst.empty() || imbalance(quantity) > imbalance(worst))) worst = quantity;
        if (!book.errors.empty() && (worst_of_chemistry.empty() || chemistry_error(quantity) > chemistry_error(worst_of_chemistry))) worst_of_chemistry = quantity;
        const bool amount = quantity != "heat" && !quantity.starts_with(conserved_prefix);
        if (amount && book.transported != 0)
            lines.push_back(fmt::format("transport and open walls changed {} by {:+.2g} % of its largest amount", quantity, 100 * transported(quantity)));
    }
    const auto name = [](const std::string& quantity) { return quantity.starts_with(conserved_prefix) ? quantity.substr(std::string(conserved_prefix).size()) : quantity; };
    if (!worst_of_chemistry.empty())
        lines.insert(lines.begin(), fmt::format("chemistry kept what it may not change to {:.1e} ({})", chemistry_error(worst_of_chemistry), name(worst_of_chemistry)));
    if (!worst.empty()) lines.insert(lines.begin(), fmt::format("totals kept to {:.1e} ({})", imbalance(worst), name(worst)));
    return lines;
}

}  // namespace phlo::sim
