// Curves over time while the simulation runs.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export interface Curve { name: string; values: (number | null)[]; color?: string }

const palette = ["#f0b35b", "#6cb6ff", "#8ddb8c", "#f47067", "#dcbdfb", "#76e3ea", "#e0c58f", "#ff9bce", "#adbac7"];
export const colourOf = (n: number): string => palette[n % palette.length];

export function Chart({ title, unit, times, curves, height = 130, logarithmic = false }: { title: string; unit?: string; times: number[]; curves: Curve[]; height?: number; logarithmic?: boolean }) {
    const place = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null);
    const names = curves.map((c) => c.name).join("\n");
    useEffect(() => {
        const axis = { stroke: "#8b949e", grid: { stroke: "#ffffff12", width: 1 }, ticks: { stroke: "#ffffff20", width: 1 }, font: "11px system-ui" };
        const made = new uPlot({
            width: place.current!.clientWidth || 340, height, legend: { show: false }, cursor: { y: false },
            scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : {} },
            axes: [{ ...axis, size: 26 }, { ...axis, size: 52 }],
            series: [{}, ...curves.map((c, n) => ({ label: c.name, stroke: c.color ?? colourOf(n), width: 1.5, points: { show: false } }))],
        }, [times, ...curves.map((c) => c.values)] as uPlot.AlignedData, place.current!);
        plot.current = made;
        const watch = new ResizeObserver(() => { if (place.current) made.setSize({ width: place.current.clientWidth, height }); });
        watch.observe(place.current!);
        return () => { watch.disconnect(); made.destroy(); };
    }, [names, logarithmic, height]);
    useEffect(() => plot.current?.setData([times, ...curves.map((c) => c.values)] as uPlot.AlignedData));
    return (
        <figure class="chart"><figcaption>{title}{unit ? <span class="dim"> [{unit}]</span> : null}</figcaption><div ref={place} />
            {curves.length > 0 && <div class="keys">{curves.map((c, n) => <span key={c.name}><i style={{ background: c.color ?? colourOf(n) }} />{c.name}</span>)}</div>}</figure>
    );
}
