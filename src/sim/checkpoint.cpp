#include "sim/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/error.h"
#include "io/atomic_file.h"

namespace phlo::sim {
namespace {

constexpr char magic[8] = {'P', 'H', 'L', 'O', 'C', 'K', 'P', '2'};

/// 64-bit checksum of words: every bit of the file changes it. Not cryptographic.
class Checksum {
public:
    void add(const char* bytes, std::size_t count) {
        for (; count >= 8; bytes += 8, count -= 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes, 8);
            mix(word);
        }
        std::uint64_t tail = 0;
        std::memcpy(&tail, bytes, count);
        mix(tail ^ (std::uint64_t(count) << 56));
    }
    std::uint64_t value() const { return state_; }

private:
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
        state_ ^= state_ >> 29;
    }
    std::uint64_t state_ = 0x243F6A8885A308D3ull;
};

class Writer {
public:
    template <class T>
    void value(const T& v) { bytes(&v, sizeof(T)); }
    void text(const std::string& s) {
        value(std::uint32_t(s.size()));
        bytes(s.data(), s.size());
    }
    void bytes(const void* p, std::size_t count) { data_.insert(data_.end(), static_cast<const char*>(p), static_cast<const char*>(p) + count); }
    void reserve(std::size_t count) { data_.reserve(count); }
    std::vector<char>& data() { return data_; }

private:
    std::vector<char> data_;
};

class Reader {
public:
    Reader(std::vector<char> data, std::filesystem::path path) : data_(std::move(data)), path_(std::move(path)) {}

    [[noreturn]] void damaged(const std::string& why) const {
        throw RunError(fmt::format("{}: {}. Delete the checkpoint folder and run again without --resume", path_.string(), why));
    }
    const char* take(std::size_t count) {
        if (data_.size() - at_ < count) damaged("the checkpoint is cut short");
        at_ += count;
        return data_.data() + at_ - count;
    }
    template <class T>
    T value() {
        T v;
        std::memcpy(&v, take(sizeof(T)), sizeof(T));
        return v;
    }
    std::string text() {
        const auto count = value<std::uint32_t>();
        return {take(count), count};
    }

private:
    std::vector<char> data_;
    std::filesystem::path path_;
    std::size_t at_ = 0;
};

CheckpointHeader read_header(Reader& reader) {
    if (std::memcmp(reader.take(sizeof magic), magic, sizeof magic) != 0) reader.damaged("this is not a checkpoint");
    CheckpointHeader header;
    header.frame = reader.value<std::int32_t>();
    header.scene_hash = reader.text();
    header.build = reader.text();
    return header;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header, const models::StateView& state) {
    Writer out;
    std::size_t total = 4096;
    for (const auto& f : state.fields) total += f.values.size_bytes() + 256;
    out.reserve(total);
    out.bytes(magic, sizeof magic);
    out.value(std::int32_t(header.frame));
    out.text(header.scene_hash);
    out.text(header.build);
    out.value(std::uint32_t(state.numbers.size()));
    for (const auto& n : state.numbers) out.text(n.name), out.value(*n.value);
    out.value(std::uint32_t(state.fields.size()));
    for (const auto& f : state.fields) {
        out.text(f.name);
        out.value(std::uint64_t(f.values.size()));
        out.bytes(f.values.data(), f.values.size_bytes());
    }
    out.value(std::uint32_t(state.blocks.size()));
    for (const auto& b : state.blocks) {
        const std::vector<char> data = b.save();
        out.text(b.name);
        out.value(std::uint64_t(data.size()));
        out.bytes(data.data(), data.size());
    }
    Checksum sum;
    sum.add(out.data().data(), out.data().size());
    out.value(sum.value());
    io::write_atomically(path, out.data());
}

std::optional<CheckpointHeader> read_checkpoint_header(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::vector<char> start(4096);
    file.read(start.data(), std::streamsize(start.size()));
    start.resize(std::size_t(file.gcount()));
    Reader reader(std::move(start), path);
    return read_header(reader);
}

