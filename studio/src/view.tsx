// The picture in the middle, or two of them to be compared: takes frames as they come, draws when something has changed, turns with the mouse.
import { useEffect, useRef, useState } from "preact/hooks";
import { OrbitCamera } from "./camera";
import type { Frame, Vec3 } from "./protocol";
import { Gizmos } from "./gizmos";
import { pick } from "./pick";
import { Renderer } from "./renderer";
import { saidFor, studio, useStudio } from "./store";
import { nameOf, short, unitOf } from "./quantity";
import { dot } from "./vec";
import { comparing } from "./timeline";

export const camera = new OrbitCamera();
/** Of the first picture. */
export let renderer: Renderer | null = null;

/** Figures for tests, for measurements and for the corner of the view; `trace`: when the last frames came, were put on the card and stood on the screen, and how long each part took [ms]. */
export interface Trace { frame: number; time: number; step: number; version: number; bytes: number; snapshot: number; encode: number; came: number; unpack: number; take: number; submit: number; begun: number; drawn: number }
export const figures = { frames: 0, draws: 0, dataRate: 0, drawSeconds: 0, version: 0, others: 0, shown: 0, trace: [] as Trace[] };
(globalThis as unknown as { phlo: unknown }).phlo = { studio, figures, camera, gasScale: () => renderer?.gasScale ?? 0, drawFine: () => loops[0]?.drawFine(), seenAt: (p: Vec3) => renderer?.seenAt(p) ?? null };

/** Draws when something has changed and the card has finished the last picture; how long that takes decides how fine the gas is drawn. Where nothing changes any more
 * it is drawn finer and finer. */
class Loop {
    private due = true;
    private changed = 0;                       // when something last did [ms]
    private moving = 0.5;                      // pixels of the gas for one of the picture while things move
    private still = false;                     // the picture on the card is one of those that nothing moves in
    private slow = false;                      // it took long
    private looking = false;
    private frames: number[] = [];
    private fence: WebGLSync | null = null;
    private began = 0;
    private ended = false;
    private next: Arrived | null = null;       // has come, is not on the card yet
    private drawing: Arrived | null = null;    // is on the card, and seen when this picture is finished
    constructor(private canvas: HTMLCanvasElement, readonly renderer: Renderer, private drawn: () => void) {
        const turn = () => { if (this.ended) return; this.turn(); requestAnimationFrame(turn); };
        requestAnimationFrame(turn);
        new ResizeObserver(() => this.fit()).observe(canvas);
        this.fit();
    }
    ask(): void { this.due = true; this.changed = performance.now(); }
    end(): void { this.ended = true; }
    /** Of frames that come while the card is busy the last one counts. */
    take(frame: Frame): void {
        const now = performance.now(), { header, bytes } = frame;
        this.frames = [...this.frames.filter((t) => now - t < 2000), now];
        figures.dataRate = this.frames.length > 1 ? (1000 * (this.frames.length - 1)) / (now - this.frames[0]) : 0;
        this.next = { frame, trace: { frame: header.frame, time: header.time, step: 1000 * (header.step_seconds ?? 0), version: header.version, bytes: bytes.byteLength, snapshot: 1000 * (header.snapshot_seconds ?? 0), encode: 1000 * header.encode_seconds, came: now, unpack: frame.unpackMs ?? 0, take: 0, submit: 0, begun: 0, drawn: 0 } };
        this.ask();
        if (!document.hidden) this.turn();   // not at the next beat of the screen: it may be drawn by then
    }
    /** Between the beats of the screen, too: who has sent this frame waits until it is drawn. */
    private look(): void {
        if (this.looking || this.ended) return;
        this.looking = true;
        setTimeout(() => { this.looking = false; if (!this.ended) this.turn(); }, 4);
    }
    private turn(): void {
        const gl = this.renderer.gl;
        if (this.fence) {
            const status = gl.clientWaitSync(this.fence, gl.SYNC_FLUSH_COMMANDS_BIT, 0);
            if (status === gl.TIMEOUT_EXPIRED) return this.look();
            gl.deleteSync(this.fence);
            this.fence = null;
            this.finished();
        }
        if (!this.due && !this.refine()) return;
        if (this.due && this.still) { this.still = false; this.renderer.gasScale = this.moving; }
        this.due = false;
        this.began = performance.now();
        this.drawing = this.next;
        this.next = null;
        if (this.drawing) this.renderer.take(this.drawing.frame);
        const taken = performance.now();
        this.renderer.draw(camera);
        if (this.drawing) Object.assign(this.drawing.trace, { begun: this.began, take: taken - this.began, submit: performance.now() - taken });
        this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.look();
    }
    /** One picture as fine as it gets, however long that takes; it stays until something changes. */
    drawFine(): void {
        this.due = false, this.still = this.slow = true;
        this.renderer.gasScale = 1;
        this.renderer.bakeFine();
        this.renderer.draw(camera);
        this.renderer.gl.finish();
    }
    /** The next finer picture, once nothing has changed for a while; not if the last one took so long that a hand would have to wait. */
    private refine(): boolean {
        if (performance.now() - this.changed < 300 || this.renderer.gasScale >= 1 || (this.still && this.slow) || document.hidden) return false;
        this.renderer.bakeFine();
        this.still = true;
        this.renderer.gasScale = Math.min(1, 1.6 * this.renderer.gasScale);
        return true;
    }
    private finished(): void {
        const now = performance.now(), took = now - this.began;
        ++figures.draws;
        figures.drawSeconds = took / 1000;
        if (this.still) this.slow = took > 400;
        else if (took > 45) this.moving = Math.max(0.15, this.moving * 0.75);
        else if (took < 18) this.moving = Math.min(1, this.moving * 1.06);
        if (!this.still) this.renderer.gasScale = this.moving;
        if (!this.drawing) return;
        this.drawing.trace.drawn = now;
        figures.trace = [...figures.trace.slice(-199), this.drawing.trace];
        this.drawing = null;
        this.drawn();
    }
    private fit(): void {
        const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth, clientHeight } = this.canvas;
        this.canvas.width = Math.max(1, Math.round(clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(clientHeight * ratio));
        this.ask();
    }
}
interface Arrived { frame: Frame; trace: Trace }
const loops: (Loop | null)[] = [null, null];
/** Draws all pictures again. */
export function redraw(): void { for (const loop of loops) loop?.ask(); }

