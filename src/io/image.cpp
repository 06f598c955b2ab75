#include "io/image.h"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "io/atomic_file.h"

namespace phlo::io {
namespace {

// Our keys come back from any program as they went in.
constexpr const char* key_prefix = "phlo:";

/// The bytes of a file; `name` is for messages.
std::vector<unsigned char> encoded(const std::string& name, const char* format, OIIO::ImageSpec spec, OIIO::TypeDesc type, const void* pixels,
                                   const ImageMetadata& metadata) {
    spec.attribute("Software", "phlogiston");
    for (const auto& [key, value] : metadata) spec.attribute(key_prefix + key, value);
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput memory(bytes);
    const auto output = OIIO::ImageOutput::create(format);
    if (!output) throw RunError(fmt::format("cannot write {}: OpenImageIO has no {} support", name, format));
    if (!output->set_ioproxy(&memory) || !output->open(name, spec) || !output->write_image(type, pixels) || !output->close())
        throw RunError(fmt::format("cannot encode {}: {}", name, output->geterror()));
    return bytes;
}

/// Encoded in memory first: then only our own write() meets the disk, and a full one is noticed.
void write_image(const std::filesystem::path& path, const char* format, const OIIO::ImageSpec& spec, OIIO::TypeDesc type, const void* pixels,
                 const ImageMetadata& metadata) {
    const std::vector<unsigned char> bytes = encoded(path.string(), format, spec, type, pixels, metadata);
    write_atomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

OIIO::ImageSpec spec_of(const DisplayImage& image) {
    OIIO::ImageSpec spec(image.width, image.height, 3, OIIO::TypeDesc::UINT8);
    spec.attribute("oiio:ColorSpace", "sRGB");
    spec.attribute("png:compressionLevel", 4);  // within a few per cent of the best, several times faster
    return spec;
}

std::unique_ptr<OIIO::ImageInput> open_image(const std::filesystem::path& path) {
    auto input = OIIO::ImageInput::open(path.string());
    if (!input) throw RunError(fmt::format("cannot read the picture {}: {}", path.string(), OIIO::geterror()));
    return input;
}

void read_pixels(const std::filesystem::path& path, OIIO::ImageInput& input, OIIO::TypeDesc type, void* pixels) {
    if (input.spec().nchannels < 3) throw RunError(fmt::format("{}: expected a colour picture", path.string()));
    if (!input.read_image(0, 0, 0, 3, type, pixels))
        throw RunError(fmt::format("cannot read the picture {}: {}", path.string(), input.geterror()));
}

}  // namespace

void write_png(const std::filesystem::path& path, const DisplayImage& image, const ImageMetadata& metadata) {
    write_image(path, "png", spec_of(image), OIIO::TypeDesc::UINT8, image.bytes.data(), metadata);
}

std::string png_bytes(const DisplayImage& image) {
    const std::vector<unsigned char> bytes = encoded("picture.png", "png", spec_of(image), OIIO::TypeDesc::UINT8, image.bytes.data(), {});
    return {bytes.begin(), bytes.end()};
}

void write_exr(const std::filesystem::path& path, const Image& image, const ImageMetadata& metadata, ExrDepth depth) {
    OIIO::ImageSpec spec(image.width, image.height, 3, depth == ExrDepth::half ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::FLOAT);
    spec.attribute("oiio:ColorSpace", "Linear");
    spec.attribute("compression", "zip");
    write_image(path, "openexr", spec, OIIO::TypeDesc::FLOAT, image.pixels.data(), metadata);
}

void write_png(const std::filesystem::path& path, const Texture& texture, Transfer transfer, const ImageMetadata& metadata) {
    std::vector<std::array<std::uint8_t, 4>> bytes(texture.pixels.size());
    for (std::size_t p = 0; p < bytes.size(); ++p)
        for (std::size_t c = 0; c < 4; ++c) {
            const float value = std::clamp(texture.pixels[p][c], 0.f, 1.f);
            bytes[p][c] = std::uint8_t(255 * (transfer == Transfer::srgb && c < 3 ? srgb_from_linear(value) : value) + 0.5f);
        }
    OIIO::ImageSpec spec(texture.width, texture.height, 4, OIIO::TypeDesc::UINT8);
    if (transfer == Transfer::srgb) spec.attribute("oiio:ColorSpace", "sRGB");
    spec.attribute("oiio:UnassociatedAlpha", 1);  // else OpenImageIO divides by alpha
    spec.attribute("png:compressionLevel", 4);
    write_image(path, "png", spec, OIIO::TypeDesc::UINT8, bytes.data(), metadata);
}

void write_exr(const std::filesystem::path& path, const Texture& texture, const ImageMetadata& metadata, ExrDepth depth) {
    OIIO::ImageSpec spec(texture.width, texture.height, 4, depth == ExrDepth::half ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::FLOAT);
    spec.attribute("oiio:ColorSpace", "Linear");
    spec.attribute("compression", "zip");
    write_image(path, "openexr", spec, OIIO::TypeDesc::FLOAT, texture.pixels.data(), metadata);
}

DisplayImage read_png(const std::filesystem::path& path) {
    const auto input = open_image(path);
    DisplayImage image(input->spec().width, input->spec().height);
    read_pixels(path, *input, OIIO::TypeDesc::UINT8, image.bytes.data());
    return image;
}

Image read_exr(const std::filesystem::path& path) {
    const auto input = open_image(path);
    Image image(input->spec().width, input->spec().height);
    read_pixels(path, *input, OIIO::TypeDesc::FLOAT, image.pixels.data());
    return image;
}

Texture read_texture(const std::filesystem::path& path) {
    OIIO::ImageSpec asked;
    asked.attribute("oiio:UnassociatedAlpha", 1);
    const auto input = OIIO::ImageInput::open(path.string(), &asked);
    if (!input) throw RunError(fmt::format("cannot read the picture {}: {}", path.string(), OIIO::geterror()));
    if (input->spec().nchannels != 4) throw RunError(fmt::format("{}: expected four channels", path.string()));
    Texture texture(input->spec().width, input->spec().height);
    if (!input->read_image(0, 0, 0, 4, OIIO::TypeDesc::FLOAT, texture.pixels.data()))
        throw RunError(fmt::format("cannot read the picture {}: {}", path.string(), input->geterror()));
    return texture;
}

ImageMetadata read_image_metadata(const std::filesystem::path& path) {
    ImageMetadata metadata;
    const auto input = OIIO::ImageInput::open(path.string());
    if (!input) {
        (void)OIIO::geterror();  // taken, so that it is not reported with a later picture
        return metadata;
    }
    for (const OIIO::ParamValue& attribute : input->spec().extra_attribs) {
        const std::string key = attribute.name().string();
        if (key.starts_with(key_prefix)) metadata[key.substr(std::char_traits<char>::length(key_prefix))] = attribute.get_string();
    }
    return metadata;
}

}  // namespace phlo::io
