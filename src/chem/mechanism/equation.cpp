#include "chem/mechanism/equation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/units.h"

namespace phlo::chem {
namespace {

struct Token {
    std::string_view text;
    std::size_t offset = 0;
};

constexpr std::array<std::string_view, 3> arrows = {"<=>", "=>", "="};
constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t longest = 4000;  // lumped fuels have long equations; longer than this is no equation

bool is_arrow(std::string_view text) { return std::ranges::find(arrows, text) != arrows.end(); }
bool is_operator(std::string_view text) { return text == "+" || is_arrow(text) || text.starts_with("(+"); }

std::vector<Token> words_of(std::string_view text) {
    std::vector<Token> words;
    for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        words.push_back({text.substr(begin, end - begin), begin});
        begin = text.find_first_not_of(blanks, end);
    }
    return words;
}

/// Splits "S1+S2=>2S3" at its arrow and its plus signs, and coefficients off names.
class TightSplitter {
public:
    explicit TightSplitter(const SpeciesIndex& species) : species_(species) {}

    std::vector<Token> split(const std::vector<Token>& words) {
        for (const Token& word : words) split_arrow(word);
        return std::move(tokens_);
    }

private:
    bool known(std::string_view name) const { return species_.find(name) != species_.end(); }

    void split_arrow(const Token& word) {
        if (known(word.text) || is_operator(word.text)) return tokens_.push_back(word);
        for (const std::string_view arrow : arrows) {
            const std::size_t at = word.text.find(arrow);
            if (at == std::string_view::npos) continue;
            if (at > 0) split_plus({word.text.substr(0, at), word.offset});
            tokens_.push_back({word.text.substr(at, arrow.size()), word.offset + at});
            const std::size_t after = at + arrow.size();
            if (after < word.text.size()) split_arrow({word.text.substr(after), word.offset + after});
            return;
        }
        split_plus(word);
    }

    void split_plus(const Token& word) {
        if (known(word.text) || is_operator(word.text)) return tokens_.push_back(word);
        const std::size_t name = word.text.find_first_not_of("0123456789.");
        if (name != std::string_view::npos && known(word.text.substr(name))) return split_coefficient(word);  // "2A+", an ion
        const std::size_t collider = word.text.find("(+");  // "OH(+M)"
        const std::size_t plus = word.text.substr(0, collider).find('+', word.text.front() == '+' ? 0 : 1);
        if (plus != std::string_view::npos) {
            if (plus > 0) split_coefficient({word.text.substr(0, plus), word.offset});
            tokens_.push_back({word.text.substr(plus, 1), word.offset + plus});
            if (plus + 1 < word.text.size()) split_plus({word.text.substr(plus + 1), word.offset + plus + 1});
        } else if (collider != std::string_view::npos && collider > 0) {
            split_coefficient({word.text.substr(0, collider), word.offset});
            tokens_.push_back({word.text.substr(collider), word.offset + collider});
        } else {
            split_coefficient(word);
        }
    }

    void split_coefficient(const Token& word) {
        const std::size_t digits = word.text.find_first_not_of("0123456789.");
        if (known(word.text) || digits == 0 || digits == std::string_view::npos || parse_number(word.text)) return tokens_.push_back(word);
        tokens_.push_back({word.text.substr(0, digits), word.offset});
        tokens_.push_back({word.text.substr(digits), word.offset + digits});
    }

    const SpeciesIndex& species_;
    std::vector<Token> tokens_;
};

class EquationParser {
public:
    EquationParser(std::string_view text, const SpeciesIndex& species, EquationForm form) : species_(species), length_(text.size()) {
        tokens_ = words_of(text);
        if (form == EquationForm::short_form) tokens_ = TightSplitter(species).split(tokens_);
        empty_sides_ = form == EquationForm::short_form;
    }

    Equation parse() {
        if (tokens_.empty()) fail(0, "an empty equation; expected one such as 'A + B => C'");
        if (std::ranges::none_of(tokens_, is_arrow, &Token::text)) fail_without_arrow();
        side(equation_.reactants);
        equation_.reversible = tokens_[at_].text != "=>";
        ++at_;
        side(equation_.products);
        if (at_ < tokens_.size()) fail(tokens_[at_].offset, "a second arrow; expected one reaction in an equation");
        if (equation_.reactants.empty() && equation_.products.empty() && colliders_.empty())
            fail(0, "nothing on either side of the arrow; expected species");
        take_third_body();
        take_falloff();
        return std::move(equation_);
    }

private:
    struct Falloff {
        std::string name;
        std::size_t offset;
        bool left;
    };

    [[noreturn]] static void fail(std::size_t offset, std::string message) { throw EquationError{offset, std::move(message)}; }

    [[noreturn]] void fail_without_arrow() const {
        for (const Token& token : tokens_) {
            for (const std::string_view other : {"<->", "->", "<-", "→", "⇒", "⇌", "<=", "==", ">"}) {
                if (token.text.find(other) != std::string_view::npos)
                    fail(token.offset, fmt::format("'{}' is no arrow; expected '=>' or '<=>'", other));
            }
        }
        fail(0, "no arrow; expected '=>' or '<=>' between reactants and products, with spaces around it");
    }

