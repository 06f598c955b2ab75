// Settings as forms, made from the same tables that read the scene: sliders that act at once, and a mark that says what a change will cost.
import { useMemo, useRef, useState } from "preact/hooks";
import type { Form, Member, Value } from "./protocol";
import { read, short, sliderRange, write } from "./quantity";
import { pathName, studio, useStudio } from "./store";
import { type Step, textAt } from "./yamltext";

/** Keys that a running simulation cannot take over: it begins anew. */
const beginsAnew = /^domain\.(size|origin|resolution)/;

export function costOf(path: string, form: Form): "live" | "picture" | "anew" | "none" {
    if (form.affects === "nothing") return "none";
    if (form.affects === "picture") return "picture";
    return beginsAnew.test(path) ? "anew" : "live";
}
const costText = {
    live: "live: acts at once on the running simulation; cached frames from here on are out of date",
    picture: "picture: acts at once on what is seen; nothing has to be simulated again",
    anew: "simulation: the simulation begins anew",
    none: "a name: nothing has to be done again",
};

function Cost({ path, form }: { path: string; form: Form }) {
    const cost = costOf(path, form);
    return <span class={"cost " + cost} title={costText[cost]} aria-label={costText[cost]} />;
}

const asText = (value: Value | undefined): string =>
    value === undefined || value === null ? "" : typeof value === "string" ? value : Array.isArray(value) ? `[${value.map(asText).join(", ")}]` : `{${Object.entries(value).map(([k, v]) => `${k}: ${asText(v)}`).join(", ")}}`;

interface FieldProps { name: string; path: Step[]; form: Form; value: Value | undefined; standard?: string }

/** One row: mark, name, control. */
function Field({ name, path, form, value, standard }: FieldProps) {
    const full = pathName(path), keyframes = form.animated && value !== null && typeof value === "object" && !(Array.isArray(value) && form.kind === "vector" && value.every((v) => typeof v === "string"));
    const changed = standard !== undefined && asText(value) !== standard;
    return (
        <div class={"field" + (changed ? " changed" : "")} data-path={full} title={form.help}>
            <Cost path={full} form={form} />
            <label for={"k-" + full}>{name}</label>
            <div class="control">{keyframes ? <Keyframes path={path} value={value} /> : <Control name={name} path={path} form={form} value={value} standard={standard} />}</div>
            {changed ? <button class="reset" onClick={() => studio.unset(path)} title={`back to the default: ${standard}`} aria-label={`${name}: back to the default`}>↺</button> : <span class="reset" />}
        </div>
    );
}

function Control(props: FieldProps) {
    const { path, form, value } = props, full = pathName(path);
    switch (form.kind) {
        case "number": case "integer": return <NumberControl {...props} />;
        case "boolean": return <input id={"k-" + full} type="checkbox" checked={value === "true"} onChange={(e) => studio.set(path, String(e.currentTarget.checked))} />;
        case "choice": return (
            <select id={"k-" + full} value={asText(value)} onChange={(e) => studio.set(path, e.currentTarget.value)}>
                {form.options!.map((o) => <option key={o.name} value={o.name} title={o.help}>{o.name}</option>)}
            </select>);
        case "vector": return <VectorControl {...props} />;
        case "colour": return <ColourControl {...props} />;
        default: return <TextControl {...props} />;
    }
}

/** A box whose text is the user's while it is written, and counts when it is done. */
function Typed({ value, done, ...rest }: { value: string; done: (text: string) => void; id?: string; class?: string; "aria-label"?: string }) {
    const [draft, setDraft] = useState<string | null>(null);
    const finish = () => { if (draft !== null && draft !== value) done(draft); setDraft(null); };
    return <input type="text" {...rest} value={draft ?? value} onInput={(e) => setDraft(e.currentTarget.value)} onBlur={finish}
        onKeyDown={(e) => { if (e.key === "Enter") finish(); else if (e.key === "Escape") setDraft(null); }} />;
}