/** One picture on a canvas of its own. */
function Screen({ slot, children }: { slot: number; children?: preact.ComponentChildren }) {
    const canvas = useRef<HTMLCanvasElement>(null), [failure, setFailure] = useState("");
    useEffect(() => {
        let made: Renderer;
        try { made = new Renderer(canvas.current!); } catch (e) { return setFailure((e as Error).message); }
        if (slot === 0) renderer = made;
        let owed = false;
        const pay = () => { if (owed) { owed = false; studio.acknowledge(slot); } };
        const loop = (loops[slot] = new Loop(canvas.current!, made, pay));
        studio.drawn[slot] = (frame) => {
            const { header } = frame;
            camera.follow(header.look.camera);
            if (slot === 0) {
                ++figures.frames;
                figures.version = header.version;
                figures.shown = header.frame;
            } else ++figures.others;
            owed = true;
            loop.take(frame);
            // Where nothing is drawn, because the tab lies in the background, frames go on coming slowly.
            if (document.hidden) setTimeout(pay, 1000);
        };
        if (studio.newest[slot]) studio.drawn[slot](studio.newest[slot]);
        canvas.current!.addEventListener("webglcontextlost", (e) => { e.preventDefault(); setFailure("The graphics card was lost; reload the page."); });
        return () => { pay(); loop.end(); loops[slot] = null; delete studio.drawn[slot]; made.gl.getExtension("WEBGL_lose_context")?.loseContext(); };
    }, []);
    useEffect(() => {
        const shown = loops[slot]?.renderer;
        if (!shown) return;
        shown.markers = studio.probe ? [{ position: studio.probe.position, color: [1, 0.75, 0.2, 1], size: 0.006 * camera.distance }] : [];
        loops[slot]!.ask();
    }, [studio.probe?.position, camera.distance]);

    const drag = useRef<{ x: number; y: number; moved: number; button: number } | null>(null);
    const down = (e: PointerEvent) => {
        canvas.current!.setPointerCapture(e.pointerId);
        drag.current = { x: e.clientX, y: e.clientY, moved: 0, button: e.button };
    };
    const move = (e: PointerEvent) => {
        const d = drag.current;
        if (!d) return;
        const dx = e.clientX - d.x, dy = e.clientY - d.y;
        d.x = e.clientX, d.y = e.clientY, d.moved += Math.abs(dx) + Math.abs(dy);
        if (d.button === 0 && !e.shiftKey) camera.orbit(dx, dy);
        else camera.pan(dx, dy, canvas.current!.clientHeight);
        redraw();
        studio.tell();
    };
    const up = (e: PointerEvent) => {
        const d = drag.current, shown = loops[slot]?.renderer;
        drag.current = null;
        if (!d || d.moved > 4 || d.button !== 0 || !shown) return;
        const box = canvas.current!.getBoundingClientRect();
        const { eye, way } = shown.sight((e.clientX - box.left) / box.width, 1 - (e.clientY - box.top) / box.height);
        const along = Math.max(0.05, dot(way, camera.forward));
        if (studio.newest[slot]) studio.pick(pick(studio.newest[slot], eye, way, camera.distance / along));
    };
    const wheel = (e: WheelEvent) => { e.preventDefault(); camera.zoom(e.deltaY / 100); redraw(); studio.tell(); };
    return (
        <>
            <canvas ref={canvas} id={slot === 0 ? "view" : "other-view"} tabIndex={0} aria-label="the scene; drag turns it, shift-drag slides it, the wheel comes nearer, a click reads a point"
                onPointerDown={down} onPointerMove={move} onPointerUp={up} onWheel={wheel} onContextMenu={(e) => e.preventDefault()} />
            {failure && <div class="failure"><p>{failure}</p></div>}
            {children}
        </>
    );
}

