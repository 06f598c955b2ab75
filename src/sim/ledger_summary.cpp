#include "sim/ledger_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace phlo::sim {

void LedgerSummary::add(const std::map<std::string, std::map<std::string, double>>& frame) {
    for (const auto& [quantity, entries] : frame) {
        Book& book = books_[quantity];
        for (const auto& [entry, value] : entries) {
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

double LedgerSummary::transported(const std::string& quantity) const {
    const Book& book = books_.at(quantity);
    return book.largest > 0 ? book.transported / book.largest : 0;
}

std::vector<std::string> LedgerSummary::lines() const {
    std::string worst;
    std::vector<std::string> lines;
    for (const auto& [quantity, book] : books_) {
        if (quantity.starts_with(conserved_prefix) && (worst.empty() || imbalance(quantity) > imbalance(worst))) worst = quantity;
        const bool amount = quantity != "heat" && !quantity.starts_with(conserved_prefix);
        if (amount && book.transported != 0)
            lines.push_back(fmt::format("transport and open walls changed {} by {:+.2g} % of its largest amount", quantity, 100 * transported(quantity)));
    }
    if (!worst.empty())
        lines.insert(lines.begin(), fmt::format("totals kept to {:.1e} ({})", imbalance(worst), worst.substr(std::string(conserved_prefix).size())));
    return lines;
}

}  // namespace phlo::sim
