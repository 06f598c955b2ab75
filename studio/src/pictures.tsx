// Finished pictures: of the frame that is seen, of a whole run as a movie or a flipbook, and of one key over several values.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Form, Job, Value } from "./protocol";
import { read, short } from "./quantity";
import { studio, useStudio } from "./store";
import { duration } from "./timeline";

const address = (number: number): string => `/made/${number}`;
const isPicture = (name: string): boolean => name.endsWith(".png") && name !== "motion.png";

/** Pictures count in hundredths of a pass. */
const passOf = (job: Job): string => (job.total ? `pass ${Math.min(Math.floor(job.done / 100) + 1, job.total / 100)} of ${job.total / 100}` : "…");

function JobState({ job }: { job: Job }) {
    const share = job.total > 0 ? job.done / job.total : 0;
    if (job.state === "working") return <><span class="progress"><i style={{ width: `${100 * share}%` }} /></span><span class="dim">{job.kind === "picture" ? passOf(job) : `${job.done} of ${job.total || "…"}`}</span></>;
    if (job.state === "done") return <span class="dim">{job.seconds < 10 ? job.seconds.toFixed(1) + " s" : duration(job.seconds)}</span>;
    return <span class={job.state === "failed" ? "bad" : "dim"}>{job.state}{job.error ? ": " + job.error : ""}</span>;
}

/** A picture that is replaced by better ones: each is shown when it is there, never a gap. What is on the shelf may be gone a moment later, so it is kept here. */
function Improving({ number, alt }: { number: number; alt: string }) {
    const [shown, setShown] = useState(""), newest = useRef(0);
    useEffect(() => {
        fetch(address(number)).then((r) => (r.ok ? r.blob() : null)).then((blob) => {
            if (!blob || number < newest.current) return;
            newest.current = number;
            setShown(URL.createObjectURL(blob));
        }).catch(() => {});   // the next one comes
    }, [number]);
    useEffect(() => () => URL.revokeObjectURL(shown), [shown]);
    return shown ? <img src={shown} alt={alt} /> : <span class="wedge-empty">…</span>;
}

/** Small multiples: a click takes the value. */
function WedgeGrid({ job }: { job: Job }) {
    const { path = "", values = [] } = job.about;
    const take = (value: string) => { studio.set(pathSteps(path), value); studio.notify(`${path}: ${value}`); };
    return (
        <div class="wedge-grid">{values.map((value) => {
            const file = job.files.find((f) => f.name === value);
            return <button key={value} class="wedge-cell" disabled={!file} onClick={() => take(value)} title={`take ${value} into the scene`} data-value={value}>
                {file ? <img src={address(file.number)} alt={`${path} = ${value}`} /> : <span class="wedge-empty">…</span>}<span>{value}</span></button>;
        })}</div>
    );
}

function JobCard({ job, open }: { job: Job; open: (job: Job) => void }) {
    const busy = job.state === "working" || job.state === "waiting", picture = job.files.find((f) => isPicture(f.name)), movie = job.files.find((f) => f.name.endsWith(".mp4"));
    return (
        <div class="job" data-job={job.kind} data-state={job.state}>
            <div class="job-head"><b>{job.kind}</b><span class="job-title">{job.title}</span><JobState job={job} />{busy && <button onClick={() => studio.ask("cancel", { job: job.id })} aria-label="stop this job" title="stop">×</button>}</div>
            {job.kind === "wedge" && <WedgeGrid job={job} />}
            {job.kind === "picture" && picture && <button class="shot" onClick={() => open(job)} title="see it large"><Improving number={picture.number} alt={job.title} /></button>}
            {movie && <video src={address(movie.number)} controls loop muted playsInline />}
            {job.kind === "flipbook" && picture && <img class="sheet-picture" src={address(picture.number)} alt={job.title} />}
            {job.kind !== "wedge" && job.state === "done" && <div class="downloads">{job.files.map((f) => <a key={f.number} href={address(f.number)} download={f.name}>{f.name}</a>)}</div>}
        </div>
    );
}

/** The picture as large as the window, and its better passes as they come. */
function Large({ job, close }: { job: Job; close: () => void }) {
    const picture = job.files.find((f) => isPicture(f.name));
    useEffect(() => {
        const press = (e: KeyboardEvent) => e.key === "Escape" && close();
        window.addEventListener("keydown", press);
        return () => window.removeEventListener("keydown", press);
    }, []);
    return <div class="large" role="dialog" aria-label={job.title} onClick={close}>{picture && <Improving number={picture.number} alt={job.title} />}<div class="large-foot">{job.title} <JobState job={job} /></div></div>;
}

/** Numbers that a wedge can go over, by their path. */
function numericKeys(): { path: string; value: number; unit: string }[] {
    const found: { path: string; value: number; unit: string }[] = [], model = studio.document && studio.forms.get(studio.document.model);
    const visit = (form: Form, value: Value | undefined, path: string) => {
        if (value === undefined || value === null) return;
        if (form.kind === "number" || form.kind === "integer") { const v = read(value, form.unit ?? ""); if (v !== null) found.push({ path, value: v, unit: form.unit ?? "" }); }
        else if (form.kind === "table" && typeof value === "object" && !Array.isArray(value)) for (const m of form.members ?? []) visit(m.form, value[m.name], path ? `${path}.${m.name}` : m.name);
        else if (form.kind === "list" && Array.isArray(value) && form.item) value.forEach((item, n) => {
            const name = item !== null && typeof item === "object" && !Array.isArray(item) && typeof item.name === "string" && item.name ? item.name : String(n);
            visit(form.item!, item, `${path}.${name}`);
        });
    };
    if (model && studio.document) visit(model, studio.document.values, "");
    return found.filter((k) => !/^(phlo|seed|time|domain|output)/.test(k.path));
}

