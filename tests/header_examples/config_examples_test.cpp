#include "examples.h"

#include "config/file_gate.h"
#include "config/form.h"
#include "config/merge.h"
#include "config/node.h"
#include "config/paths.h"
#include "config/problems.h"
#include "config/renamed.h"
#include "config/table.h"

namespace phlo::config {

void merge_example(const Node& base, const Node& delta, const SchemaPtr& schema) {
    Node scene = merged(base, delta, *schema);
    apply_override(scene, "gas.cooling=0.5 1/s", *schema);
    apply_override(scene, "emitters.source.density=2", *schema);
}

void node_example(const std::string& text) {
    Node root = parse_yaml(text, "scene.yaml");
    if (const Node* size = root.find("domain.size")) size->position.where();
    to_yaml(root);
}

void file_gate_example() {
    FileGate gate({"/home/ada/shots"});
    check_readable("/home/ada/shots/../.ssh/id_rsa");
}

void form_example(SchemaPtr (*scene_schema)(int), int model, const SchemaPtr& schema, int scene) {
    form_json(*scene_schema(model));
    to_json(schema->write(&scene));
}

void paths_example(const Node& node) {
    std::string path = resolved_path("studio.exr", node);
}

void problems_example(const Node& node) {
    Problems problems;
    problems.add(node.position, "domain.size", "expected three numbers");
    problems.raise();
}

struct Scene {};
void hash_of(const Node&) {}
void renamed_example(const std::string& text, const SchemaPtr& schema, const Scene& scene, Problems& problems) {
    Node today = with_new_names(parse_yaml(text, "scene.yaml"), *schema, problems);
    hash_of(with_old_names(schema->write(&scene), *schema));
}

enum class Mode { hold, add };
struct Noise { double amplitude = 0; double scale = 0.1; Curve<double> speed{1.0}; Mode mode = Mode::hold; };
const Table<Noise>& noise_table() {
    static const auto table = Table<Noise>("noise", "Turbulent variation of an emitter.")
        .key("amplitude", &Noise::amplitude, {.min = 0, .max = 1, .help = "share that the noise may take away"})
        .key("scale", &Noise::scale, {.unit = "m", .above = 0, .help = "size of its largest features"})
        .key("speed", &Noise::speed, {.unit = "1/s", .help = "how fast it changes"})
        .choice("mode", &Noise::mode, {{"hold", Mode::hold, "at least"}, {"add", Mode::add, "per second"}}, {.help = "…"});
    return table;
}

}  // namespace phlo::config