function NumberControl({ path, form, value, standard }: FieldProps) {
    const full = pathName(path), unit = form.unit ?? "", now = read(value, unit), normal = read(standard, unit) ?? 0;
    const [held, setHeld] = useState<{ range: [number, number]; value: number } | null>(null);
    const fresh = useMemo(() => sliderRange(now ?? normal, normal, form), [now, normal]);
    const [low, high] = held?.range ?? fresh, shown = held?.value ?? now;
    const put = (v: number) => {
        const rounded = form.kind === "integer" ? Math.round(v) : v;
        studio.set(path, form.kind === "integer" ? String(rounded) : write(rounded, unit, textAt(studio.text, path)));
    };
    const logarithmic = low >= 0 && high > 0 && form.max === undefined && form.kind === "number";
    const toSlider = (v: number) => (logarithmic ? Math.sqrt(Math.max(0, (v - low) / (high - low))) : (v - low) / (high - low));
    const fromSlider = (x: number) => low + (high - low) * (logarithmic ? x * x : x);
    return (
        <>
            <input class="slider" type="range" min="0" max="1" step="0.001" aria-label={full} value={shown === null ? 0 : toSlider(shown)} disabled={shown === null && !form.optional}
                onInput={(e) => { const v = fromSlider(Number(e.currentTarget.value)); setHeld({ range: [low, high], value: v }); put(v); }}
                onChange={() => setHeld(null)} />
            <Typed id={"k-" + full} class="number" value={shown === null ? asText(value) : short(shown)} done={(text) => { const v = read(text, unit); if (v === null) studio.set(path, text); else put(v); }} />
            <span class="unit">{unit}</span>
        </>
    );
}

function VectorControl({ path, form, value, standard }: FieldProps) {
    const unit = form.unit ?? "", parts = Array.isArray(value) ? value : null;
    if (!parts) return <TextControl name="" path={path} form={form} value={value} standard={standard} />;
    const put = (n: number, text: string) => {
        const written = parts.map((part, i) => {
            const v = read(i === n ? text : part, unit);
            return v === null ? (i === n ? text : asText(part)) : write(v, unit, i === n && unit !== "deg" ? text : undefined);
        });
        studio.set(path, `[${written.join(", ")}]`);
    };
    return (
        <>
            {parts.map((part, n) => { const v = read(part, unit); return <Typed key={n} class="number third" aria-label={`${pathName(path)} ${"xyz"[n]}`} value={v === null ? asText(part) : short(v)} done={(text) => put(n, text)} />; })}
            <span class="unit">{unit}</span>
        </>
    );
}

const toByte = (linear: number) => Math.round(255 * Math.max(0, Math.min(1, linear <= 0.0031308 ? 12.92 * linear : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055)));

function ColourControl({ path, value }: FieldProps) {
    const parts = Array.isArray(value) ? value.map((v) => Number(v)) : [0, 0, 0];
    const hex = typeof value === "string" && value.startsWith("#") ? value : "#" + parts.map((v) => toByte(v).toString(16).padStart(2, "0")).join("");
    return <><input type="color" id={"k-" + pathName(path)} value={hex} onInput={(e) => studio.set(path, `"${e.currentTarget.value}"`)} /><span class="unit wide">{parts.map((v) => short(v, 2)).join(", ")}</span></>;
}

function TextControl({ path, value }: FieldProps) {
    return <Typed id={"k-" + pathName(path)} class="text" value={asText(value)} done={(text) => studio.set(path, text)} />;
}

