// The page's side of the studio: what the server has said, and what is sent to it. Components read it and are told when it changes.
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { ActiveRun, Change, ChemistryMessage, DocumentMessage, Form, Frame, FrameHeader, Job, Ledger, Preset, Probe, ReactionMessage, Run, StateMessage, Stats, Timing, Totals, Vec3 } from "./protocol";
import { unpack } from "./protocol";
import { type Step, withoutValue, withValue } from "./yamltext";

export interface Notice { id: number; text: string; kind: "info" | "error" }
export interface Sample { time: number; stats: Stats; probe?: Probe; totals?: Totals }
interface Edit { text: string; what: string }

/** How long the view says what the last edit has done [ms]. */
export const saidFor = 6000;

export class Studio {
    connected = false;
    presets: Preset[] = [];
    files: string[] = [];
    document: DocumentMessage | null = null;
    state: StateMessage | null = null;
    forms = new Map<string, Form>();
    samples: Sample[] = [];                    // of the frames since the last restart
    secondsPerFrame = 0;
    probe: { position: Vec3; values: Probe } | null = null;
    applied: { changes: Change[]; restarted: boolean; why: string; frame: number; time: number } | null = null;
    appliedAt = 0;                             // [ms]
    notices: Notice[] = [];
    frame: FrameHeader | null = null;
    text = "";                                 // of the editor: the document's, or newer
    runs: Run[] = [];
    active: ActiveRun | null = null;           // the run in the background, or the last one
    timings: { run: string; frames: Timing[] } = { run: "", frames: [] };
    jobs: Job[] = [];
    chemistry: ChemistryMessage | null = null;
    reaction: ReactionMessage | null = null;
    ledger: Ledger = {};                       // since the simulation began
    drawn: ((frame: Frame) => void)[] = [];    // by slot
    private arrived = new Map<string, Uint8Array>();   // meshes of frames that are still to come
    newest: Frame[] = [];                      // for a screen that opens later than its frame comes

    private socket: WebSocket | null = null;
    private listeners = new Set<() => void>();
    private waiting = new Map<number, { resolve: (reply: Record<string, unknown>) => void; reject: (e: Error) => void }>();
    private last = 0;
    private sending = false;
    private next: Edit | null = null;
    private told = false;

    connect(): void {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => { this.connected = true; this.tell(); };
        socket.onclose = () => {
            this.connected = false;
            for (const { reject } of this.waiting.values()) reject(new Error("The connection to the studio is gone."));
            this.waiting.clear();
            this.sending = false;
            this.tell();
            setTimeout(() => this.connect(), 1000);
        };
        socket.onmessage = (event) => (typeof event.data === "string" ? this.heard(JSON.parse(event.data)) : this.saw(event.data as ArrayBuffer));
        this.socket = socket;
    }

