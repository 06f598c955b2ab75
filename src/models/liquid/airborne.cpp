#include "models/liquid/airborne.h"

#include <fmt/format.h>

#include "models/liquid/mixing.h"

namespace phlo::models {
namespace {

LiquidAround around(const LiquidState& liquid, const flow::BodyContacts& contacts, const field::MacGrid& u, double dt) {
    return {.domain = liquid.flow.domain(), .phi = &liquid.phi, .u = &u, .solids = &liquid.flow.solids(), .contacts = &contacts, .walls = liquid.flow.walls(), .law = &liquid.law,
            .gravity = liquid.setup.liquid.gravity(liquid.flow.time()), .dt = dt, .step = liquid.flow.steps(), .seed = liquid.flow.shot().seed};
}

void record(LiquidState& liquid, const char* quantity, const char* entry, double change) {
    if (change != 0) liquid.ledger.record(quantity, entry, change);
}

}  // namespace

void move_drops(LiquidState& liquid, double dt) {
    if (!liquid.has_drops()) return;
    const flow::BodyContacts contacts = liquid.contacts();
    const LiquidAround now = around(liquid, contacts, liquid.flow.velocity(), dt);
    const DropsAloft flew = drops_aloft(liquid);
    const double gone = fly_drops({}, now, liquid.drops);
    liquid.book.left += gone;
    record(liquid, "drops", "left", -gone);
    if (gone > 0) book_drops_that_left(liquid, flew);
    record(liquid, "drops", "thrown", throw_drops(liquid.marker_params(), now, liquid.mixture, liquid.warmth, liquid.markers, liquid.drops));
}

double take_drops_back(LiquidState& liquid, double dt, field::MacGrid& u, field::Grid& divergence) {
    if (!liquid.has_drops()) return 0;
    const flow::BodyContacts contacts = liquid.contacts();
    const double back = return_drops(around(liquid, contacts, u, dt), liquid.drops, u, divergence, liquid.mixture, liquid.warmth);
    record(liquid, "drops", "returned", -back);
    record(liquid, "volume", "returned", back);
    return back;
}

void move_white(LiquidState& liquid, double dt) {
    const WhitewaterParams& params = liquid.setup.liquid.whitewater;
    if (params.amount <= 0) return;
    const flow::BodyContacts contacts = liquid.contacts();
    const LiquidAround now = around(liquid, contacts, liquid.flow.velocity(), dt);
    WhitewaterCounts counts = move_whitewater(params, now, liquid.white);
    counts += form_whitewater(params, now, liquid.white);
    record(liquid, "whitewater", "born", double(counts.born));
    record(liquid, "whitewater", "dissolved", -double(counts.dissolved));
    record(liquid, "whitewater", "left", -double(counts.left));
    record(liquid, "whitewater", "not_born", double(counts.not_born));
    if (counts.not_born > 0)
        liquid.warnings->once("whitewater", fmt::format("there are {} particles of spray, foam and bubbles, as many as liquid.whitewater.limit allows: "
                                                        "no more are born for now (t = {:.3f} s)", liquid.white.count(), liquid.flow.time()));
}

}  // namespace phlo::models
