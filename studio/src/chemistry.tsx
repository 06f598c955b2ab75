// The chemistry: species and reactions as a table and as a graph, a reactor under sliders, control functions, and what is in the whole box.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Chart, colourOf } from "./charts";
import { ProbeCharts } from "./numbers";
import type { Mechanism, Value } from "./protocol";
import { read, short } from "./quantity";
import { studio, useStudio } from "./store";

// ---- the graph

interface Node { name: string; reaction: boolean; x: number; y: number }

/** Species and reactions pushed apart, and pulled together along their arrows and to the middle, until they rest; then fitted into the box. The same picture every time. */
function layout(mechanism: Mechanism, width: number, height: number): { nodes: Node[]; edges: [number, number][] } {
    const species = mechanism.species.map((s) => s.name), count = species.length + mechanism.reactions.length;
    const nodes: Node[] = Array.from({ length: count }, (_, n) => {
        const angle = 2.399963 * n, far = 0.12 + 0.36 * Math.sqrt(n / Math.max(1, count));
        return { name: n < species.length ? species[n] : String(n - species.length + 1), reaction: n >= species.length, x: width * (0.5 + far * Math.cos(angle)), y: height * (0.5 + far * Math.sin(angle)) };
    });
    const edges: [number, number][] = [];
    mechanism.reactions.forEach((reaction, r) => {
        for (const t of reaction.reactants) edges.push([species.indexOf(t.species), species.length + r]);
        for (const t of reaction.products) edges.push([species.length + r, species.indexOf(t.species)]);
    });
    const rest = Math.sqrt((width * height) / count) * 0.55;
    for (let turn = 0; turn < 240; ++turn) {
        const force = nodes.map(() => [0, 0]), heat = 1 - turn / 240;
        for (let a = 0; a < count; ++a)
            for (let b = 0; b < a; ++b) {
                const dx = nodes[a].x - nodes[b].x, dy = nodes[a].y - nodes[b].y, d = Math.max(4, Math.hypot(dx, dy)), push = (rest * rest) / (d * d);
                force[a][0] += push * dx, force[a][1] += push * dy, force[b][0] -= push * dx, force[b][1] -= push * dy;
            }
        for (const [a, b] of edges) {
            const dx = nodes[b].x - nodes[a].x, dy = nodes[b].y - nodes[a].y, d = Math.max(1, Math.hypot(dx, dy)), pull = 0.35 * (d / rest - 0.6);
            force[a][0] += pull * dx, force[a][1] += pull * dy, force[b][0] -= pull * dx, force[b][1] -= pull * dy;
        }
        nodes.forEach((node, n) => {
            force[n][0] += 0.1 * (width / 2 - node.x), force[n][1] += 0.1 * (width / height) * (height / 2 - node.y);
            const size = Math.max(1, Math.hypot(force[n][0], force[n][1])), go = Math.min(size * 0.2, 14 * heat) / size;
            node.x += go * force[n][0], node.y += go * force[n][1];
        });
    }
    const fit = (axis: "x" | "y", room: number, edge: number) => {
        const places = nodes.map((node) => node[axis]), low = Math.min(...places), high = Math.max(...places), scale = Math.min(1.4, (room - 2 * edge) / Math.max(1, high - low));
        for (const node of nodes) node[axis] = room / 2 + scale * (node[axis] - (low + high) / 2);
    };
    fit("x", width, 34), fit("y", height, 16);
    return { nodes, edges };
}

