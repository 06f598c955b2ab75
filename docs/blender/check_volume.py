"""A picture of one frame of a cache as Blender shows it: nothing set but Blackbody Intensity, in the dark.

    blender -b --python docs/blender/check_volume.py -- out/campfire/cache/frame_0040.vdb [-o frame_0040.png] [--exposure 4]

The volume is imported as `Add > Volume > Import OpenVDB` does it and gets a new Principled Volume shader, whose Blackbody Intensity is set
to 1. Cycles draws it on the CPU. The camera looks along y at the box of all voxels, which fills the height of the picture. Prints one line of
JSON: the grids, the box [m], and how bright the picture is in its middle and at its edges.
"""

import argparse
import json
import math
import os
import sys

import bpy
import numpy
from mathutils import Vector


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.object.volume_import(filepath=os.path.abspath(path), align="WORLD", location=(0, 0, 0))
    volume = bpy.context.object
    volume.data.grids.load()
    if volume.data.grids.error_message:
        sys.exit(f"{path}: {volume.data.grids.error_message}")
    return volume


def light_up(volume):
    """A Principled Volume as it comes, but for the one setting that is 0 by default."""
    material = bpy.data.materials.new("gas")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    shader = tree.nodes.new("ShaderNodeVolumePrincipled")
    shader.inputs["Blackbody Intensity"].default_value = 1
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(shader.outputs["Volume"], output.inputs["Volume"])
    volume.data.materials.append(material)


def look_at(scene, low, high):
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.angle = "VERTICAL", math.radians(25)
    away = 0.55 * (high.z - low.z) / math.tan(camera.angle / 2)
    eye = bpy.data.objects.new("camera", camera)
    eye.location = ((low.x + high.x) / 2, low.y - away, (low.z + high.z) / 2)
    eye.rotation_euler = (math.radians(90), 0, 0)
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.world = bpy.data.worlds.new("night")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0, 0, 0, 1)


def draw(scene, options):
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 480, 480, 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = os.path.abspath(options.output)
    scene.view_settings.exposure = options.exposure
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", options.samples, False
    bpy.ops.render.render(write_still=True)


def brightness(path):
    """Mean of red, green and blue (0 to 1, as shown) in the middle half of the picture, and along its edges."""
    image = bpy.data.images.load(os.path.abspath(path))
    width, height = image.size
    pixels = numpy.array(image.pixels[:]).reshape(height, width, -1)[:, :, :3]
    middle = pixels[height // 4:-height // 4, width // 4:-width // 4].mean(axis=(0, 1))
    edges = numpy.concatenate([pixels[:, :8].reshape(-1, 3), pixels[:, -8:].reshape(-1, 3)]).mean(axis=0)
    return [round(float(v), 4) for v in middle], [round(float(v), 4) for v in edges]


def main():
    parser = argparse.ArgumentParser(prog="blender -b --python docs/blender/check_volume.py --")
    parser.add_argument("frame", help="a file of a cache, frame_NNNN.vdb")
    parser.add_argument("-o", "--output", help="the picture; beside the frame by default")
    parser.add_argument("--exposure", type=float, default=0, help="stops, as under Render Properties > Color Management")
    parser.add_argument("--samples", type=int, default=32)
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
    options.output = options.output or os.path.splitext(options.frame)[0] + ".png"

    volume = load(options.frame)
    light_up(volume)
    corners = [volume.matrix_world @ Vector(corner) for corner in volume.bound_box]
    low, high = (Vector([pick(c[axis] for c in corners) for axis in range(3)]) for pick in (min, max))
    look_at(bpy.context.scene, low, high)
    draw(bpy.context.scene, options)
    middle, edges = brightness(options.output)
    print(json.dumps({"blender": bpy.app.version_string, "grids": [g.name for g in volume.data.grids], "low": [round(v, 3) for v in low],
                      "high": [round(v, 3) for v in high], "middle": middle, "edges": edges, "picture": options.output}))


main()