/** A value over time, drawn; its keys are edited in the text. */
function Keyframes({ path, value }: { path: Step[]; value: Value }) {
    const list = Array.isArray(value) ? value : ((value as { keys?: Value }).keys as Value[] | undefined) ?? [];
    const points = list.map((key) => {
        const pair = Array.isArray(key) ? key : [(key as { [k: string]: Value }).time ?? (key as { [k: string]: Value }).frame, (key as { [k: string]: Value }).value];
        const v = Array.isArray(pair[1]) ? Math.hypot(...pair[1].map((c) => Number.parseFloat(asText(c)))) : Number.parseFloat(asText(pair[1]));
        return [Number.parseFloat(asText(pair[0])), v];
    }).filter(([t, v]) => Number.isFinite(t) && Number.isFinite(v));
    if (points.length === 0) return <TextControl name="" path={path} form={{ kind: "text", affects: "nothing" }} value={value} />;
    const low = Math.min(...points.map((p) => p[1])), high = Math.max(...points.map((p) => p[1])), first = points[0][0], last = points[points.length - 1][0];
    const x = (t: number) => 4 + (112 * (t - first)) / Math.max(last - first, 1e-9), y = (v: number) => 22 - (18 * (v - low)) / Math.max(high - low, 1e-9);
    return (
        <span class="curve" title="keyframes; edit them in the text"><svg width="120" height="26"><polyline points={points.map(([t, v]) => `${x(t)},${y(v)}`).join(" ")} />{points.map(([t, v]) => <circle key={t} cx={x(t)} cy={y(v)} r="2.5" />)}</svg>
            <button onClick={() => studio.set(path, short(points[0][1]))} title="make it one value again">hold</button></span>
    );
}

interface GroupProps { title: string; path: Step[]; form: Form; value: Value | undefined; depth: number; find: string; all: boolean; standard?: string }

const holds = (form: Form): boolean => ["table", "list", "variant", "names", "free"].includes(form.kind);

function matches(member: Member, find: string): boolean {
    if (!find) return true;
    if ((member.name + " " + (member.form.help ?? "")).toLowerCase().includes(find)) return true;
    return (member.form.members ?? []).some((inner) => matches(inner, find)) || (member.form.options ?? []).some((o) => (o.form?.members ?? []).some((inner) => matches(inner, find))) ||
        (member.form.item?.members ?? []).some((inner) => matches(inner, find));
}

/** A key that holds others. */
function Group({ title, path, form, value, depth, find, all }: GroupProps) {
    const name = pathName(path);
    const [open, setOpen] = useState(depth === 0 ? firstOpen.has(name) : depth < 2);
    const shown = open || find !== "";
    const inside = () => {
        if (form.kind === "table") return <Members path={path} members={form.members ?? []} value={value} depth={depth} find={find} all={all} />;
        if (form.kind === "list" && Array.isArray(value))
            return value.length === 0 ? <p class="empty">None. Add one in the text.</p> : value.map((item, index) => {
                const named = item !== null && typeof item === "object" && !Array.isArray(item) && typeof item.name === "string" ? item.name : undefined;
                return <Group key={index} title={named ?? `${title} ${index + 1}`} path={[...path, { index, name: named }]} form={form.item!} value={item} depth={depth + 1} find={find} all={all} />;
            });
        if (form.kind === "variant") return <Variant path={path} form={form} value={value} depth={depth} find={find} all={all} />;
        if (form.kind === "names" && value !== null && typeof value === "object" && !Array.isArray(value))
            return Object.entries(value).map(([key, inner]) => <Field key={key} name={key} path={[...path, key]} form={{ ...form.item!, affects: form.affects }} value={inner} />);
        return <p class="empty">{asText(value) || "nothing"} <span class="hint">(edit it in the text)</span></p>;
    };
    const item = title !== "" && (
        <button class="group-head" aria-expanded={shown} onClick={() => setOpen(!open)} title={form.help}>
            <span class="arrow">{shown ? "▾" : "▸"}</span>{title}{!shown && <span class="hint">{form.kind === "list" && Array.isArray(value) ? `${value.length}` : ""}</span>}
        </button>);
    return <section class={"group depth-" + Math.min(depth, 3)} data-group={name}>{item}{shown && <div class="group-body">{inside()}</div>}</section>;
}
const firstOpen = new Set(["gas", "torch", "torches", "vortex", "liquid", "emitters", "render"]);

