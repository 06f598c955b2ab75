// Another program that is fed through its standard input: ffmpeg, gnuplot. What it complains about is kept for the message.
//
//   if (!program_exists("gnuplot")) throw RunError("...");
//   ChildInput gnuplot("gnuplot -", "out/figure.svg");
//   if (!gnuplot.write(script) || !gnuplot.finish()) throw RunError("gnuplot failed: " + gnuplot.said());
#pragma once
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

#include "io/atomic_file.h"

namespace phlo::io {

class ChildInput {
public:
    /// `command` goes to the shell; `beside` is the file that is made: what the program says is kept next to it, for the moment.
    ChildInput(const std::string& command, const std::filesystem::path& beside);
    ~ChildInput();
    ChildInput(const ChildInput&) = delete;
    ChildInput& operator=(const ChildInput&) = delete;

    /// False if the program does not listen any more.
    bool write(std::span<const char> bytes);
    /// Ends the input and waits. False if the program failed, or never started.
    bool finish();
    /// What it wrote to standard error, without the last line's end.
    std::string said() const;

private:
    AtomicFile messages_;  ///< never committed
    std::FILE* pipe_ = nullptr;
};

bool program_exists(const std::string& name);
/// For the shell: one word, whatever is in it.
std::string shell_quoted(const std::filesystem::path& path);

}  // namespace phlo::io
