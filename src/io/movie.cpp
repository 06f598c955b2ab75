#include "io/movie.h"

#include <fmt/format.h>
#include "base/error.h"

namespace phlo::io {
namespace {

std::string ffmpeg_command(const std::filesystem::path& path, const std::filesystem::path& output, int width, int height, double fps, MovieEffort effort) {
    if (!program_exists("ffmpeg"))
        throw RunError(fmt::format(
            "cannot make {}: there is no ffmpeg. Install it (apt install ffmpeg) and run again; pictures that are files already are kept",
            path.string()));
    // A session of its own: Ctrl-C is for this program, which then ends the movie as it should be.
    // yuv420p needs even sizes: an odd last row or column is repeated. -bitexact: the same pictures give the same bytes.
    return fmt::format(
        "exec setsid ffmpeg -hide_banner -loglevel error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i - "
        "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv' -c:v libx264 -preset {} -crf 16 -pix_fmt "
        "yuv420p "
        "-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -fflags +bitexact -movflags +faststart {}",
        width, height, fps, effort == MovieEffort::quick ? "veryfast" : "medium", shell_quoted(output));
}

}  // namespace

Movie::Movie(const std::filesystem::path& path, int width, int height, double fps, MovieEffort effort)
    : path_(path),
      width_(width),
      height_(height),
      file_(path),
      ffmpeg_(ffmpeg_command(path, file_.temporary(), width, height, fps, effort), path) {}

void Movie::fail() {
    ffmpeg_.finish();
    const std::string said = ffmpeg_.said();
    throw RunError(fmt::format("cannot make {}: ffmpeg failed{}{}. Pictures that are files already are kept", path_.string(), said.empty() ? "" : ": ", said));
}

void Movie::add(const DisplayImage& image) {
    PHLO_CHECK(image.width == width_ && image.height == height_);
    if (!ffmpeg_.write({reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()})) fail();
}

void Movie::finish() {
    if (!ffmpeg_.finish()) fail();
    file_.commit();
}

void write_movie(const std::filesystem::path& path, const std::vector<std::filesystem::path>& pictures, double fps) {
    PHLO_CHECK(!pictures.empty());
    DisplayImage picture = read_png(pictures.front());
    Movie movie(path, picture.width, picture.height, fps);
    for (std::size_t n = 0; n < pictures.size(); ++n) {
        if (n > 0) picture = read_png(pictures[n]);
        movie.add(picture);
    }
    movie.finish();
}

}  // namespace phlo::io
