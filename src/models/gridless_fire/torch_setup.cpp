#include "models/gridless_fire/torch_setup.h"

#include <fmt/format.h>

#include "models/gridless_fire/torch_fire.h"

namespace phlo::models {

const config::Table<TorchSetup>& TorchSetup::table() {
    static const auto table = config::Table<TorchSetup>("torch", "Torches and other small fires as particles, without a grid or a domain.")
                                  .table("torch", &TorchSetup::torch, torch_table())
                                  .list("torches", &TorchSetup::torches, one_torch_table(), {.help = "the fires, each with its own look and flicker"});
    return table;
}

void TorchSetup::complete(Shot&, const config::Node&, config::Problems&) {
    for (std::size_t i = 0; i < torches.size(); ++i)
        if (torches[i].name.empty()) torches[i].name = fmt::format("torch-{}", i + 1);
}

std::unique_ptr<Model> TorchSetup::make(const Shot& shot) const { return std::make_unique<TorchFire>(shot, *this); }

}  // namespace phlo::models