    subscribe(listener: () => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
    /** At most once a picture. */
    tell(): void {
        if (this.told) return;
        this.told = true;
        const go = () => { if (!this.told) return; this.told = false; this.listeners.forEach((listener) => listener()); };
        requestAnimationFrame(go);
        setTimeout(go, 100);   // a tab in the background draws nothing
    }

    send(type: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            if (this.socket?.readyState !== WebSocket.OPEN) return reject(new Error("Not connected to the studio."));
            this.waiting.set(id, { resolve, reject });
            this.socket.send(JSON.stringify({ type, id, ...body }));
        });
    }
    /** The same, telling the user if it fails. */
    ask(type: string, body: Record<string, unknown> = {}): void {
        this.send(type, body).catch((e: Error) => this.notify(e.message, "error"));
    }
    notify(text: string, kind: "info" | "error" = "info"): void {
        const id = ++this.last;
        this.notices = [...this.notices.slice(-3), { id, text, kind }];
        setTimeout(() => { this.notices = this.notices.filter((n) => n.id !== id); this.tell(); }, kind === "error" ? 12000 : 7000);
        this.tell();
    }

    // ---- the scene's text

    /** `what` names what is changed, so that one drag is one step of undo. */
    edit(text: string, what: string): void {
        if (text === this.text && !this.next) return;
        this.text = text;
        this.next = { text, what };
        this.flush();
        this.tell();
    }
    set(path: Step[], value: string): void {
        try { this.edit(withValue(this.text, path, value), pathName(path)); } catch (e) { this.notify((e as Error).message, "error"); }
    }
    unset(path: Step[]): void {
        try { this.edit(withoutValue(this.text, path), pathName(path)); } catch (e) { this.notify((e as Error).message, "error"); }
    }
    /** One edit is on its way at a time; of those that come meanwhile the last one counts. */
    private flush(): void {
        if (this.sending || !this.next || !this.document) return;
        const { text, what } = this.next;
        this.next = null;
        this.sending = true;
        this.send("edit", { text, what, version: this.document.version }).catch((e: Error) => this.notify(e.message, "error")).finally(() => { this.sending = false; this.flush(); });
    }

    // ---- what comes

    private heard(message: Record<string, unknown> & { type: string }): void {
        switch (message.type) {
            case "welcome": this.presets = message.presets as Preset[]; this.files = message.files as string[]; break;
            case "document": {
                this.document = message as unknown as DocumentMessage;
                if (!this.sending && !this.next) this.text = this.document.text;
                if (!this.forms.has(this.document.model)) this.ask("form", { model: this.document.model });
                break;
            }
            case "form": this.forms = new Map(this.forms).set(message.model as string, message.form as Form); break;
            case "state": this.state = message as unknown as StateMessage; break;
            case "stats": {
                const stats = message.stats as Stats, before = this.samples[this.samples.length - 1];
                if (before && stats.frame <= before.stats.frame) this.samples = [];
                this.samples.push({ time: stats.time, stats, probe: message.probe as Probe | undefined });
                this.ledger = message.ledger as Ledger;
                if (this.samples.length > 2000) this.samples.shift();
                this.secondsPerFrame = message.seconds_per_frame as number;
                if (this.probe && message.probe) this.probe = { ...this.probe, values: message.probe as Probe };
                break;
            }
            case "probe": if (this.probe) this.probe = { ...this.probe, values: message.values as Probe }; break;
            case "applied":
                this.applied = message as unknown as NonNullable<Studio["applied"]>;
                this.appliedAt = performance.now();
                setTimeout(() => this.tell(), saidFor + 50);
                if (this.applied.restarted && this.applied.why) this.notify("Begun anew: " + this.applied.why);
                break;
            case "runs": this.runs = message.runs as Run[]; this.active = message.active as ActiveRun | null; break;
            case "jobs": this.jobs = message.jobs as Job[]; break;
            case "timings": {
                const run = message.run as string, frames = message.frames as Timing[];
                this.timings = { run, frames: this.timings.run === run && frames.length > 0 && frames[0].frame > 1 ? [...this.timings.frames.filter((t) => t.frame < frames[0].frame), ...frames] : this.timings.run === run && frames.length === 0 ? this.timings.frames : frames };
                break;
            }
            case "chemistry": this.chemistry = message as unknown as ChemistryMessage; break;
            case "reaction": this.reaction = message as unknown as ReactionMessage; break;
            case "notice": this.notify(message.message as string); break;
            case "done": case "error": {
                const waits = this.waiting.get(message.id as number);
                this.waiting.delete(message.id as number);
                if (message.type === "done") waits?.resolve(message);
                else if (waits) waits.reject(new Error(message.message as string));
                break;
            }
        }
        this.tell();
    }
    private saw(buffer: ArrayBuffer): void {
        const began = performance.now(), { kind, header, bytes } = unpack(buffer);
        if (kind === "PHLM") this.arrived.set((header as { mesh: string }).mesh, bytes);
        if (kind === "PHLF") {
            const frame = header as FrameHeader, slot = frame.slot ?? 0, meshes = new Map<string, Uint8Array>();
            for (const { mesh } of frame.surfaces) {
                const found = meshes.get(mesh) ?? this.arrived.get(mesh) ?? this.newest[slot]?.meshes.get(mesh);
                if (found) meshes.set(mesh, found);
                this.arrived.delete(mesh);
            }
            frame.surfaces = frame.surfaces.filter((surface) => meshes.has(surface.mesh));
            if (slot === 0) this.frame = frame;
            this.newest[slot] = { header: frame, bytes, meshes, unpackMs: performance.now() - began };
            const sample = frame.source === "live" ? this.samples.slice(-40).find((x) => x.stats.frame === frame.frame) : undefined;
            if (sample) sample.totals = frame.totals;
            if (this.drawn[slot]) this.drawn[slot](this.newest[slot]);
            else this.acknowledge(slot);
            this.tell();
        }
    }
    /** The last frame is drawn: another may come. */
    acknowledge(slot: number): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(`{"type":"ack","slot":${slot}}`);
    }
    pick(position: Vec3 | null): void {
        this.probe = position ? { position, values: {} } : null;
        this.ask("probe", { position });
        this.tell();
    }
}

export const pathName = (path: Step[]): string => path.map((step) => (typeof step === "string" ? step : (step.name ?? String(step.index)))).join(".");

export const studio = new Studio();

/** Draws the component again whenever something has changed; with `select` only when what that gives has. */
export function useStudio(select?: (s: Studio) => unknown[]): Studio {
    const [, again] = useReducer((n: number) => n + 1, 0), last = useRef<unknown[]>([]);
    if (select) last.current = select(studio);
    useEffect(() => studio.subscribe(() => {
        if (!select || select(studio).some((value, n) => value !== last.current[n])) again(0);
    }), []);
    return studio;
}
