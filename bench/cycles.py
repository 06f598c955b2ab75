"""Seconds and noise of Cycles on the frame that `./phlo bench render` draws, to set beside its own.

    ./phlo bench render --cycles                                    # does it all
    blender -b --python bench/cycles.py -- DIR [--samples 64] [--bounces 4] [--threads 2]

DIR holds what the bench leaves there with `--keep DIR`: frame.vdb (density, temperature) and look.json (camera, lights, optical
properties, and the light of hot gas as a table over temperature). The gas gets the same extinction, albedo, phase function and emission
as in our renderer, from two grid look-ups a step, the floor the same reflectance; so the two pictures show the same light, but for paths
that Cycles cuts off. On the CPU, no denoising, no adaptive sampling. Two seeds; prints one line of JSON, and leaves cycles_1.exr and
cycles_2.exr in DIR.
"""

import argparse
import json
import math
import os
import resource
import sys
import time

import bpy
import numpy
from mathutils import Vector


def node(tree, kind, **inputs):
    """A shader node; inputs are values or sockets of other nodes."""
    made = tree.nodes.new(kind)
    for name, value in inputs.items():
        socket = made.inputs[int(name[1:]) if name[0] == "i" and name[1:].isdigit() else name]
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, socket)
        else:
            socket.default_value = value
    return made


def math_node(tree, operation, a, b):
    made = node(tree, "ShaderNodeMath", i0=a, i1=b)
    made.operation = operation
    return made.outputs[0]


def ramp(tree, factor, table):
    """Red, green, blue and a fourth value, linear between at most 32 points of the table: (place 0 to 1, four values)."""
    made = node(tree, "ShaderNodeValToRGB", Fac=factor)
    points = made.color_ramp.elements
    for n, (place, value) in enumerate(table):
        point = points[n] if n < 2 else points.new(place)
        point.position, point.color = place, value
    return made.outputs["Color"], made.outputs["Alpha"]


def gas_material(look):
    material = bpy.data.materials.new("gas")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()

    def grid(name):
        attribute = tree.nodes.new("ShaderNodeAttribute")
        attribute.attribute_name = name
        return attribute.outputs["Fac"]

    fire, albedo = look["fire"], look["smoke"]["albedo"]
    smoke = math_node(tree, "MULTIPLY", grid("density"), look["smoke"]["extinction"])
    scatter = node(tree, "ShaderNodeVolumeScatter", Color=(*albedo, 1), Density=smoke, Anisotropy=look["smoke"]["anisotropy"])
    absorb = node(tree, "ShaderNodeVolumeAbsorption", Color=(*albedo, 1), Density=smoke)

    # heat(T) and B(T) heat(T), the latter relative to its largest value.
    cool, hot = fire["table"][0][0], fire["table"][-1][0]
    largest = max(max(row[1:4]) for row in fire["table"])
    table = [((row[0] - cool) / (hot - cool), (*(v / largest for v in row[1:4]), row[4])) for row in fire["table"]]
    kelvin = math_node(tree, "MULTIPLY", grid("temperature"), 1000)
    place = math_node(tree, "DIVIDE", math_node(tree, "SUBTRACT", kelvin, cool), hot - cool)
    light, heat = ramp(tree, place, table)
    burn = node(tree, "ShaderNodeVolumeAbsorption", Color=(0, 0, 0, 1), Density=math_node(tree, "MULTIPLY", heat, fire["absorption"]))

    # Emission by Kirchhoff: what smoke (grey here) and hot gas absorb.
    grey = 1 - sum(albedo) / 3
    absorbed = math_node(tree, "ADD", math_node(tree, "MULTIPLY", smoke, grey), fire["absorption"])
    glow = node(tree, "ShaderNodeEmission", Color=light, Strength=math_node(tree, "MULTIPLY", absorbed, largest))

    total = scatter.outputs[0]
    for part in (absorb, burn, glow):
        total = node(tree, "ShaderNodeAddShader", i0=total, i1=part.outputs[0]).outputs[0]
    node(tree, "ShaderNodeOutputMaterial", Volume=total)
    return material


def build(folder, look):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.object.volume_import(filepath=os.path.join(folder, "frame.vdb"), align="WORLD", location=(0, 0, 0))
    bpy.context.object.data.materials.append(gas_material(look))

    bpy.ops.mesh.primitive_plane_add(size=1000, location=(0, 0, look["ground"]["height"]))
    floor = bpy.data.materials.new("floor")
    floor.use_nodes = True
    floor.node_tree.nodes.clear()
    diffuse = node(floor.node_tree, "ShaderNodeBsdfDiffuse", Color=(*look["ground"]["color"], 1))
    node(floor.node_tree, "ShaderNodeOutputMaterial", Surface=diffuse.outputs[0])
    bpy.context.object.data.materials.append(floor)

    bpy.ops.object.light_add(type="SUN")
    sun = bpy.context.object
    sun.rotation_euler = Vector(look["sun"]["to"]).to_track_quat("Z", "Y").to_euler()
    sun.data.energy, sun.data.color, sun.data.angle = look["sun"]["strength"], look["sun"]["color"], math.radians(look["sun"]["size"])

    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (*look["sky"], 1)

    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.angle = "VERTICAL", math.radians(look["camera"]["fov"])
    camera_object = bpy.data.objects.new("camera", camera)
    camera_object.location = look["camera"]["position"]
    sight = Vector(look["camera"]["target"]) - Vector(look["camera"]["position"])
    camera_object.rotation_euler = sight.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera_object)
    scene.camera = camera_object
    return scene


def configure(scene, look, options):
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = look["width"], look["height"], 100
    scene.render.threads_mode, scene.render.threads = "FIXED", options.threads
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.view_settings.view_transform = "Raw"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.use_adaptive_sampling, cycles.use_denoising = options.samples, False, False
    cycles.volume_bounces, cycles.max_bounces = options.bounces, max(12, options.bounces)
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 1


def picture(scene, path, seed):
    """Seconds, processor seconds, and the pixels (linear red, green, blue)."""
    scene.cycles.seed = seed
    scene.render.filepath = path

    def processor():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    start, used = time.perf_counter(), processor()
    bpy.ops.render.render(write_still=True)
    seconds, used = time.perf_counter() - start, processor() - used
    image = bpy.data.images.load(path)
    pixels = numpy.array(image.pixels[:], dtype=numpy.float64).reshape(-1, 4)[:, :3]
    bpy.data.images.remove(image)
    return seconds, used, pixels


def main():
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    parser = argparse.ArgumentParser(prog="blender -b --python bench/cycles.py --")
    parser.add_argument("folder")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--bounces", type=int, default=4, help="in the gas")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(words)
    folder = os.path.abspath(options.folder)
    with open(os.path.join(folder, "look.json")) as file:
        look = json.load(file)

    scene = build(folder, look)
    configure(scene, look, options)
    seconds, processor, one = picture(scene, os.path.join(folder, "cycles_1.exr"), 1)
    _, _, two = picture(scene, os.path.join(folder, "cycles_2.exr"), 2)
    mean = 0.5 * (one.mean() + two.mean())
    if not mean > 0:
        sys.exit("Cycles made a black picture: nothing to compare")
    print(json.dumps({"bench": "cycles", "blender": bpy.app.version_string, "samples": options.samples, "bounces": options.bounces,
                      "threads": options.threads, "seconds": round(seconds, 3), "processor_seconds": round(processor, 3),
                      "noise": float(math.sqrt(((one - two) ** 2).mean()) / mean), "mean": float(mean)}))


main()