namespace {

/// The bytes of a checkpoint, once their checksum is found to be right.
Reader checked(const std::filesystem::path& path) {
    std::vector<char> data = io::read_bytes(path);
    std::uint64_t stored = 0;
    const bool long_enough = data.size() >= sizeof stored;
    if (long_enough) std::memcpy(&stored, data.data() + data.size() - sizeof stored, sizeof stored);
    Checksum sum;
    if (long_enough) sum.add(data.data(), data.size() - sizeof stored);
    Reader reader(std::move(data), path);
    if (!long_enough) reader.damaged("the checkpoint is cut short");
    if (sum.value() != stored) reader.damaged("the checkpoint is damaged (its checksum does not match)");
    return reader;
}

/// Everything in a state by its name: the content of a checkpoint, or of a model.
struct Named {
    std::map<std::string, double> numbers;
    std::map<std::string, std::span<const float>> fields;
    std::map<std::string, std::vector<char>> blocks;
};

Named read_named(Reader& reader, std::deque<std::vector<float>>& storage) {
    Named named;
    for (auto count = reader.value<std::uint32_t>(); count > 0; --count) {
        const std::string name = reader.text();
        named.numbers[name] = reader.value<double>();
    }
    for (auto count = reader.value<std::uint32_t>(); count > 0; --count) {
        const std::string name = reader.text();
        std::vector<float>& values = storage.emplace_back(reader.value<std::uint64_t>());
        std::memcpy(values.data(), reader.take(values.size() * sizeof(float)), values.size() * sizeof(float));
        named.fields[name] = values;
    }
    for (auto count = reader.value<std::uint32_t>(); count > 0; --count) {
        const std::string name = reader.text();
        const auto size = reader.value<std::uint64_t>();
        const char* bytes = reader.take(size);
        named.blocks[name] = {bytes, bytes + size};
    }
    return named;
}

/// What `wanted` and `given` have in common is handed to `take`; the rest is noted.
template <class Wanted, class Given, class Take>
void match(const Wanted& wanted, const Given& given, StateFit& fit, const Take& take) {
    std::set<std::string> known;
    for (const auto& one : wanted) {
        known.insert(one.name);
        if (const auto found = given.find(one.name); found != given.end()) take(one, found->second);
        else fit.started_anew.push_back(one.name);
    }
    for (const auto& [name, value] : given)
        if (!known.contains(name)) fit.dropped.push_back(name);
}

StateFit fill_by_name(const Named& given, const models::StateView& state) {
    StateFit shapes;
    match(state.fields, given.fields, shapes, [&](const auto& field, std::span<const float> values) {
        if (values.size() != field.values.size()) shapes.other_shape.push_back(field.name);
    });
    if (!shapes.possible()) return shapes;
    StateFit fit;
    match(state.numbers, given.numbers, fit, [](const auto& number, double value) { *number.value = value; });
    match(state.fields, given.fields, fit, [](const auto& field, std::span<const float> values) {
        std::copy(values.begin(), values.end(), field.values.begin());
    });
    match(state.blocks, given.blocks, fit, [](const auto& block, const std::vector<char>& bytes) { block.load(bytes); });
    return fit;
}

}  // namespace

StateFit load_checkpoint_by_name(const std::filesystem::path& path, const models::StateView& state) {
    Reader reader = checked(path);
    read_header(reader);
    std::deque<std::vector<float>> storage;   // spans into it stay valid as it grows
    return fill_by_name(read_named(reader, storage), state);
}

StateFit copy_by_name(const models::StateView& from, const models::StateView& to) {
    Named named;
    for (const auto& number : from.numbers) named.numbers[number.name] = *number.value;
    for (const auto& field : from.fields) named.fields[field.name] = field.values;
    for (const auto& block : from.blocks) named.blocks[block.name] = block.save();
    return fill_by_name(named, to);
}

CheckpointHeader load_checkpoint(const std::filesystem::path& path, const models::StateView& state) {
    Reader reader = checked(path);
    const CheckpointHeader header = read_header(reader);
    if (reader.value<std::uint32_t>() != state.numbers.size()) reader.damaged("the checkpoint is of another kind of scene");
    for (const auto& n : state.numbers) {
        if (reader.text() != n.name) reader.damaged("the checkpoint is of another kind of scene");
        *n.value = reader.value<double>();
    }
    if (reader.value<std::uint32_t>() != state.fields.size()) reader.damaged("the checkpoint is of another kind of scene");
    for (const auto& f : state.fields) {
        if (reader.text() != f.name || reader.value<std::uint64_t>() != f.values.size())
            reader.damaged(fmt::format("the checkpoint's field '{}' has another shape", f.name));
        std::memcpy(f.values.data(), reader.take(f.values.size_bytes()), f.values.size_bytes());
    }
    if (reader.value<std::uint32_t>() != state.blocks.size()) reader.damaged("the checkpoint is of another kind of scene");
    for (const auto& b : state.blocks) {
        if (reader.text() != b.name) reader.damaged("the checkpoint is of another kind of scene");
        const auto size = reader.value<std::uint64_t>();
        b.load({reader.take(size), size});
    }
    return header;
}

}  // namespace phlo::sim