function Graph({ mechanism, lit, light }: { mechanism: Mechanism; lit: number; light: (reaction: number) => void }) {
    const width = 420, height = Math.min(420, 150 + 14 * mechanism.reactions.length);
    const { nodes, edges } = useMemo(() => layout(mechanism, width, height), [mechanism]), first = mechanism.species.length;
    return (
        <svg class="graph" id="reaction-graph" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="species and reactions">
            <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 L8 4 L0 8 Z" fill="#8b949e" /></marker></defs>
            {edges.map(([a, b], n) => {
                const r = (a >= first ? a : b) - first, dx = nodes[b].x - nodes[a].x, dy = nodes[b].y - nodes[a].y, d = Math.max(1, Math.hypot(dx, dy)), short = nodes[b].reaction ? 8 : 15;
                return <line key={n} class={lit === r ? "lit" : lit >= 0 ? "faint" : ""} x1={nodes[a].x} y1={nodes[a].y} x2={nodes[b].x - (short * dx) / d} y2={nodes[b].y - (short * dy) / d} marker-end="url(#tip)" />;
            })}
            {nodes.map((node, n) => node.reaction
                ? <g key={n} class={"reaction" + (lit === n - first ? " lit" : "")} onPointerEnter={() => light(n - first)} onPointerLeave={() => light(-1)}><rect x={node.x - 7} y={node.y - 7} width="14" height="14" rx="3" /><text x={node.x} y={node.y + 3.5}>{node.name}</text><title>{mechanism.reactions[n - first].equation}</title></g>
                : <g key={n} class="species"><rect x={node.x - 6 - 3.4 * node.name.length} y={node.y - 10} width={12 + 6.8 * node.name.length} height="20" rx="10" style={{ stroke: colourOf(n) }} /><text x={node.x} y={node.y + 4}>{node.name}</text></g>)}
        </svg>
    );
}

function Table({ mechanism, lit, light }: { mechanism: Mechanism; lit: number; light: (reaction: number) => void }) {
    return (
        <>
            <table class="reactions" id="reaction-table"><thead><tr><th /><th>reaction</th><th>rate constant</th></tr></thead><tbody>
                {mechanism.reactions.map((r, n) => <tr key={n} class={lit === n ? "lit" : ""} onPointerEnter={() => light(n)} onPointerLeave={() => light(-1)} title={"rate: " + r.rate}><td>{n + 1}</td><td>{r.equation}</td><td>{r.constant}</td></tr>)}</tbody></table>
            <table class="reactions"><thead><tr><th>species</th><th>made of</th><th>g/mol</th></tr></thead><tbody>
                {mechanism.species.map((x) => <tr key={x.name}><td>{x.name}{x.solid ? " (solid)" : ""}</td><td>{x.composition || "invented"}</td><td>{short(1000 * x.molar_mass, 4)}</td></tr>)}</tbody></table>
        </>
    );
}

// ---- the reactor

/** Asks for the newest only: of what comes while one is computed the last one counts. */
class Reactor {
    private busy = false;
    private next: Record<string, unknown> | null = null;
    ask(body: Record<string, unknown>): void { this.next = body; this.flush(); }
    private flush(): void {
        if (this.busy || !this.next) return;
        const body = this.next;
        this.next = null;
        this.busy = true;
        studio.send("react", body).catch((e: Error) => studio.notify(e.message, "error")).finally(() => { this.busy = false; this.flush(); });
    }
}
const reactor = new Reactor();

const map = (value: Value | undefined): { [key: string]: Value } => (value !== null && value !== undefined && typeof value === "object" && !Array.isArray(value) ? value : {});

function delayText(seconds: number): string {
    return seconds < 1e-3 ? `${short(1e6 * seconds, 3)} µs` : seconds < 1 ? `${short(1e3 * seconds, 3)} ms` : `${short(seconds, 3)} s`;
}

/** A slider over powers of ten, or over a range. */
function Knob({ name, unit, value, low, high, logarithmic, put }: { name: string; unit: string; value: number; low: number; high: number; logarithmic?: boolean; put: (v: number) => void }) {
    const to = (v: number) => (logarithmic ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : (v - low) / (high - low)), from = (x: number) => (logarithmic ? low * Math.pow(high / low, x) : low + x * (high - low));
    return <label class="knob"><span>{name}</span><input type="range" min="0" max="1" step="0.002" data-knob={name} aria-label={name} value={Math.max(0, Math.min(1, to(value)))} onInput={(e) => put(Number(from(Number(e.currentTarget.value)).toPrecision(4)))} /><span class="knob-value">{short(value, 4)} {unit}</span></label>;
}

