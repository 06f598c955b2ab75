#include "io/movie.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>

#include "base/error.h"

namespace phlo::io {
namespace {

std::string quoted(const std::filesystem::path& path) {
    std::string result = "'";
    for (const char c : path.string()) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// A pipe whose reader has gone answers with an error, not with the end of this process.
struct WithoutPipeSignal {
    struct sigaction before {};
    WithoutPipeSignal() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before);
    }
    ~WithoutPipeSignal() { ::sigaction(SIGPIPE, &before, nullptr); }
};

}  // namespace

Movie::Movie(const std::filesystem::path& path, int width, int height, double fps)
    : path_(path), width_(width), height_(height), file_(path), messages_(path.parent_path() / (path.stem().string() + ".log")) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0)
        throw RunError(fmt::format(
            "cannot make {}: there is no ffmpeg. Install it (apt install ffmpeg) and run 'phlo render' again; the pictures are kept",
            path.string()));
    // yuv420p needs even sizes: an odd last row or column is repeated. -bitexact: the same pictures give the same bytes.
    const std::string command = fmt::format(
        "exec ffmpeg -hide_banner -loglevel error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i - "
        "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv' -c:v libx264 -preset medium -crf 16 -pix_fmt "
        "yuv420p "
        "-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -fflags +bitexact -movflags +faststart {} 2>{}",
        width, height, fps, quoted(file_.temporary()), quoted(messages_.temporary()));
    pipe_ = ::popen(command.c_str(), "w");
    if (!pipe_) fail();
}

Movie::~Movie() {
    if (pipe_) ::pclose(pipe_);
}

void Movie::fail() {
    if (pipe_) ::pclose(pipe_), pipe_ = nullptr;
    std::string said;
    if (std::filesystem::exists(messages_.temporary())) {
        const auto bytes = read_bytes(messages_.temporary());
        said.assign(bytes.begin(), bytes.end());
    }
    while (!said.empty() && said.back() == '\n') said.pop_back();
    throw RunError(fmt::format("cannot make {}: ffmpeg failed{}{}. The pictures are kept", path_.string(), said.empty() ? "" : ": ", said));
}

void Movie::add(const DisplayImage& image) {
    PHLO_CHECK(pipe_ && image.width == width_ && image.height == height_);
    const WithoutPipeSignal guard;
    if (std::fwrite(image.bytes.data(), 1, image.bytes.size(), pipe_) != image.bytes.size()) fail();
}

void Movie::finish() {
    PHLO_CHECK(pipe_);
    const WithoutPipeSignal guard;
    const int status = ::pclose(pipe_);
    pipe_ = nullptr;
    if (status != 0) fail();
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
