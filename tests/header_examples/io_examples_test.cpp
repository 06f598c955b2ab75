#include "examples.h"

#include <unistd.h>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/cache.h"
#include "io/child_input.h"
#include "io/csv.h"
#include "io/image.h"
#include "io/movie.h"
#include "io/pipe_signal.h"
#include "io/plot.h"
#include "io/ply.h"
#include "io/usual_names.h"
#include "io/vdb.h"
#include "io/y4m.h"

namespace phlo::io {

using field::Frame;
using field::Surface;

void atomic_file_example(std::span<const char> bytes, void (*encode_to)(const std::filesystem::path&)) {
    write_atomically("cache/frame_0007.vdb", bytes);

    AtomicFile file("movie.mp4");
    encode_to(file.temporary());
    file.commit();
}

void cache_example(const Frame& frame, void (*render)(const Frame&)) {
    write_cache_frame("out/cache", frame);
    for (int n : cached_frames("out/cache")) render(read_cache_frame("out/cache", n));
}

void child_input_example(const std::string& script) {
    if (!program_exists("gnuplot")) throw RunError("gnuplot is not installed");
    ChildInput gnuplot("gnuplot -", "out/figure.svg");
    if (!gnuplot.write(script) || !gnuplot.finish()) throw RunError("gnuplot failed: " + gnuplot.said());
}

void csv_example(const std::vector<double>& times, const std::vector<double>& temperatures) {
    write_csv("ignition.csv", {"time [s]", "temperature [K]"}, {&times, &temperatures});
}

void image_example(int x, int y, float r, float g, float b, const DisplayImage& display, const Texture& texture) {
    Image radiance(640, 360);  radiance(x, y) = {r, g, b};
    write_exr("frame_0007.exr", radiance, {{"scene_hash", "cafe"}});
    write_png("frame_0007.png", display);
    write_png("motion.png", texture, Transfer::linear);
}

void movie_example(const std::vector<DisplayImage>& pictures) {
    Movie movie("out/movie.mp4", 640, 360, 24);
    for (const DisplayImage& display_image : pictures) movie.add(display_image);
    movie.finish();
}

void pipe_signal_example() {
    const WithoutPipeSignal guard;
}

void y4m_example(const std::vector<DisplayImage>& pictures) {
    Y4mStream video(STDOUT_FILENO, 640, 360, 24);
    for (const DisplayImage& display_image : pictures) if (!video.add(display_image)) break;
}

void plot_example(const std::vector<double>& times, const std::vector<double>& x_h2o, const std::vector<double>& T) {
    Plot plot{.x = {.label = "time", .unit = "s"}, .left = {.label = "mole fraction"}, .right = {.label = "temperature", .unit = "K"}};
    plot.abscissa = times;
    plot.curves.push_back({.name = "H2O", .formula = true, .values = x_h2o});
    plot.curves.push_back({.name = "temperature", .values = T, .on_right = true});
    write_plot("ignition.svg", plot);
}

void ply_example(const Frame& frame) {
    write_ply("cache/frame_0007.ply", frame.surfaces, liquid_volumes(frame));
    std::vector<Surface> surfaces = read_ply("cache/frame_0007.ply");
}

void usual_names_example(const field::Volume& volume, GridNaming naming, Frame& frame, const std::filesystem::path& path) {
    const FileForm form = file_form(volume, naming);
    adopt_usual_names(frame, path);
}

void write_vdb_example(const Frame& frame, const std::filesystem::path& path) {
    write_frame("cache/frame_0007.vdb", frame);
    write_frame(path, frame, {.naming = GridNaming::houdini, .half = true});
}

void read_vdb_example(const std::filesystem::path& path) {
    Frame frame = read_frame("cache/frame_0007.vdb");
    Frame seen = read_frame(path, {.velocity = false, .occupied = true});
    FileInfo info = file_info("cache/frame_0007.vdb");
}

}  // namespace phlo::io
