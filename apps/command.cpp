#include "command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace phlo::apps {
namespace {

void describe(CLI::Option& option, const Takes& takes) {
    option.type_name(takes.type)->required(takes.required);
    if (takes.min != std::numeric_limits<int>::min())
        option.check([min = takes.min](const std::string& text) {
            int value = 0;
            return CLI::detail::lexical_cast(text, value) && value < min ? fmt::format("expected {} at least, got {}", min, text) : std::string();
        });
    if (!takes.words.empty()) option.check(CLI::IsMember(takes.words));
    if (!takes.if_bare.empty()) option.expected(0, 1)->default_str(takes.if_bare);
    if (takes.tell_default) option.capture_default_str();
}

}  // namespace

Command& Command::option(const std::string& names, std::string& value, const std::string& help, const Takes& takes) {
    describe(*app_.add_option(names, value, help), takes);
    if (!takes.if_bare.empty()) bare_[names] = takes.if_bare;
    return *this;
}

Command& Command::option(const std::string& names, std::filesystem::path& value, const std::string& help, const Takes& takes) {
    describe(*app_.add_option(names, value, help), takes);
    return *this;
}

Command& Command::option(const std::string& names, int& value, const std::string& help, const Takes& takes) {
    describe(*app_.add_option(names, value, help), takes);
    return *this;
}

Command& Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help, const Takes& takes) {
    describe(*app_.add_option(names, values, help)->take_all()->expected(takes.several ? -1 : 1), takes);
    return *this;
}

Command& Command::flag(const std::string& names, bool& value, const std::string& help) {
    app_.add_flag(names, value, help);
    return *this;
}

Command& Command::anything() {
    app_.allow_extras();
    return *this;
}

Command& Command::footer(const std::string& text) {
    app_.footer(text);
    return *this;
}

Command& Command::run(Action action) {
    app_.callback([&chosen = chosen_, action = std::move(action)] { chosen = action; });
    return *this;
}

Command CommandLine::add(const std::string& name, const std::string& help) { return {*app_.add_subcommand(name, help), chosen_, bare_}; }

std::vector<std::string> CommandLine::completed(std::vector<std::string> words) const {
    for (std::size_t w = 0; w + 1 < words.size(); ++w) {
        const auto found = bare_.find(words[w]);
        const bool number = !words[w + 1].empty() && words[w + 1].find_first_not_of("0123456789") == std::string::npos;
        if (found != bare_.end() && !number) words[w] += "=" + found->second;
    }
    return words;
}

std::vector<std::string> CommandLine::names() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands(nullptr)) names.push_back(command->get_name());
    return names;
}

std::string CommandLine::help() const { return app_.help(); }
std::string CommandLine::help(const std::string& command) const { return app_.get_subcommand(command)->help(); }
void CommandLine::set_version(const std::string& text) { app_.set_version_flag("--version", text); }

}  // namespace phlo::apps
