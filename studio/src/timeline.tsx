// Under the transport: runs in the background, their cached frames to scrub through, and two of them beside each other.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Run } from "./protocol";
import { studio, useStudio } from "./store";

export const comparing = { mode: "wipe" as "wipe" | "side", share: 0.5 };

const runNamed = (name: string): Run | undefined => studio.runs.find((r) => r.name === name);
const lastOf = (run: Run | undefined): number => (run && run.frames.length > 0 ? run.frames[run.frames.length - 1][1] : 0);
const has = (run: Run | undefined, frame: number): boolean => run !== undefined && run.frames.some(([a, b]) => a <= frame && frame <= b);

export function duration(seconds: number): string {
    if (!(seconds > 0)) return "";
    return seconds < 90 ? `${Math.ceil(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Shows a cached frame; of many that are asked for only the last one on its way counts. */
class Scrub {
    private busy = false;
    private next: { run: string; other: string; frame: number } | null = null;
    show(run: string, other: string, frame: number): void {
        this.next = { run, other, frame };
        this.flush();
    }
    private flush(): void {
        if (this.busy || !this.next) return;
        const body = this.next;
        this.next = null;
        this.busy = true;
        studio.send("show", body).catch((e: Error) => studio.notify(e.message, "error")).finally(() => { this.busy = false; this.flush(); });
    }
}
export const scrub = new Scrub();

/** Plays the cached frames at the scene's rate. */
class Player {
    on = false;
    private timer = 0;
    toggle(): void { this.on ? this.stop() : this.start(); }
    stop(): void { this.on = false; clearInterval(this.timer); studio.tell(); }
    private start(): void {
        this.on = true;
        this.timer = window.setInterval(() => {
            const shown = studio.state?.shown, run = shown && runNamed(shown.run);
            if (!shown || !run) return this.stop();
            const next = shown.frame + 1;
            scrub.show(shown.run, shown.other, has(run, next) ? next : (run.frames[0]?.[0] ?? 1));
        }, 1000 / (studio.state?.fps ?? 24));
        studio.tell();
    }
}
export const player = new Player();

export function step(by: number): void {
    const shown = studio.state?.shown;
    if (shown && has(runNamed(shown.run), shown.frame + by)) scrub.show(shown.run, shown.other, shown.frame + by);
}

export function simulate(body: Record<string, unknown> = {}): void {
    studio.send("simulate", body).catch((e: Error) => {
        if (e.message.includes("was made with another scene")) asking = String(body.run ?? studio.document?.name ?? "");
        else studio.notify(e.message, "error");
        studio.tell();
    });
}
let asking: string | null = null;      // the name of a run that holds another scene's frames

function Bar() {
    const s = useStudio(), state = s.state!, shown = state.shown, place = useRef<HTMLDivElement>(null);
    const run = shown ? runNamed(shown.run) : undefined, other = shown?.other ? runNamed(shown.other) : undefined;
    const running = s.active?.running && s.active.name === shown?.run ? s.active : null;
    const first = state.first_frame, last = Math.max(state.last_frame, lastOf(run), running?.last ?? 0), frame = shown?.frame ?? s.frame?.frame ?? state.frame;
    const at = (f: number) => (100 * (f - first)) / Math.max(1, last - first + 1), width = 100 / Math.max(1, last - first + 1);
    const pick = (e: PointerEvent) => {
        if (!shown || !run) return;
        const box = place.current!.getBoundingClientRect(), wanted = first + Math.floor(((e.clientX - box.left) / box.width) * (last - first + 1));
        const nearest = run.frames.map(([a, b]) => Math.max(a, Math.min(b, wanted))).sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
        if (nearest !== undefined && nearest !== shown.frame) { shown.frame = nearest; scrub.show(shown.run, shown.other, nearest); studio.tell(); }
    };
    return (
        <div ref={place} id="timeline-bar" class={"timeline-bar" + (shown ? " cached" : "")} role="slider" tabIndex={0} aria-label="frame" aria-valuemin={first} aria-valuemax={last} aria-valuenow={frame}
            onPointerDown={(e) => { e.currentTarget.setPointerCapture(e.pointerId); player.on && player.stop(); pick(e); }} onPointerMove={(e) => e.buttons & 1 && pick(e)}
            onKeyDown={(e) => { if (e.key === "ArrowRight" || e.key === "ArrowLeft") { step(e.key === "ArrowRight" ? 1 : -1); e.preventDefault(); e.stopPropagation(); } }}>
            {run?.frames.map(([a, b]) => <i key={a} class="cached-range" style={{ left: `${at(a)}%`, width: `${width * (b - a + 1)}%` }} />)}
            {other?.frames.map(([a, b]) => <i key={a} class="other-range" style={{ left: `${at(a)}%`, width: `${width * (b - a + 1)}%` }} />)}
            {run?.checkpoints.map((f) => <i key={f} class="checkpoint" style={{ left: `${at(f) + width / 2}%` }} title={`frame ${f} has a checkpoint: going on from here is immediate`} />)}
            {!shown && <i class="live-range" style={{ left: 0, width: `${at(frame)}%` }} />}
            <i class="playhead" style={{ left: `${at(frame) + width / 2}%` }} />
        </div>
    );
}

function Asking({ close }: { close: () => void }) {
    const name = asking!, [other, setOther] = useState(name + "-2");
    return (
        <div class="sheet small" role="dialog" aria-label="another scene's run">
            <div class="sheet-head"><h2>{name} was simulated with other settings</h2><button onClick={close} aria-label="close">×</button></div>
            <p>Begin it anew, or keep it and simulate under another name. To go on from one of its frames, scrub there first.</p>
            <div class="row"><button class="good" onClick={() => { close(); simulate({ run: name, overwrite: true }); }}>Begin {name} anew</button>
                <input type="text" value={other} aria-label="name of the new run" onInput={(e) => setOther(e.currentTarget.value)} /><button onClick={() => { close(); simulate({ run: other }); }}>Keep both</button></div>
        </div>
    );
}

/** What can be done from the frame that is seen. */
function FromHere() {
    const s = useStudio(), shown = s.state!.shown!, [name, setName] = useState<string | null>(null);
    const branchName = () => { for (let n = 2; ; ++n) if (!runNamed(`${shown.run}-${n}`)) return `${shown.run}-${n}`; };
    if (name !== null)
        return (<form class="row tight" onSubmit={(e) => { e.preventDefault(); simulate({ run: name, from_run: shown.run, from_frame: shown.frame }); setName(null); }}>
            <span>branch at {shown.frame} as</span><input type="text" id="branch-name" value={name} aria-label="name of the branch" onInput={(e) => setName(e.currentTarget.value)} /><button class="good" id="branch-go">Go</button><button type="button" onClick={() => setName(null)}>×</button></form>);
    return (
        <>
            <button id="go-on" disabled={s.active?.running} onClick={() => simulate({ run: shown.run, from_frame: shown.frame })} title={`simulates ${shown.run} again from frame ${shown.frame} on, with the settings as they are now; later frames are replaced`}>Go on from {shown.frame}</button>
            <button id="branch" disabled={s.active?.running} onClick={() => setName(branchName())} title="the same into another run: this one stays">Branch…</button>
        </>
    );
}

export function Timeline() {
    const s = useStudio(), state = s.state;
    const [, again] = useState(0);
    // A run that has just begun is watched as it grows.
    const watched = useRef("");
    useEffect(() => {
        const key = s.active?.running ? s.active.name : "";
        if (key && key !== watched.current && has(runNamed(key), 1) && !state?.shown) scrub.show(key, "", runNamed(key)!.frames[0][0]);
        watched.current = key;
    }, [s.active?.running && has(runNamed(s.active.name), 1)]);
    if (!state) return <div class="timeline" />;
    const shown = state.shown, running = s.active?.running ? s.active : null;
    const choose = (run: string) => (run === "" ? s.ask("show", { run: "" }) : scrub.show(run, "", Math.max(1, Math.min(lastOf(runNamed(run)), shown?.frame ?? 1))));
    return (
        <div class="timeline">
            <div class="timeline-tools">
                <label class="dim">showing <select id="shown-run" value={shown?.run ?? ""} onChange={(e) => choose(e.currentTarget.value)}>
                    <option value="">live</option>{s.runs.map((r) => <option key={r.name} value={r.name}>{r.name} ({lastOf(r)})</option>)}</select></label>
                {shown && s.runs.length > 1 && <label class="dim">with <select id="other-run" value={shown.other} onChange={(e) => scrub.show(shown.run, e.currentTarget.value, shown.frame)}>
                    <option value="">none</option>{s.runs.filter((r) => r.name !== shown.run).map((r) => <option key={r.name} value={r.name}>{r.name}</option>)}</select></label>}
                {shown?.other && <button id="compare-mode" onClick={() => { comparing.mode = comparing.mode === "wipe" ? "side" : "wipe"; s.tell(); }} title="one over the other, or beside each other">{comparing.mode === "wipe" ? "wipe" : "side by side"}</button>}
                {shown && <FromHere />}
                <span class="space" />
                {running ? <>
                    <span id="run-progress" class="progress-text">{running.replayed ? `preparing frame ${running.replayed}` : `${running.name}: ${Math.max(0, running.done)} of ${running.last}`}{running.seconds_left > 0 ? `, ${duration(running.seconds_left)} left` : ""}</span>
                    <span class="progress"><i style={{ width: `${(100 * Math.max(0, running.done - running.first + 1)) / Math.max(1, running.last - running.first + 1)}%` }} /></span>
                    <button id="stop-run" onClick={() => s.ask("stop_run")} title="stops after the current frame, which is kept">Stop</button></> : <>
                    {s.active?.error && <span class="progress-text bad" title={s.active.error}>{s.active.name}: {s.active.error}</span>}
                    <button id="simulate" class="good" onClick={() => simulate()} title={`simulates the whole scene in the background, as 'phlo run' does: about ${duration(state.full_seconds)} on two cores (Shift+R)`}>Simulate</button></>}
            </div>
            {shown && shown.changes.length > 0 && !running && <p class="stale" id="stale"><span class="cost anew" /> {shown.run} was simulated with other settings: {shown.changes.slice(0, 2).map((c, n) => <span key={c.path}>{n > 0 && ", "}<b>{c.path}</b> {c.before || "nothing"}</span>)}
                {shown.changes.length > 2 && ` and ${shown.changes.length - 2} more`}. {shown.frame < lastOf(runNamed(shown.run)) ? <><b>Go on</b> makes frames {shown.frame + 1} to {lastOf(runNamed(shown.run))} anew, </> : null}<b>Simulate</b> all of them.</p>}
            <Bar />
            {asking !== null && <Asking close={() => { asking = null; again((n) => n + 1); }} />}
        </div>
    );
}
