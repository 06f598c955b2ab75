// Writes the wrong mechanisms of the tests as files, for the fuzzer to start from: write_corpus build-fuzz/corpus
#include <filesystem>
#include <fstream>
#include <string>

#include "chem/bad_mechanisms.h"

int main(int count, char** words) {
    if (count != 2) return 2;
    const std::filesystem::path directory = words[1];
    std::filesystem::create_directories(directory);
    int number = 0;
    for (const auto& bad : phlo::chem::test::bad_mechanisms())
        std::ofstream(directory / ("bad" + std::to_string(number++) + ".yaml")) << bad.text;
}
