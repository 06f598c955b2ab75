"""Seconds and memory for a frame of Mantaflow in Blender, to set beside `./phlo bench smoke` and `./phlo bench liquid`.

    blender -b --python bench/mantaflow.py -- --scene smoke --resolution 128
    blender -b --python bench/mantaflow.py -- --scene dam --resolution 128

The same as our benches, in a cube of 1 m at 24 frames a second.

smoke   a ball of radius 0.1 m at a height of 0.15 m, vorticity, one step a frame, 20 frames to warm up, then the median of 9. Heat and
        buoyancy have no units there, so the smoke rises at a speed of its own.
dam     FLIP: a column of water, 0.4 m x 1 m x 0.75 m, in a closed tank; 8 frames to warm up, then the median of 9, while it strikes the far
        wall. Steps by Blender's own choice (4 cells a step, at most four steps), or one a frame with --steps 1. No mesh is made, unless
        with --mesh.

Blender writes its frames as well. Prints one line of JSON.
"""

import argparse
import json
import resource
import shutil
import statistics
import sys
import tempfile
import time

import bpy

TIMED = 9
WARM_UP = {"smoke": 20, "dam": 8}


def add_fluid(kind):
    """Gives the active object a fluid modifier; its settings."""
    bpy.ops.object.modifier_add(type="FLUID")
    modifier = bpy.context.object.modifiers[-1]
    modifier.fluid_type = kind
    return modifier.domain_settings if kind == "DOMAIN" else modifier.flow_settings


def add_domain(kind, resolution, steps, frames, cache):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.context.scene.frame_end = frames

    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
    domain = add_fluid("DOMAIN")
    domain.domain_type = kind
    domain.resolution_max = resolution
    if steps > 0:
        domain.use_adaptive_timesteps = False
        domain.timesteps_min = domain.timesteps_max = steps
    domain.cache_type = "REPLAY"
    domain.cache_directory = cache
    domain.cache_frame_end = frames
    return domain


def build_smoke(options, frames, cache):
    domain = add_domain("GAS", options.resolution, options.steps or 1, frames, cache)
    domain.use_adaptive_domain = False
    domain.vorticity = 0.1

    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0, 0, 0.15))
    source = add_fluid("FLOW")
    source.flow_type = "SMOKE"
    source.flow_behavior = "INFLOW"
    source.temperature = 1
    return domain


def build_dam(options, frames, cache):
    domain = add_domain("LIQUID", options.resolution, options.steps, frames, cache)
    domain.use_mesh = options.mesh

    bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.3, 0, 0.375))
    bpy.context.object.scale = (0.4, 1, 0.75)
    column = add_fluid("FLOW")
    column.flow_type = "LIQUID"
    column.flow_behavior = "GEOMETRY"
    return domain


def seconds_of(frame):
    """By the clock, and of all cores together."""
    start, processor = time.perf_counter(), time.process_time()
    bpy.context.scene.frame_set(frame)
    return time.perf_counter() - start, time.process_time() - processor


def has_fluid(scene, domain):
    evaluated = domain.id_data.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if scene == "smoke":
        return max(evaluated.modifiers[-1].domain_settings.density_grid) > 0
    return any(len(system.particles) > 1000 for system in evaluated.particle_systems)


def private_bytes():
    """What the process alone holds in memory, as the benches count it."""
    with open("/proc/self/smaps_rollup") as lines:
        return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def main():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="blender -b --python bench/mantaflow.py --")
    parser.add_argument("--scene", choices=sorted(WARM_UP), default="smoke")
    parser.add_argument("--resolution", type=int, default=128, help="cells along an edge")
    parser.add_argument("--steps", type=int, default=0, help="a frame; 0: one for smoke, Blender's choice for the dam")
    parser.add_argument("--mesh", action="store_true", help="make the liquid's mesh, too")
    options = parser.parse_args(words)
    frames = 1 + WARM_UP[options.scene] + TIMED

    before = private_bytes()
    cache = tempfile.mkdtemp(prefix="mantaflow_")
    try:
        build = build_smoke if options.scene == "smoke" else build_dam
        domain = build(options, frames, cache)
        seconds = [seconds_of(frame) for frame in range(1, frames + 1)]
        memory = private_bytes()
        if not has_fluid(options.scene, domain):
            sys.exit("Blender made no fluid: nothing to compare")
    finally:
        shutil.rmtree(cache)
    print(json.dumps({"bench": "mantaflow", "scene": options.scene, "blender": bpy.app.version_string, "n": options.resolution,
                      "steps": options.steps, "mesh": options.mesh,
                      "seconds_per_frame": round(statistics.median(clock for clock, _ in seconds[-TIMED:]), 4),
                      "processor_seconds_per_frame": round(statistics.median(processor for _, processor in seconds[-TIMED:]), 4),
                      "memory_bytes": memory - before,
                      "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))


main()
