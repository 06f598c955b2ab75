// The whole page.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Editor } from "./editor";
import { Settings } from "./form";
import { Icon } from "./icons";
import { Numbers } from "./numbers";
import { Presets } from "./presets";
import { studio, useStudio } from "./store";
import { Chemistry } from "./chemistry";
import { Pictures } from "./pictures";
import { simulate, Timeline } from "./timeline";
import { goOn, playPause, shortcut, toggleGizmos, Transport } from "./transport";
import { keepCamera, ownCamera, redraw, renderer, View } from "./view";

const tabs = [["settings", "Settings"], ["text", "Text"], ["chemistry", "Chemistry"], ["pictures", "Pictures"], ["numbers", "Numbers"]] as const;
type Tab = (typeof tabs)[number][0];

const keys: [string, string][] = [
    ["space", "play or pause"], ["← →", "one frame back, further"], ["R", "begin anew"], ["Shift+R", "simulate in the background"], ["P", "picture of this frame"], ["C", "back to the scene's camera"], ["Shift+C", "keep this view as the scene's camera"],
    ["G", "handles that move things"], ["B", "show or hide the box"], ["O", "open a scene"], ["1 … 5", "settings, text, chemistry, pictures, numbers"], ["/", "find a setting"], ["Ctrl+S", "save"], ["Ctrl+Z", "undo"], ["Ctrl+Y", "redo"], ["?", "this list"],
    ["drag", "turn the view"], ["Shift+drag, right drag", "slide it"], ["wheel", "nearer, farther"], ["click", "read a point"],
];

function Help({ close }: { close: () => void }) {
    return (
        <div class="sheet small" role="dialog" aria-label="keyboard and mouse">
            <div class="sheet-head"><h2>Keyboard and mouse</h2><button onClick={close} aria-label="close">×</button></div>
            <dl class="keys-list">{keys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
        </div>
    );
}

/** Between the view and the panels: drag it, or move it by the arrow keys; a double click, and it is where it was. */
function Splitter() {
    const width = () => document.querySelector("aside")!.getBoundingClientRect().width;
    const put = (wanted: number) => document.documentElement.style.setProperty("--side", `${Math.round(Math.max(340, Math.min(0.6 * innerWidth, wanted)))}px`);
    return <div class="splitter" role="separator" aria-orientation="vertical" aria-label="width of the panels" tabIndex={0} title="drag: wider or narrower panels" onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)}
        onPointerMove={(e) => { if (e.buttons & 1) put(innerWidth - e.clientX); }} onDblClick={() => document.documentElement.style.removeProperty("--side")}
        onKeyDown={(e) => { const by = { ArrowLeft: 40, ArrowRight: -40 }[e.key]; if (by) { put(width() + by); e.preventDefault(); e.stopPropagation(); } }} />;
}

function App() {
    const s = useStudio((now) => [now.document, now.notices, now.jobs]), busy = s.jobs.filter((j) => j.state === "working" || j.state === "waiting").length;
    const [tab, setTab] = useState<Tab>("settings"), [sheet, setSheet] = useState<"" | "presets" | "help">(""), [saveAs, setSaveAs] = useState<string | null>(null);
    const save = (name?: string, overwrite = false) => {
        studio.send("save", { ...(name ? { name } : {}), overwrite }).then(() => { setSaveAs(null); studio.notify(`Saved as ${studio.document?.name}.yaml`); }).catch((e: Error) => {
            if (e.message.includes("exists already")) setSaveAs(name ?? studio.document!.name + "-2");
            else studio.notify(e.message, "error");
        });
    };
    const find = () => { setTab("settings"); setTimeout(() => document.querySelector<HTMLInputElement>(".settings input[type=search]")?.focus(), 50); };
    useEffect(() => {
        const press = (e: KeyboardEvent) => shortcut(e, {
            space: playPause, ArrowRight: () => goOn(1), ArrowLeft: () => goOn(-1), "shift+r": () => simulate(), g: toggleGizmos, "shift+c": keepCamera,
            p: () => { setTab("pictures"); studio.ask("picture", { quality: "good" }); }, r: () => studio.ask("restart"), o: () => setSheet("presets"), "?": () => setSheet("help"), Escape: () => setSheet(""),
            c: ownCamera, b: () => { if (renderer) renderer.showBox = !renderer.showBox; redraw(); },
            "1": () => setTab("settings"), "2": () => setTab("text"), "3": () => setTab("chemistry"), "4": () => setTab("pictures"), "5": () => setTab("numbers"), "/": find, "mod+s": () => save(), "mod+z": () => studio.ask("undo"), "mod+y": () => studio.ask("redo"), "mod+shift+z": () => studio.ask("redo"),
        });
        window.addEventListener("keydown", press);
        return () => window.removeEventListener("keydown", press);
    }, []);
    const d = s.document, problems = d?.problems.length ?? 0;
    return (
        <div class="app">
            <header>
                <span class="logo">Phlogiston</span>
                <button id="open" onClick={() => setSheet("presets")} title="open a scene (O)">Scenes</button>
                <span class="name" id="scene-name">{d?.name ?? ""}{d?.unsaved ? <span class="unsaved" title="changes that are not saved"> ●</span> : null}</span>
                <button id="undo" disabled={!d?.can_undo} onClick={() => s.ask("undo")} title="undo (Ctrl+Z)" aria-label="undo"><Icon name="undo" /></button>
                <button id="redo" disabled={!d?.can_redo} onClick={() => s.ask("redo")} title="redo (Ctrl+Y)" aria-label="redo"><Icon name="redo" /></button>
                <button id="save" onClick={() => save()} title="save (Ctrl+S)">Save</button>
                <span class="space" />
                <button id="help" onClick={() => setSheet("help")} title="keyboard and mouse (?)" aria-label="help">?</button>
            </header>
            <main><View /><Transport /><Timeline /></main>
            <aside>
                <Splitter />
                <nav role="tablist">{tabs.map(([name, title]) => <button key={name} role="tab" id={"tab-" + name} aria-selected={tab === name} onClick={() => setTab(name)}>{title}{name === "text" && problems > 0 ? <span class="badge">{problems}</span> : null}{name === "pictures" && busy > 0 ? <span class="badge calm">{busy}</span> : null}</button>)}</nav>
                <div class="panel">{tab === "settings" ? <Settings /> : tab === "text" ? <Editor /> : tab === "chemistry" ? <Chemistry /> : tab === "pictures" ? <Pictures /> : <Numbers />}</div>
            </aside>
            {sheet === "presets" && <Presets close={() => setSheet("")} />}
            {sheet === "help" && <Help close={() => setSheet("")} />}
            {saveAs !== null && (
                <div class="sheet small" role="dialog" aria-label="save as"><div class="sheet-head"><h2>This name is taken</h2><button onClick={() => setSaveAs(null)} aria-label="close">×</button></div>
                    <p>Save it under another name, or replace what is there.</p>
                    <div class="row"><input type="text" value={saveAs} aria-label="name" onInput={(e) => setSaveAs(e.currentTarget.value)} /><button class="good" onClick={() => save(saveAs)}>Save</button><button onClick={() => save(d!.name, true)}>Replace {d!.name}.yaml</button></div></div>)}
            <div class="notices" role="status">{s.notices.map((n) => <div key={n.id} class={"notice " + n.kind}>{n.text}</div>)}</div>
        </div>
    );
}

studio.connect();
render(<App />, document.getElementById("app")!);
