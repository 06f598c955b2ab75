// A short run of what tests/fuzz does for long: mutated mechanisms, the same ones every time.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "bad_mechanisms.h"
#include "base/error.h"
#include "chem/mechanism/read.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<std::string> corpus() {
    std::vector<std::string> texts;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(phlo::test::source_dir() + "/mechanisms")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) texts.push_back(contents(file));
    for (const test::BadMechanism& bad : test::bad_mechanisms()) texts.push_back(bad.text);
    return texts;
}

/// The words of tests/fuzz/mechanism.dict, which stand in quotes.
std::vector<std::string> dictionary() {
    std::vector<std::string> words;
    std::istringstream lines(contents(phlo::test::source_dir() + "/tests/fuzz/mechanism.dict"));
    for (std::string line; std::getline(lines, line);)
        if (line.size() > 2 && line.front() == '"') words.push_back(line.substr(1, line.size() - 2));
    return words;
}

class Mutator {
public:
    std::string mutate(std::string text) {
        for (std::uint32_t edits = 1 + below(6); edits > 0; --edits) edit(text);
        return text;
    }
    const std::string& pick(const std::vector<std::string>& list) { return list[below(list.size())]; }

private:
    // Not a std distribution: those differ between libraries.
    std::uint32_t below(std::size_t bound) { return bound == 0 ? 0 : std::uint32_t(random_() % bound); }

    void edit(std::string& text) {
        const std::size_t at = below(text.size() + 1), length = std::min<std::size_t>(below(20), text.size() - at);
        switch (below(7)) {
            case 0: text.erase(at, length); break;
            case 1: text.insert(at, text.substr(at, length)); break;
            case 2: text.insert(at, pick(words_)); break;
            case 3: text.replace(at, length, pick(words_)); break;
            case 4: text.insert(at, 1, char(below(256))); break;
            case 5:
                if (at < text.size()) text[at] = letters_[below(letters_.size())];
                break;
            default: {
                const std::size_t from = below(text.size() + 1);
                text.insert(at, text.substr(from, below(80)));
            }
        }
    }

    static constexpr std::string_view letters_ = "{}[],:&*#-+=<>()\n 0159.eEM\"'|?!%~^/";
    std::mt19937 random_{20240229};
    std::vector<std::string> words_ = dictionary();
};

TEST(mechanism_mutations, only_input_errors_leave_the_readers) {
    const std::vector<std::string> texts = corpus();
    Mutator mutator;
    int accepted = 0;
    testing::internal::CaptureStderr();  // warnings of strange polynomials
    for (int i = 0; i < 3000; ++i) {
        const std::string text = mutator.mutate(mutator.pick(texts));
        try {
            const Mechanism m = read_mechanism(config::parse_yaml(text, "mutant.yaml"), "");
            ++accepted;
            for (const Reaction& r : m.reactions)
                for (const auto* terms : {&r.reactants, &r.products, &r.orders})
                    for (const Term& term : *terms) ASSERT_LT(std::size_t(term.species), m.species.size()) << text;
        } catch (const InputError& error) {
            ASSERT_FALSE(std::string(error.what()).empty()) << text;
        } catch (...) {
            FAIL() << "something else than an InputError for\n" << text;
        }
    }
    testing::internal::GetCapturedStderr();
    EXPECT_GT(accepted, 30);  // the mutations are small enough to reach behind the parser
}

}  // namespace
}  // namespace phlo::chem
