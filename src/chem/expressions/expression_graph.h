// Makes the code of an Expression, operation by operation. What can be computed now is, equal operations are kept once, and neutral
// ones (x + 0, 1 * x) vanish, so that derivatives stay small.
//
//   ExpressionGraph graph;
//   const int x = graph.input(0);
//   const int y = graph.make(Expression::Op::multiply, x, graph.constant(2));
//   Expression twice = graph.expression(y);           // without what y does not need
#pragma once
#include <map>
#include <tuple>
#include <vector>

#include "chem/expressions/expression.h"

namespace phlo::chem {

class ExpressionGraph {
public:
    using Op = Expression::Op;
    using Instruction = Expression::Instruction;

    int constant(double value);
    int input(int number);
    /// The value of `op` on the values a, b, c, as many as it takes.
    int make(Op op, int a, int b = 0, int c = 0);

    bool is_constant(int value) const { return at(value).op == Op::constant; }
    bool is_constant(int value, double which) const { return is_constant(value) && at(value).constant == which; }
    double constant_of(int value) const { return at(value).constant; }
    const Instruction& at(int value) const { return code_[std::size_t(value)]; }

    Expression expression(int value) const;

private:
    /// A value that is equal without computing; −1 if there is none.
    int simplified(Op op, int a, int b, int c);
    int power(int base, int exponent);
    int record(Op op, int a, int b, int c, double value);

    std::vector<Instruction> code_;
    std::map<std::tuple<Op, int, int, int, std::uint64_t>, int> known_;
};

/// How many operands an operation takes.
int operand_count(Expression::Op op);
/// One operation on plain numbers: what packs compute lane by lane.
double apply(Expression::Op op, double a, double b, double c);

}  // namespace phlo::chem
