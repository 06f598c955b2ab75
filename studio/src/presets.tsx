// The gallery: presets as pictures, and the scenes of the folder.
import { useEffect, useRef, useState } from "preact/hooks";
import { studio, useStudio } from "./store";

function cost(seconds: number): string {
    return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A preset's picture; of a sheet of four by two frames one frame, and all of them one after the other under the mouse. */
function Thumb({ name }: { name: string }) {
    const [sheet, setSheet] = useState(false);
    return <img class={sheet ? "frames" : ""} src={`/gallery/${name}.jpg`} alt="" loading="lazy" onLoad={(e) => { const { naturalWidth, naturalHeight } = e.currentTarget; setSheet(Math.abs(naturalWidth / naturalHeight - 8 / 3) < 0.05); }} />;
}

export function Presets({ close }: { close: () => void }) {
    const s = useStudio((now) => [now.presets, now.files, now.document]), [find, setFind] = useState(""), [asking, setAsking] = useState<string | null>(null), box = useRef<HTMLInputElement>(null);
    useEffect(() => box.current?.focus(), []);
    const open = (scene: string, discard = false) => {
        if (s.document?.unsaved && !discard) return setAsking(scene);
        studio.send("open", { scene, discard }).then(close).catch((e: Error) => studio.notify(e.message, "error"));
    };
    const shown = s.presets.filter((p) => (p.name + " " + p.description).toLowerCase().includes(find.toLowerCase()));
    return (
        <div class="sheet" role="dialog" aria-label="scenes" onKeyDown={(e) => e.key === "Escape" && close()}>
            <div class="sheet-head"><h2>Scenes</h2><input ref={box} type="search" placeholder="find" aria-label="find a scene" value={find} onInput={(e) => setFind(e.currentTarget.value)} /><button onClick={close} aria-label="close">×</button></div>
            {asking !== null && (
                <div class="ask"><p><b>{s.document?.name}</b> has changes that are not saved.</p>
                    <button class="good" onClick={() => studio.send("save").then(() => open(asking, true)).catch((e: Error) => studio.notify(e.message, "error"))}>Save, then open {asking}</button>
                    <button onClick={() => open(asking, true)}>Throw them away</button><button onClick={() => setAsking(null)}>Stay here</button></div>)}
            {s.files.length > 0 && <><h3>In this folder</h3><div class="files">{s.files.map((f) => <button key={f} onClick={() => open(f)}>{f}</button>)}</div></>}
            <h3>Presets</h3>
            <div class="cards">
                {shown.map((p) => (
                    <button key={p.name} class="card" data-preset={p.name} onClick={() => open(p.name)}>
                        <span class="thumb">{p.picture ? <Thumb name={p.name} /> : <i class="dim">no picture</i>}</span>
                        <b>{p.name}</b><span>{p.description}</span><span class="dim">about {cost(p.seconds)} in full on two cores</span>
                    </button>))}
                {shown.length === 0 && <p class="empty">No preset is called that.</p>}
            </div>
        </div>
    );
}
