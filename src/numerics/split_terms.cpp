#include "numerics/split_terms.h"

#include "base/parallel.h"

namespace phlo::numerics {

SplitTerms::SplitTerms(std::vector<RankTerm> terms, const field::Layout& layout, const SplitRow& shape)
    : terms_(std::move(terms)), products_(terms_.size()) {
    for (const RankTerm& term : terms_) {
        auto& places = places_.emplace_back();
        places.reserve(term.entries.size());
        for (const RankTerm::Entry& e : term.entries) places.push_back(layout.offset(0, e.cell.y, e.cell.z) + shape.at(e.cell.x));
    }
}

double SplitTerms::multiply(const field::Grid& p) {
    // One item a term: the sums keep their order whatever the threads do.
    parallel_for(int(terms_.size()), [&](int item) {
        const auto t = std::size_t(item);
        Values sums{};
        for (std::size_t e = 0; e < places_[t].size(); ++e) {
            const double x = double(p.storage()[std::size_t(places_[t][e])]);
            for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += double(terms_[t].entries[e].value[c]) * x;
        }
        products_[t] = sums;
    });
    double energy = 0;
    for (std::size_t t = 0; t < terms_.size(); ++t)
        for (const double s : products_[t]) energy += terms_[t].sign * (s * s);
    return energy;
}

void SplitTerms::subtract(double scale, field::Grid& r) const {
    // Two terms may share a cell: one after the other.
    for (std::size_t t = 0; t < terms_.size(); ++t)
        for (std::size_t e = 0; e < places_[t].size(); ++e) {
            float& at = r.storage()[std::size_t(places_[t][e])];
            double change = 0;
            for (std::size_t c = 0; c < products_[t].size(); ++c) change += double(terms_[t].entries[e].value[c]) * products_[t][c];
            at = float(double(at) - terms_[t].sign * scale * change);
        }
}

std::size_t SplitTerms::bytes() const {
    std::size_t total = 0;
    for (const auto& places : places_) total += places.size() * (sizeof(RankTerm::Entry) + sizeof(std::ptrdiff_t));
    return total;
}

}  // namespace phlo::numerics
