// Text to Expression. muParser reads the grammar; its operators and functions are ours, and what they pass on are not numbers but the
// handles of recorded operations: one evaluation leaves the whole code behind.
#include <fmt/format.h>
#include <muParserBase.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/error.h"
#include "chem/expressions/expression.h"
#include "chem/expressions/expression_graph.h"
#include "config/problems.h"

namespace phlo::chem {
namespace {

using Op = Expression::Op;

const char* const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const char* const name_characters = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const std::vector<std::string> functions{"exp", "log", "log10", "sqrt", "abs", "sin", "cos", "tanh", "pow", "min", "max", "if"};

bool is_plain(const std::string& name) {
    return !name.empty() && std::strchr(letters, name[0]) && name.find_first_not_of(name_characters) == std::string::npos;
}

/// What one reading has recorded so far.
struct Trace {
    struct Value {
        int number;  ///< in the graph
        int begin;  ///< where in the text it starts
    };

    const std::string& text;
    std::span<const std::string> names;
    const config::Position& position;
    const std::string& path;
    ExpressionGraph graph = {};
    std::vector<Value> values = {};

    [[noreturn]] void fail(int offset, std::string message) const {
        config::Position at = position;
        offset = std::clamp(offset, 0, int(text.size()));
        if (at.line > 0 && text.find('\n') == std::string::npos) at.column += offset;
        else message += fmt::format(" (character {} of '{}')", offset + 1, text);
        config::Problems problems;
        problems.add(at, path, message);
        throw InputError(problems.text());
    }

    double handle(int number, int begin) {
        values.push_back({number, begin});
        return double(values.size() - 1);
    }
    const Value& value(double handle) const { return values[std::size_t(handle)]; }

