#include "io/vdb_archive.h"

#include <fmt/format.h>
#include <openvdb/io/Archive.h>
#include <openvdb/io/Compression.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/io/Stream.h>

#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <streambuf>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::io {
namespace {

/// A seekable output stream buffer over a growing vector: what std::stringbuf is, without its final copy.
class MemoryBuffer : public std::streambuf {
public:
    std::vector<char> take() { return std::move(bytes_); }
    std::vector<char>& bytes() { return bytes_; }

protected:
    std::streamsize xsputn(const char* source, std::streamsize count) override {
        const std::size_t end = position_ + std::size_t(count);
        if (end > bytes_.size()) bytes_.resize(end);
        std::memcpy(bytes_.data() + position_, source, std::size_t(count));
        position_ = end;
        return count;
    }
    int_type overflow(int_type c) override {
        const char byte = char(c);
        xsputn(&byte, 1);
        return c;
    }
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
        const off_type base = from == std::ios_base::beg ? 0 : off_type(from == std::ios_base::cur ? position_ : bytes_.size());
        position_ = std::size_t(base + offset);
        return pos_type(base + offset);
    }
    pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
        return seekoff(off_type(position), std::ios_base::beg, which);
    }

private:
    std::vector<char> bytes_;
    std::size_t position_ = 0;
};

class MemoryArchive : public openvdb::io::Archive {
public:
    MemoryArchive() { setCompression(openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK); }

    std::vector<char> header(const openvdb::MetaMap& metadata, std::int32_t grids) const {
        MemoryBuffer buffer;
        std::ostream stream(&buffer);
        writeHeader(stream, true);
        metadata.writeMeta(stream);
        stream.write(reinterpret_cast<const char*>(&grids), sizeof grids);
        return buffer.take();
    }

    /// One grid as it stands in a file, its three positions counted from its own first byte, and where they are kept.
    std::vector<char> grid(const openvdb::GridBase::ConstPtr& grid, std::size_t& positions) const {
        openvdb::io::GridDescriptor descriptor(grid->getName(), grid->type(), grid->saveFloatAsHalf());
        MemoryBuffer measure, buffer;
        std::ostream measure_stream(&measure), stream(&buffer);
        descriptor.writeHeader(measure_stream);
        positions = measure.bytes().size();
        writeGrid(descriptor, grid, stream, true);
        return buffer.take();
    }
};

/// FNV-1a over 8-byte words, twice with different starts: 128 bits.
std::string content_uuid(const std::vector<char>& bytes) {
    std::uint64_t hash[2] = {0xcbf29ce484222325ull, 0x9ae16a3b2f90404full};
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        for (std::uint64_t& h : hash) h = (h ^ word) * 0x100000001b3ull, h ^= h >> 29;
    }
    return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", hash[0] >> 32, (hash[0] >> 16) & 0xffff, hash[0] & 0xffff, hash[1] >> 48,
                       hash[1] & 0xffffffffffffull);
}

}  // namespace

void initialize_openvdb() {
    static std::once_flag once;
    std::call_once(once, [] { openvdb::initialize(); });
}

VdbContent load(const std::filesystem::path& path) {
    initialize_openvdb();
    if (!std::filesystem::exists(path)) throw RunError(fmt::format("{}: no such file", path.string()));
    if (std::filesystem::is_directory(path)) throw RunError(fmt::format("{}: is a directory, not an OpenVDB file", path.string()));
    try {
        std::ifstream bytes(path, std::ios::binary);
        bytes.exceptions(std::ios::badbit | std::ios::failbit | std::ios::eofbit);  // or OpenVDB would go on with what was never read
        openvdb::io::Stream stream(bytes, /*delayLoad=*/false);
        const auto pointers = stream.getGrids();
        return {{pointers->begin(), pointers->end()}, stream.getMetadata()};
    } catch (const std::exception& error) {  // OpenVDB throws its own errors, std::ios_base::failure and std::bad_alloc for broken files
        throw RunError(
            fmt::format("{}: not a complete OpenVDB file ({}). Delete it and make the frame again", path.string(), error.what()));
    }
}

std::vector<char> archive_bytes(const std::vector<openvdb::GridBase::ConstPtr>& grids, const openvdb::MetaMap& metadata) {
    const MemoryArchive archive;
    std::vector<char> bytes = archive.header(metadata, std::int32_t(grids.size()));
    std::vector<std::vector<char>> parts(grids.size());
    std::vector<std::size_t> positions(grids.size());
    parallel_for(int(grids.size()), [&](int g) { parts[std::size_t(g)] = archive.grid(grids[std::size_t(g)], positions[std::size_t(g)]); });
    std::size_t size = bytes.size();
    for (const auto& part : parts) size += part.size();
    bytes.reserve(size);
    for (std::size_t g = 0; g < parts.size(); ++g) {
        // A descriptor holds the positions of its grid, its voxels and its end as 64-bit numbers counted from the file's start.
        for (std::size_t at = positions[g]; at < positions[g] + 3 * sizeof(std::int64_t); at += sizeof(std::int64_t)) {
            std::int64_t position = 0;
            std::memcpy(&position, parts[g].data() + at, sizeof position);
            position += std::int64_t(bytes.size());
            std::memcpy(parts[g].data() + at, &position, sizeof position);
        }
        bytes.insert(bytes.end(), parts[g].begin(), parts[g].end());
    }
    // magic (8 bytes), file version (4), library version (4 + 4), "has offsets" (1), then the UUID as 36 characters
    constexpr std::size_t uuid_at = 21, uuid_length = 36;
    PHLO_CHECK(bytes.size() > uuid_at + uuid_length && bytes[uuid_at + 8] == '-' && bytes[uuid_at + 23] == '-');
    std::fill_n(bytes.begin() + uuid_at, uuid_length, '0');
    const std::string uuid = content_uuid(bytes);
    PHLO_CHECK(uuid.size() == uuid_length);
    std::copy(uuid.begin(), uuid.end(), bytes.begin() + uuid_at);
    return bytes;
}

}  // namespace phlo::io
