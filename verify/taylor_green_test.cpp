// Taylor-Green vortices in a box with slippery walls: an exact solution of the Navier-Stokes equations.
//   u = sin(pi x) cos(pi y) f,  v = -cos(pi x) sin(pi y) f,  f = exp(-2 pi^2 nu t)
#include <gtest/gtest.h>

#include "small_scenes.h"

namespace phlo::verify {
namespace {

constexpr double pi = 3.14159265358979323846;

double error_after(int cells, double seconds, double viscosity, flow::Scheme scheme) {
    GasScene setup = empty_box(cells);
    setup.domain.size = {1, 1, 4.0 / cells};   // the same in every layer
    setup.gas.viscosity = viscosity;
    setup.gas.velocity_transport = scheme;
    setup.gas.pressure_tolerance = 1e-6;
    setup.gas.activity_threshold = 0;
    setup.time.fixed_step = 8.0 / (cells * cells);   // the splitting is of first order in time: the step shrinks with the cell's square
    Gas smoke(setup);
    const auto exact = [&](double t) {
        return [=](const Vec3d& p) {
            const double f = std::exp(-2 * pi * pi * viscosity * t);
            return Vec3d(std::sin(pi * p.x) * std::cos(pi * p.y) * f, -std::cos(pi * p.x) * std::sin(pi * p.y) * f, 0);
        };
    };
    fill_faces(smoke.domain(), smoke.velocity(), exact(0));
    smoke.advance(seconds);
    field::MacGrid wanted(smoke.velocity().layout());
    fill_faces(smoke.domain(), wanted, exact(seconds));
    double squares = 0;
    for (int axis = 0; axis < 2; ++axis)
        for (int j = 0; j < cells; ++j)
            for (int i = 0; i < cells; ++i) {
                const double d = double(smoke.velocity()[axis](i, j, 1)) - double(wanted[axis](i, j, 1));
                squares += d * d;
            }
    return std::sqrt(squares / (2.0 * cells * cells));
}

TEST(TaylorGreen, decays_at_second_order) {
    const double coarse = error_after(16, 0.25, 0.05, flow::Scheme::maccormack);
    const double middle = error_after(32, 0.25, 0.05, flow::Scheme::maccormack);
    const double fine = error_after(64, 0.25, 0.05, flow::Scheme::maccormack);
    RecordProperty("errors", std::to_string(coarse) + " " + std::to_string(middle) + " " + std::to_string(fine));
    EXPECT_GT(std::log2(coarse / middle), 1.7) << coarse << " " << middle << " " << fine;
    EXPECT_GT(std::log2(middle / fine), 1.7) << coarse << " " << middle << " " << fine;
}

}  // namespace
}  // namespace phlo::verify
