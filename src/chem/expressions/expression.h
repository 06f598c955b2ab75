// A control function: text such as "0.2 * T^0.5 * exp(-3000/T)", parsed and checked once, then evaluated for many cells at once.
//
//   const std::vector<std::string> names{"T", "t", "fuel", "CH2(S)"};
//   const Expression k = parse_expression("2 * min([CH2(S)], 1) * exp(-800/T)", names, position, "reactions.0.rate");   // or InputError
//   const Expression slope = k.derivative(0);                          // ∂k/∂T, exact
//   using P = simd::Pack<double>;
//   std::vector<P> scratch(k.scratch_size());
//   P value = k.evaluate(inputs, scratch.data());                      // expression_eval.h; `inputs` holds a pack for every name
//
// What may stand in it:
//   numbers 2, 1.5e-3; pi; the inputs' names, those that are no plain words in brackets or quotes: [CH2(S)] "CH2(S)"
//   + - * / ^  < <= > >= == !=  && || !  and brackets; a comparison is 1 or 0, and what is not 0 is true
//   exp log log10 sqrt abs sin cos tanh pow(a, b) min(a, b, …) max(a, b, …) if(condition, a, b)
//
// It becomes a straight line of operations on numbered values; both sides of an `if` are computed and one is taken.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/node.h"

namespace phlo::chem {

class Expression {
public:
    enum class Op : std::uint8_t {
        constant,
        input,
        add,
        subtract,
        multiply,
        divide,
        power,
        negate,
        exp,
        log,
        sqrt,
        abs,
        min,
        max,
        sin,
        cos,
        tanh,
        less,
        less_equal,
        equal,
        logical_and,
        logical_or,
        logical_not,
        select
    };
    /// One operation; its result is the value with the operation's own number. Operands come before it.
    struct Instruction {
        Op op = Op::constant;
        int a = 0, b = 0, c = 0;  ///< numbers of its operands; of an input: which one
        double constant = 0;
    };

    Expression() = default;  ///< zero
    explicit Expression(std::vector<Instruction> code);

    /// Exact derivative with respect to input number `input`. Where the expression has a kink it is the derivative of the side that is
    /// taken; where its slope is infinite, such as sqrt(x) at 0, so is the derivative.
    Expression derivative(int input) const;
    /// Which inputs the value depends on, ascending.
    std::vector<int> inputs() const;
    bool is_constant() const { return inputs().empty(); }
    int scratch_size() const { return int(steps_.size()); }
    /// The last operation makes the value.
    std::span<const Instruction> code() const { return code_; }

    double evaluate(std::span<const double> inputs) const;
    /// For packs: chem/expression_eval.h.
    template <class P>
    P evaluate(const P* inputs, P* scratch) const;

private:
    /// Where an operand of a step is found: among the results of steps, the inputs, or the constants.
    struct Operand {
        enum From : std::uint8_t { result, input, constant };
        From from = result;
        int index = 0;
    };
    /// An operation as packs run it. Inputs and constants are taken where they are.
    struct Step {
        Op op = Op::constant;
        Operand a, b, c;
    };
    /// Each constant in every lane of the widest pack, ready to be loaded.
    template <class T>
    using Splat = std::array<T, 64>;

    template <class T>
    const T* constants() const {
        if constexpr (sizeof(T) == 4) return floats_.empty() ? nullptr : floats_[0].data();
        else return doubles_.empty() ? nullptr : doubles_[0].data();
    }

    std::vector<Instruction> code_;
    std::vector<Step> steps_;
    std::vector<Splat<float>> floats_;
    std::vector<Splat<double>> doubles_;
};

/// Parses `text`, in which the named inputs may stand. The InputError says where, what is unknown and what was probably meant.
/// `position` is where the text begins, `path` its key path.
Expression parse_expression(const std::string& text, std::span<const std::string> input_names, const config::Position& position,
                            const std::string& path);

}  // namespace phlo::chem
