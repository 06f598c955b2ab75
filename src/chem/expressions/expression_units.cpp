#include "chem/expressions/expression_units.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "base/error.h"
#include "config/problems.h"

namespace phlo::chem {
namespace {

using Op = Expression::Op;

constexpr Unit plain{};

/// What is known of a value; none: it contains a free number.
using Known = std::optional<Unit>;

Known product(const Known& a, const Known& b, double sign) {
    if (!a || !b) return std::nullopt;
    Unit result = *a;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += sign * (*b)[i];
    return result;
}

Known power(const Known& base, double exponent) {
    if (!base) return std::nullopt;
    Unit result = *base;
    for (double& e : result) e *= exponent;
    return result;
}

class Checker {
public:
    Checker(const Expression& expression, std::span<const std::string> names, std::span<const Unit> units)
        : code_(expression.code()), names_(names), units_(units) {}

    /// The first thing that is wrong, or nothing.
    std::string complaint() {
        for (const auto& instruction : code_) {
            known_.push_back(result_of(instruction));
            if (!complaint_.empty()) break;
        }
        return complaint_;
    }

private:
    const Known& of(int value) const { return known_[std::size_t(value)]; }

    std::string described(int value) const {
        const auto& from = code_[std::size_t(value)];
        const std::string unit = *of(value) == plain ? "a plain number" : "in " + unit_text(*of(value));
        return from.op == Op::input ? fmt::format("'{}' is {}", names_[std::size_t(from.a)], unit) : fmt::format("a value is {}", unit);
    }

    /// Two values that are added, compared or chosen from.
    Known alike(int a, int b) {
        if (of(a) && of(b) && *of(a) != *of(b))
            complaint_ = fmt::format("{} and {}; expected a number that turns one into the other, such as 0.1*", described(a), described(b));
        return of(a) ? of(a) : of(b);
    }

    /// The argument of a function of numbers. Time passes: sin(t) is a wave of 1 rad/s.
    Known number(int value) {
        if (of(value) && *of(value) != plain && *of(value) != second)
            complaint_ = fmt::format("{}; expected a plain number: divide it by one of its kind", described(value));
        return plain;
    }

    Known result_of(const Expression::Instruction& i) {
        switch (i.op) {
            case Op::constant: return std::nullopt;
            case Op::input: return units_[std::size_t(i.a)];
            case Op::add:
            case Op::subtract:
            case Op::min:
            case Op::max: return alike(i.a, i.b);
            case Op::multiply: return product(of(i.a), of(i.b), 1);
            case Op::divide: return product(of(i.a), of(i.b), -1);
            case Op::power:
                if (code_[std::size_t(i.b)].op == Op::constant) return power(of(i.a), code_[std::size_t(i.b)].constant);
                number(i.b);
                return of(i.a) && *of(i.a) == plain ? Known(plain) : std::nullopt;
            case Op::negate:
            case Op::abs: return of(i.a);
            case Op::sqrt: return power(of(i.a), 0.5);
            case Op::log: return std::nullopt;  // of a quotient: the unit below it is a free number
            case Op::exp:
            case Op::sin:
            case Op::cos:
            case Op::tanh: return number(i.a);
            case Op::less:
            case Op::less_equal:
            case Op::equal: return alike(i.a, i.b), plain;
            case Op::logical_and:
            case Op::logical_or:
            case Op::logical_not: return plain;
            case Op::select: return alike(i.b, i.c);
        }
        return std::nullopt;
    }

    std::span<const Expression::Instruction> code_;
    std::span<const std::string> names_;
    std::span<const Unit> units_;
    std::vector<Known> known_;
    std::string complaint_;
};

}  // namespace

std::string unit_text(const Unit& unit) {
    constexpr std::array<const char*, 4> symbols{"K", "s", "mol", "m"};
    constexpr std::array<std::size_t, 4> order{2, 0, 3, 1};  // as one says them: mol, K, m, s
    std::string above, below;
    int below_count = 0;
    for (const std::size_t i : order) {
        if (unit[i] == 0) continue;
        const double exponent = std::abs(unit[i]);
        std::string& side = unit[i] > 0 ? above : below;
        if (!side.empty()) side += ' ';
        side += exponent == 1 ? symbols[i] : fmt::format("{}^{}", symbols[i], exponent);
        below_count += unit[i] < 0;
    }
    if (below.empty()) return above.empty() ? "1" : above;
    if (below_count > 1) below = "(" + below + ")";
    return (above.empty() ? "1" : above) + "/" + below;
}

void check_units(const Expression& expression, std::span<const std::string> names, std::span<const Unit> units,
                 const config::Position& position, const std::string& path) {
    const std::string complaint = Checker(expression, names, units).complaint();
    if (complaint.empty()) return;
    config::Problems problems;
    problems.add(position, path, complaint);
    throw InputError(problems.text());
}

}  // namespace phlo::chem
