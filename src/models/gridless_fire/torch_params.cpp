// The scene file's words for torches.
#include "models/gridless_fire/torch_params.h"

#include "particles/nearest.h"

namespace phlo::models {

using config::Table;

namespace {

const Table<WindParams>& wind_table() {
    static const auto table =
        Table<WindParams>("wind", "Air that blows on the flames.")
            .key("velocity", &WindParams::velocity, {.unit = "m/s", .help = "of the air"})
            .key("gusts", &WindParams::gusts, {.min = 0, .max = 3, .help = "how much it varies, root mean square as a share of its speed"})
            .key("gust_size", &WindParams::gust_size, {.unit = "m", .above = 0, .help = "of the largest gusts; the wind carries them along"});
    return table;
}

const Table<TorchSmokeParams>& torch_smoke_table() {
    using S = TorchSmokeParams;
    static const auto table =
        Table<S>("smoke", "What becomes of particles that no longer shine.")
            .key("share", &S::share, {.min = 0, .max = 1, .help = "of the burnt-out particles that go on as smoke; 0: none"})
            .key("life", &S::life, {.unit = "s", .above = 0, .help = "until it is gone"})
            .key("opacity", &S::opacity, {.min = 0, .max = 1, .help = "of a puff when it begins"})
            .key("radius", &S::radius, {.unit = "m", .above = 0, .help = "of a puff when it begins"})
            .key("growth", &S::growth, {.unit = "m/s", .min = 0, .help = "how fast its radius grows"});
    return table;
}

const Table<TorchVolumeParams>& torch_volumes_table() {
    using V = TorchVolumeParams;
    static const auto table =
        Table<V>("volumes", "Flame, temperature and density on a lattice that follows the fire, for draft, good, final and path.")
            .key("cell", &V::cell, {.unit = "m", .min = 0, .help = "size of a cell; 0: no volumes"})
            .key("temperature", &V::temperature, {.unit = "K", .above = 0, .help = "of gas whose composition is 1"})
            .key("ambient", &V::ambient, {.unit = "K", .above = 0, .help = "of the air around"});
    return table;
}

}  // namespace

const Table<TorchParams>& torch_table() {
    static const auto table =
        Table<TorchParams>("torch", "Fire as stochastic particles, without a grid [adabala2004]: what all torches share.")
            .key("neighbours", &TorchParams::neighbours,
                 {.min = 2, .max = particles::Nearest::max_count, .help = "n: local means are taken over so many nearest particles, itself included"})
            .key("warm_up", &TorchParams::warm_up, {.unit = "s", .min = 0, .max = 60, .help = "burns so long before the first frame"})
            .table("wind", &TorchParams::wind, wind_table())
            .table("smoke", &TorchParams::smoke, torch_smoke_table())
            .table("volumes", &TorchParams::volumes, torch_volumes_table());
    return table;
}

const Table<Torch>& one_torch_table() {
    static const auto table = [] {
        Table<Torch> made("torches", "A fire and where it burns.");
        add_place_keys(made)
            .key("particles", &Torch::particles, {.min = 1, .max = 20000000, .help = "about so many at a time"})
            .choice("flicker", &Torch::flicker,
                    {{"natural", Flicker::natural, "puffs as often as a real fire of its width: 1.5/sqrt(width in m) a second"},
                     {"extinction", Flicker::extinction, "goes out and starts anew when its mean composition falls below 'extinction'"},
                     {"steady", Flicker::steady, "new particles always enter at full composition"}},
                    {.help = "what makes it flicker"})
            .key("brushes", &Torch::brushes, {.above = 0, .max = 16, .help = "eta: flame brushes in half the source's width; 1 makes two tongues, 2 four"})
            .key("overlap", &Torch::overlap, {.above = 0, .help = "lambda: small values part the brushes, large ones merge them"})
            .key("decay", &Torch::decay, {.above = 0, .max = 1, .help = "chi: part of the composition left after 1/60 s; nearer 1 is taller"})
            .key("extinction", &Torch::extinction, {.min = 0, .max = 1, .help = "theta: mean composition at which it goes out; 0.1 to 0.4 look best"})
            .key("launch", &Torch::launch, {.unit = "m/s", .min = 0, .max = 1000, .help = "upward velocity of new particles; faster is taller"})
            .key("launch_spread", &Torch::launch_spread, {.min = 0, .max = 1, .help = "how much that varies, as a share of it"})
            .key("buoyancy", &Torch::buoyancy, {.unit = "m/s^2", .help = "upward acceleration of gas whose composition is 1"})
            .key("drag", &Torch::drag, {.unit = "1/s", .min = 0, .help = "rate at which the flame takes on the air's velocity"})
            .key("taper", &Torch::taper, {.unit = "1/s", .min = 0, .help = "rate at which each tongue narrows"})
            .key("turbulence", &Torch::turbulence, {.unit = "m/s", .min = 0, .help = "fluctuation of the velocity, root mean square of each component"})
            .key("frequency", &Torch::frequency, {.unit = "1/s", .above = 0, .help = "mean turbulent frequency <omega>: how fast velocities forget"})
            .key("anchor", &Torch::anchor, {.min = 0, .max = 1, .help = "weight of these two beside the local means; 0 lets them wander"})
            .key("eddies", &Torch::eddies, {.unit = "m/s", .min = 0, .help = "speed of swirls that sway whole tongues, root mean square"})
            .key("eddy_size", &Torch::eddy_size, {.unit = "m", .above = 0, .help = "of the largest of them"})
            .key("life", &Torch::life, {.unit = "s", .above = 0, .max = 1000, .help = "oldest age of a particle; the flame fades before"})
            .key("stray", &Torch::stray, {.above = 0, .help = "particles farther from their tongue's axis are replaced; in half widths of the source"})
            .key("radius", &Torch::radius, {.unit = "m", .min = 0, .help = "half the thickness of a streak; 0: from the size and the number"})
            .key("strength", &Torch::strength, {.min = 0, .max = 1, .help = "of the stream of new particles; 0 lets it burn out"})
            .table("noise", &Torch::noise, noise_table())
            .check([](Torch& torch, const config::Node& node, config::Reader&) {
                if (node.get("extinction") && !node.get("flicker")) torch.flicker = Flicker::extinction;
            })
            .check(check_place<Torch>);
        return made;
    }();
    return table;
}

}  // namespace phlo::models