    /// Terms up to an arrow or the end.
    void side(std::vector<Equation::Item>& items) {
        bool expects_term = true;
        const std::size_t begin = at_;
        for (; at_ < tokens_.size() && !is_arrow(tokens_[at_].text); ++at_) {
            const Token token = tokens_[at_];
            if (token.text == "+") {
                if (expects_term) fail(token.offset, "nothing stands before this '+'; expected a species");
                expects_term = true;
            } else if (token.text.starts_with("(+")) {
                if (expects_term && at_ > begin) fail(token.offset, "a '+' before '(+'; write 'A + B (+M)'");
                falloff_collider(&items == &equation_.reactants);
                expects_term = false;
            } else {
                if (!expects_term)
                    fail(token.offset, fmt::format("'{}' follows without a '+'; expected '+' or an arrow before it", shown(token.text)));
                term(items);
                expects_term = false;
            }
        }
        if (!expects_term) return;
        const std::size_t end = at_ < tokens_.size() ? tokens_[at_].offset : length_;
        if (at_ > begin) fail(tokens_[at_ - 1].offset, "nothing stands behind this '+'; expected a species");
        if (!empty_sides_) fail(std::min(end, length_ - 1), "a side of the equation is empty; expected species on both sides of the arrow");
    }

    void term(std::vector<Equation::Item>& items) {
        Token token = tokens_[at_];
        double coefficient = 1;
        const auto number = parse_number(token.text);
        if (number && species_.find(token.text) == species_.end()) {
            if (!(*number > 0))
                fail(token.offset, fmt::format("the coefficient {} is not positive; expected a number above zero", token.text));
            if (*number > 1000) fail(token.offset, fmt::format("the coefficient {} is absurd; expected at most 1000", shown(token.text)));
            coefficient = *number;
            if (at_ + 1 == tokens_.size() || is_operator(tokens_[at_ + 1].text))
                fail(token.offset, fmt::format("the number {} stands where a species belongs; expected '{} A'", token.text, token.text));
            token = tokens_[++at_];
        }
        for (Equation::Item& item : items)
            if (item.name == token.text) return void(item.coefficient += coefficient);
        items.push_back({std::string(token.text), coefficient, token.offset});
    }

    /// "(+M)", "(+ M)" or "(+ CH2(S))".
    void falloff_collider(bool left) {
        const Token token = tokens_[at_];
        std::string name(token.text.substr(2));
        if (name.empty() && at_ + 1 < tokens_.size() && !is_operator(tokens_[at_ + 1].text)) name = tokens_[++at_].text;
        if (!name.ends_with(')') || name.size() < 2) fail(token.offset, "'(+' without its end; expected '(+M)' or one species, '(+AR)'");
        name.pop_back();
        colliders_.push_back({name, token.offset, left});
    }

    void take_third_body() {
        const auto is_m = [](const Equation::Item& item) { return item.name == "M"; };
        const auto left = std::ranges::find_if(equation_.reactants, is_m), right = std::ranges::find_if(equation_.products, is_m);
        const bool on_left = left != equation_.reactants.end(), on_right = right != equation_.products.end();
        if (!on_left && !on_right) return;
        const Equation::Item& here = on_left ? *left : *right;
        if (!on_left || !on_right)
            fail(here.offset,
                 fmt::format("the third body M stands only on the {}; expected '+ M' on both sides", on_left ? "left" : "right"));
        if (left->coefficient != 1 || right->coefficient != 1)
            fail(here.offset, "more than one third body M; expected it once on each side");
        if (!colliders_.empty()) fail(here.offset, "both '+ M' and '(+M)'; expected one of the two");
        equation_.collider = Equation::Collider::third_body;
        equation_.collider_name = "M";
        equation_.collider_offset = here.offset;
        equation_.reactants.erase(left);
        equation_.products.erase(right);
    }

    void take_falloff() {
        if (colliders_.empty()) return;
        const Falloff& first = colliders_.front();
        const auto count_left = std::ranges::count_if(colliders_, &Falloff::left);
        if (colliders_.size() > 2 || (colliders_.size() == 2 && count_left != 1))
            fail(colliders_[1].offset, fmt::format("'(+{}' stands twice on a side; expected it once on each", colliders_[1].name + ")"));
        if (colliders_.size() == 1)
            fail(first.offset,
                 fmt::format("'(+{})' stands only on the {}; expected it on both sides", first.name, first.left ? "left" : "right"));
        if (colliders_[1].name != first.name)
            fail(colliders_[1].offset,
                 fmt::format("the colliders differ: '(+{})' and '(+{})'; expected the same", first.name, colliders_[1].name));
        equation_.collider = Equation::Collider::falloff;
        equation_.collider_name = first.name;
        equation_.collider_offset = first.offset;
    }

    static std::string shown(std::string_view text) { return std::string(text.substr(0, 40)); }

    const SpeciesIndex& species_;
    std::size_t length_, at_ = 0;
    std::vector<Token> tokens_;
    bool empty_sides_ = false;
    std::vector<Falloff> colliders_;
    Equation equation_;
};

}  // namespace

Equation parse_equation(std::string_view text, const SpeciesIndex& species, EquationForm form) {
    if (text.size() > longest)
        throw EquationError{0, fmt::format("an equation of {} characters; expected at most {}", text.size(), longest)};
    return EquationParser(text, species, form).parse();
}

config::Position position_in(const config::Node& scalar, std::size_t offset) {
    config::Position position = scalar.position;
    if (position.line > 0 && scalar.text.find('\n') == std::string::npos) position.column += int(offset) + (scalar.quoted ? 1 : 0);
    return position;
}

}  // namespace phlo::chem