/** "emitters.embers.density" as steps, names of items looked up. */
function pathSteps(path: string): (string | { index: number; name?: string })[] {
    const steps: (string | { index: number; name?: string })[] = [];
    let value: Value | undefined = studio.document?.values;
    for (const part of path.split(".")) {
        if (Array.isArray(value)) {
            const list: Value[] = value, index = list.findIndex((item, n) => String(n) === part || (item !== null && typeof item === "object" && !Array.isArray(item) && item.name === part));
            const item: Value | undefined = list[index];
            steps.push({ index, name: item !== null && typeof item === "object" && !Array.isArray(item) && typeof item.name === "string" ? item.name : undefined });
            value = item;
        } else {
            steps.push(part);
            value = value !== null && value !== undefined && typeof value === "object" ? value[part] : undefined;
        }
    }
    return steps;
}

const wedgeOf = (key: { value: number; unit: string }): string => [0.25, 0.5, 1, 2, 4].map((f) => short((key.value || 1) * f, 3) + (key.unit ? ` ${key.unit}` : "")).join(", ");

function WedgeForm() {
    const s = useStudio((now) => [now.document, now.forms]), keys = numericKeys();
    const [path, setPath] = useState(""), [values, setValues] = useState(""), [frame, setFrame] = useState(24);
    const choose = (p: string) => { setPath(p); const key = keys.find((k) => k.path === p); if (key) setValues(wedgeOf(key)); };
    const list = values.split(",").map((v) => v.trim()).filter((v) => v !== "");
    return (
        <form class="order" onSubmit={(e) => { e.preventDefault(); s.ask("wedge", { path, values: list, frame }); }}>
            <label>key <input type="text" id="wedge-path" list="wedge-keys" value={path} placeholder="gas.vorticity" onInput={(e) => choose(e.currentTarget.value)} /></label>
            <datalist id="wedge-keys">{keys.map((k) => <option key={k.path} value={k.path} />)}</datalist>
            <label>values <input type="text" id="wedge-values" value={values} placeholder="1, 2, 4" onInput={(e) => setValues(e.currentTarget.value)} /></label>
            <label>at frame <input type="number" id="wedge-frame" min="1" max="1000" value={frame} onInput={(e) => setFrame(Number(e.currentTarget.value))} /></label>
            <button class="good" id="wedge-go" disabled={!path || list.length === 0} title="simulates each value at the live resolution and shows them beside each other">Try {list.length || ""} values</button>
        </form>
    );
}

export function Pictures() {
    const s = useStudio((now) => [now.jobs, now.state, now.runs, now.document]), [large, setLarge] = useState<number | null>(null);
    const shown = s.state?.shown, run = shown?.run ?? s.runs[s.runs.length - 1]?.name ?? "", seen = s.jobs.find((j) => j.id === large);
    const [scale, setScale] = useState(1), [quality, setQuality] = useState("draft"), [grid, setGrid] = useState(8);
    const own = s.document?.values.render, side = (name: string, normal: number) => { const v = own !== null && typeof own === "object" && !Array.isArray(own) ? read(own?.[name], "") : null; return Math.round((v ?? normal) * scale); };
    const size = { width: side("width", 640), height: side("height", 360) };
    return (
        <div class="pad pictures">
            <h3>This frame{shown ? ` (${shown.run}, ${shown.frame})` : ""}</h3>
            <div class="row">{["draft", "good", "final"].map((q) => <button key={q} id={"picture-" + q} class={q === "good" ? "good" : ""} onClick={() => s.ask("picture", { quality: q, ...size })} title={{ draft: "a second or so", good: "photon maps, several seconds", final: "as the movie is finished, many seconds" }[q]}>{q}</button>)}
                <label class="dim">size <select id="picture-size" value={String(scale)} onChange={(e) => setScale(Number(e.currentTarget.value))}>{[0.5, 1, 2, 3].map((f) => <option key={f} value={String(f)}>{Math.round(size.width / scale * f)} × {Math.round(size.height / scale * f)}</option>)}</select></label></div>
            <h3>A whole run</h3>
            {run === "" ? <p class="empty">Press <b>Simulate</b> below the view first: movies and flipbooks are made of a run's frames.</p> :
                <div class="row"><button id="movie" onClick={() => s.ask("movie", { run, quality, ...size })} title={`all frames of ${run} as images and movie.mp4`}>Movie of {run}</button>
                    <select value={quality} aria-label="quality of the movie" onChange={(e) => setQuality(e.currentTarget.value)}>{["draft", "good", "final"].map((q) => <option key={q}>{q}</option>)}</select>
                    <button id="flipbook" onClick={() => s.ask("flipbook", { run, columns: grid, rows: grid, cell: 128 })} title="a sheet for game engines: colour, motion vectors, six-way light">Flipbook</button>
                    <select value={String(grid)} id="flipbook-grid" aria-label="cells of the flipbook" onChange={(e) => setGrid(Number(e.currentTarget.value))}>{[2, 4, 8].map((n) => <option key={n} value={String(n)}>{n} × {n}</option>)}</select></div>}
            <h3>One key, several values</h3>
            <WedgeForm />
            <h3>Queue</h3>
            {s.jobs.length === 0 && <p class="empty">Nothing yet. Pictures are made here while the simulation goes on.</p>}
            {[...s.jobs].reverse().map((job) => <JobCard key={job.id} job={job} open={(j) => setLarge(j.id)} />)}
            {seen && <Large job={seen} close={() => setLarge(null)} />}
        </div>
    );
}
