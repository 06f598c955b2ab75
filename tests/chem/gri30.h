// GRI-Mech 3.0, which is not in the project. Debian's package openfoam-examples brings it, in the two files of CHEMKIN; they are translated as they are read.
#pragma once
#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "chem/mechanism/read.h"
#include "config/node.h"
#include "tables.h"

namespace phlo::chem::test {

inline const std::string chemkin_dir = "/usr/share/doc/openfoam-examples/examples/combustion/chemFoam/gri/chemkin/";

/// Lines of a compressed file without comments and what is blank.
inline std::vector<std::string> lines_of_gz(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(("gzip -dc " + path).c_str(), "r"), pclose);
    std::string text;
    for (int c; pipe && (c = std::fgetc(pipe.get())) != EOF;) text += char(c);
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line = line.substr(0, line.find('!'));
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
    }
    return lines;
}

/// "H2/2.00/ AR/ .70/" has the parts "H2", "2.00", "AR", "70".
inline std::vector<std::string> parts_of(const std::string& text, char between) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, between);) {
        const auto first = part.find_first_not_of(" \t\r"), last = part.find_last_not_of(" \t\r");
        if (first != std::string::npos) parts.push_back(part.substr(first, last - first + 1));
    }
    return parts;
}

/// "2OH(+M)" becomes "2 OH (+M)".
inline std::string spaced_side(std::string side) {
    const bool falloff = side.ends_with("(+M)");
    if (falloff) side.resize(side.size() - 4);
    std::string result;
    for (const std::string& term : parts_of(side, '+')) {
        const auto name = term.find_first_not_of("0123456789");
        result += (result.empty() ? "" : " + ") + (name > 0 ? term.substr(0, name) + " " : "") + term.substr(name);
    }
    return falloff ? result + " (+M)" : result;
}

inline std::string spaced_equation(const std::string& equation) {
    for (const char* arrow : {"<=>", "=>", "="})
        if (const auto at = equation.find(arrow); at != std::string::npos)
            return spaced_side(equation.substr(0, at)) + (std::string(arrow) == "=>" ? " => " : " <=> ") + spaced_side(equation.substr(at + std::string(arrow).size()));
    return equation;
}

inline std::string rate_text(const std::string& A, const std::string& b, const std::string& Ea) {
    return fmt::format("{{A: {}, b: {}, Ea: {}}}", std::stod(A), std::stod(b), std::stod(Ea));
}

/// chem.inp: a line for each reaction, and lines below it with what belongs to it.
inline std::string reactions_from_chemkin(const std::vector<std::string>& lines) {
    struct Entry {
        std::string equation, rate, low, troe, efficiencies;
        bool duplicate = false;
    };
    std::vector<Entry> entries;
    bool reactions = false;
    for (const std::string& line : lines) {
        if (line.starts_with("REACTIONS")) {
            reactions = true;
        } else if (reactions && line.starts_with("END")) {
            break;
        } else if (reactions && line.find('=') != std::string::npos) {
            const auto words = parts_of(line, ' ');
            entries.push_back({.equation = spaced_equation(words.at(0)), .rate = rate_text(words.at(1), words.at(2), words.at(3)), .low = {}, .troe = {}, .efficiencies = {}});
        } else if (reactions && line.find("DUP") != std::string::npos) {
            entries.back().duplicate = true;
        } else if (reactions) {
            const auto fields = parts_of(line, '/');
            const auto numbers = fields.size() > 1 ? parts_of(fields[1], ' ') : std::vector<std::string>{};
            if (fields[0] == "LOW") {
                entries.back().low = rate_text(numbers.at(0), numbers.at(1), numbers.at(2));
            } else if (fields[0] == "TROE") {
                const std::string T2 = numbers.size() > 3 ? fmt::format(", T2: {}", std::stod(numbers[3])) : "";
                entries.back().troe = fmt::format("{{A: {}, T3: {}, T1: {}{}}}", std::stod(numbers.at(0)), std::stod(numbers.at(1)), std::stod(numbers.at(2)), T2);
            } else {
                for (std::size_t n = 0; n + 1 < fields.size(); n += 2)
                    entries.back().efficiencies += fmt::format("{}{}: {}", n > 0 ? ", " : "", fields[n], std::stod(fields[n + 1]));
            }
        }
    }
    std::string text = "reactions:\n";
    for (const Entry& e : entries) {
        text += "- equation: " + e.equation + "\n";
        text += e.low.empty() ? "  rate-constant: " + e.rate + "\n" : "  type: falloff\n  high-P-rate-constant: " + e.rate + "\n  low-P-rate-constant: " + e.low + "\n";
        if (e.low.empty() && e.equation.find(" + M ") != std::string::npos) text += "  type: three-body\n";
        if (!e.troe.empty()) text += "  Troe: " + e.troe + "\n";
        if (!e.efficiencies.empty()) text += "  efficiencies: {" + e.efficiencies + "}\n";
        if (e.duplicate) text += "  duplicate: true\n";
    }
    return text;
}

