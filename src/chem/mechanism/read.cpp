#include "chem/mechanism/read.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "chem/mechanism/cantera.h"
#include "chem/mechanism/check.h"
#include "chem/mechanism/shipped.h"
#include "chem/mechanism/short_form.h"

namespace phlo::chem {

Mechanism read_mechanism(const config::Node& node, const std::string& path) {
    Draft draft;
    const bool cantera = node.get("phases") || node.get("cantera-version");
    if (!node.is_map())
        draft.problems.add(node.position, path, "got " + node.described() + "; expected a mechanism: the keys species and reactions");
    else if (cantera) read_cantera(node, path, draft);
    else read_short_form(node, path, draft);
    if (draft.problems.empty() && draft.mechanism.species.empty())
        draft.problems.add(node.position, path, "no species; expected at least one");
    if (draft.problems.empty() && draft.mechanism.reactions.empty())
        draft.problems.add(node.position, path, "no reactions; expected at least one");
    check_mechanism(draft);
    draft.problems.raise();
    return std::move(draft.mechanism);
}

config::Node find_mechanism(const std::string& name, const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    const bool bare = name.find('/') == std::string::npos && !path.has_extension();
    if (bare)
        if (const auto text = shipped_mechanism(name)) return config::parse_yaml(*text, "mechanism " + name);
    std::error_code error;
    if (bare && !std::filesystem::exists(path, error)) {
        const std::vector<std::string> names = shipped_mechanism_names();
        throw InputError(fmt::format("{}: neither a file nor a shipped mechanism; those are {}{}", name, config::one_of(names),
                                     config::did_you_mean(name, names)));
    }
    return config::parse_yaml_file(path.string());
}

Mechanism read_mechanism(const std::string& file) {
    Mechanism mechanism = read_mechanism(config::parse_yaml_file(file), "");
    if (mechanism.name.empty()) mechanism.name = std::filesystem::path(file).stem().string();
    return mechanism;
}

}  // namespace phlo::chem
