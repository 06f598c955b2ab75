// phlo help [scene | mechanism | COMMAND], phlo schema: the reference of the scene file and of the commands.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "chem/mechanism/short_form.h"
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

int help(const CommandLine& line, const std::string& topic) {
    if (topic.empty()) {
        print_line(line.help());
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
    for (const std::string& command : line.names()) {
        topics.push_back(command);
        if (command != topic) continue;
        print_line(line.help(command));
        return 0;
    }
    throw InputError(
        fmt::format("help {}: no such topic{}; topics are {}", topic, config::did_you_mean(topic, topics), config::one_of(topics)));
}

}  // namespace

void add_help(CommandLine& line) {
    const auto topic = std::make_shared<std::string>();
    line.add("help", "explains a command; 'scene' and 'mechanism': every key of such a file")
        .option("topic", *topic, "'scene', 'mechanism' or a command", {.type = "TOPIC"})
        .run([topic, &line] { return help(line, *topic); });
}

void add_schema(CommandLine& line) {
    line.add("schema", "prints a JSON Schema of the scene file, for editors").run([] {
        render::RenderParams look;
        print_line(scene::json_schema(look_section(look)));
        return 0;
    });
}

}  // namespace phlo::apps
