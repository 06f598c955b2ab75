#include "chem/expressions/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "base/error.h"
#include "chem/expressions/expression_eval.h"

namespace phlo::chem {
namespace {

const std::vector<std::string> names{"T", "t", "S1", "CH2(S)"};
const config::Position place{"fire.yaml", 7, 11};
using Inputs = std::vector<double>;

Expression parse(const std::string& text) { return parse_expression(text, names, place, "reactions.2.rate"); }

std::string complaint(const std::string& text, const config::Position& position = place) {
    try {
        parse_expression(text, names, position, "reactions.2.rate");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

struct Case {
    std::string text;
    std::function<double(double, double, double, double)> value;  ///< of T, t, S1, CH2(S), in plain C++
};

/// Every operation and every rule of the grammar.
const std::vector<Case>& cases() {
    using std::exp, std::log, std::sqrt, std::pow, std::sin, std::cos, std::tanh, std::abs;
    static const std::vector<Case> list{
        {"T + t - S1", [](double T, double t, double s, double) { return T + t - s; }},
        {"T - (t - S1) - 2", [](double T, double t, double s, double) { return T - (t - s) - 2; }},
        {"T / t / S1 * 3", [](double T, double t, double s, double) { return T / t / s * 3; }},
        {"-T^2", [](double T, double, double, double) { return -(T * T); }},
        {"2^-t^2", [](double, double t, double, double) { return pow(2, -(t * t)); }},
        {"T^t^S1", [](double T, double t, double s, double) { return pow(T, pow(t, s)); }},
        {"-T*-t", [](double T, double t, double, double) { return -T * -t; }},
        {"+T - -t", [](double T, double t, double, double) { return T + t; }},
        {"T^0.5 * T^-1 * T^3 * T^-2.5 * T^0", [](double T, double, double, double) { return pow(T, 0.5 - 1 + 3 - 2.5); }},
        {"(T - 1.6)^3 + (T - 1.6)^-2", [](double T, double, double, double) { return pow(T - 1.6, 3) + pow(T - 1.6, -2); }},
        {"(t - 1.4)^9", [](double, double t, double, double) { return pow(t - 1.4, 9); }},
        {"(t - 1.4)^12", [](double, double t, double, double) { return pow(t - 1.4, 12); }},
        {"0.2 * T^0.37 * exp(-3/T)", [](double T, double, double, double) { return 0.2 * pow(T, 0.37) * exp(-3 / T); }},
        {"pow(S1, [CH2(S)])", [](double, double, double s, double c) { return pow(s, c); }},
        {"pow(T, 2*S1) * pow(t, 1.3)", [](double T, double t, double s, double) { return pow(T, 2 * s) * pow(t, 1.3); }},
        {"log(T) + log10(t*S1)", [](double T, double t, double s, double) { return log(T) + std::log10(t * s); }},
        {"sqrt(T + t) * exp(S1 - t)", [](double T, double t, double s, double) { return sqrt(T + t) * exp(s - t); }},
        {"sin(3*T) * cos(t) + tanh(S1 - 1)", [](double T, double t, double s, double) { return sin(3 * T) * cos(t) + tanh(s - 1); }},
        {"abs(T - t) + abs(S1)", [](double T, double t, double s, double) { return abs(T - t) + abs(s); }},
        {"min(T, t, S1, 1.5) + max(T*t, S1)",
         [](double T, double t, double s, double) {
             return std::min({T, t, s, 1.5}) + std::max(T * t, s);
         }},
        {"if(T < t, S1*T, T - [CH2(S)])", [](double T, double t, double s, double c) { return T < t ? s * T : T - c; }},
        {"if(T > t && S1 >= t || !(T <= 1), 2*T, 3*t)",
         [](double T, double t, double s, double) { return (T > t && s >= t) || !(T <= 1) ? 2 * T : 3 * t; }},
        {"T*(t < S1) + t*(T == 1) + S1*(T != 1)", [](double T, double t, double s, double) { return T * (t < s) + s * (T != 1); }},
        {"T < t == S1 < 1", [](double T, double t, double s, double) { return double(((T < t) == s) < 1); }},
        {"\"CH2(S)\" * pi * 1e-3 + .5", [](double, double, double, double c) { return c * std::numbers::pi * 1e-3 + 0.5; }},
        {"exp(-(T-1)^2/(2*0.3^2)) / (1 + exp(-8*(t-1)))",
         [](double T, double t, double, double) { return exp(-(T - 1) * (T - 1) / 0.18) / (1 + exp(-8 * (t - 1))); }},
    };
    return list;
}

std::vector<Inputs> random_inputs(int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> between(0.2, 3);
    std::vector<Inputs> result;
    for (int i = 0; i < count; ++i) result.push_back({between(random), between(random), between(random), between(random)});
    return result;
}

TEST(expression, values_are_those_of_cpp) {
    for (const Case& c : cases()) {
        const Expression e = parse(c.text);
        for (const Inputs& x : random_inputs(50)) {
            const double expected = c.value(x[0], x[1], x[2], x[3]);
            EXPECT_NEAR(e.evaluate(x), expected, 1e-13 * (1 + std::abs(expected))) << c.text;
        }
    }
}

template <class T>
void expect_packs_agree(double tolerance) {
    using P = simd::Pack<T>;
    for (const Case& c : cases()) {
        const Expression e = parse(c.text);
        std::vector<P> scratch(std::size_t(e.scratch_size()));
        const auto states = random_inputs(P::width);
        P inputs[4];
        for (int l = 0; l < P::width; ++l)
            for (std::size_t n = 0; n < 4; ++n) inputs[n].set(l, T(states[std::size_t(l)][n]));
        const P value = e.evaluate(inputs, scratch.data());
        for (int l = 0; l < P::width; ++l) {
            const Inputs x{double(inputs[0][l]), double(inputs[1][l]), double(inputs[2][l]), double(inputs[3][l])};
            const double expected = e.evaluate(x);
            EXPECT_NEAR(double(value[l]), expected, tolerance * (1 + std::abs(expected))) << c.text << " lane " << l;
        }
    }
}

TEST(expression, packs_of_doubles_agree_with_plain_numbers) { expect_packs_agree<double>(1e-13); }
TEST(expression, packs_of_floats_agree_with_plain_numbers) { expect_packs_agree<float>(3e-5); }

TEST(expression, packs_take_edges_as_cpp_does) {
    using P = simd::Pack<double>;
    const auto at = [](const std::string& text, double T, double t) {
        const Expression e = parse(text);
        std::vector<P> scratch(std::size_t(e.scratch_size()) + 1);
        const P inputs[4] = {P(T), P(t), P(1.0), P(1.0)};
        const double value = e.evaluate(inputs, scratch.data())[P::width - 1];
        const double plain = e.evaluate(Inputs{T, t, 1, 1});
        EXPECT_TRUE(value == plain || (std::isnan(value) && std::isnan(plain))) << text << " packs " << value << " plain " << plain;
        return value;
    };
    EXPECT_EQ(at("T^t", 0, 0), 1);
    EXPECT_EQ(at("T^t", 0, 0.7), 0);
    EXPECT_EQ(at("T^t", 0, -0.7), INFINITY);
    EXPECT_TRUE(std::isnan(at("T^t", -2, 0.7)));
    EXPECT_NEAR(at("T^t * 0 + 1", -2, 3), 1, 0);
    EXPECT_TRUE(std::isnan(at("sqrt(T)", -1, 0)));
    EXPECT_EQ(at("log(T)", 0, 0), -INFINITY);
    EXPECT_EQ(at("exp(T)", 1000, 0), INFINITY);
    EXPECT_EQ(at("if(T > 0, 1/T, 7)", 0, 0), 7);
}

TEST(expression, derivatives_are_those_of_central_differences) {
    for (const Case& c : cases()) {
        const Expression e = parse(c.text);
        for (int n = 0; n < 4; ++n) {
            const Expression slope = e.derivative(n);
            for (Inputs x : random_inputs(20)) {
                const double exact = slope.evaluate(x), h = 1e-4;
                // fourth order: f' = (8 (f₊₁ − f₋₁) − (f₊₂ − f₋₂)) / 12 h
                const auto shifted = [&](double by) {
                    Inputs y = x;
                    y[std::size_t(n)] += by;
                    return e.evaluate(y);
                };
                const double numeric = (8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h);
                EXPECT_NEAR(exact, numeric, 1e-8 * (1 + std::abs(numeric) + std::abs(e.evaluate(x)))) << c.text << " by input " << n;
            }
        }
    }
}

TEST(expression, derivative_takes_the_side_that_is_taken) {
    const auto slope = [](const std::string& text, double T) { return parse(text).derivative(0).evaluate(Inputs{T, 1, 1, 1}); };
    EXPECT_EQ(slope("min(T, t)", 0.5), 1);
    EXPECT_EQ(slope("min(T, t)", 2), 0);
    EXPECT_EQ(slope("max(T, t)", 2), 1);
    EXPECT_EQ(slope("max(T, t)", 1), 0) << "at a tie max is its second argument";
    EXPECT_EQ(slope("abs(T)", -2), -1);
    EXPECT_EQ(slope("if(T > 0, sqrt(T), 3*T)", -4), 3) << "what is not taken may be no number";
    EXPECT_EQ(slope("sqrt(T)", 0), INFINITY);
    EXPECT_EQ(slope("2^T", 0), std::numbers::ln2);
    EXPECT_EQ(slope("t*T^(T*0)", 0), 0);
    EXPECT_EQ(parse("T^(t+1.5)").derivative(1).evaluate(Inputs{0, 1, 1, 1}), 0) << "0^y stays 0 whatever y";
}

TEST(expression, constants_are_folded_and_equal_parts_kept_once) {
    EXPECT_EQ(parse("2*3 + exp(0) - 7").scratch_size(), 0) << "zero needs no operation";
    EXPECT_EQ(parse("2*pi").scratch_size(), 1);
    EXPECT_TRUE(parse("min(2, 3) * log(10)").is_constant());
    EXPECT_EQ(parse("exp(-800/T) + exp(-800/T)*t").scratch_size(), 4) << "quotient, exp, product, sum";
    EXPECT_EQ(parse("0*exp(T) + 1*t + 0").scratch_size(), 1);
    EXPECT_EQ(parse("if(2 > 1, T, exp(t))").scratch_size(), 1);
    EXPECT_EQ(parse("3*T + t").derivative(0).scratch_size(), 1);
    EXPECT_EQ(parse("3*T + t").derivative(2).scratch_size(), 0);
    EXPECT_LE(parse("0.2 * T^0.5 * exp(-3000/T)").derivative(0).scratch_size(), 12);
}

TEST(expression, knows_its_inputs) {
    EXPECT_EQ(parse("[CH2(S)] + T").inputs(), (std::vector<int>{0, 3}));
    EXPECT_EQ(parse("0*t + 2").inputs(), std::vector<int>{});
    EXPECT_EQ(Expression().evaluate(Inputs{}), 0);
    EXPECT_EQ(Expression().derivative(0).scratch_size(), 0);
    const std::vector<std::string> own{"pi", "e", "exp"};
    EXPECT_EQ(parse_expression("pi + e*exp + exp(0)", own, place, "").evaluate(Inputs{10, 2, 5}), 21) << "inputs win over constants";
}

struct Mistake {
    std::string text;
    int column;  ///< that the message must name
    std::vector<std::string> words;
};

TEST(expression, every_mistake_is_told_with_its_place_and_remedy) {
    const std::vector<Mistake> mistakes{
        {"", 11, {"got nothing"}},
        {" \t", 11, {"got nothing"}},
        {"T + S2", 15, {"unknown name 'S2'", "did you mean 'S1'"}},
        {"T + mystery", 15, {"unknown name 'mystery'", "T, t, S1 or CH2(S)"}},
        {"2 * [CH(S)]", 15, {"unknown name 'CH(S)'", "did you mean 'CH2(S)'"}},
        {"2 * CH2(S)", 15, {"write [CH2(S)]"}},
        {"expp(T)", 11, {"unknown function 'expp'", "did you mean 'exp'"}},
        {"1 + exp", 15, {"exp(…)"}},
        {"exp(T, t)", 19, {"too many arguments for exp"}},
        {"pow(T)", 16, {"too few arguments for pow"}},
        {"if(T > 1, 2)", 22, {"too few arguments for if"}},
        {"min(T)", 15, {"at least two"}},
        {"exp()", 15, {"too few"}},
        {"(T + 1", 17, {"')' is missing"}},
        {"T + 1)", 16, {"')' is not expected"}},
        {"()", 12, {"')' is not expected"}},
        {"T 2", 13, {"operator is missing before '2'"}},
        {"2T", 12, {"operator is missing before 'T'"}},
        {"T (2)", 13, {"'(' is not expected"}},
        {"T +", 14, {"ends too early"}},
        {"-", 12, {"ends too early"}},
        {"* 2", 11, {"'*' is not expected"}},
        {"T */ 2", 14, {"/"}},
        {"T, t", 11, {"several"}},
        {"T ? 1 : 2", 13, {"if(condition, a, b)"}},
        {"T = 2", 13, {"comparison is =="}},
        {"T & t", 13, {"&&"}},
        {"T $ 2", 13, {"'$' is not known"}},
        {"T \xE2\x88\x92 2", 13, {"ASCII"}},
        {"[S1", 11, {"']' is missing"}},
        {"2 * \"S1", 15, {"quote"}},
        {"T / 0", 15, {"division by zero"}},
        {"T / (2 - 2)", 16, {"division by zero"}},
        {"T + log(0)", 19, {"no finite value"}},
        {"T * 10^400", 15, {"no finite value"}},
        {"sqrt(2 - 3)", 16, {"no finite value"}},
        {"1e400 * T", 11, {"too large"}},
        {"1.5.2", 14, {"operator is missing"}},
        {std::string(5000, '1'), 11, {"4000"}},
    };
    for (const Mistake& m : mistakes) {
        const std::string said = complaint(m.text);
        EXPECT_TRUE(said.starts_with("fire.yaml:7:" + std::to_string(m.column) + ": reactions.2.rate: ")) << m.text << "\n" << said;
        for (const std::string& word : m.words) EXPECT_NE(said.find(word), std::string::npos) << m.text << "\n" << said;
    }
}

TEST(expression, text_of_several_lines_or_from_the_command_line_is_counted_in_characters) {
    EXPECT_EQ(complaint("T +\n foo"),
              "fire.yaml:7:11: reactions.2.rate: unknown name 'foo'; known are T, t, S1 or CH2(S) (character 6 of 'T +\n foo')");
    EXPECT_EQ(complaint("T + foo", {"--set k=T + foo", 0, 0}),
              "--set k=T + foo: reactions.2.rate: unknown name 'foo'; known are T, t, S1 or CH2(S) (character 5 of 'T + foo')");
    EXPECT_EQ(parse("T +\n  t").evaluate(Inputs{1, 2, 3, 4}), 3);
}

TEST(expression, random_text_is_read_or_refused_but_never_worse) {
    const std::vector<std::string> pieces{"T",   "t",  "S1", "[CH2(S)]", "\"S1\"",   "foo",    "exp", "log",  "min",  "max",  "if",
                                          "pow", "pi", "(",  ")",        "(",        ")",      ",",   "+",    "-",    "*",    "/",
                                          "^",   "<",  "<=", "==",       "!=",       "&&",     "||",  "!",    "1",    "0",    "2.5",
                                          "1e3", ".",  "e",  " ",        "\n",       "=",      "?",   ":",    "[",    "]",    "\"",
                                          "#",   "'",  "\\", "\x01",     "\xC3\xA9", "1e-400", "if(", "min(", "exp(", "sqrt("};
    std::mt19937 random(11);
    int accepted = 0;
    for (int round = 0; round < 60000; ++round) {
        std::string text;
        for (auto n = 1 + random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
        if (round % 5 == 0)
            for (char& c : text)
                if (random() % 8 == 0) c = char(random() % 256);
        try {
            const Expression e = parse(text);
            e.evaluate(Inputs{1, 2, 3, 4});
            e.derivative(0).evaluate(Inputs{1, 2, 3, 4});
            ++accepted;
        } catch (const InputError&) {
        }
    }
    EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace phlo::chem
