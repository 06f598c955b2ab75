// Pictures: linear radiance as EXR, finished 8-bit sRGB as PNG.
//
//   Image radiance(640, 360);  radiance(x, y) = {r, g, b};     // y runs down
//   write_exr("frame_0007.exr", radiance, {{"scene_hash", "..."}});
//   write_png("frame_0007.png", display);                      // a DisplayImage, from render/film/film.h
//   write_png("motion.png", texture, Transfer::linear);        // a Texture: four channels that mean what the caller says
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/vec.h"

namespace phlo::io {

using ImageMetadata = std::map<std::string, std::string>;

/// Linear RGB, Rec. 709 primaries.
struct Image {
    int width = 0, height = 0;
    std::vector<Vec3f> pixels;

    Image() = default;
    Image(int w, int h) : width(w), height(h), pixels(std::size_t(w) * std::size_t(h)) {}
    Vec3f& operator()(int x, int y) { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    const Vec3f& operator()(int x, int y) const { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

/// 8-bit sRGB, three bytes a pixel.
struct DisplayImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> bytes;

    DisplayImage() = default;
    DisplayImage(int w, int h) : width(w), height(h), bytes(std::size_t(w) * std::size_t(h) * 3) {}
    std::uint8_t* at(int x, int y) { return bytes.data() + (std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3; }
    const std::uint8_t* at(int x, int y) const { return bytes.data() + (std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3; }
};

/// Four numbers a pixel, for game engines.
struct Texture {
    int width = 0, height = 0;
    std::vector<std::array<float, 4>> pixels;

    Texture() = default;
    Texture(int w, int h) : width(w), height(h), pixels(std::size_t(w) * std::size_t(h)) {}
    std::array<float, 4>& operator()(int x, int y) { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    const std::array<float, 4>& operator()(int x, int y) const { return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

/// The sRGB transfer function (IEC 61966-2-1), both ways, on [0, 1].
inline float srgb_from_linear(float v) { return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f; }
inline float linear_from_srgb(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }

enum class ExrDepth { half, full };
enum class Transfer {
    srgb,    ///< the first three channels go through the sRGB curve
    linear,  ///< numbers as they are
};

void write_png(const std::filesystem::path& path, const DisplayImage& image, const ImageMetadata& metadata = {});
/// What write_png() would put into the file.
std::string png_bytes(const DisplayImage& image);
void write_exr(const std::filesystem::path& path, const Image& image, const ImageMetadata& metadata = {}, ExrDepth depth = ExrDepth::half);

/// Eight bits a channel, of values in [0, 1]; others become the nearest of these. Nothing is multiplied by the fourth channel, or divided.
void write_png(const std::filesystem::path& path, const Texture& texture, Transfer transfer, const ImageMetadata& metadata = {});
void write_exr(const std::filesystem::path& path, const Texture& texture, const ImageMetadata& metadata = {}, ExrDepth depth = ExrDepth::half);

DisplayImage read_png(const std::filesystem::path& path);
Image read_exr(const std::filesystem::path& path);
/// Of a PNG or an EXR, the numbers as they are in the file; bytes become 0 to 1.
Texture read_texture(const std::filesystem::path& path);
/// The text that write_png or write_exr stored; empty if the file cannot be read.
ImageMetadata read_image_metadata(const std::filesystem::path& path);

}  // namespace phlo::io
