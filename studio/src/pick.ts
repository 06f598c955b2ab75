// What lies under the mouse: the first surface on a line of sight, or the middle of the gas and fire that it sees before one.
import type { Frame, SurfaceHeader, Vec3, VolumeHeader } from "./protocol";
import { add, cross, dot, scale, sub } from "./vec";

/** How far along `way` the mesh is met; infinity if it is not [moller1997]. */
function meets(surface: SurfaceHeader, bytes: Uint8Array, eye: Vec3, way: Vec3): number {
    const places = new DataView(bytes.buffer, bytes.byteOffset + surface.vertex_bytes, 12 * surface.vertices), corners = new Uint32Array(bytes.buffer, bytes.byteOffset + surface.index_bytes, surface.indices);
    const point = (n: number): Vec3 => [0, 1, 2].map((axis) => surface.low[axis] + (surface.size[axis] * places.getUint16(12 * n + 2 * axis, true)) / 65535) as Vec3;
    let nearest = Infinity;
    for (let n = 0; n < corners.length; n += 3) {
        const a = point(corners[n]), ab = sub(point(corners[n + 1]), a), ac = sub(point(corners[n + 2]), a), p = cross(way, ac), area = dot(ab, p);
        if (Math.abs(area) < 1e-14) continue;
        const from = sub(eye, a), u = dot(from, p) / area, q = cross(from, ab), v = dot(way, q) / area, t = dot(ac, q) / area;
        if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < nearest) nearest = t;
    }
    return nearest;
}

/** A set of bricks as a function of the cell: the largest of its bytes there as a share, 0 where there is no brick. */
function reader(volume: VolumeHeader, set: VolumeHeader["smoke"], bytes: Uint8Array, last: boolean): (x: number, y: number, z: number) => number {
    const count = volume.cells.map((n) => Math.ceil(n / 16)), where = new Map<number, number>();
    new Uint32Array(bytes.buffer, bytes.byteOffset + set.bricks, set.count).forEach((brick, n) => where.set(brick, n));
    return (x, y, z) => {
        const brick = where.get((x >> 4) + count[0] * ((y >> 4) + count[1] * (z >> 4)));
        if (brick === undefined) return 0;
        const at = set.bytes + set.channels * (4096 * brick + (x & 15) + 16 * ((y & 15) + 16 * (z & 15)));
        const root = last ? bytes[at + set.channels - 1] : Math.max(bytes[at], bytes[at + 1], bytes[at + 2]);
        return (root / 255) ** 2;
    };
}

/** Where the gas is that is seen along `way`: the mean of what covers and of what shines; null if there is none before `end`. */
function gasSeen(volume: VolumeHeader, bytes: Uint8Array, eye: Vec3, way: Vec3, end: number): number | null {
    const smoke = reader(volume, volume.smoke, bytes, true), fire = volume.fire ? reader(volume, volume.fire, bytes, false) : () => 0;
    let from = 0, to = end;
    for (let axis = 0; axis < 3; ++axis) {
        const low = (volume.origin[axis] - eye[axis]) / way[axis], high = (volume.origin[axis] + volume.cells[axis] * volume.h - eye[axis]) / way[axis];
        from = Math.max(from, Math.min(low, high)), to = Math.min(to, Math.max(low, high));
    }
    let sum = 0, weights = 0, passed = 1;
    for (let s = from + 0.25 * volume.h; s < to; s += 0.5 * volume.h) {
        const p = add(eye, scale(way, s)), [x, y, z] = p.map((v, axis) => Math.min(volume.cells[axis] - 1, Math.max(0, Math.floor((v - volume.origin[axis]) / volume.h))));
        const kept = Math.exp(-volume.most_extinction * smoke(x, y, z) * 0.5 * volume.h), weight = passed * (1 - kept + fire(x, y, z));
        sum += weight * s, weights += weight, passed *= kept;
    }
    return weights > 0.002 ? sum / weights : null;
}

/** The point that a line of sight means; without anything on it, the one as far away as `otherwise`. */
export function pick({ header, bytes, meshes }: Frame, eye: Vec3, way: Vec3, otherwise: number): Vec3 {
    const solid = Math.min(Infinity, ...header.surfaces.map((surface) => meets(surface, meshes.get(surface.mesh)!, eye, way)));
    const gas = header.volume ? gasSeen(header.volume, bytes, eye, way, solid) : null;
    return add(eye, scale(way, gas ?? (Number.isFinite(solid) ? solid : otherwise)));
}