function ReactorPanel({ name, mechanism }: { name: string; mechanism: Mechanism }) {
    const s = useStudio((now) => [now.reaction]), curves = s.reaction?.curves, start = map(curves?.start);
    const [set, setSet] = useState<{ [key: string]: number }>({}), range = useRef<{ [key: string]: number }>({}), mixed = useRef<{ name: string; mixture: string; parts: string[] }>({ name: "", mixture: "", parts: [] });
    useEffect(() => { setSet({}); range.current = {}; mixed.current = { name: "", mixture: "", parts: [] }; studio.reaction = null; reactor.ask({ mechanism: name }); }, [name, mechanism]);
    const filled = (m: string) => Object.entries(map(start[m])).filter(([, v]) => Number(v) > 0);
    // What the mixture began with has a slider, even when it is drawn to nothing.
    const first = ["mole", "mass", "amount"].find((m) => filled(m).length > 0);
    if (first && (mixed.current.name !== name || mixed.current.mixture === "")) mixed.current = { name, mixture: first, parts: filled(first).map(([species]) => species) };
    const mixture = mixed.current.mixture || "amount", parts = mixed.current.name === name ? mixed.current.parts : [];
    const put = (key: string) => (v: number) => {
        const next = { ...set, [key]: v };
        setSet(next);
        reactor.ask({ mechanism: name, set: Object.entries(next).map(([k, x]) => `${k}=${x}`) });
    };
    const now = (key: string, value: Value | undefined) => set[key] ?? read(value, key === "time" ? "s" : key === "temperature" ? "K" : key === "pressure" ? "Pa" : "mol/m^3") ?? 0;
    const held = (key: string, value: number) => { if (value > 0) range.current[key] ??= value; return range.current[key] ?? 1; };
    const time = now("time", start.time), temperature = now("temperature", start.temperature);
    const [per, timeUnit] = time < 1e-3 * 0.999 ? [1e6, "µs"] : time < 1 ? [1e3, "ms"] : [1, "s"], times = curves?.time.map((t) => t * per) ?? [];
    const plainName = (n: string) => n.replace(/^[XYc]_/, "");
    return (
        <>
            <div class="knobs">
                <Knob name="temperature" unit="K" value={temperature} low={280} high={2600} put={put("temperature")} />
                {mechanism.thermo && mixture !== "amount" && <Knob name="pressure" unit="Pa" value={now("pressure", start.pressure)} low={1e4} high={1e7} logarithmic put={put("pressure")} />}
                <Knob name="time" unit="s" value={time} low={held("time", time) / 300} high={held("time", time) * 300} logarithmic put={put("time")} />
                {parts.slice(0, 8).map((species) => { const key = `${mixture}.${species}`, x = now(key, map(start[mixture])[species]); return <Knob key={key} name={species} unit={mixture === "amount" ? "mol/m³" : ""} value={x} low={0} high={3 * held(key, x)} put={put(key)} />; })}
            </div>
            {s.reaction?.error && <p class="warning">{s.reaction.error}</p>}
            {curves && (mechanism.thermo ? <p class="delay" id="ignition-delay">{curves.ignition_delay !== null ? <>ignites after <b>{delayText(curves.ignition_delay)}</b></> : "does not ignite in this time"}</p> : null)}
            {curves && curves.species.length > 0 && <Chart title="species" unit={`${curves.unit.replace("m^3", "m³") || "mole fraction"} over ${timeUnit}`} times={times} curves={curves.species.map((c) => ({ name: plainName(c.name), values: c.values, color: colourOf(mechanism.species.findIndex((x) => x.name === plainName(c.name))) }))} height={150} />}
            {curves && Math.max(...curves.temperature) - Math.min(...curves.temperature) > 1 && <Chart title="temperature" unit={`K over ${timeUnit}`} times={times} curves={[{ name: "T", values: curves.temperature }]} height={110} />}
        </>
    );
}

// ---- control functions, totals

