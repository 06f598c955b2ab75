// Handles in the view: emitters, bodies, lamps, the sun and the scene's camera are moved where they are seen; what is moved is written into the scene.
import { useRef } from "preact/hooks";
import type { Value, Vec3 } from "./protocol";
import { read, write } from "./quantity";
import { studio, useStudio } from "./store";
import { add, cross, dot, norm, scale, sub, unit } from "./vec";
import { camera, redraw, renderer } from "./view";
import { type Step, textAt } from "./yamltext";

interface Thing { key: string; name: string; kind: "emitter" | "body" | "lamp" | "camera"; path: Step[]; position: Vec3 }
export const gizmos = { visible: false };

const lists: [string[], Thing["kind"]][] = [[["emitters"], "emitter"], [["torches"], "emitter"], [["fires"], "emitter"], [["bodies"], "body"], [["render", "lights"], "lamp"]];

/** Everything that has a place and stands still there. */
function things(): Thing[] {
    const found: Thing[] = [];
    for (const [path, kind] of lists) {
        let list: Value | undefined = studio.document?.values;
        for (const step of path) list = list !== null && typeof list === "object" && !Array.isArray(list) ? list[step] : undefined;
        if (!Array.isArray(list)) continue;
        list.forEach((item, index) => {
            if (item === null || typeof item !== "object" || Array.isArray(item) || !Array.isArray(item.position) || item.on) return;   // on a body: counted from there
            const place = item.position.map((v) => read(v, "m"));
            if (place.length !== 3 || place.some((v) => v === null)) return;
            const name = typeof item.name === "string" && item.name ? item.name : undefined;
            found.push({ key: [...path, index].join("."), name: name ?? `${kind} ${index + 1}`, kind, path: [...path, { index, name }, "position"], position: place as Vec3 });
        });
    }
    return camera.free ? [...found, ...sceneCamera()] : found;
}

/** The scene's camera and what it looks at, seen from elsewhere; one that moves by keyframes has no handle. */
function sceneCamera(): Thing[] {
    const look = studio.document?.values.render, own = look !== null && typeof look === "object" && !Array.isArray(look) ? look.camera : undefined, keys = own !== null && typeof own === "object" && !Array.isArray(own) ? own : {};
    const still = (name: string) => !keys[name] || (Array.isArray(keys[name]) && (keys[name] as Value[]).every((v) => typeof v === "string"));
    return (["position", "target"] as const).filter(still).map((name) => ({ key: "camera." + name, name: name === "position" ? "camera" : "camera's target", kind: "camera", path: ["render", "camera", name], position: studio.frame!.look.camera[name] }));
}

/** The sun stands on a sphere around the box; dragging it turns the light. */
function Sun({ seen, sight, width, height }: { seen: (p: Vec3) => { x: number; y: number } | null; sight: (e: PointerEvent) => { eye: Vec3; way: Vec3 }; width: number; height: number }) {
    const { low, high, look } = studio.frame!, held = useRef(false);
    if (look.sun.every((v) => v === 0)) return null;
    const middle = scale(add(low, high), 0.5), place = (r: number) => seen(add(middle, scale(look.to_sun, r))), foot = seen(middle);
    // As far away as it is still in the picture.
    const inPicture = (p: { x: number; y: number } | null) => p !== null && p.x > 20 && p.x < width - 40 && p.y > 20 && p.y < height - 20;
    const reach = [0.42, 0.3, 0.21, 0.15, 0.1].map((share) => share * norm(sub(high, low))).find((r) => inPicture(place(r))) ?? 0, at = place(reach);
    if (!at || !foot || reach === 0) return null;
    const move = (e: PointerEvent) => {
        if (!held.current) return;
        // Where the line of sight meets the near side of the sphere, or passes it closest.
        const { eye, way } = sight(e), from = sub(eye, middle), b = dot(from, way), inside = b * b - dot(from, from) + reach * reach;
        const to = unit(add(from, scale(way, -b - Math.sqrt(Math.max(0, inside)))));
        const degrees = (v: number) => `${((180 * v) / Math.PI).toFixed(1)} deg`;
        studio.set(["render", "sun", "azimuth"], degrees(Math.atan2(to[1], to[0])));
        studio.set(["render", "sun", "elevation"], degrees(Math.max(Math.PI / 180, Math.asin(Math.min(1, to[2])))));
    };
    return (
        <g class="gizmo sun" data-gizmo="sun" onPointerMove={move} onPointerUp={() => (held.current = false)}>
            <line x1={foot.x} y1={foot.y} x2={at.x} y2={at.y} />
            <circle class="middle" cx={at.x} cy={at.y} r="9" onPointerDown={(e) => { e.currentTarget.setPointerCapture(e.pointerId); e.stopPropagation(); held.current = true; }}><title>the sun: drag turns its light</title></circle>
            <text x={at.x + 13} y={at.y - 10}>sun</text>
        </g>
    );
}

