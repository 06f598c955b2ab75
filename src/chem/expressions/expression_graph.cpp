#include "chem/expressions/expression_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace phlo::chem {

int operand_count(Expression::Op op) {
    using Op = Expression::Op;
    switch (op) {
        case Op::constant:
        case Op::input: return 0;
        case Op::negate:
        case Op::exp:
        case Op::log:
        case Op::sqrt:
        case Op::abs:
        case Op::sin:
        case Op::cos:
        case Op::tanh:
        case Op::logical_not: return 1;
        case Op::select: return 3;
        default: return 2;
    }
}

double apply(Expression::Op op, double a, double b, double c) {
    using Op = Expression::Op;
    switch (op) {
        case Op::constant:
        case Op::input: break;
        case Op::add: return a + b;
        case Op::subtract: return a - b;
        case Op::multiply: return a * b;
        case Op::divide: return a / b;
        case Op::power: return std::pow(a, b);
        case Op::negate: return -a;
        case Op::exp: return std::exp(a);
        case Op::log: return std::log(a);
        case Op::sqrt: return std::sqrt(a);
        case Op::abs: return std::abs(a);
        case Op::min: return a < b ? a : b;
        case Op::max: return a > b ? a : b;
        case Op::sin: return std::sin(a);
        case Op::cos: return std::cos(a);
        case Op::tanh: return std::tanh(a);
        case Op::less: return a < b;
        case Op::less_equal: return a <= b;
        case Op::equal: return a == b;
        case Op::logical_and: return a != 0 && b != 0;
        case Op::logical_or: return a != 0 || b != 0;
        case Op::logical_not: return a == 0;
        case Op::select: return a != 0 ? b : c;
    }
    return 0;
}

int ExpressionGraph::record(Op op, int a, int b, int c, double value) {
    const auto [entry, is_new] = known_.try_emplace({op, a, b, c, std::bit_cast<std::uint64_t>(value)}, int(code_.size()));
    if (is_new) code_.push_back({op, a, b, c, value});
    return entry->second;
}

int ExpressionGraph::constant(double value) { return record(Op::constant, 0, 0, 0, value); }

int ExpressionGraph::input(int number) { return record(Op::input, number, 0, 0, 0); }

int ExpressionGraph::make(Op op, int a, int b, int c) {
    const int count = operand_count(op);
    if (count < 2) b = 0;
    if (count < 3) c = 0;
    if (is_constant(a) && (count < 2 || is_constant(b)) && (count < 3 || is_constant(c)))
        return constant(apply(op, constant_of(a), constant_of(b), constant_of(c)));
    if (const int equal = simplified(op, a, b, c); equal >= 0) return equal;
    const bool symmetric = op == Op::add || op == Op::multiply || op == Op::equal || op == Op::logical_and || op == Op::logical_or;
    if (symmetric && a > b) std::swap(a, b);
    return record(op, a, b, c, 0);
}

int ExpressionGraph::simplified(Op op, int a, int b, int c) {
    switch (op) {
        case Op::add: return is_constant(a, 0) ? b : is_constant(b, 0) ? a : -1;
        case Op::subtract:
            if (is_constant(b, 0)) return a;
            if (a == b) return constant(0);
            return is_constant(a, 0) ? make(Op::negate, b) : -1;
        case Op::multiply:
            if (is_constant(a, 0) || is_constant(b, 0)) return constant(0);
            if (is_constant(a, 1)) return b;
            if (is_constant(b, 1)) return a;
            if (is_constant(a, -1)) return make(Op::negate, b);
            return is_constant(b, -1) ? make(Op::negate, a) : -1;
        case Op::divide: return is_constant(b, 1) ? a : is_constant(a, 0) ? a : -1;
        case Op::power: return is_constant(b) ? power(a, b) : -1;
        case Op::negate: return at(a).op == Op::negate ? at(a).a : -1;
        case Op::min:
        case Op::max: return a == b ? a : -1;
        case Op::select: return b == c ? b : is_constant(a) ? (constant_of(a) != 0 ? b : c) : -1;
        default: return -1;
    }
}

/// Small whole and half exponents cost a few products and a root, not a logarithm.
int ExpressionGraph::power(int base, int exponent) {
    const double y = constant_of(exponent);
    if (y < 0) {
        const int positive = power(base, constant(-y));
        return positive < 0 ? -1 : make(Op::divide, constant(1), positive);
    }
    const double whole = std::floor(y);
    if (whole > 8 || (y != whole && y != whole + 0.5)) return -1;
    int result = y == whole ? constant(1) : make(Op::sqrt, base);
    int square = base;
    for (int n = int(whole); n > 0; n /= 2) {
        if (n % 2 == 1) result = make(Op::multiply, result, square);
        if (n > 1) square = make(Op::multiply, square, square);
    }
    return result;
}

Expression ExpressionGraph::expression(int value) const {
    std::vector<char> needed(code_.size());
    needed[std::size_t(value)] = 1;
    for (int i = value; i >= 0; --i) {
        const int count = operand_count(at(i).op);
        if (!needed[std::size_t(i)] || count == 0) continue;
        needed[std::size_t(at(i).a)] = 1;
        if (count > 1) needed[std::size_t(at(i).b)] = 1;
        if (count > 2) needed[std::size_t(at(i).c)] = 1;
    }
    std::vector<Instruction> code;
    std::vector<int> renumbered(code_.size());
    for (int i = 0; i <= value; ++i) {
        if (!needed[std::size_t(i)]) continue;
        renumbered[std::size_t(i)] = int(code.size());
        Instruction instruction = at(i);
        const int count = operand_count(instruction.op);
        if (count > 0) instruction.a = renumbered[std::size_t(instruction.a)];
        if (count > 1) instruction.b = renumbered[std::size_t(instruction.b)];
        if (count > 2) instruction.c = renumbered[std::size_t(instruction.c)];
        code.push_back(instruction);
    }
    if (code.size() == 1 && code[0].op == Op::constant && code[0].constant == 0) code.clear();
    return Expression(std::move(code));
}

}  // namespace phlo::chem