    double operation(Op op, const Value& a, const Value& b, const Value& c, int begin) {
        if (op == Op::divide && graph.is_constant(b.number, 0)) fail(b.begin, "division by zero");
        const int number = graph.make(op, a.number, b.number, c.number);
        if (graph.is_constant(number) && !std::isfinite(graph.constant_of(number)))
            fail(begin, "this part has no finite value, whatever the inputs are");
        return handle(number, begin);
    }
};

/// muParser's operators carry no user data.
thread_local Trace* current = nullptr;

struct Recording {
    Trace* before = current;
    explicit Recording(Trace& trace) { current = &trace; }
    ~Recording() { current = before; }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
};

template <Op op>
double trace1(double a) {
    const Trace::Value x = current->value(a);
    return current->operation(op, x, x, x, x.begin);
}
template <Op op>
double trace2(double a, double b) {
    const Trace::Value x = current->value(a), y = current->value(b);
    return current->operation(op, x, y, y, x.begin);
}
template <Op op>
double trace_swapped(double a, double b) {
    const Trace::Value x = current->value(a), y = current->value(b);
    return current->operation(op, y, x, x, x.begin);
}
double trace_plus(double a) { return a; }
double trace_unequal(double a, double b) { return trace1<Op::logical_not>(trace2<Op::equal>(a, b)); }
double trace_log10(double a) {
    const double scale = current->handle(current->graph.constant(std::numbers::log10e), current->value(a).begin);
    return trace2<Op::multiply>(trace1<Op::log>(a), scale);
}
double trace_if(double condition, double a, double b) {
    const Trace::Value x = current->value(condition), y = current->value(a), z = current->value(b);
    return current->operation(Op::select, x, y, z, x.begin);
}
template <Op op>
double trace_many(const double* arguments, int count) {
    if (count < 2)
        current->fail(count > 0 ? current->value(arguments[0]).begin : 0,
                      fmt::format("{} needs at least two arguments", op == Op::min ? "min" : "max"));
    double result = arguments[0];
    for (int i = 1; i < count; ++i) result = trace2<op>(result, arguments[i]);
    return result;
}

/// A number; the text is known to start like one.
double read_number(Trace& trace, int begin, std::size_t& length) {
    const char* first = trace.text.c_str() + begin;
    double value = 0;
    const auto [end, error] = std::from_chars(first, trace.text.c_str() + trace.text.size(), value);
    length = std::size_t(end - first);
    if (error == std::errc::result_out_of_range) trace.fail(begin, fmt::format("{} is too large or too small", std::string(first, end)));
    if (error != std::errc()) trace.fail(begin, "expected a number, a name or a bracket");
    return trace.handle(trace.graph.constant(value), begin);
}

double read_input(Trace& trace, int begin, const std::string& name) {
    const auto found = std::ranges::find(trace.names, name);
    if (found != trace.names.end()) return trace.handle(trace.graph.input(int(found - trace.names.begin())), begin);
    if (name == "pi") return trace.handle(trace.graph.constant(std::numbers::pi), begin);
    std::string known = config::did_you_mean(name, trace.names);
    if (known.empty()) known = trace.names.empty() ? "; there are no inputs here" : "; known are " + config::one_of(trace.names);
    trace.fail(begin, fmt::format("unknown name '{}'{}", name, known));
}

/// A word: an input, pi, or a mistake that can be named.
double read_word(Trace& trace, int begin, const std::string& word) {
    const std::string_view rest = std::string_view(trace.text).substr(std::size_t(begin));
    for (const std::string& name : trace.names)
        if (!is_plain(name) && name.size() > word.size() && rest.starts_with(name))
            trace.fail(begin, fmt::format("write [{}]: a name that is not one plain word stands in square brackets", name));
    const bool known = std::ranges::find(trace.names, word) != trace.names.end();
    const std::size_t next = rest.find_first_not_of(" \t\r\n", word.size());
    if (!known && next != std::string_view::npos && rest[next] == '(')
        trace.fail(begin, fmt::format("unknown function '{}'{}; functions are {}", word, config::did_you_mean(word, functions),
                                      config::one_of(functions)));
    if (!known && std::ranges::find(functions, word) != functions.end())
        trace.fail(begin, fmt::format("the function {} needs its arguments in brackets: {}(…)", word, word));
    return read_input(trace, begin, word);
}

/// muParser's question: does a value start here, and which? Every number and name of the text comes by.
int identify(const char* rest, int* offset, double* handle) {
    Trace& trace = *current;
    const int begin = *offset;
    std::size_t length = 0;
    if ((*rest >= '0' && *rest <= '9') || *rest == '.') {
        *handle = read_number(trace, begin, length);
    } else if (*rest == '[' || *rest == '"') {
        const char* end = std::strchr(rest + 1, *rest == '[' ? ']' : '"');
        if (!end) trace.fail(begin, *rest == '[' ? "']' is missing" : "the closing quote is missing");
        *handle = read_input(trace, begin, std::string(rest + 1, end));
        length = std::size_t(end + 1 - rest);
    } else if (*rest != 0 && std::strchr(letters, *rest)) {
        length = std::strspn(rest, name_characters);
        if (std::ranges::find(functions, std::string_view(rest, length)) != functions.end() &&
            rest[length + std::strspn(rest + length, " \t\r\n")] == '(')
            return 0;  // a call, which muParser knows
        *handle = read_word(trace, begin, std::string(rest, length));
    } else {
        return 0;
    }
    *offset = begin + int(length);
    return 1;
}

class Grammar : public mu::ParserBase {
public:
    Grammar() {
        AddValIdent(identify);
        EnableBuiltInOprt(false);
        EnableOptimizer(false);
        InitCharSets();
        InitFun();
        InitOprt();
    }

private:
    void InitCharSets() override {
        DefineNameChars(name_characters);
        DefineOprtChars("+-*/^<>=!&|");
        DefineInfixOprtChars("+-!");
    }
    void InitConst() override {}
    void InitFun() override {
        DefineFun("exp", trace1<Op::exp>, false);
        DefineFun("log", trace1<Op::log>, false);
        DefineFun("log10", trace_log10, false);
        DefineFun("sqrt", trace1<Op::sqrt>, false);
        DefineFun("abs", trace1<Op::abs>, false);
        DefineFun("sin", trace1<Op::sin>, false);
        DefineFun("cos", trace1<Op::cos>, false);
        DefineFun("tanh", trace1<Op::tanh>, false);
        DefineFun("pow", trace2<Op::power>, false);
        DefineFun("min", trace_many<Op::min>, false);
        DefineFun("max", trace_many<Op::max>, false);
        DefineFun("if", trace_if, false);
    }
    void InitOprt() override {
        DefineInfixOprt("-", trace1<Op::negate>, mu::prINFIX, false);
        DefineInfixOprt("+", trace_plus, mu::prINFIX, false);
        DefineInfixOprt("!", trace1<Op::logical_not>, mu::prINFIX, false);
        DefineOprt("^", trace2<Op::power>, mu::prPOW, mu::oaRIGHT);
        DefineOprt("*", trace2<Op::multiply>, mu::prMUL_DIV);
        DefineOprt("/", trace2<Op::divide>, mu::prMUL_DIV);
        DefineOprt("+", trace2<Op::add>, mu::prADD_SUB);
        DefineOprt("-", trace2<Op::subtract>, mu::prADD_SUB);
        DefineOprt("<", trace2<Op::less>, mu::prCMP);
        DefineOprt("<=", trace2<Op::less_equal>, mu::prCMP);
        DefineOprt(">", trace_swapped<Op::less>, mu::prCMP);
        DefineOprt(">=", trace_swapped<Op::less_equal>, mu::prCMP);
        DefineOprt("==", trace2<Op::equal>, mu::prCMP);
        DefineOprt("!=", trace_unequal, mu::prCMP);
        DefineOprt("&&", trace2<Op::logical_and>, mu::prLAND);
        DefineOprt("||", trace2<Op::logical_or>, mu::prLOR);
    }
};

/// What muParser would take in a way of its own, or not name clearly.
void check_characters(const Trace& trace) {
    const std::string& text = trace.text;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) trace.fail(0, "expected an expression, got nothing");
    if (text.size() > 4000) trace.fail(0, fmt::format("the expression has {} characters; at most 4000 are read", text.size()));
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '[' || c == '"') {  // a name may hold anything
            const std::size_t end = text.find(c == '[' ? ']' : '"', i + 1);
            if (end == std::string::npos) trace.fail(int(i), c == '[' ? "']' is missing" : "the closing quote is missing");
            i = end;
        } else if (c == '?' || c == ':') {
            trace.fail(int(i), "'? :' is not known here; write if(condition, a, b)");
        } else if (c == '=') {
            const bool second = i > 0 && std::strchr("=<>!", text[i - 1]);
            if (!second && text[i + 1] != '=') trace.fail(int(i), "nothing can be assigned here; a comparison is ==");
            if (!second) ++i;
        } else if (c == '&' || c == '|') {
            if (text[i + 1] != c) trace.fail(int(i), fmt::format("'{}' is not known here; 'and' is &&, 'or' is ||", c));
            ++i;
        } else if (c == 0 || (!std::strchr(name_characters, c) && !std::strchr("+-*/^<>!(),. \t\r\n", c))) {
            const bool printable = c > ' ' && c < 127;
            trace.fail(int(i), printable ? fmt::format("'{}' is not known here", c) : "a character that is not known here; plain ASCII is");
        }
    }
}

