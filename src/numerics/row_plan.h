// Fills a table of coefficient rows: rows that look alike are computed and stored once.
//
//   RowPlan plan(table, arena, length);
//   plan.add(j, k, differs_from_plain_box);              // for every row
//   plan.run([&](int j, int k, float* row) { ... });     // the distinct ones, in parallel
#pragma once
#include "base/parallel.h"
#include "numerics/conductances.h"

namespace phlo::numerics {

/// Lists the rows of a table that must be computed: each own row, and one of each kind of plain row.
class RowPlan {
public:
    RowPlan(RowTable& table, RowArena& arena, int length) : table_(table), arena_(arena), length_(length) {}

    void add(int j, int k, bool own) {
        const std::size_t at = table_.index(j, k);
        table_.own[at] = own;
        if (own) {
            work_.push_back({j, k, nullptr});
            return;
        }
        float*& shared = kinds_[std::size_t(kind(j, table_.nj) * kinds + kind(k, table_.nk))];
        if (shared == nullptr) {
            shared = arena_.take(length_);
            work_.push_back({j, k, shared});
            if (kind(j, table_.nj) == inner && kind(k, table_.nk) == inner) table_.inner = shared;
        }
        table_.row[at] = shared;
    }
    template <class Body>
    void run(const Body& body) {
        constexpr int batch = 16;
        parallel_for(int(work_.size() + batch - 1) / batch, [&](int b) {
            std::vector<float> own(static_cast<std::size_t>(length_));
            for (std::size_t w = std::size_t(b) * batch; w < std::min(work_.size(), std::size_t(b + 1) * batch); ++w) {
                const auto [j, k, shared] = work_[w];
                if (shared != nullptr) {
                    body(j, k, shared);
                    continue;
                }
                std::fill(own.begin(), own.end(), 0.f);
                body(j, k, own.data());
                table_.row[table_.index(j, k)] = arena_.keep(own.data(), length_);
            }
        });
    }

private:
    // In a plain box rows differ only near its ends: three indices at either end are told apart, which covers every level.
    static constexpr int kinds = 8, inner = 3;
    static int kind(int index, int count) { return index < 3 ? index : index >= count - 3 ? count - index + 3 : inner; }

    struct Work {
        int j, k;
        float* shared;  // null: a row of its own
    };
    RowTable& table_;
    RowArena& arena_;
    int length_;
    std::array<float*, std::size_t(kinds* kinds)> kinds_{};
    std::vector<Work> work_;
};

}  // namespace phlo::numerics
