// Only for the .cpp files of io/: the OpenVDB headers (25 s a file), and a frame's bytes as an OpenVDB archive in memory.
#pragma once
#include <openvdb/openvdb.h>

#include <vector>

namespace phlo::io {

/// Registers OpenVDB's types once.
void initialize_openvdb();

/// The file that openvdb::io::File would write, with random access to its grids, but
///   - in memory, so that a full disk is found by our own write(),
///   - the grids compressed in parallel,
///   - its UUID a hash of the content: the same frame gives the same bytes.
std::vector<char> archive_bytes(const std::vector<openvdb::GridBase::ConstPtr>& grids, const openvdb::MetaMap& metadata);

}  // namespace phlo::io
