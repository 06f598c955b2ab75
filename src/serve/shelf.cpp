#include "serve/shelf.h"

#include <charconv>
#include <fstream>
#include <optional>

#include "serve/assets.h"

namespace phlo::serve {
namespace {

std::optional<int> number_in(const std::string& path) {
    constexpr std::string_view before = "/made/";
    int number = 0;
    if (!path.starts_with(before)) return std::nullopt;
    const char *begin = path.data() + before.size(), *end = path.data() + path.size();
    const auto [stopped, error] = std::from_chars(begin, end, number);
    return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

}  // namespace

int Shelf::put(Asset asset) {
    const std::lock_guard hold(guard_);
    items_[++last_] = {std::move(asset), {}};
    return last_;
}

int Shelf::put_file(const std::filesystem::path& file) {
    const std::lock_guard hold(guard_);
    items_[++last_] = {{.type = type_of(file.filename().string()), .download = true}, file};
    return last_;
}

void Shelf::drop(int number) {
    const std::lock_guard hold(guard_);
    items_.erase(number);
}

Asset Shelf::get(const std::string& path) const {
    const std::optional<int> number = number_in(path);
    if (!number) return {.missing = true};
    const std::lock_guard hold(guard_);
    const auto found = items_.find(*number);
    if (found == items_.end()) return {.missing = true};
    Asset asset = found->second.asset;
    if (found->second.file.empty()) return asset;
    std::ifstream stream(found->second.file, std::ios::binary);
    asset.body.assign(std::istreambuf_iterator<char>(stream), {});
    asset.missing = !stream;
    return asset;
}

}  // namespace phlo::serve
