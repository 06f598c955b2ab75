// What an animator can say about spray, foam and bubbles: the section `whitewater` of a liquid.
//
//   liquid:
//     whitewater: {amount: 1}                       # everything else has a default that fits the size of the domain
//
// `amount` is the one knob; the others say where water turns white. docs/models/liquid.md has the equations.
#pragma once
#include <optional>
#include <string>

#include "config/table.h"
#include "field/domain.h"

namespace phlo::models {

struct WhitewaterParams {
    double amount = 0;                          ///< factor on all births; 0: no whitewater
    std::optional<double> reach = {};           ///< over which velocities and bends are compared [m]; none: a fiftieth of the longest side
    double min_speed = 1, max_speed = 4;        ///< of the water: below none is born, above as much as ever [m/s]
    std::optional<double> trapped_air_rate = {}; ///< [1/(m^2 s)]; none: 8000 on a square of reach x reach each second
    double min_impact = 0.5, max_impact = 2.5;  ///< velocity difference over `reach` [m/s]
    std::optional<double> crest_rate = {};      ///< [1/(m^2 s)]; none: as trapped_air_rate
    std::optional<double> min_bend = {}, max_bend = {};  ///< curvature of crests [1/m]; none: 0.7 / reach and 2 / reach
    double alignment = 0.6;                     ///< least cosine between a crest's velocity and its normal
    double spread = 0.2;                        ///< of spray, about the water's velocity, as a share of its speed
    double life = 2;                            ///< of foam, mean; each lives between half of it and one and a half [s]
    std::optional<double> radius = {};          ///< median [m]; none: a sixteenth of `reach`
    double rise = 0.25;                         ///< of bubbles through still water [m/s]
    double air_drag = 1;                        ///< of spray, times that of spheres of water
    int limit = 1'000'000;                      ///< particles; no more are born beyond it, which is said once
};

/// With values in place of those that were not given.
struct WhitewaterNumbers {
    double reach = 0;                           ///< within one to four cells, where the level set is a distance [m]
    double trapped_air_rate = 0, crest_rate = 0;  ///< amount included [1/(m^2 s)]
    double min_bend = 0, max_bend = 0;          ///< [1/m]
    double radius = 0;                          ///< [m]
};
WhitewaterNumbers whitewater_numbers(const WhitewaterParams& params, const field::Domain& domain);

/// What is allowed but probably not meant, or "".
std::string whitewater_note(const WhitewaterParams& params, const field::Domain& domain);

const config::Table<WhitewaterParams>& whitewater_table();

}  // namespace phlo::models
