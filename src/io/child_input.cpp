#include "io/child_input.h"

#include <sys/wait.h>

#include <cstdlib>

#include "io/pipe_signal.h"

namespace phlo::io {

bool program_exists(const std::string& name) { return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0; }

std::string shell_quoted(const std::filesystem::path& path) {
    std::string result = "'";
    for (const char c : path.string()) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

ChildInput::ChildInput(const std::string& command, const std::filesystem::path& beside)
    : messages_(beside.parent_path() / (beside.stem().string() + ".log")) {
    pipe_ = ::popen((command + " 2>" + shell_quoted(messages_.temporary())).c_str(), "w");
}

ChildInput::~ChildInput() { finish(); }

bool ChildInput::write(std::span<const char> bytes) {
    const WithoutPipeSignal guard;
    return pipe_ && std::fwrite(bytes.data(), 1, bytes.size(), pipe_) == bytes.size();
}

bool ChildInput::finish() {
    if (!pipe_) return false;
    const WithoutPipeSignal guard;
    const int status = ::pclose(pipe_);
    pipe_ = nullptr;
    return status == 0;
}

std::string ChildInput::said() const {
    std::string text;
    if (std::filesystem::exists(messages_.temporary())) {
        const auto bytes = read_bytes(messages_.temporary());
        text.assign(bytes.begin(), bytes.end());
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

}  // namespace phlo::io