const axes: [Vec3, string][] = [[[1, 0, 0], "#ff7b72"], [[0, 1, 0], "#7ee787"], [[0, 0, 1], "#79c0ff"]];

export function Gizmos() {
    const s = useStudio((now) => [now.document, now.frame, camera.azimuth, camera.elevation, camera.distance, ...camera.target, gizmos.visible]);
    const place = useRef<SVGSVGElement>(null), drag = useRef<{ thing: Thing; axis: number; from: Vec3; grip: Vec3 } | null>(null);
    if (!gizmos.visible || !renderer || !s.document || !s.frame) return null;
    const box = renderer.canvas.getBoundingClientRect(), width = box.width, height = box.height;
    const seen = (p: Vec3) => { const at = renderer!.seenAt(p); return at && { x: at.x * width, y: (1 - at.y) * height, depth: at.depth }; };
    /** Where the mouse is on the plane through `p` that faces the eye, or on the axis through it. */
    const sight = (e: PointerEvent) => { const area = place.current!.getBoundingClientRect(); return renderer!.sight((e.clientX - area.left) / area.width, 1 - (e.clientY - area.top) / area.height); };
    const grip = (e: PointerEvent, p: Vec3, axis: number): Vec3 => {
        const { eye, way } = sight(e);
        if (axis < 0) return add(eye, scale(way, dot(sub(p, eye), camera.forward) / Math.max(1e-6, dot(way, camera.forward))));
        // The point of the axis that is nearest to the line of sight.
        const a = axes[axis][0], across = unit(cross(cross(a, way), way)), along = dot(across, a);
        return Math.abs(along) < 1e-6 ? p : add(p, scale(a, dot(sub(eye, p), across) / along));
    };
    const down = (thing: Thing, axis: number) => (e: PointerEvent) => {
        (e.currentTarget as Element).setPointerCapture(e.pointerId);
        e.stopPropagation();
        drag.current = { thing, axis, from: thing.position, grip: grip(e, thing.position, axis) };
    };
    const move = (e: PointerEvent) => {
        const d = drag.current;
        if (!d) return;
        const to = add(d.from, sub(grip(e, d.from, d.axis), d.grip)), old = (textAt(studio.text, d.thing.path) ?? "").replace(/^\[|\]$/g, "").split(",");
        const written = to.map((v, n) => write(Number(v.toFixed(4)), "m", old[n]?.trim() && /[a-z]/i.test(old[n]) ? old[n].trim() : "0"));
        studio.set(d.thing.path, `[${written.join(", ")}]`);
        redraw();
    };
    const arm = 44;   // [pixels]
    return (
        <svg ref={place} class="gizmos" width={width} height={height}>
            <Sun seen={seen} sight={sight} width={width} height={height} />
            {things().map((thing) => {
                const at = seen(thing.position);
                if (!at) return null;
                const metres = (arm * 2 * at.depth * Math.tan((camera.fov * Math.PI) / 360)) / height;
                return (
                    <g key={thing.key} class={"gizmo " + thing.kind} data-gizmo={thing.name} onPointerMove={move} onPointerUp={() => (drag.current = null)}>
                        {axes.map(([a, colour], n) => {
                            const tip = seen(add(thing.position, scale(a, metres)));
                            return tip && <g key={n} onPointerDown={down(thing, n)} class="axis"><line x1={at.x} y1={at.y} x2={tip.x} y2={tip.y} stroke={colour} /><line class="grab" x1={at.x} y1={at.y} x2={tip.x} y2={tip.y} /><circle cx={tip.x} cy={tip.y} r="4" fill={colour} /></g>;
                        })}
                        <circle class="middle" cx={at.x} cy={at.y} r="7" onPointerDown={down(thing, -1)}><title>{thing.name}: drag moves it, an arm along its axis</title></circle>
                        <text x={at.x + 12} y={at.y - 10}>{thing.name}</text>
                    </g>
                );
            })}
        </svg>
    );
}
