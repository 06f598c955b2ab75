// A control function: text such as "0.2 * T^0.5 * exp(-3000/T)", parsed and checked once, then evaluated for many cells at once.
//
//   const Expression k = parse_expression("A * min(c, 1) * exp(-800/T)", {"T", "t", "A", "c"}, position);   // throws InputError
//   const Expression slope = k.derivative(0);                        // ∂k/∂T, exact
//   using P = simd::Pack<double>;
//   P inputs[4], scratch[...];  P value = k.evaluate(inputs, scratch);       // expression_eval.h; scratch holds k.scratch_size() packs
//
// It is a straight line of operations on numbered values; a branch is `if(condition, a, b)`, both sides of which are computed.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/node.h"

namespace phlo::chem {

class Expression {
public:
    enum class Op : std::uint8_t { constant, input, add, subtract, multiply, divide, power, negate, exp, log, sqrt, abs, min, max, sin, cos, tanh,
                                   less, less_equal, equal, logical_and, logical_or, logical_not, select };
    /// One operation; its result is the value with the operation's own number.
    struct Instruction {
        Op op = Op::constant;
        int a = 0, b = 0, c = 0;  ///< numbers of its operands; of an input: which one
        double constant = 0;
    };

    Expression() = default;  ///< zero
    explicit Expression(std::vector<Instruction> code) : code_(std::move(code)) {}

    /// Exact derivative with respect to input number `input`. Where the expression has a kink it is the derivative of the side that is taken.
    Expression derivative(int input) const;
    /// Which inputs the value depends on, ascending.
    std::vector<int> inputs() const;
    /// Whether it is a constant, and which.
    bool is_constant() const { return inputs().empty(); }
    int scratch_size() const { return int(code_.size()); }
    std::span<const Instruction> code() const { return code_; }

    double evaluate(std::span<const double> inputs) const;
    /// For packs: chem/expression_eval.h.
    template <class P>
    P evaluate(const P* inputs, P* scratch) const;

private:
    std::vector<Instruction> code_;
};

/// Parses `text`, in which the named inputs may stand. The InputError says where, what is unknown and what was probably meant.
Expression parse_expression(const std::string& text, std::span<const std::string> input_names, const config::Position& position,
                            const std::string& path);

}  // namespace phlo::chem