function Functions() {
    const s = useStudio((now) => [now.chemistry]), c = s.chemistry?.curves, [at, setAt] = useState<{ [name: string]: number }>({});
    if (!c) return null;
    const inputs = [...new Set(c.functions.flatMap((f) => f.inputs))].filter((n) => n !== "T" && n !== "t");
    const put = (name: string) => (v: number) => { const next = { ...at, [name]: v }; setAt(next); studio.ask("chemistry", { mechanism: s.chemistry!.of, at: next }); };
    const changing = s.chemistry!.mechanism!.reactions.map((r, n) => ({ name: `k${n + 1}`, values: c.constants[n].map((v) => (v !== null && v > 0 ? v : null)), equation: r.equation })).filter((k) => new Set(k.values).size > 1).slice(0, 12);
    return (
        <>
            {c.functions.length > 0 && <><h3>Control functions</h3><p class="dim">over the temperature, with everything else held at</p>
                <div class="knobs">{inputs.slice(0, 8).map((name) => <Knob key={name} name={name} unit={/^r\d+$/.test(name) ? "mol/(m³ s)" : "mol/m³"} value={at[name] ?? 1} low={0} high={10} put={put(name)} />)}</div></>}
            {c.functions.map((f) => <Chart key={f.key} title={`${f.key} = ${f.text}`} unit={f.unit} times={c.temperature} curves={[{ name: f.key, values: f.values }]} height={110} />)}
            {changing.length > 0 && <Chart title="rate constants over the temperature" times={c.temperature} curves={changing.map((k) => ({ name: k.name, values: k.values }))} height={140} logarithmic />}
        </>
    );
}

/** In the whole box, frame by frame. */
function TotalCharts() {
    const s = useStudio(), rows = s.samples.filter((x) => x.totals), times = rows.map((x) => x.time);
    const names = rows.length > 0 ? Object.keys(rows[rows.length - 1].totals!) : [], species = names.filter((n) => n.startsWith("c_"));
    const heat = rows.map((x) => x.stats.ledger.heat?.reacted ?? x.stats.ledger.heat?.reactions ?? null);
    if (rows.length < 2) return <p class="empty">Play the simulation: totals of the whole box appear here.</p>;
    return (
        <>
            {species.length > 0 && <Chart title="species in the whole box" unit="mol" times={times} curves={species.map((n) => ({ name: n.slice(2), values: rows.map((x) => x.totals![n]?.sum ?? null) }))} />}
            {names.includes("temperature") && <Chart title="hottest place" unit="K" times={times} curves={[{ name: "temperature", values: rows.map((x) => x.totals!.temperature?.most ?? null) }]} height={110} />}
            {heat.some((v) => v !== null) && <Chart title="heat of a frame" times={times} curves={[{ name: "heat", values: heat }]} height={110} />}
            {!species.length && names.includes("density") && <Chart title="smoke in the whole box" times={times} curves={[{ name: "density", values: rows.map((x) => x.totals!.density?.sum ?? null) }]} height={110} />}
        </>
    );
}

export function Chemistry() {
    const s = useStudio((now) => [now.chemistry, now.document, now.probe !== null]), [name, setName] = useState(""), [lit, light] = useState(-1);
    const written = JSON.stringify(s.document?.values.chemistry ?? null);
    useEffect(() => { studio.ask("chemistry", { mechanism: name }); }, [name, written, s.document?.model]);
    const c = s.chemistry;
    if (!c) return <p class="empty">Reading the chemistry…</p>;
    return (
        <div class="pad chemistry">
            <div class="row"><label class="dim">mechanism <select id="mechanism" value={name} onChange={(e) => setName(e.currentTarget.value)}><option value="">the scene's</option>{c.shipped.map((n) => <option key={n} value={n}>{n}</option>)}</select></label></div>
            {c.mechanism === null && <p class="empty">This scene has no chemistry: smoke that only moves and cools. Choose a mechanism above to see how it reacts, or open <b>campfire</b> or <b>hydrogen-jet</b>.</p>}
            {c.mechanism && c.of === name && <>
                <h3>Reactor: a well-stirred parcel of gas</h3><ReactorPanel name={name} mechanism={c.mechanism} />
                <h3>{c.mechanism.name}: {c.mechanism.species.length} species, {c.mechanism.reactions.length} {c.mechanism.reactions.length === 1 ? "reaction" : "reactions"}</h3>
                <Graph mechanism={c.mechanism} lit={lit} light={light} /><Table mechanism={c.mechanism} lit={lit} light={light} />
                <Functions /></>}
            {name === "" && <><h3>In the simulation</h3><TotalCharts /><ProbeCharts /></>}
        </div>
    );
}
