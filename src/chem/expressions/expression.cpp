#include "chem/expressions/expression.h"

#include <algorithm>

#include "chem/expressions/expression_graph.h"

namespace phlo::chem {
namespace {

using Op = Expression::Op;
using Instruction = Expression::Instruction;

/// Derivative of the operation `i`, whose own value is `self`, from its operands x, y and their derivatives dx, dy.
struct Operands {
    int self, x, y, z, dx, dy, dz;
};

int derivative_of_power(ExpressionGraph& g, const Operands& o) {
    const int zero = g.constant(0);
    // x^y = e^(y ln x): the part of the base needs no logarithm; the part of the exponent vanishes with x, and is not there for x < 0
    const int base =
        g.make(Op::multiply, g.make(Op::multiply, o.y, g.make(Op::power, o.x, g.make(Op::subtract, o.y, g.constant(1)))), o.dx);
    if (g.is_constant(o.dy, 0)) return base;
    const int exponent = g.make(Op::multiply, g.make(Op::multiply, o.self, g.make(Op::log, o.x)), o.dy);
    return g.make(Op::add, base, g.make(Op::select, g.make(Op::less, zero, o.x), exponent, zero));
}

int derivative_of(ExpressionGraph& g, Op op, const Operands& o) {
    const int zero = g.constant(0), one = g.constant(1);
    switch (op) {
        case Op::add: return g.make(Op::add, o.dx, o.dy);
        case Op::subtract: return g.make(Op::subtract, o.dx, o.dy);
        case Op::multiply: return g.make(Op::add, g.make(Op::multiply, o.dx, o.y), g.make(Op::multiply, o.x, o.dy));
        case Op::divide: return g.make(Op::divide, g.make(Op::subtract, o.dx, g.make(Op::multiply, o.self, o.dy)), o.y);
        case Op::power: return derivative_of_power(g, o);
        case Op::negate: return g.make(Op::negate, o.dx);
        case Op::exp: return g.make(Op::multiply, o.self, o.dx);
        case Op::log: return g.make(Op::divide, o.dx, o.x);
        case Op::sqrt: return g.make(Op::divide, g.make(Op::multiply, g.constant(0.5), o.dx), o.self);
        case Op::abs: return g.make(Op::select, g.make(Op::less, o.x, zero), g.make(Op::negate, o.dx), o.dx);
        case Op::min: return g.make(Op::select, g.make(Op::less, o.x, o.y), o.dx, o.dy);
        case Op::max: return g.make(Op::select, g.make(Op::less, o.y, o.x), o.dx, o.dy);
        case Op::sin: return g.make(Op::multiply, g.make(Op::cos, o.x), o.dx);
        case Op::cos: return g.make(Op::multiply, g.make(Op::negate, g.make(Op::sin, o.x)), o.dx);
        case Op::tanh: return g.make(Op::multiply, g.make(Op::subtract, one, g.make(Op::multiply, o.self, o.self)), o.dx);
        case Op::select: return g.make(Op::select, o.x, o.dy, o.dz);
        default: return zero;  // constants, comparisons and logic
    }
}

}  // namespace

Expression::Expression(std::vector<Instruction> code) : code_(std::move(code)) {
    std::vector<Operand> found;  // where the value of each instruction is
    for (std::size_t n = 0; n < code_.size(); ++n) {
        const Instruction& i = code_[n];
        const int count = operand_count(i.op);
        if (i.op == Op::input) {
            found.push_back({Operand::input, i.a});
        } else if (i.op == Op::constant) {
            found.push_back({Operand::constant, int(floats_.size())});
            floats_.emplace_back().fill(float(i.constant));
            doubles_.emplace_back().fill(i.constant);
        } else {
            const auto at = [&](int which, int number) { return which < count ? found[std::size_t(number)] : Operand(); };
            found.push_back({Operand::result, int(steps_.size())});
            steps_.push_back({i.op, at(0, i.a), at(1, i.b), at(2, i.c)});
        }
    }
    if (!code_.empty() && found.back().from != Operand::result) steps_.push_back({Op::input, found.back(), {}, {}});
}

Expression Expression::derivative(int with_respect_to) const {
    ExpressionGraph g;
    std::vector<int> value, slope;  // in the graph, of each operation
    for (const Instruction& i : code_) {
        if (i.op == Op::constant || i.op == Op::input) {
            value.push_back(i.op == Op::constant ? g.constant(i.constant) : g.input(i.a));
            slope.push_back(g.constant(i.op == Op::input && i.a == with_respect_to ? 1 : 0));
            continue;
        }
        const int count = operand_count(i.op);
        const std::size_t a = std::size_t(i.a), b = std::size_t(count > 1 ? i.b : i.a), c = std::size_t(count > 2 ? i.c : i.a);
        value.push_back(g.make(i.op, value[a], value[b], value[c]));
        const bool flat = g.is_constant(slope[a], 0) && g.is_constant(slope[b], 0) && g.is_constant(slope[c], 0);
        slope.push_back(flat ? g.constant(0)
                             : derivative_of(g, i.op, {value.back(), value[a], value[b], value[c], slope[a], slope[b], slope[c]}));
    }
    return slope.empty() ? Expression() : g.expression(slope.back());
}

std::vector<int> Expression::inputs() const {
    std::vector<int> result;
    for (const Instruction& i : code_)
        if (i.op == Op::input) result.push_back(i.a);
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

double Expression::evaluate(std::span<const double> inputs) const {
    std::vector<double> value;
    value.reserve(code_.size());
    for (const Instruction& i : code_) {
        if (i.op == Op::constant) value.push_back(i.constant);
        else if (i.op == Op::input) value.push_back(inputs[std::size_t(i.a)]);
        else value.push_back(apply(i.op, value[std::size_t(i.a)], value[std::size_t(i.b)], value[std::size_t(i.c)]));
    }
    return value.empty() ? 0 : value.back();
}

}  // namespace phlo::chem
