// The program's commands. Each adds itself to the command line, and says what to do when it is the chosen one.
//
//   void add_presets(CommandLine& line) {
//       line.add("presets", "the gallery, one line each").run(print_presets);
//   }
//
// What to do returns the exit code (0 done, 1 failed) or throws InputError (2) or RunError (1). CLI11 parses, behind this header: it takes
// twenty seconds to compile.
#pragma once
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace phlo::apps {

using Action = std::function<int()>;

/// What may stand behind an option.
struct Takes {
    std::string type = {};                   ///< for the help: FILE, N, A-B
    bool required = false;
    int min = std::numeric_limits<int>::min();   ///< of a number
    std::vector<std::string> words = {};     ///< one of these
    std::string if_bare = {};                ///< of an option that takes a whole number: what it means without one; "": it needs one
    bool tell_default = false;
    bool several = false;                    ///< of an argument by its place: takes all that follow
};

/// Options that may stand alone, and what they mean then.
using BareOptions = std::map<std::string, std::string>;

class Command {
public:
    Command(CLI::App& app, Action& chosen, BareOptions& bare) : app_(app), chosen_(chosen), bare_(bare) {}

    /// "scene" is an argument by its place, "-o,--output" one by its name. The value must live until the action has run.
    Command& option(const std::string& names, std::string& value, const std::string& help, const Takes& takes);
    Command& option(const std::string& names, std::filesystem::path& value, const std::string& help, const Takes& takes);
    Command& option(const std::string& names, int& value, const std::string& help, const Takes& takes);
    Command& option(const std::string& names, std::vector<std::string>& values, const std::string& help, const Takes& takes);   ///< may be repeated
    Command& flag(const std::string& names, bool& value, const std::string& help);
    Command& anything();                     ///< whatever stands behind it is left alone
    Command& footer(const std::string& text);
    Command& run(Action action);

private:
    CLI::App& app_;
    Action& chosen_;
    BareOptions& bare_;
};

class CommandLine {
public:
    explicit CommandLine(CLI::App& app) : app_(app) {}
    Command add(const std::string& name, const std::string& help);
    std::vector<std::string> names() const;
    std::string help() const;
    std::string help(const std::string& command) const;
    void set_version(const std::string& text);
    /// "--resume shot.yaml" as "--resume=last shot.yaml": the parser would take the scene for the option's value.
    std::vector<std::string> completed(std::vector<std::string> words) const;
    const Action& chosen() const { return chosen_; }

private:
    CLI::App& app_;
    Action chosen_;
    BareOptions bare_;
};

void add_presets(CommandLine& line);
void add_new(CommandLine& line);
void add_check(CommandLine& line);
void add_run(CommandLine& line);
void add_play(CommandLine& line);
void add_render(CommandLine& line);
void add_flipbook(CommandLine& line);
void add_info(CommandLine& line);
void add_compare(CommandLine& line);
void add_react(CommandLine& line);
void add_demo(CommandLine& line);
void add_bench(CommandLine& line);
void add_studio(CommandLine& line);
void add_package(CommandLine& line);
void add_help(CommandLine& line);
void add_schema(CommandLine& line);
void add_version(CommandLine& line);

}  // namespace phlo::apps