export function ownCamera(): void {
    camera.free = false;
    if (studio.frame) camera.follow(studio.frame.look.camera);
    redraw();
    studio.tell();
}

/** The view becomes the scene's camera. */
function keepCamera(): void {
    const vector = (v: readonly number[]) => `[${v.map((x) => short(x)).join(", ")}]`;
    const { position, target, fov } = camera;
    studio.set(["render", "camera", "position"], vector(position));
    studio.set(["render", "camera", "target"], vector(target));
    studio.set(["render", "camera", "fov"], `${short(fov)} deg`);
    camera.free = false;
    studio.tell();
}

export { keepCamera };

export function View() {
    const s = useStudio(), place = useRef<HTMLDivElement>(null), shown = s.state?.shown ?? null, pair = shown?.other ?? "";
    const wipe = (e: PointerEvent) => {
        if (!(e.buttons & 1)) return;
        const box = place.current!.getBoundingClientRect();
        comparing.share = Math.max(0.02, Math.min(0.98, (e.clientX - box.left) / box.width));
        studio.tell();
    };
    const side = comparing.mode === "side";
    return (
        <div class={"view" + (pair ? (side ? " side" : " wipe") : "")} ref={place}>
            <div class="screen"><Screen slot={0} />{pair && <span class="screen-name">{shown!.run}</span>}</div>
            {pair && <div class="screen second" style={side ? {} : { clipPath: `inset(0 0 0 ${100 * comparing.share}%)` }}><Screen slot={1} key={pair} /><span class="screen-name right">{pair}</span></div>}
            {pair && !side && <div class="wiper" style={{ left: `${100 * comparing.share}%` }} onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)} onPointerMove={wipe} title="drag: this run to the left, that one to the right" />}
            {!s.connected && <div class="failure"><p>Not connected. Is <code>phlo studio</code> still running? The page comes back by itself.</p></div>}
            {!pair && <Gizmos />}
            <div class="corner">
                {camera.free && <><button onClick={ownCamera} title="back to the scene's own camera (C)" id="own-camera">scene camera</button>
                    <button onClick={keepCamera} title="the scene's camera shall stand where you look from (Shift+C)" id="keep-camera">keep this view</button></>}
            </div>
            <Reading />
            <LastEdit />
        </div>
    );
}

/** For a moment: what the last edit has done, and from which frame on. */
function LastEdit() {
    const s = useStudio((now) => [now.applied, performance.now() - now.appliedAt < saidFor, now.state?.shown]), a = s.applied;
    if (!a || a.changes.length + Number(a.restarted) === 0 || performance.now() - s.appliedAt >= saidFor) return null;
    const simulates = a.restarted || a.changes.some((c) => c.affects === "simulation");
    if (simulates && s.state?.shown) return null;   // the timeline says it
    const cost = a.restarted ? "anew" : simulates ? "live" : "picture", more = a.changes.length - 2;
    const keys = a.changes.slice(0, 2).map((c) => c.path).join(", ") + (more > 0 ? ` and ${more} more` : "");
    return <div class="last-edit" id="last-edit" role="status"><span class={"cost " + cost} /> {keys && <b>{keys}</b>} {a.restarted ? "begun anew, from the first frame" : simulates ? `live from frame ${a.frame + 1} on` : "only the picture: nothing is simulated again"}</div>;
}

/** What the fields are at the picked point. */
function Reading() {
    const s = useStudio();
    if (!s.probe) return null;
    return (
        <div class="reading" id="reading">
            <div class="reading-head"><b>picked point</b><span>{s.probe.position.map((v) => short(v, 3)).join(", ")} m</span>
                <button onClick={() => s.pick(null)} title="forget the point" aria-label="forget the point">×</button></div>
            <table><tbody>
                {Object.entries(s.probe.values).map(([name, value]) => (
                    <tr key={name}><td>{nameOf(name)}</td><td>{Array.isArray(value) ? short(Math.hypot(...value), 3) : short(value, 4)} {unitOf(name)}</td></tr>
                ))}
            </tbody></table>
        </div>
    );
}