/// therm.dat: four cards a species, in fixed columns: name, elements and temperatures; seven coefficients above the middle temperature, and seven below.
inline std::string species_from_chemkin(const std::vector<std::string>& lines) {
    std::string text = "species:\n";
    for (std::size_t n = 0; n + 3 < lines.size(); ++n) {
        const std::string& head = lines[n];
        if (head.size() < 80 || head[79] != '1') continue;
        std::string composition;
        for (std::size_t at = 24; at < 44; at += 5) {
            std::string element = head.substr(at, 2), count = head.substr(at + 2, 3);
            if (element[0] == ' ' || count.find_first_of("123456789") == std::string::npos) continue;
            if (element[1] == ' ') element.resize(1);
            if (element.size() > 1) element[1] = char(std::tolower(element[1]));
            composition += fmt::format("{}{}: {}", composition.empty() ? "" : ", ", element, std::stoi(count));
        }
        std::string numbers[2];   // above, below
        for (std::size_t c = 0; c < 14; ++c)
            numbers[c / 7] += fmt::format("{}{}", c % 7 > 0 ? ", " : "", std::stod(lines[n + 1 + c / 5].substr(c % 5 * 15, 15)));
        text += fmt::format("- name: {}\n  composition: {{{}}}\n  thermo: {{model: NASA7, temperature-ranges: [{}, {}, {}], data: [[{}], [{}]]}}\n", parts_of(head, ' ').at(0),
                            composition, std::stod(head.substr(45, 10)), std::stod(head.substr(65, 8)), std::stod(head.substr(55, 10)), numbers[1], numbers[0]);
    }
    return text;
}

/// From the package, or else from the data beside the project.
inline std::optional<Mechanism> gri30() {
    if (std::filesystem::exists(chemkin_dir + "chem.inp.gz")) {
        const std::string species = species_from_chemkin(lines_of_gz(chemkin_dir + "therm.dat.gz")), reactions = reactions_from_chemkin(lines_of_gz(chemkin_dir + "chem.inp.gz"));
        const std::string head = "units: {length: cm, quantity: mol, time: s, activation-energy: cal/mol}\nphases: [{name: gas, thermo: ideal-gas, kinetics: gas}]\n";
        return read_mechanism(config::parse_yaml(head + reactions + species, "gri30"), "");
    }
    const std::string beside = shared_dir + "mechanisms/gri30.yaml";
    return std::filesystem::exists(beside) ? std::optional(read_mechanism(beside)) : std::nullopt;
}

/// Skips the test, and says what would let it run.
#define NEEDS_GRI30()               \
    if (!phlo::chem::test::gri30()) \
    GTEST_SKIP() << "the mechanism of GRI-Mech 3.0 is not in the project: install Debian's package openfoam-examples, which brings it. Hydrogen's part of it is tested in any case"

}  // namespace phlo::chem::test
