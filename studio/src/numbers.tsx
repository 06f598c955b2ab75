// What the simulation says of itself: where the time goes, what is in the box, what the ledger counts.
import { nameOf, short, unitOf } from "./quantity";
import { Chart, colourOf } from "./charts";
import { useEffect } from "preact/hooks";
import { studio, useStudio } from "./store";

/** Where the time of a run in the background goes, frame by frame, and what it waits for most. */
function RunTimings() {
    const s = useStudio(), run = s.active?.running ? s.active.name : (s.state?.shown?.run ?? ""), done = s.active?.name === run ? s.active.done : 0;
    useEffect(() => { if (run) studio.ask("timings", { run, after: s.timings.run === run ? (s.timings.frames[s.timings.frames.length - 1]?.frame ?? 0) : 0 }); }, [run, Math.floor(done / 4), s.active?.running]);
    const frames = s.timings.run === run ? s.timings.frames : [];
    if (!run || frames.length < 2) return null;
    const sums = new Map<string, number>();
    for (const f of frames) for (const [name, v] of Object.entries(f.seconds)) sums.set(name, (sums.get(name) ?? 0) + v);
    const order = [...sums].sort((a, b) => b[1] - a[1]), total = order.reduce((sum, [, v]) => sum + v, 0);
    return (
        <>
            <h3>The run {run}</h3>
            <p class="dim" id="bottleneck">{short(total / frames.length, 3)} s a frame over {frames.length} frames; bottleneck: <b>{order[0][0]}</b>, {Math.round((100 * order[0][1]) / total)} % of the time</p>
            <Chart title="seconds of each stage" unit="s, by frame" times={frames.map((f) => f.frame)} curves={order.slice(0, 8).map(([name]) => ({ name, values: frames.map((f) => f.seconds[name] ?? 0) }))} height={150} />
        </>
    );
}

export function Numbers() {
    const s = useStudio(), last = s.samples[s.samples.length - 1];
    if (!last) return <div class="numbers"><RunTimings /><p class="empty">Press play: the figures of each frame appear here.</p></div>;
    const stages = Object.entries(last.stats.seconds).sort((a, b) => b[1] - a[1]), total = stages.reduce((sum, [, v]) => sum + v, 0);
    const times = s.samples.map((x) => x.time), quantities = Object.keys(s.ledger);
    return (
        <div class="numbers">
            <RunTimings />
            <h3>The live view: where the time goes</h3>
            <p class="dim">{(1000 * total).toFixed(0)} ms a frame, {last.stats.substeps} {last.stats.substeps === 1 ? "sub-step" : "sub-steps"}; most of it: <b>{stages[0]?.[0]}</b></p>
            <div class="stages">{stages.map(([name, v], n) => <div key={name} class="stage"><span>{name}</span><span class="stage-bar"><i style={{ width: `${(100 * v) / Math.max(total, 1e-9)}%`, background: colourOf(n) }} /></span><span>{(1000 * v).toFixed(1)} ms</span></div>)}</div>
            {Object.keys(last.stats.particles).length > 0 && <Chart title="particles" times={times} curves={Object.keys(last.stats.particles).map((name) => ({ name, values: s.samples.map((x) => x.stats.particles[name] ?? null) }))} />}
            {quantities.length > 0 && <h3>Ledger since the beginning: what came in, what left</h3>}
            <table class="ledger"><tbody>{quantities.map((q) => <tr key={q}><th>{q}</th><td>{Object.entries(s.ledger[q]).map(([name, v]) => <span key={name}>{name} <b>{short(v, 4)}</b></span>)}</td></tr>)}</tbody></table>
            {s.probe && <ProbeCharts />}
        </div>
    );
}

/** Curves at the picked point. */
export function ProbeCharts() {
    const s = useStudio();
    if (!s.probe) return <p class="empty">Click into the view to pick a point; its curves appear here.</p>;
    const rows = s.samples.filter((x) => x.probe), times = rows.map((x) => x.time);
    const names = [...new Set(rows.flatMap((x) => Object.keys(x.probe!)))].filter((n) => n !== "velocity");
    const species = names.filter((n) => n.startsWith("c_")), others = names.filter((n) => !n.startsWith("c_"));
    const column = (name: string) => rows.map((x) => (typeof x.probe![name] === "number" ? (x.probe![name] as number) : null));
    return (
        <>
            <h3>At the picked point</h3>
            {rows.length < 2 && <p class="empty">Waiting for frames…</p>}
            {species.length > 0 && <Chart title="species" unit="mol/m³" times={times} curves={species.map((n) => ({ name: n.slice(2), values: column(n) }))} />}
            {others.map((n) => <Chart key={n} title={nameOf(n)} unit={unitOf(n) || undefined} times={times} curves={[{ name: nameOf(n), values: column(n) }]} />)}
        </>
    );
}
