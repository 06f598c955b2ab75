#include "sim/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>

#include "complaint.h"
#include "scratch_dir.h"

namespace phlo::sim {
namespace {

namespace fs = std::filesystem;

struct Thing {
    std::vector<float> field = {1, 2.5f, -0.0f, 1e-40f};
    double time = 0.1;
    models::StateView view() { return {.fields = {{"field", field}}, .numbers = {{"time", &time}}}; }
};

TEST(checkpoint, gives_back_every_bit) {
    const test::ScratchDir dir;
    const fs::path path = dir.path / "bits.bin";
    Thing saved, loaded{.field = {0, 0, 0, 0}, .time = 0};
    save_checkpoint(path, {.frame = 7, .scene_hash = "abc", .build = "v3"}, saved.view());
    const CheckpointHeader header = load_checkpoint(path, loaded.view());
    EXPECT_EQ(header.frame, 7);
    EXPECT_EQ(header.scene_hash, "abc");
    EXPECT_EQ(header.build, "v3");
    EXPECT_EQ(std::memcmp(saved.field.data(), loaded.field.data(), 16), 0);
    EXPECT_EQ(saved.time, loaded.time);
}

TEST(checkpoint, none_is_not_an_error) {
    const test::ScratchDir dir;
    EXPECT_FALSE(read_checkpoint_header(dir.path / "none.bin").has_value());
}

TEST(checkpoint, every_damaged_byte_is_noticed) {
    const test::ScratchDir dir;
    const fs::path path = dir.path / "damaged.bin";
    Thing thing;
    save_checkpoint(path, {.frame = 1, .scene_hash = "a", .build = "b"}, thing.view());
    std::vector<char> bytes(fs::file_size(path));
    std::ifstream(path, std::ios::binary).read(bytes.data(), std::streamsize(bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<char> broken = bytes;
        broken[i] = char(broken[i] ^ 0x10);
        std::ofstream(path, std::ios::binary).write(broken.data(), std::streamsize(broken.size()));
        EXPECT_THROW(load_checkpoint(path, thing.view()), RunError) << "byte " << i;
    }
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(length));
        EXPECT_THROW(load_checkpoint(path, thing.view()), RunError) << "length " << length;
    }
}

TEST(checkpoint, of_another_shape_is_refused_with_a_remedy) {
    const test::ScratchDir dir;
    const fs::path path = dir.path / "shape.bin";
    Thing small, large{.field = std::vector<float>(9)};
    save_checkpoint(path, {}, small.view());
    const std::string message = test::complaint<RunError>([&] { load_checkpoint(path, large.view()); });
    EXPECT_NE(message.find("without --resume"), std::string::npos) << message;
}

}  // namespace
}  // namespace phlo::sim
