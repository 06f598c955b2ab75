// Fills a table of coefficient rows: rows that look alike are computed and stored once.
//
//   RowPlan plan(table, arena, length);
//   plan.add(j, k, differs_from_plain_box);              // for every row
//   plan.run([&](int j, int k, float* row) { ... });     // the distinct ones, in parallel
#pragma once
#include <cstring>
#include <utility>

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

/// The same for tables of networks with ground, `count` of them whose rows are computed together. Whole rows can lie outside the system. Rows
/// that turn out plain or zero are noted as such, so that what is special does not spread from level to level.
///
///   RowSetPlan<2> plan({&low, &high}, arena, length);
///   plan.add(j, k, RowTable::special);
///   plan.run(scratch_length, [&](int j, int k, const std::array<float*, 2>& rows, float* scratch) { ... });   // rows are zero before
template <std::size_t count>
class RowSetPlan {
public:
    using Rows = std::array<float*, count>;
    RowSetPlan(const std::array<RowTable*, count>& tables, RowArena& arena, int length)
        : tables_(tables), arena_(arena), length_(length), zeros_(arena.zeros(length)) {}

    void add(int j, int k, RowTable::Kind kind) {
        const std::size_t at = tables_[0]->index(j, k);
        Rows* shared = kind == RowTable::plain ? &plain_rows(j, k) : nullptr;
        if (shared != nullptr && (*shared)[0] == nullptr) {
            for (float*& row : *shared) row = arena_.take(length_);
            plain_.push_back({j, k});
        }
        if (kind == RowTable::special) special_.push_back({j, k});
        for (std::size_t t = 0; t < count; ++t) {
            tables_[t]->own[at] = kind;
            tables_[t]->row[at] = shared != nullptr ? (*shared)[t] : zeros_;
            if (shared != nullptr && is_inner(j, k)) tables_[t]->inner = (*shared)[t];
        }
    }
    template <class Body>
    void run(int scratch_length, const Body& body) {
        std::vector<float> scratch(static_cast<std::size_t>(scratch_length));
        for (const auto [j, k] : plain_) body(j, k, std::as_const(plain_rows(j, k)), scratch.data());
        constexpr int batch = 16;
        parallel_for(int(special_.size() + batch - 1) / batch, [&](int b) {
            std::vector<float> own(count * std::size_t(length_) + std::size_t(scratch_length));
            Rows rows;
            std::array<const float*, count> before{};
            for (std::size_t t = 0; t < count; ++t) rows[t] = own.data() + t * std::size_t(length_);
            for (std::size_t w = std::size_t(b) * batch; w < std::min(special_.size(), std::size_t(b + 1) * batch); ++w) {
                const auto [j, k] = special_[w];
                std::fill_n(own.data(), count * std::size_t(length_), 0.f);
                body(j, k, std::as_const(rows), own.data() + count * std::size_t(length_));
                for (std::size_t t = 0; t < count; ++t) settle(t, j, k, rows[t], before[t]);
            }
        });
    }

private:
    struct Place {
        int j, k;
    };
    static constexpr int kinds = 8, inner = 3;
    static int kind(int index, int size) { return index < 3 ? index : index >= size - 3 ? size - index + 3 : inner; }
    bool is_inner(int j, int k) const { return kind(j, tables_[0]->nj) == inner && kind(k, tables_[0]->nk) == inner; }
    Rows& plain_rows(int j, int k) { return plain_rows_[std::size_t(kind(j, tables_[0]->nj) * kinds + kind(k, tables_[0]->nk))]; }

    /// `before`: the last special row of the table; neighbours are often equal, and then stored once.
    void settle(std::size_t t, int j, int k, const float* row, const float*& before) {
        const std::size_t at = tables_[t]->index(j, k), bytes = std::size_t(length_) * sizeof(float);
        const float* plain = plain_rows(j, k)[t];
        if (plain != nullptr && std::memcmp(row, plain, bytes) == 0)
            tables_[t]->own[at] = RowTable::plain, tables_[t]->row[at] = plain;
        else if (std::memcmp(row, zeros_, bytes) == 0)
            tables_[t]->own[at] = RowTable::outside;
        else
            tables_[t]->row[at] = before = before != nullptr && std::memcmp(row, before, bytes) == 0 ? before : arena_.append(row, length_);
    }

    std::array<RowTable*, count> tables_;
    RowArena& arena_;
    int length_;
    const float* zeros_;
    std::array<Rows, std::size_t(kinds* kinds)> plain_rows_{};
    std::vector<Place> plain_, special_;
};

}  // namespace phlo::numerics
