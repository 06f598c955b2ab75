#include "io/csv.h"

#include <fmt/format.h>

#include "base/error.h"
#include "io/atomic_file.h"

namespace phlo::io {
namespace {

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

}  // namespace

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& header,
               const std::vector<const std::vector<double>*>& columns) {
    PHLO_CHECK(!columns.empty() && header.size() == columns.size());
    std::string text;
    for (std::size_t c = 0; c < header.size(); ++c) text += (c > 0 ? "," : "") + field(header[c]);
    text += '\n';
    for (std::size_t row = 0; row < columns.front()->size(); ++row)
        for (std::size_t c = 0; c < columns.size(); ++c)
            fmt::format_to(std::back_inserter(text), "{:.10g}{}", (*columns[c])[row], c + 1 < columns.size() ? ',' : '\n');
    write_atomically(path, text);
}

}  // namespace phlo::io
