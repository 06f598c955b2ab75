// Settings as forms, made from the same tables that read the scene: sliders that act at once, and a mark that says what a change will cost.
import { useMemo, useRef, useState } from "preact/hooks";
import { parse as parseYaml } from "yaml";
import type { Form, Member, Value } from "./protocol";
import { read, short, shownUnit, sliderRange, write } from "./quantity";
import { pathName, studio, useStudio } from "./store";
import { type Step, textAt, withItem, withoutItem } from "./yamltext";
import { CurveEditor } from "./curve_editor";
import { Icon } from "./icons";

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
            <label for={"k-" + full}>{name.split("_").map((word, n) => <>{n > 0 && <>_<wbr /></>}{word}</>)}</label>
            <div class="control">{keyframes ? <Keyframes path={path} value={value} form={form} /> : <Control name={name} path={path} form={form} value={value} standard={standard} />}</div>
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
            <span class="unit">{shownUnit(unit)}</span>
            {form.animated && shown !== null && <button class="animate" onClick={() => studio.set(path, `{keys: [[0 s, ${write(shown, unit, undefined)}], [1 s, ${write(shown, unit, undefined)}]], interpolation: smooth}`)} title="let it change with time" aria-label={`${full}: keyframes`}>◇</button>}
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
            <span class="unit">{shownUnit(unit)}</span>
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

/** A value over time: its keys as they are edited. */
function Keyframes({ path, value, form }: { path: Step[]; value: Value; form: Form }) {
    const [open, setOpen] = useState(false), held = value as { keys?: Value; interpolation?: Value };
    const list = Array.isArray(value) ? value : ((held.keys as Value[] | undefined) ?? []), smooth = !Array.isArray(value) && held.interpolation === "smooth";
    const keys = list.map((key) => {
        const pair = Array.isArray(key) ? key : [(key as { [k: string]: Value }).time, (key as { [k: string]: Value }).value];
        return { time: read(pair[0], "s"), value: Array.isArray(pair[1]) ? pair[1].map((c) => read(c, form.unit ?? "")) : read(pair[1], form.unit ?? "") };
    });
    const scalar = keys.filter((k): k is { time: number; value: number } => k.time !== null && typeof k.value === "number");
    const plain = scalar.length === keys.length && keys.length > 0;
    if (!plain) return <><span class="unit wide">{keys.length} keys</span><TextControl name="" path={path} form={form} value={value} /></>;
    const put = (next: { time: number; value: number }[], soft: boolean) => studio.set(path, `{keys: [${next.map((k) => `[${short(k.time)} s, ${write(k.value, form.unit ?? "", undefined)}]`).join(", ")}], interpolation: ${soft ? "smooth" : "linear"}}`);
    return (
        <span class="curve"><CurveEditor keys={scalar} smooth={smooth} small onOpen={() => setOpen(!open)} put={put} />
            <button onClick={() => studio.set(path, write(scalar[0].value, form.unit ?? "", undefined))} title="make it one value again">hold</button>
            {open && <div class="curve-pop" role="dialog" aria-label={`keys of ${pathName(path)}`}><div class="reading-head"><b>{pathName(path)}</b><span class="dim">{form.unit}</span><span class="space" /><button onClick={() => setOpen(false)} aria-label="close">×</button></div>
                <CurveEditor keys={scalar} smooth={smooth} put={put} /></div>}</span>
    );
}

/** What a new item of a list begins with: what it must have, and a place where it is seen. */
function newItem(form: Form, name: string): string {
    const members = form.item?.members ?? [], parts: string[] = [];
    const frame = studio.frame, middle = frame ? [0, 1].map((axis) => (frame.low[axis] + frame.high[axis]) / 2).concat(frame.low[2] + 0.2 * (frame.high[2] - frame.low[2])) : [0, 0, 0.3];
    const size = frame ? 0.08 * Math.max(...frame.high.map((v, axis) => v - frame.low[axis])) : 0.1;
    for (const m of members) {
        if (m.name === "name") parts.push(`name: ${name}`);
        else if (m.name === "position") parts.push(`position: [${middle.map((v) => short(v, 3)).join(", ")}]`);
        else if (m.name === "shape" && m.form.options?.some((o) => o.name === "sphere")) parts.push(m.form.options.find((o) => o.name === "sphere")!.form?.members?.some((x) => x.name === "radius") ? `shape: {sphere: {radius: ${short(size, 2)}}}` : "shape: sphere");
        else if (m.name === "density" && m.form.kind === "number") parts.push("density: 1");
        else if (m.required) parts.push(`${m.name}: ${m.form.kind === "number" ? short(Math.max(m.form.min ?? 1, 1)) : m.form.kind === "choice" ? m.form.options![0].name : '""'}`);
    }
    return `{${parts.join(", ")}}`;
}

/** The items of a list, each with its own keys; more can be added, and any taken away. */
function ListItems({ title, path, form, value, depth, find, all }: GroupProps & { value: Value[] }) {
    const nameOf = (item: Value) => (item !== null && typeof item === "object" && !Array.isArray(item) && typeof item.name === "string" && item.name ? item.name : undefined);
    const names = value.map(nameOf), one = title.replace(/ies$/, "y").replace(/(ch|sh|x)es$/, "$1").replace(/s$/, "");
    const fresh = (base: string) => { for (let n = 1; ; ++n) if (!names.includes(`${base}-${n}`)) return `${base}-${n}`; };
    const table = form.item?.kind === "table";
    const edit = (make: () => string, what: string) => { try { studio.edit(make(), what); } catch (e) { studio.notify((e as Error).message, "error"); } };
    const copy = (index: number) => edit(() => {
        const text = textAt(studio.text, [...path, { index, name: names[index] }]) ?? "{}", item = /^\s*\{/.test(text) ? text.trim().replace(/\s*\n\s*/g, " ") : JSON.stringify(parseYaml(text));
        return withItem(studio.text, path, names[index] ? item.replace(/name"?:\s*"?[^,}"]+"?/, (m) => m.replace(/:.*/s, `: ${fresh(one)}`)) : item);
    }, `${pathName(path)} +`);
    return (
        <>
            {value.length === 0 && <p class="empty">None yet.</p>}
            {value.map((item, index) => (
                <div key={names[index] ?? index} class="list-item">
                    <div class="item-tools">
                        <button onClick={() => copy(index)} title="another one like it" aria-label={`copy ${names[index] ?? index + 1}`}><Icon name="copy" /></button>
                        <button onClick={() => edit(() => withoutItem(studio.text, path, { index, name: names[index] }), `${pathName(path)} -`)} title="take it away" aria-label={`remove ${names[index] ?? index + 1}`}>×</button></div>
                    <Group title={names[index] ?? `${one} ${index + 1}`} path={[...path, { index, name: names[index] }]} form={form.item!} value={item} depth={depth + 1} find={find} all={all} />
                </div>))}
            {table && <button class="add-item" data-add={pathName(path)} onClick={() => edit(() => withItem(studio.text, path, newItem(form, fresh(one))), `${pathName(path)} +`)}>+ {one}</button>}
        </>
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
        if (form.kind === "list" && Array.isArray(value)) return <ListItems title={title} path={path} form={form} value={value} depth={depth} find={find} all={all} />;
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
            {inner.filter((m) => all || find !== "" || values[m.name] !== undefined && values[m.name] !== null && !(Array.isArray(values[m.name]) && (values[m.name] as Value[]).length === 0 && m.name !== "lights")).map((m) => <Group key={m.name} title={m.name} path={[...path, m.name]} form={m.form} value={values[m.name]} depth={depth + 1} find={find} all={all} />)}
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
