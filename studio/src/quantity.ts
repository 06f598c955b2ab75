// Numbers with units, as scenes write them: "20 cm", "1200 K", "15 deg".

const metric: { [unit: string]: { [written: string]: number } } = {
    m: { m: 1, cm: 0.01, mm: 0.001, km: 1000 },
    s: { s: 1, ms: 0.001, min: 60 },
    "m/s": { "m/s": 1, "cm/s": 0.01, "km/h": 1 / 3.6 },
    mol: { mol: 1, mmol: 0.001 },
    deg: { deg: 1, rad: 180 / Math.PI },
    rad: { rad: 1, deg: Math.PI / 180 },
};

export interface Quantity { value: number; unit: string }

/** A number, and what stands behind it. */
export function split(text: string): Quantity | null {
    const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$/.exec(text);
    return found ? { value: Number(found[1]), unit: found[2] } : null;
}

/** In the unit of the key; null if it is something else than a number. */
export function read(text: unknown, unit: string): number | null {
    if (typeof text !== "string") return null;
    const found = split(text);
    if (!found) return null;
    if (!found.unit || found.unit === unit) return found.value;
    const factor = metric[unit]?.[found.unit];
    return factor === undefined ? null : found.value * factor;
}

export function short(value: number, digits = 4): string {
    if (value === 0) return "0";
    const size = Math.abs(value);
    return size >= 1e5 || size < 1e-3 ? Number(value.toPrecision(digits)).toExponential().replace("e+", "e") : String(Number(value.toPrecision(digits)));
}

/** As the scene wrote it before: in its unit if it had one. Angles always need theirs. */
export function write(value: number, unit: string, before: string | undefined): string {
    const old = before ? split(before) : null;
    const factor = old?.unit ? metric[unit]?.[old.unit] : undefined;
    if (factor !== undefined) return `${short(value / factor)} ${old!.unit}`;
    const needs = unit === "deg" || unit === "rad" || (old ? old.unit !== "" : unit !== "");
    return needs && unit ? `${short(value)} ${unit}` : short(value);
}

const fields: { [name: string]: [string, string] } = { temperature: ["temperature", "K"], velocity: ["velocity", "m/s"], heat_release: ["heat release", "W/m³"], heating: ["heating by reactions", "K/s"] };
/** How people call a field that is read at a point, and its unit. */
export const nameOf = (field: string): string => fields[field]?.[0] ?? field;
export const unitOf = (field: string): string => fields[field]?.[1] ?? (field.startsWith("c_") ? "mol/m³" : "");

/** As it is printed: m/(s² K). */
export const shownUnit = (unit: string): string => unit.replace(/\^(\d)/g, (_, digit: string) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);

/** From where to where a slider goes. */
export function sliderRange(value: number, standard: number, form: { min?: number; max?: number; above?: number; unit?: string }): [number, number] {
    const low = form.min ?? form.above, high = form.max;
    const most = Math.max(Math.abs(value), Math.abs(standard), 1e-9);
    if (low !== undefined && high !== undefined && high - low <= 1000 * most) return [low, high];
    if (form.unit === "deg") return [-180, 180];
    const size = most < 1e-8 ? 1 : nice(3 * most);
    return [low !== undefined && low > -size ? low : -size, high !== undefined && high < size ? high : size];
}

function nice(value: number): number {
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    for (const step of [1, 2, 3, 5, 10]) if (step * power >= value * 0.999) return step * power;
    return value;
}
