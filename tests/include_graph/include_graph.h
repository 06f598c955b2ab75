// Compares every #include of the tree with the arrows that CMake declares.
//
//   for (const std::string& line : include_violations("/path/to/project")) puts(line.c_str());
//   src/field/grid.h:4: field must not include "flow/advect.h": phlo_module(field DEPENDS base) does not reach flow
//
// The arrows are read from phlo_module(... DEPENDS ...) in src/<module>/CMakeLists.txt and phlo_program(...) in apps/; a module may
// include what its arrows reach, over any number of steps. Sub-folders of models/ are siblings: none includes another but shot/, which all share.
// Heavy or wrapped libraries stay inside the module that wraps them.
#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "scratch_dir.h"

namespace phlo::include_graph {

namespace fs = std::filesystem;
using Arrows = std::map<std::string, std::set<std::string>>;

/// module -> modules named after DEPENDS.
inline Arrows declared_arrows(const fs::path& project) {
    static const std::regex call(R"(phlo_(?:module|program)\(\s*(\w+)([^)]*)\))"), word(R"([A-Za-z_:0-9-]+)");
    Arrows arrows;
    std::vector<fs::path> lists{project / "apps" / "CMakeLists.txt"};
    for (const auto& entry : fs::directory_iterator(project / "src")) lists.push_back(entry.path() / "CMakeLists.txt");
    for (const fs::path& list : lists) {
        const std::string text = test::file_text(list);
        for (std::sregex_iterator m(text.begin(), text.end(), call), end; m != end; ++m) {
            std::set<std::string>& targets = arrows[(*m)[1]];
            const std::string rest = (*m)[2];
            bool depends = false;
            for (std::sregex_iterator w(rest.begin(), rest.end(), word); w != end; ++w) {
                if (w->str() == "DEPENDS") depends = true;
                else if (std::regex_match(w->str(), std::regex("[A-Z_]+"))) depends = false;   // any other keyword: EXTERNAL, EACH_CPU, COLD …
                else if (depends) targets.insert(w->str());
            }
        }
    }
    return arrows;
}

inline void collect_reachable(const Arrows& arrows, const std::string& from, std::set<std::string>& reached) {
    if (!reached.insert(from).second) return;
    const auto found = arrows.find(from);
    if (found == arrows.end()) return;
    for (const std::string& next : found->second) collect_reachable(arrows, next, reached);
}

/// Which module alone may include headers that start with this.
inline const std::map<std::string, std::string>& wrapped_libraries() {
    static const std::map<std::string, std::string> owners{{"openvdb/", "io"},  {"OpenImageIO/", "io"}, {"yaml-cpp/", "config"},
                                                           {"assimp/", "geom"}, {"spdlog/", "base"},    {"CLI/", "apps"},
                                                           {"muParser", "chem"}, {"boost/", "serve"}};
    return owners;
}

inline bool is_source(const fs::path& file) { return file.extension() == ".h" || file.extension() == ".cpp"; }

/// One line for each #include that no arrow allows: file:line: what and why.
inline std::vector<std::string> include_violations(const fs::path& project) {
    static const std::regex include(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
    const Arrows arrows = declared_arrows(project);
    std::vector<std::string> violations;
    for (const char* top : {"src", "apps"}) {
        for (const auto& entry : fs::recursive_directory_iterator(project / top)) {
            if (!entry.is_regular_file() || !is_source(entry.path())) continue;
            const fs::path relative = fs::relative(entry.path(), project);
            std::vector<std::string> parts;
            for (const fs::path& part : relative) parts.push_back(part.string());
            const std::string module = parts[0] == "apps" ? "apps" : parts[1];
            std::set<std::string> reached;
            collect_reachable(arrows, module, reached);

            std::ifstream in(entry.path());
            std::string line;
            for (int number = 1; std::getline(in, line); ++number) {
                std::smatch match;
                if (!std::regex_search(line, match, include)) continue;
                const std::string header = match[2];
                const auto complain = [&](const std::string& why) {
                    violations.push_back(
                        fmt::format("{}:{}: {} must not include \"{}\": {}", relative.string(), number, module, header, why));
                };
                if (match[1] == "<") {
                    for (const auto& [prefix, owner] : wrapped_libraries())
                        if (header.starts_with(prefix) && owner != module) complain(fmt::format("only {} wraps that library", owner));
                    continue;
                }
                const std::size_t slash = header.find('/');
                if (slash == std::string::npos) continue;  // a neighbour in the same folder
                const std::string target = header.substr(0, slash);
                if (!arrows.contains(target)) complain(fmt::format("no module is called '{}'", target));
                else if (!reached.contains(target)) complain(fmt::format("no declared arrow leads from {} to {}", module, target));
                else if (module == "models" && target == "models" && parts.size() > 3) {
                    const std::size_t second = header.find('/', slash + 1);  // none: a header that all models share
                    const std::string sibling = header.substr(slash + 1, second - slash - 1);
                    const bool shared = second == std::string::npos || sibling == "shot";
                    if (!shared && sibling != parts[2]) complain("models are siblings: what two share moves to shot/ or down");
                }
            }
        }
    }
    return violations;
}

/// Source files with more lines than `most`.
inline std::vector<std::string> long_files(const fs::path& project, int most) {
    std::vector<std::string> found;
    for (const char* top : {"src", "apps", "tests", "verify", "bench"}) {
        if (!fs::exists(project / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(project / top)) {
            if (!entry.is_regular_file() || !is_source(entry.path())) continue;
            const std::string text = test::file_text(entry.path());
            const auto lines = std::count(text.begin(), text.end(), '\n');
            if (lines > most) found.push_back(fmt::format("{}: {} lines", fs::relative(entry.path(), project).string(), lines));
        }
    }
    return found;
}

}  // namespace phlo::include_graph
