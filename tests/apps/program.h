// Runs the built program as a user would and keeps what it said.
//
//   const test::ScratchDir dir;
//   Outcome outcome = phlo({"run", "plume", "-o", dir / "out"});
//   outcome.code; outcome.out; outcome.err;
#pragma once
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "scratch_dir.h"

namespace phlo::apps {

namespace fs = std::filesystem;

struct Outcome {
    int code = -1;  ///< exit code; 128 + signal if it was killed
    std::string out, err;
};

/// A program that runs in the background; its output goes to files in `scratch`.
class Process {
public:
    enum class Group { ours, own };   ///< of processes: a terminal's Ctrl-C goes to a whole group

    explicit Process(const std::vector<std::string>& arguments, const std::string& program = PHLO_PROGRAM, Group group = Group::ours) {
        const std::string out = scratch_ / "out", err = scratch_ / "err";
        pid_ = fork();
        if (group == Group::own) setpgid(pid_, 0);   // here and there: whichever comes first
        if (pid_ != 0) return;
        const auto redirect = [](const std::string& file, int target) {
            const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(fd, target);
        };
        redirect(out, STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        std::vector<std::string> words{program};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        execv(program.c_str(), pointers.data());
        _exit(127);
    }
    ~Process() {
        if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void send(int signal) const { kill(pid_, signal); }
    void send_to_group(int signal) const { kill(-pid_, signal); }
    Outcome wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = 0;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::file_text(scratch_ / "out"),
                test::file_text(scratch_ / "err")};
    }
    /// Waits until `file` exists; false if the program ended or a minute passed before that.
    bool wait_for(const fs::path& file) const {
        return wait_until([&] { return fs::exists(file); });
    }
    /// The same until standard error holds a text.
    bool wait_until_said(const std::string& text) const {
        return wait_until([&] { return test::file_text(scratch_ / "err").find(text) != std::string::npos; });
    }

private:
    template <class Condition>
    bool wait_until(const Condition& condition) const {
        for (int i = 0; i < 12000; ++i) {
            if (condition()) return true;
            siginfo_t info{};
            waitid(P_PID, id_t(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
            if (info.si_pid == pid_) return condition();
            usleep(5000);
        }
        return false;
    }

    test::ScratchDir scratch_;
    pid_t pid_ = 0;
};

inline Outcome phlo(const std::vector<std::string>& arguments) { return Process(arguments).wait(); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
    return stream << "exit code " << outcome.code << "\n--- standard output\n" << outcome.out << "--- standard error\n" << outcome.err;
}

}  // namespace phlo::apps
