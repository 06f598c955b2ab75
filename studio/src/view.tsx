// The picture in the middle: takes frames as they come, draws when something has changed, turns with the mouse.
import { useEffect, useRef, useState } from "preact/hooks";
import { OrbitCamera } from "./camera";
import { pickPoint, Renderer } from "./renderer";
import { studio, useStudio } from "./store";
import { short } from "./quantity";

export const camera = new OrbitCamera();
export let renderer: Renderer | null = null;

/** Figures for tests and for the corner of the view. */
export const figures = { frames: 0, draws: 0, dataRate: 0, drawSeconds: 0, version: 0, versionAt: 0 };
(globalThis as unknown as { phlo: unknown }).phlo = { studio, figures, camera };

/** Draws when something has changed and the card has finished the last picture; how long that takes decides how fine the gas is drawn. */
class Loop {
    private due = true;
    private frames: number[] = [];
    private fence: WebGLSync | null = null;
    private began = 0;
    constructor(private canvas: HTMLCanvasElement, private renderer: Renderer, private drawn: () => void) {
        const turn = () => { this.turn(); requestAnimationFrame(turn); };
        requestAnimationFrame(turn);
        new ResizeObserver(() => this.fit()).observe(canvas);
        this.fit();
    }
    ask(): void { this.due = true; }
    private turn(): void {
        const gl = this.renderer.gl;
        if (this.fence) {
            const status = gl.clientWaitSync(this.fence, gl.SYNC_FLUSH_COMMANDS_BIT, 0);
            if (status === gl.TIMEOUT_EXPIRED) return;
            gl.deleteSync(this.fence);
            this.fence = null;
            this.finished();
        }
        if (!this.due) return;
        this.due = false;
        this.began = performance.now();
        this.renderer.draw(camera);
        this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    private finished(): void {
        const took = performance.now() - this.began;
        ++figures.draws;
        figures.drawSeconds = took / 1000;
        if (took > 45) this.renderer.gasScale = Math.max(0.15, this.renderer.gasScale * 0.75);
        else if (took < 18) this.renderer.gasScale = Math.min(1, this.renderer.gasScale * 1.06);
        this.drawn();
    }
    private fit(): void {
        const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth, clientHeight } = this.canvas;
        this.canvas.width = Math.max(1, Math.round(clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(clientHeight * ratio));
        this.ask();
    }
    arrived(): void {
        const now = performance.now();
        this.frames = [...this.frames.filter((t) => now - t < 2000), now];
        figures.dataRate = this.frames.length > 1 ? (1000 * (this.frames.length - 1)) / (now - this.frames[0]) : 0;
    }
}

export function View() {
    const s = useStudio();
    const canvas = useRef<HTMLCanvasElement>(null), loop = useRef<Loop | null>(null);
    const [failure, setFailure] = useState("");

    useEffect(() => {
        try { renderer = new Renderer(canvas.current!); } catch (e) { return setFailure((e as Error).message); }
        let owed = false;
        loop.current = new Loop(canvas.current!, renderer, () => { if (owed) { owed = false; studio.acknowledge(); } });
        studio.drawn = (frame) => {
            camera.follow(frame.header.look.camera);
            renderer!.take(frame);
            ++figures.frames;
            if (frame.header.version !== figures.version) { figures.version = frame.header.version; figures.versionAt = performance.now(); }
            owed = true;
            loop.current!.arrived();
            loop.current!.ask();
            // Where nothing is drawn, because the tab lies in the background, frames go on coming slowly.
            if (document.hidden) setTimeout(() => { if (owed) { owed = false; studio.acknowledge(); } }, 1000);
        };
        canvas.current!.addEventListener("webglcontextlost", (e) => { e.preventDefault(); setFailure("The graphics card was lost; reload the page."); });
    }, []);

    useEffect(() => {
        if (!renderer) return;
        renderer.markers = s.probe ? [{ position: s.probe.position, color: [1, 0.75, 0.2, 1], size: 0.012 * camera.distance }] : [];
        loop.current?.ask();
    });

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
        loop.current?.ask();
        studio.tell();
    };
    const up = (e: PointerEvent) => {
        const d = drag.current;
        drag.current = null;
        if (!d || d.moved > 4 || d.button !== 0 || !renderer) return;
        const box = canvas.current!.getBoundingClientRect();
        const { eye, way } = renderer.sight((e.clientX - box.left) / box.width, 1 - (e.clientY - box.top) / box.height);
        studio.pick(pickPoint(eye, way, camera));
    };
    const wheel = (e: WheelEvent) => { e.preventDefault(); camera.zoom(e.deltaY / 100); loop.current?.ask(); studio.tell(); };

    return (
        <div class="view">
            <canvas ref={canvas} id="view" tabIndex={0} aria-label="the scene; drag turns it, shift-drag slides it, the wheel comes nearer, a click reads a point"
                onPointerDown={down} onPointerMove={move} onPointerUp={up} onWheel={wheel} onContextMenu={(e) => e.preventDefault()} />
            {failure && <div class="failure"><p>{failure}</p></div>}
            {!s.connected && <div class="failure"><p>Not connected. Is <code>phlo studio</code> still running? The page comes back by itself.</p></div>}
            <div class="corner">
                {camera.free && <button onClick={() => { camera.free = false; if (s.frame) camera.follow(s.frame.look.camera); loop.current?.ask(); studio.tell(); }} title="back to the scene's own camera (C)" id="own-camera">scene camera</button>}
            </div>
            <Reading />
        </div>
    );
}

/** What the fields are at the picked point. */
function Reading() {
    const s = useStudio();
    if (!s.probe) return null;
    const units: { [name: string]: string } = { temperature: "K", velocity: "m/s", density: "" };
    return (
        <div class="reading" id="reading">
            <div class="reading-head"><b>picked point</b><span>{s.probe.position.map((v) => short(v, 3)).join(", ")} m</span>
                <button onClick={() => s.pick(null)} title="forget the point" aria-label="forget the point">×</button></div>
            <table><tbody>
                {Object.entries(s.probe.values).map(([name, value]) => (
                    <tr key={name}><td>{name}</td><td>{Array.isArray(value) ? short(Math.hypot(...value), 3) : short(value, 4)} {units[name] ?? (name.startsWith("c_") ? "mol/m³" : "")}</td></tr>
                ))}
            </tbody></table>
        </div>
    );
}
