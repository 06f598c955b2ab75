// Under the view: play, step, begin anew, how fine it is and how fast it goes.
import { figures } from "./view";
import { Icon } from "./icons";
import { gizmos } from "./gizmos";
import { studio, useStudio } from "./store";
import { player, step } from "./timeline";

export function Transport() {
    const s = useStudio(), state = s.state;
    if (!state) return <div class="transport" />;
    const playing = state.shown ? player.on : state.playing;
    const frame = s.frame?.frame ?? state.frame, time = s.frame?.time ?? 0;
    const usual = [24, 32, 48, 64, 96, 128, 160, 192, 256], own = state.automatic || usual.includes(state.resolution) ? [] : [state.resolution];   // a script may have chosen another one
    const choices = [...usual, ...own].sort((a, b) => a - b).filter((n) => n < state.own_resolution);
    return (
        <div class="transport">
            <button id="restart" onClick={() => s.ask("restart")} title="begin anew (R)" aria-label="begin anew"><Icon name="restart" /></button>
            <button id="play" class="play" onClick={playPause} title="play or pause (space)" aria-label={playing ? "pause" : "play"}><Icon name={playing ? "pause" : "play"} /></button>
            <button id="step" onClick={() => goOn(1)} title="one frame further (→)" aria-label="one frame further"><Icon name="step" /></button>
            <button id="loop" class={state.loop ? "on" : ""} onClick={() => s.ask("loop", { on: !state.loop })} title="begin anew at the last frame" aria-pressed={state.loop}>loop</button>
            <div class="clock"><b id="frame-number">{frame}</b><span> / {state.last_frame}</span><span class="dim"> {time.toFixed(2)} s</span></div>
            <button id="gizmos" class={gizmos.visible ? "on" : ""} aria-pressed={gizmos.visible} onClick={toggleGizmos} title="handles that move emitters, bodies and lamps (G)">move</button>
            <span class="space" />
            {state.own_resolution > 0 && (
                <label class="live-size" title={`cells along the longest side of the live view; the scene itself has ${state.own_resolution}`}>live at
                    <select id="resolution" key={choices.join()} value={state.automatic ? "0" : String(state.resolution)} onChange={(e) => s.ask("resolution", { cells: Number(e.currentTarget.value) })}>
                        <option value="0">{state.automatic ? `${state.resolution} (chosen)` : "choose for me"}</option>
                        {choices.map((n) => <option key={n} value={String(n)}>{n}</option>)}
                        <option value={String(state.own_resolution)}>{state.own_resolution} (the scene's)</option>
                    </select>
                </label>)}
            <span class="speed" id="speed" title="pictures a second that reach the page; milliseconds that the solver takes for a frame">{state.shown ? "cached" : playing ? `${figures.dataRate.toFixed(0)} /s · ${(1000 * s.secondsPerFrame).toFixed(0)} ms` : "paused"}</span>
        </div>
    );
}

/** Keys that work wherever no text is being written. */
export function shortcut(e: KeyboardEvent, actions: { [key: string]: () => void }): void {
    const target = e.target as HTMLElement, writing = target.closest(".cm-editor") || (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") || target instanceof HTMLSelectElement;
    const mod = e.ctrlKey || e.metaKey, name = (mod ? "mod+" : "") + (e.shiftKey && (mod || /^[a-z]$/i.test(e.key)) ? "shift+" : "") + (e.key === " " ? "space" : e.key.length === 1 ? e.key.toLowerCase() : e.key);
    const action = actions[name];
    if (!action || (writing && !mod) || (target.closest(".cm-editor") && name !== "mod+s")) return;
    if (target instanceof HTMLButtonElement && (name === "space" || name === "Enter")) return;
    e.preventDefault();
    action();
}
export function playPause(): void {
    if (studio.state?.shown) player.toggle();
    else if (studio.state) studio.ask("play", { on: !studio.state.playing });
}
/** One frame further; back only where frames are cached. */
export function goOn(by: number): void {
    if (studio.state?.shown) step(by);
    else if (by > 0) studio.ask("step");
}
export function toggleGizmos(): void { gizmos.visible = !gizmos.visible; studio.tell(); }
