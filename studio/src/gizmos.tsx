// Handles in the view: emitters, bodies and lamps are moved where they are seen; what is moved is written into the scene.
import { useRef } from "preact/hooks";
import type { Value, Vec3 } from "./protocol";
import { read, write } from "./quantity";
import { studio, useStudio } from "./store";
import { add, cross, dot, scale, sub, unit } from "./vec";
import { camera, redraw, renderer } from "./view";
import { type Step, textAt } from "./yamltext";

interface Thing { key: string; name: string; kind: "emitter" | "body" | "lamp"; path: Step[]; position: Vec3 }
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
    return found;
}

const axes: [Vec3, string][] = [[[1, 0, 0], "#ff7b72"], [[0, 1, 0], "#7ee787"], [[0, 0, 1], "#79c0ff"]];

export function Gizmos() {
    const s = useStudio((now) => [now.document, now.frame, camera.azimuth, camera.elevation, camera.distance, ...camera.target, gizmos.visible]);
    const place = useRef<SVGSVGElement>(null), drag = useRef<{ thing: Thing; axis: number; from: Vec3; grip: Vec3 } | null>(null);
    if (!gizmos.visible || !renderer || !s.document || !s.frame) return null;
    const box = renderer.canvas.getBoundingClientRect(), width = box.width, height = box.height;
    const seen = (p: Vec3) => { const at = renderer!.seenAt(p); return at && { x: at.x * width, y: (1 - at.y) * height, depth: at.depth }; };
    /** Where the mouse is on the plane through `p` that faces the eye, or on the axis through it. */
    const grip = (e: PointerEvent, p: Vec3, axis: number): Vec3 => {
        const area = place.current!.getBoundingClientRect(), { eye, way } = renderer!.sight((e.clientX - area.left) / area.width, 1 - (e.clientY - area.top) / area.height);
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
