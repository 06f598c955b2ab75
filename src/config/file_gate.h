// Which files a scene may name. A program that takes scenes from elsewhere, as the studio's server does, puts up a gate: while it stands, files are read
// only below its folders, whichever key names them (base, mechanism, mesh, map of the sky), and messages never quote what is in them.
//
//   FileGate gate({"/home/ada/shots"});
//   check_readable("/home/ada/shots/../.ssh/id_rsa");        // throws InputError
//
// Names are compared component by component after links are resolved: neither "..", nor a link, nor a folder whose name begins alike leads out.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace phlo::config {

/// One at a time, for the whole program.
class FileGate {
public:
    explicit FileGate(const std::vector<std::filesystem::path>& folders);
    ~FileGate();
    FileGate(const FileGate&) = delete;
    FileGate& operator=(const FileGate&) = delete;
};

bool gate_stands();

/// Throws InputError if a gate stands and the file lies outside of it.
void check_readable(const std::filesystem::path& file);

/// Whether a file, which need not exist, lies in a folder or below it, links resolved.
bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace phlo::config
