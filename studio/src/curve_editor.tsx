// A curve of keyframes: drag a key, double-click to add one, and take one away with Delete or a right click.
import { useRef, useState } from "preact/hooks";
import { short } from "./quantity";

export interface Key { time: number; value: number }
interface Props { keys: Key[]; smooth: boolean; small?: boolean; onOpen?: () => void; put: (keys: Key[], smooth: boolean) => void }

/** Between two keys as the program goes: straight, or a cubic that is monotone between them and at rest at both ends. */
function valueAt(keys: Key[], smooth: boolean, t: number): number {
    if (t <= keys[0].time) return keys[0].value;
    const last = keys.length - 1;
    if (t >= keys[last].time) return keys[last].value;
    const n = keys.findIndex((k, i) => i < last && t < keys[i + 1].time), a = keys[n], b = keys[n + 1], h = b.time - a.time, x = (t - a.time) / h;
    if (!smooth) return a.value + x * (b.value - a.value);
    const slope = (i: number) => {
        if (i === 0 || i === last) return 0;
        const h0 = keys[i].time - keys[i - 1].time, h1 = keys[i + 1].time - keys[i].time, d0 = (keys[i].value - keys[i - 1].value) / h0, d1 = (keys[i + 1].value - keys[i].value) / h1;
        if (d0 * d1 <= 0) return 0;
        const w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
        return (w0 + w1) / (w0 / d0 + w1 / d1);
    };
    const x2 = x * x, x3 = x2 * x;
    return (2 * x3 - 3 * x2 + 1) * a.value + (x3 - 2 * x2 + x) * h * slope(n) + (3 * x2 - 2 * x3) * b.value + (x3 - x2) * h * slope(n + 1);
}

export function CurveEditor({ keys, smooth, small, onOpen, put }: Props) {
    const width = small ? 110 : 320, height = small ? 24 : 150, edge = small ? 4 : 14;
    const place = useRef<SVGSVGElement>(null), [held, setHeld] = useState<{ index: number; keys: Key[]; box: [number, number, number, number] } | null>(null), [chosen, setChosen] = useState(-1);
    const shown = held?.keys ?? keys, values = shown.map((k) => k.value), spread = Math.max(...values) - Math.min(...values) || Math.abs(values[0]) || 1;
    const [first, last, low, high] = held?.box ?? [Math.min(0, shown[0].time), Math.max(shown[shown.length - 1].time * (small ? 1 : 1.15), 0.1), Math.min(...values) - (small ? 0 : 0.15 * spread), Math.max(...values) + (small ? 0.01 : 0.15) * spread];
    const x = (t: number) => edge + ((width - 2 * edge) * (t - first)) / (last - first), y = (v: number) => height - edge - ((height - 2 * edge) * (v - low)) / (high - low);
    const at = (e: MouseEvent): Key => {
        const box = place.current!.getBoundingClientRect();
        return { time: Math.max(0, first + ((last - first) * (e.clientX - box.left - edge)) / (width - 2 * edge)), value: high - ((high - low) * (e.clientY - box.top - edge)) / (height - 2 * edge) };
    };
    const tidy = (list: Key[]): Key[] => list.map((k) => ({ time: Number(k.time.toPrecision(4)), value: Number(k.value.toPrecision(4)) })).sort((a, b) => a.time - b.time);
    const move = (e: PointerEvent) => {
        if (!held) return;
        const to = at(e), next = held.keys.map((k, n) => (n === held.index ? to : k));
        // A key stays between its neighbours.
        const before = held.keys[held.index - 1]?.time, after = held.keys[held.index + 1]?.time, room = 0.005 * (last - first);
        if (before !== undefined) next[held.index].time = Math.max(next[held.index].time, before + room);
        if (after !== undefined) next[held.index].time = Math.min(next[held.index].time, after - room);
        setHeld({ ...held, keys: next });
        put(tidy(next), smooth);
    };
    const remove = (n: number) => { if (keys.length > 1) { put(keys.filter((_, i) => i !== n), smooth); setChosen(-1); } };
    const line = Array.from({ length: small ? 40 : 120 }, (_, n) => { const t = first + ((last - first) * n) / (small ? 39 : 119); return `${x(t)},${y(valueAt(shown, smooth, t))}`; }).join(" ");
    if (small) return <button class="curve-small" onClick={onOpen} title="keyframes: open to edit them"><svg width={width} height={height}><polyline points={line} />{shown.map((k, n) => <circle key={n} cx={x(k.time)} cy={y(k.value)} r="2.5" />)}</svg></button>;
    const picked = shown[chosen];
    return (
        <div class="curve-editor">
            <svg ref={place} width={width} height={height} onDblClick={(e) => put(tidy([...keys, at(e)]), smooth)} onPointerMove={move} onPointerUp={() => setHeld(null)}>
                <line class="base" x1={edge} x2={width - edge} y1={y(Math.max(low, Math.min(high, 0)))} y2={y(Math.max(low, Math.min(high, 0)))} /><polyline points={line} />
                {shown.map((k, n) => <circle key={n} data-key={n} tabIndex={0} class={n === chosen ? "chosen" : ""} cx={x(k.time)} cy={y(k.value)} r="6" onContextMenu={(e) => { e.preventDefault(); remove(n); }}
                    onPointerDown={(e) => { if (e.button !== 0) return; e.currentTarget.setPointerCapture(e.pointerId); setChosen(n); setHeld({ index: n, keys, box: [first, last, low, high] }); }}
                    onKeyDown={(e) => { if (e.key === "Delete" || e.key === "Backspace") { e.preventDefault(); remove(n); } }} />)}
            </svg>
            <div class="row tight"><span class="dim">{picked ? `${short(picked.time, 3)} s: ${short(picked.value)}` : "double-click adds a key, Delete takes it away"}</span><span class="space" /><label class="check"><input type="checkbox" checked={smooth} onChange={(e) => put(keys, e.currentTarget.checked)} /> smooth</label></div>
        </div>
    );
}
