#include "serve/frame_message.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/json_read.h"
#include "render/volumes/volume.h"

namespace phlo::serve {
namespace {

struct Decoded {
    json::Value header;
    std::string payload;

    explicit Decoded(const Message& parcel) : Decoded(parcel->frame, "PHLF") {}
    Decoded(const FrameParcel::Bytes& message, const char* magic) {
        EXPECT_EQ(message->substr(0, 4), magic);
        std::uint32_t length = 0;
        std::memcpy(&length, message->data() + 4, 4);
        EXPECT_EQ(length % 4, 0u);
        header = json::parse(message->substr(8, length)), payload = message->substr(8 + length);
    }
    template <class T>
    T at(double offset) const {
        T value;
        EXPECT_LE(std::size_t(offset) + sizeof(T), payload.size());
        std::memcpy(&value, payload.data() + std::size_t(offset), sizeof(T));
        return value;
    }
};

/// Smoke in two far corners of a box of 40 x 24 x 20 cells, hot in one of them.
field::Frame smoke() {
    field::Frame frame{.number = 7, .time = 0.25, .world = field::Bounds{{0, 0, 0}, {4, 2.4, 2}}};
    const field::Domain domain{{40, 24, 20}, {0, 0, 0}, 0.1};
    auto density = std::make_shared<field::Grid>(field::Layout(domain.cells)), temperature = std::make_shared<field::Grid>(field::Layout(domain.cells), 300.f);
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < 4; ++i) {
                (*density)(i, j, k) = 0.1f * float(1 + i), (*density)(36 + i, 20 + j, 16 + k) = 1;
                (*temperature)(36 + i, 20 + j, 16 + k) = 1800;
            }
    frame.volumes.push_back({.name = "density", .domain = domain, .room = domain, .grid = density});
    frame.volumes.push_back({.name = "temperature", .unit = "K", .background = 300, .domain = domain, .room = domain, .grid = temperature});
    return frame;
}

TEST(frame_message, bricks_hold_what_the_renderer_sees_within_a_byte) {
    const field::Frame frame = smoke();
    render::RenderParams look;
    look.smoke.extinction = 10;
    const Decoded d(encode_frame(frame, look));
    const render::OpticalVolume seen = render::make_volume(frame, look);
    const json::Value& volume = *d.header.get("volume");
    EXPECT_EQ(d.header.number("frame", 0), 7);
    const json::Value& smoke = *volume.get("smoke");
    const int channels = int(smoke.number("channels", 0));
    ASSERT_EQ(smoke.number("count", 0), 2) << "of 3 x 2 x 2 bricks two are occupied";
    EXPECT_EQ(d.at<std::uint32_t>(smoke.number("bricks", 0)), 0u);
    EXPECT_EQ(d.at<std::uint32_t>(smoke.number("bricks", 0) + 4), 11u);
    const double most = volume.number("most_extinction", 0), root = std::sqrt(most);
    for (int i = 0; i < 4; ++i) {
        const double share = d.at<std::uint8_t>(smoke.number("bytes", 0) + i * channels + channels - 1) / 255.0;
        EXPECT_NEAR(share * root, std::sqrt(double(seen.extinction(i, 0, 0))), root / 255) << i;
        for (int c = 0; c + 1 < channels; ++c)
            EXPECT_NEAR(d.at<std::uint8_t>(smoke.number("bytes", 0) + i * channels + c) / 255.0, seen.albedo_of(i, 0, 0)[c], 1.0 / 255) << i << c;
    }
    const json::Value& fire = *volume.get("fire");
    ASSERT_EQ(fire.number("count", 0), 1) << "only one corner is hot";
    EXPECT_EQ(d.at<std::uint32_t>(fire.number("bricks", 0)), 11u);
    const Vec3f light = seen.emission_of(37, 21, 17);   // of the brick's cells 5, 5, 1
    for (int c = 0; c < 3; ++c) {
        const double share = d.at<std::uint8_t>(fire.number("bytes", 0) + 3 * (5 + 16 * (5 + 16 * 1)) + c) / 255.0;
        EXPECT_NEAR(share, std::sqrt(light[c] / volume.number("most_emission", 0)), 1.0 / 255) << c;
    }
}

TEST(frame_message, a_volume_that_is_too_large_travels_as_means) {
    render::RenderParams look;
    look.smoke.extinction = 10;
    const field::Frame frame = smoke();
    const Decoded d(encode_frame(frame, look, {.max_cells = 3000}));
    const json::Value& cells = *d.header.get("volume")->get("cells");
    EXPECT_EQ(cells.items[0].value, 20);
    EXPECT_EQ(cells.items[2].value, 10);
    EXPECT_NEAR(d.header.get("volume")->number("h", 0), 0.2, 1e-9);
    const json::Value& set = *d.header.get("volume")->get("smoke");
    const int channels = int(set.number("channels", 0));
    const double most = d.header.get("volume")->number("most_extinction", 0);
    const render::OpticalVolume fine = render::make_volume(frame, look);
    for (int i = 0; i < 3; ++i) {   // the third one's cells are empty
        const double share = d.at<std::uint8_t>(set.number("bytes", 0) + i * channels + channels - 1) / 255.0, mean = (fine.extinction(2 * i, 0, 0) + fine.extinction(2 * i + 1, 0, 0)) / 2;
        EXPECT_NEAR(share, std::sqrt(mean / most), 1.0 / 255) << i;
    }
}

TEST(frame_message, streaks_keep_their_place_and_their_sum_when_some_are_left_out) {
    field::Frame frame{.world = std::nullopt};
    field::Points points{.name = "fire"};
    std::vector<float> composition;
    for (int n = 0; n < 1000; ++n) {
        points.position.push_back({float(n) * 0.001f, 0.5f, float(n % 10) * 0.1f});
        points.velocity.push_back({0, 0, 1}), points.radius.push_back(0.02f), composition.push_back(0.5f);
    }
    points.columns["composition"] = composition;
    frame.points.push_back(points);
    const auto sum = [&](std::size_t most) {
        const Decoded d(encode_frame(frame, {}, {.max_points = most}));
        const json::Value& set = d.header.get("points")->items.at(0);
        EXPECT_EQ(set.text("kind", ""), "streaks");
        EXPECT_LE(set.number("count", 0), double(most));
        double total = 0;
        for (int n = 0; n < int(set.number("count", 0)); ++n) {
            const double root = d.at<std::uint8_t>(set.number("bytes", 0) + 12 * n + 7) / 255.0;
            total += set.number("most_light", 0) * root * root;
            const double x = set.get("low")->items[0].value + set.get("size")->items[0].value * d.at<std::uint16_t>(set.number("bytes", 0) + 12 * n) / 65535.0;
            EXPECT_NEAR(x, 0.001 * double(n) * std::ceil(1000.0 / double(most)), 2e-5);
        }
        return total;
    };
    const double all = sum(1000);
    EXPECT_GT(all, 0);
    EXPECT_NEAR(sum(250) / all, 1, 0.01);
}

TEST(frame_message, a_mesh_keeps_its_corners_and_its_normals) {
    field::Frame frame{.world = field::Bounds{{0, 0, 0}, {1, 1, 1}}};
    frame.surfaces.push_back({.name = "plate", .color = {0.5f, 0.25f, 0.125f}, .mesh = {{{0, 0, 0.5f}, {2, 0, 0.5f}, {0, 1, 0.5f}}, {{0, 1, 2}}}});
    const Message parcel = encode_frame(frame, {});
    const Decoded header(parcel), d(parcel->meshes.at(0).bytes, "PHLM");
    const json::Value& s = header.header.get("surfaces")->items.at(0);
    EXPECT_EQ(s.text("name", ""), "plate");
    EXPECT_EQ(s.text("mesh", ""), d.header.text("mesh", "?"));
    EXPECT_EQ(s.number("indices", 0), 3);
    EXPECT_EQ(d.at<std::uint16_t>(s.number("vertex_bytes", 0) + 12), 65535) << "the second corner lies at the end of x";
    EXPECT_EQ(d.at<std::int8_t>(s.number("vertex_bytes", 0) + 10), 127) << "it faces up";
    EXPECT_NEAR(s.get("size")->items[0].value, 2, 1e-6);
}

TEST(frame_message, a_mesh_keeps_its_name_while_it_does_not_change) {
    field::Frame frame{.world = field::Bounds{{0, 0, 0}, {1, 1, 1}}};
    frame.surfaces.push_back({.name = "plate", .mesh = {{{0, 0, 0.5f}, {2, 0, 0.5f}, {0, 1, 0.5f}}, {{0, 1, 2}}}});
    const std::uint64_t before = encode_frame(frame, {})->meshes.at(0).id;
    frame.number = 8, frame.surfaces[0].color = {1, 0, 0};
    EXPECT_EQ(encode_frame(frame, {})->meshes.at(0).id, before);
    frame.surfaces[0].mesh.points[1].z = 1;
    EXPECT_NE(encode_frame(frame, {})->meshes.at(0).id, before);
}

TEST(frame_message, a_body_is_made_into_a_message_again_only_when_it_has_changed) {
    field::Frame frame{.world = field::Bounds{{0, 0, 0}, {1, 1, 1}}};
    for (const char* name : {"plate", "other"}) frame.surfaces.push_back({.name = name, .mesh = {{{0, 0, 0.5f}, {2, 0, 0.5f}, {0, 1, 0.5f}, {2, 1, 0.5f}}, {{0, 1, 2}}}});
    frame.surfaces[1].mesh.triangles.push_back({1, 3, 2});
    MeshMemory memory;
    const auto meshes = [&] { return encode_frame(frame, {}, {.meshes = &memory})->meshes; };
    const auto first = meshes(), again = meshes();
    for (const std::size_t n : {0u, 1u}) EXPECT_EQ(again.at(n).bytes, first.at(n).bytes) << "the same bytes, not bytes that are alike";
    EXPECT_NE(first[0].id, first[1].id);
    frame.surfaces[0].mesh.points[1].z = 1;
    const auto moved = meshes();
    EXPECT_NE(moved[0].id, first[0].id);
    EXPECT_EQ(moved[1].bytes, first[1].bytes);
    frame.surfaces[1].mesh.triangles[1] = {3, 1, 2};
    EXPECT_NE(meshes()[1].id, first[1].id);
}

}  // namespace
}  // namespace phlo::serve