/// What muParser found wrong, in words that help.
std::string explained(const mu::ParserError& error) {
    const std::string token = error.GetToken();
    switch (error.GetCode()) {
        case mu::ecUNEXPECTED_OPERATOR: return fmt::format("the operator '{}' has nothing to work on", token);
        case mu::ecINTERNAL_ERROR:  // a sign with nothing behind it
        case mu::ecUNEXPECTED_EOF: return "the expression ends too early";
        case mu::ecUNEXPECTED_ARG_SEP:
        case mu::ecUNEXPECTED_ARG: return "a ',' that separates nothing";
        case mu::ecUNEXPECTED_VAL:
        case mu::ecUNEXPECTED_VAR:
        case mu::ecUNEXPECTED_FUN: return fmt::format("an operator is missing before '{}'", token);
        case mu::ecUNEXPECTED_PARENS: return fmt::format("'{}' is not expected here", token);
        case mu::ecMISSING_PARENS: return "a closing ')' is missing";
        case mu::ecTOO_MANY_PARAMS: return fmt::format("too many arguments for {}", token.empty() ? "a function" : token);
        case mu::ecTOO_FEW_PARAMS: return fmt::format("too few arguments for {}", token.empty() ? "a function" : token);
        case mu::ecUNASSIGNABLE_TOKEN: return fmt::format("'{}' is not expected here", token.substr(0, 1));
        default: return "not understood: " + error.GetMsg();
    }
}

}  // namespace

Expression parse_expression(const std::string& text, std::span<const std::string> input_names, const config::Position& position,
                            const std::string& path) {
    Trace trace{.text = text, .names = input_names, .position = position, .path = path};
    check_characters(trace);
    const Recording recording(trace);
    try {
        Grammar grammar;
        grammar.SetExpr(text);
        const double root = grammar.Eval();
        if (grammar.GetNumResults() != 1) trace.fail(0, "expected one value, got several, separated by ','");
        return trace.graph.expression(trace.value(root).number);
    } catch (const mu::ParserError& error) {
        trace.fail(int(error.GetPos()), explained(error));
    }
}

}  // namespace phlo::chem