function Members({ path, members, value, depth, find, all }: { path: Step[]; members: Member[]; value: Value | undefined; depth: number; find: string; all: boolean }) {
    const values = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
    const rows = members.filter((m) => !m.input && matches(m, find) && m.name !== "checksum");
    const simple = rows.filter((m) => !holds(m.form)), inner = rows.filter((m) => holds(m.form));
    const used = (m: Member) => all || find !== "" || depth > 1 || m.required || (m.default !== undefined ? asText(values[m.name]) !== m.default : values[m.name] !== undefined) || usual.has(m.name);
    const rest = simple.filter((m) => !used(m)).length;
    const [more, setMore] = useState(false);
    return (
        <>
            {simple.filter((m) => more || used(m)).map((m) => <Field key={m.name} name={m.name} path={[...path, m.name]} form={m.form} value={values[m.name]} standard={m.default} />)}
            {rest > 0 && <button class="more" onClick={() => setMore(!more)}>{more ? "fewer" : `${rest} more at their defaults`}</button>}
            {inner.filter((m) => all || find !== "" || values[m.name] !== undefined && values[m.name] !== null).map((m) => <Group key={m.name} title={m.name} path={[...path, m.name]} form={m.form} value={values[m.name]} depth={depth + 1} find={find} all={all} />)}
        </>
    );
}
/** Always in sight: what is turned most often. */
const usual = new Set(["vorticity", "cooling", "dissolve", "density", "temperature", "velocity", "resolution", "size", "frames", "fps", "exposure", "position", "brightness", "extinction", "strength", "viscosity"]);

function Variant({ path, form, value, depth, find, all }: { path: Step[]; form: Form; value: Value | undefined; depth: number; find: string; all: boolean }) {
    const word = typeof value === "string" ? value : value !== null && typeof value === "object" && !Array.isArray(value) ? (Object.keys(value)[0] ?? "") : "";
    const option = form.options?.find((o) => o.name === word);
    const inner = value !== null && typeof value === "object" && !Array.isArray(value) ? value[word] : undefined;
    const choose = (name: string) => {
        const next = form.options!.find((o) => o.name === name)!;
        studio.set(path, next.form ? `{${name}: {}}` : name);
    };
    return (
        <>
            <div class="field"><Cost path={pathName(path)} form={form} /><label>kind</label><div class="control">
                <select value={word} aria-label={pathName(path)} onChange={(e) => choose(e.currentTarget.value)}>{form.options!.map((o) => <option key={o.name} value={o.name} title={o.help}>{o.name}</option>)}</select></div><span class="reset" /></div>
            {option?.form && <Members path={[...path, word]} members={option.form.members ?? []} value={inner} depth={depth + 1} find={find} all={all} />}
        </>
    );
}

export function Settings() {
    const s = useStudio((now) => [now.document, now.forms]);
    const [find, setFind] = useState(""), [all, setAll] = useState(false), box = useRef<HTMLInputElement>(null);
    const form = s.document && s.forms.get(s.document.model);
    if (!s.document || !form) return <p class="empty">Reading the scene…</p>;
    const hidden = new Set(["phlo", "base", "name", "description", "output", "seed"]);
    const order = [s.document.model, "emitters", "torches", "chemistry", "bodies", "render", "domain", "time"];
    const rank = (name: string) => (order.indexOf(name) < 0 ? 50 : order.indexOf(name));
    const sections = form.members!.filter((m) => all || find ? matches(m, find) : !hidden.has(m.name)).sort((a, b) => rank(a.name) - rank(b.name));
    return (
        <div class="settings">
            <div class="tools">
                <input ref={box} type="search" placeholder="find a setting" aria-label="find a setting" value={find} onInput={(e) => setFind(e.currentTarget.value.toLowerCase())} />
                <label class="check"><input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> all keys</label>
            </div>
            <div class="legend"><span class="cost live" /> live <span class="cost picture" /> picture only <span class="cost anew" /> begins anew</div>
            {s.document.problems.length > 0 && <p class="warning">The text has {s.document.problems.length === 1 ? "a problem" : `${s.document.problems.length} problems`}; the forms show the last scene that was right.</p>}
            {sections.map((m) => holds(m.form)
                ? <Group key={m.name} title={m.name} path={[m.name]} form={m.form} value={s.document!.values[m.name]} depth={0} find={find} all={all} />
                : <Field key={m.name} name={m.name} path={[m.name]} form={m.form} value={s.document!.values[m.name]} standard={m.default} />)}
        </div>
    );
}
