// Only for the .cpp files of io/: the OpenVDB headers (25 s a file), and a frame's bytes as an OpenVDB archive in memory.
#pragma once
#include <openvdb/openvdb.h>

#include <filesystem>
#include <vector>

namespace phlo::io {

/// Registers OpenVDB's types once.
void initialize_openvdb();

struct VdbContent {
    std::vector<openvdb::GridBase::Ptr> grids;
    openvdb::MetaMap::Ptr metadata;
};

/// All of a file. Throws RunError if it is none or broken.
VdbContent load(const std::filesystem::path& path);

template <class T>
T meta_or(const openvdb::MetaMap& meta, const char* key, T fallback) {
    const auto typed = meta.getMetadata<openvdb::TypedMetadata<T>>(key);
    return typed ? typed->value() : fallback;
}

/// The file that openvdb::io::File would write, with random access to its grids, but
///   - in memory, so that a full disk is found by our own write(),
///   - the grids compressed in parallel,
///   - its UUID a hash of the content: the same frame gives the same bytes.
std::vector<char> archive_bytes(const std::vector<openvdb::GridBase::ConstPtr>& grids, const openvdb::MetaMap& metadata);

}  // namespace phlo::io
