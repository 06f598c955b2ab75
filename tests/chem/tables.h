// Tables of reference results: tests/data/kinetics, and beside the project the larger set it was taken from.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"

namespace phlo::chem::test {

inline const std::string data_dir = phlo::test::source_dir() + "/tests/data/kinetics/";
inline const std::string shared_dir = phlo::test::source_dir() + "/../shared/data/";

/// Rows of a CSV file as maps from column to text.
using TableRow = std::map<std::string, std::string>;
inline std::vector<TableRow> read_csv(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << "cannot read " << path;
    const auto split = [](const std::string& line) {
        std::vector<std::string> words;
        std::stringstream stream(line);
        for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
        return words;
    };
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> header = split(line);
    std::vector<TableRow> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> words = split(line);
        rows.emplace_back();
        for (std::size_t i = 0; i < words.size(); ++i) rows.back()[header[i]] = words[i];
    }
    return rows;
}

inline double number(const TableRow& row, const std::string& column) {
    const auto found = row.find(column);
    if (found == row.end()) ADD_FAILURE() << "no column " << column;
    return found == row.end() ? 0 : std::stod(found->second);
}

/// Skips the test, with a message, where the larger set is not at hand.
#define NEEDS_SHARED_DATA()                   \
    if (!std::filesystem::exists(shared_dir)) \
    GTEST_SKIP() << "the larger set of tables is not beside the project; those in tests/data go the same ways through the code"

}  // namespace phlo::chem::test
