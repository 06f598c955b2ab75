"""Seconds and memory for a frame of Mantaflow smoke in Blender, to set beside `./phlo bench smoke`.

    blender -b --python bench/mantaflow.py -- --resolution 128

The same as the bench's full step: a cube of 1 m, smoke from a ball of radius 0.1 m at a height of 0.15 m, vorticity, one step a frame
at 24 frames a second, 20 frames to warm up, then the median of 9. Blender writes its frames as well. Heat and buoyancy have no units
there, so the smoke rises at a speed of its own. Prints one line of JSON.
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

WARM_UP, FRAMES = 20, 9


def add_fluid(kind):
    """Gives the active object a fluid modifier; its settings."""
    bpy.ops.object.modifier_add(type="FLUID")
    modifier = bpy.context.object.modifiers[-1]
    modifier.fluid_type = kind
    return modifier.domain_settings if kind == "DOMAIN" else modifier.flow_settings


def build_plume(resolution, cache):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.context.scene.frame_end = 1 + WARM_UP + FRAMES

    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
    domain = add_fluid("DOMAIN")
    domain.domain_type = "GAS"
    domain.resolution_max = resolution
    domain.use_adaptive_domain = False
    domain.use_adaptive_timesteps = False
    domain.timesteps_min = domain.timesteps_max = 1
    domain.vorticity = 0.1
    domain.cache_type = "REPLAY"
    domain.cache_directory = cache
    domain.cache_frame_end = bpy.context.scene.frame_end

    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0, 0, 0.15))
    source = add_fluid("FLOW")
    source.flow_type = "SMOKE"
    source.flow_behavior = "INFLOW"
    source.temperature = 1
    return domain.id_data


def seconds_of(frame):
    start = time.perf_counter()
    bpy.context.scene.frame_set(frame)
    return time.perf_counter() - start


def has_smoke(domain):
    evaluated = domain.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return max(evaluated.modifiers[-1].domain_settings.density_grid) > 0


def private_bytes():
    """What the process alone holds in memory, as the bench counts it."""
    with open("/proc/self/smaps_rollup") as lines:
        return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def main():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="blender -b --python bench/mantaflow.py --")
    parser.add_argument("--resolution", type=int, default=128, help="cells along an edge")
    resolution = parser.parse_args(words).resolution

    before = private_bytes()
    cache = tempfile.mkdtemp(prefix="mantaflow_")
    try:
        domain = build_plume(resolution, cache)
        seconds = [seconds_of(frame) for frame in range(1, bpy.context.scene.frame_end + 1)]
        memory = private_bytes()
        if not has_smoke(domain):
            sys.exit("Blender made no smoke: nothing to compare")
    finally:
        shutil.rmtree(cache)
    print(json.dumps({"bench": "mantaflow", "blender": bpy.app.version_string, "n": resolution,
                      "seconds_per_frame": round(statistics.median(seconds[-FRAMES:]), 4),
                      "memory_bytes": memory - before,
                      "peak_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))


main()
