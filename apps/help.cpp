// phlo help [scene | mechanism | COMMAND], phlo schema: the reference of the scene file and of the commands.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "chem/short_form.h"
#include "command.h"
#include "config/problems.h"
#include "scene/scene.h"
#include "scene_source.h"

namespace phlo::apps {
namespace {

void print_line(const std::string& text) { fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n"); }

constexpr const char* mechanism_introduction =
    R"(A mechanism stands in a YAML file of its own, or in a scene under chemistry.mechanism. Units are SI with moles: concentrations in
mol/m^3, rates in mol/(m^3 s). Files in Cantera's YAML form (NASA7 data, falloff, third bodies) are read as well.

)";

int help(const CLI::App& app, const std::string& topic) {
    if (topic.empty()) {
        print_line(app.help());
        return 0;
    }
    if (topic == "scene") {
        render::RenderParams look;
        print_line(scene::help_scene(look_section(look)));
        return 0;
    }
    if (topic == "mechanism") {
        print_line(mechanism_introduction + config::keys_text(*chem::short_form_schema()));
        return 0;
    }
    std::vector<std::string> topics{"scene", "mechanism"};
    for (const CLI::App* command : app.get_subcommands({})) {
        topics.push_back(command->get_name());
        if (command->get_name() != topic) continue;
        print_line(command->help());
        return 0;
    }
    throw InputError(
        fmt::format("help {}: no such topic{}; topics are {}", topic, config::did_you_mean(topic, topics), config::one_of(topics)));
}

}  // namespace

void add_help(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("help", "explains a command; 'scene' and 'mechanism': every key of such a file");
    const auto topic = std::make_shared<std::string>();
    command->add_option("topic", *topic, "'scene', 'mechanism' or a command")->type_name("TOPIC");
    command->callback([topic, &app, &chosen] { chosen = [topic, &app] { return help(app, *topic); }; });
}

void add_schema(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("schema", "prints a JSON Schema of the scene file, for editors");
    command->callback([&chosen] {
        chosen = [] {
            render::RenderParams look;
            print_line(scene::json_schema(look_section(look)));
            return 0;
        };
    });
}

}  // namespace phlo::apps
