#include "config/file_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/error.h"

namespace phlo::config {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

std::mutex guard;
std::shared_ptr<const Folders> folders_now;

std::shared_ptr<const Folders> folders() {
    const std::lock_guard hold(guard);
    return folders_now;
}

}  // namespace

FileGate::FileGate(const std::vector<fs::path>& folders) {
    Folders resolved;
    for (const fs::path& folder : folders) resolved.push_back(fs::canonical(folder));
    const std::lock_guard hold(guard);
    PHLO_CHECK(!folders_now);
    folders_now = std::make_shared<const Folders>(std::move(resolved));
}

FileGate::~FileGate() {
    const std::lock_guard hold(guard);
    folders_now = nullptr;
}

bool gate_stands() { return folders() != nullptr; }

bool lies_below(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path inner = fs::weakly_canonical(fs::absolute(file), error);
    if (error) return false;
    const fs::path outer = fs::weakly_canonical(fs::absolute(folder), error);
    if (error) return false;
    const auto [left, right] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return left == outer.end() || (std::next(left) == outer.end() && left->empty());
}

void check_readable(const fs::path& file) {
    const auto allowed = folders();
    if (!allowed || std::ranges::any_of(*allowed, [&](const fs::path& folder) { return lies_below(file, folder); })) return;
    throw InputError(fmt::format("{}: lies outside of the folder that is worked in; copy it there, or start in a folder above it", file.string()));
}

}  // namespace phlo::config
