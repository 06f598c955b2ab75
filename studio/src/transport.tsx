// Under the view: play, step, begin anew, how fine it is and how fast it goes.
import { figures } from "./view";
import { Icon } from "./icons";
import { studio, useStudio } from "./store";

export function Transport() {
    const s = useStudio(), state = s.state;
    if (!state) return <div class="transport" />;
    const frame = s.frame?.frame ?? state.frame, time = s.frame?.time ?? 0;
    const choices = [24, 32, 48, 64, 96, 128, 160, 192, 256].filter((n) => n < state.own_resolution);
    return (
        <div class="transport">
            <button id="restart" onClick={() => s.ask("restart")} title="begin anew (R)" aria-label="begin anew"><Icon name="restart" /></button>
            <button id="play" class="play" onClick={() => s.ask("play", { on: !state.playing })} title="play or pause (space)" aria-label={state.playing ? "pause" : "play"}><Icon name={state.playing ? "pause" : "play"} /></button>
            <button id="step" onClick={() => s.ask("step")} title="one frame further (→)" aria-label="one frame further"><Icon name="step" /></button>
            <button id="loop" class={state.loop ? "on" : ""} onClick={() => s.ask("loop", { on: !state.loop })} title="begin anew at the last frame" aria-pressed={state.loop}>loop</button>
            <div class="clock"><b id="frame-number">{frame}</b><span> / {state.last_frame}</span><span class="dim"> {time.toFixed(2)} s</span></div>
            <div class="bar" aria-hidden="true"><div class="bar-done" style={{ width: `${Math.min(100, (100 * (frame - state.first_frame)) / Math.max(1, state.last_frame - state.first_frame))}%` }} /></div>
            {state.own_resolution > 0 && (
                <label class="live-size" title={`cells along the longest side of the live view; the scene itself has ${state.own_resolution}`}>live at
                    <select id="resolution" value={state.automatic ? "0" : String(state.resolution)} onChange={(e) => s.ask("resolution", { cells: Number(e.currentTarget.value) })}>
                        <option value="0">{state.automatic ? `${state.resolution} (chosen)` : "choose for me"}</option>
                        {choices.map((n) => <option key={n} value={String(n)}>{n}</option>)}
                        <option value={String(state.own_resolution)}>{state.own_resolution} (the scene's)</option>
                    </select>
                </label>)}
            <span class="speed" id="speed" title="frames of data a second that reach the page; milliseconds that the solver takes for a frame">{figures.dataRate.toFixed(0)} /s · {(1000 * s.secondsPerFrame).toFixed(0)} ms</span>
        </div>
    );
}

/** Keys that work wherever no text is being written. */
export function shortcut(e: KeyboardEvent, actions: { [key: string]: () => void }): void {
    const target = e.target as HTMLElement, writing = target.closest(".cm-editor") || (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") || target instanceof HTMLSelectElement;
    const mod = e.ctrlKey || e.metaKey, name = (mod ? "mod+" : "") + (e.shiftKey && mod ? "shift+" : "") + (e.key === " " ? "space" : e.key.length === 1 ? e.key.toLowerCase() : e.key);
    const action = actions[name];
    if (!action || (writing && !mod) || (target.closest(".cm-editor") && name !== "mod+s")) return;
    if (target instanceof HTMLButtonElement && (name === "space" || name === "Enter")) return;
    e.preventDefault();
    action();
}
export const playPause = () => studio.state && studio.ask("play", { on: !studio.state.playing });
