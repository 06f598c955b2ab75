// Every example at the top of a header is compiled somewhere in this folder.
//
// An example is a statement in the header's first comment, indented by three spaces or more: lines up to one that ends with ';', '{', ";}" or is a '}',
// comments apart. "..." and "…" stand for anything. What ends otherwise is a drawing, a formula or another language.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "scratch_dir.h"
#include "source_dir.h"

namespace phlo::header_examples {
namespace {

namespace fs = std::filesystem;

std::string squeezed(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c))) result += c;
    return result;
}

/// A line without its comment and the space before that.
std::string code_of(const std::string& line) { return std::regex_replace(line, std::regex(R"(\s*(//.*)?$)"), "", std::regex_constants::format_first_only); }

struct Example {
    int line;
    std::string text;
};

std::vector<Example> examples_in(const fs::path& header) {
    std::vector<Example> examples;
    std::ifstream file(header);
    std::string line, statement;
    for (int number = 1; std::getline(file, line) && line.starts_with("//"); ++number) {
        const std::string text = line.substr(2);
        if (!text.starts_with("   ")) {   // prose ends what was begun
            statement.clear();
            continue;
        }
        statement += squeezed(code_of(text));
        if (!statement.ends_with(';') && !statement.ends_with('{') && !statement.ends_with(";}") && statement != "}") continue;
        examples.push_back({number, statement});
        statement.clear();
    }
    return examples;
}

/// Does `code` hold the statement? Its parts between "..." must come one after the other.
bool holds(const std::string& code, const std::string& statement) {
    std::vector<std::string> parts;
    const std::regex dots(R"(\.\.\.|…)");
    for (std::sregex_token_iterator part(statement.begin(), statement.end(), dots, -1), end; part != end; ++part)
        if (!part->str().empty()) parts.push_back(*part);
    if (parts.empty()) return true;
    for (std::size_t start = code.find(parts[0]); start != std::string::npos; start = code.find(parts[0], start + 1)) {
        std::size_t at = start + parts[0].size();
        bool found = true;
        for (std::size_t p = 1; p < parts.size() && found; ++p) {
            const std::size_t next = code.find(parts[p], at);
            found = next != std::string::npos && next < at + 200;   // what dots stand for is short
            at = next + parts[p].size();
        }
        if (found) return true;
    }
    return false;
}

std::string compiled_code(const fs::path& file) {
    std::ifstream stream(file);
    std::string line, code;
    while (std::getline(stream, line)) code += code_of(line);
    return squeezed(code);
}

/// Examples of the headers under `folder` that `code` does not hold: file, line and text.
std::vector<std::string> not_compiled(const fs::path& folder, const std::string& code) {
    std::vector<std::string> missing;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".h") continue;
        for (const Example& example : examples_in(entry.path()))
            if (!holds(code, example.text))
                missing.push_back(entry.path().lexically_relative(folder.parent_path()).string() + ":" + std::to_string(example.line) + ": " + example.text);
    }
    std::ranges::sort(missing);
    return missing;
}

TEST(header_examples, all_are_compiled) {
    int modules = 0;
    const fs::path here = fs::path(phlo::test::source_dir()) / "tests" / "header_examples";
    for (const auto& entry : fs::directory_iterator(here)) {
        const std::string name = entry.path().filename().string(), ending = "_examples_test.cpp";
        if (!name.ends_with(ending) || name == "header_examples_test.cpp") continue;
        ++modules;
        const std::string module = name.substr(0, name.size() - ending.size());
        for (const std::string& example : not_compiled(fs::path(phlo::test::source_dir()) / "src" / module, compiled_code(entry.path())))
            ADD_FAILURE() << "src/" << example << "\n  is not in tests/header_examples/" << name;
    }
    EXPECT_GE(modules, 14);
}

TEST(header_examples, what_is_missing_or_changed_is_named) {
    const test::ScratchDir dir;
    dir.write("thing/a.h", "// What it is.\n//\n//   Thing thing(1,\n//               2);       // a comment; with a semicolon\n//   for (...) thing.use(…);\n"
                           "//   u = v + w          a formula\n//\n//   not code\n// More.\n#pragma once\n//   int later;\n");
    const auto missing = [&](const std::string& code) { return not_compiled(dir.path / "thing", squeezed(code)); };
    EXPECT_EQ(missing("Thing thing(1, 2); for (int i : all) thing.use(i);").size(), 0u);
    EXPECT_EQ(missing("for (int i : all) thing.use(i);"), std::vector<std::string>{"thing/a.h:4: Thingthing(1,2);"});
    EXPECT_EQ(missing("Thing thing(1, 2); for (int i : all) thing.employ(i);").size(), 1u);
}

}  // namespace
}  // namespace phlo::header_examples
