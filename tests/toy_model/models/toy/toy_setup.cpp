#include "models/toy/toy_setup.h"

#include <fmt/format.h>

namespace phlo::models {
namespace {

class Toy final : public Model {
public:
    explicit Toy(const ToyParams& params) : heights_(std::size_t(params.count), 0.0f), speed_(params.speed) {}

    FrameStats advance(double seconds) override {
        FrameStats stats;
        stats.time = time_ + seconds, stats.dt = seconds, stats.substeps = 1;
        const double before = speed_;
        {
            const Stage stage(stats.seconds, "fall");
            speed_ -= 9.81 * seconds;
            for (float& height : heights_) height += float(0.5 * (before + speed_) * seconds);
            time_ += seconds;
        }
        if (heights_.front() < 0) warnings.once("ground", "the sparks are below the ground");
        stats.particles["sparks"] = long(heights_.size());
        stats.numbers = {{"spark.speed", speed_}, {"spark.height", double(heights_.front())}};
        stats.words = fmt::format("at {:.2f} m", heights_.front());
        return stats;
    }

    field::Frame show() const override {
        field::Frame frame;
        frame.time = time_;
        field::Points sparks;
        sparks.name = "sparks";
        for (std::size_t i = 0; i < heights_.size(); ++i) sparks.position.push_back({float(i), 0, heights_[i]});
        sparks.radius.assign(heights_.size(), 0.1f);
        frame.points.push_back(std::move(sparks));
        return frame;
    }

    StateView state() override {
        return {.fields = {{"heights", heights_}}, .numbers = {{"time", &time_}, {"speed", &speed_}}};
    }
    std::size_t bytes() const override { return heights_.size() * sizeof(float); }

private:
    std::vector<float> heights_;
    double time_ = 0, speed_;
};

const config::Table<ToyParams>& toy_table() {
    static const auto table = config::Table<ToyParams>("toy", "Sparks that are thrown up and fall back.")
                                  .key("count", &ToyParams::count, {.min = 1, .help = "how many sparks"})
                                  .key("speed", &ToyParams::speed, {.unit = "m/s", .help = "upwards at the start"});
    return table;
}

}  // namespace

const config::Table<ToySetup>& ToySetup::table() {
    static const auto table = config::Table<ToySetup>("toy", "A toy.").table("toy", &ToySetup::toy, toy_table());
    return table;
}

void ToySetup::check(const Check& check) const {
    if (!check.shot.bodies.empty()) check.fail("bodies", "sparks meet no bodies; expected none");
}

Estimate ToySetup::estimate(const Shot& shot) const {
    Estimate cost;
    cost.particles = toy.count;
    cost.frames = shot.time.last_frame - shot.time.first_frame + 1;
    return cost;
}

std::unique_ptr<Model> ToySetup::make(const Shot&) const { return std::make_unique<Toy>(toy); }

}  // namespace phlo::models
