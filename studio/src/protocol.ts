// What travels between the page and the server; docs/studio-protocol.md is its description for people.

export type Vec3 = [number, number, number];

export interface Preset { name: string; description: string; seconds: number; picture: boolean }
export interface Problem { line: number; column: number; path: string; message: string }
export interface Change { path: string; before: string; after: string; affects: "nothing" | "picture" | "simulation" }

/** A value as the server writes it: every scalar is a text. */
export type Value = string | null | Value[] | { [key: string]: Value };

export interface DocumentMessage {
    type: "document"; name: string; text: string; version: number; unsaved: boolean; in_file: boolean;
    can_undo: boolean; can_redo: boolean; model: string; values: { [key: string]: Value }; problems: Problem[];
}
export interface StateMessage {
    type: "state"; playing: boolean; loop: boolean; frame: number; first_frame: number; last_frame: number; fps: number;
    resolution: number; own_resolution: number; automatic: boolean; cells: Vec3; full_seconds: number;
    shown: { run: string; other: string; frame: number; changes: Change[] } | null;   // changes: since the run was made
}
export interface Run { name: string; frames: [number, number][]; checkpoints: number[] }
export interface ActiveRun { name: string; running: boolean; first: number; last: number; done: number; replayed: number; seconds_per_frame: number; seconds_left: number; error: string }
export interface Timing { frame: number; seconds: { [stage: string]: number } }
export interface Job {
    id: number; kind: "picture" | "movie" | "flipbook" | "wedge"; title: string; about: { path?: string; values?: string[]; frame?: number };
    state: "waiting" | "working" | "done" | "failed" | "stopped"; done: number; total: number; seconds: number; error: string; files: { name: string; number: number }[];
}
export interface Species { name: string; molar_mass: number; composition: string; solid: boolean }
export interface ReactionTerm { species: string; coefficient: number }
export interface Reaction { equation: string; rate: string; constant: string; reactants: ReactionTerm[]; products: ReactionTerm[]; reversible: boolean }
export interface Mechanism { name: string; thermo: boolean; species: Species[]; reactions: Reaction[] }
export interface ChemistryMessage {
    type: "chemistry"; shipped: string[]; of: string; mechanism: Mechanism | null;
    curves?: { temperature: number[]; functions: { key: string; text: string; unit: string; inputs: string[]; values: (number | null)[] }[]; constants: (number | null)[][] };
}
export interface ReactionMessage {
    type: "reaction"; mechanism: string; error?: string;
    curves: { time: number[]; temperature: number[]; species: { name: string; values: number[] }[]; unit: string; ignition_delay: number | null; start: { [key: string]: Value } } | null;
}
export type Totals = { [volume: string]: { sum: number; most: number } };
export type Ledger = { [quantity: string]: { [entry: string]: number } };
export interface Stats {
    frame: number; time: number; dt: number; substeps: number;
    seconds: { [stage: string]: number };
    particles: { [kind: string]: number };
    ledger: { [quantity: string]: { [entry: string]: number } };
    memory_bytes: number;
}
export type Probe = { [name: string]: number | Vec3 };

export interface Form {
    kind: "number" | "integer" | "boolean" | "text" | "choice" | "vector" | "colour" | "table" | "list" | "variant" | "names" | "free";
    affects: "nothing" | "picture" | "simulation";
    help?: string; unit?: string; min?: number; max?: number; above?: number;
    animated?: boolean; optional?: boolean;
    options?: { name: string; help: string; form?: Form }[];
    item?: Form;
    members?: Member[];
}
export interface Member { name: string; form: Form; required?: boolean; input?: boolean; default?: string }

export interface BrickSet { channels: number; count: number; bricks: number; bytes: number }
export interface VolumeHeader {
    cells: Vec3; origin: Vec3; h: number; most_extinction: number; most_emission: number; albedo: Vec3; anisotropy: number;
    smoke: BrickSet; fire: BrickSet | null;
}
export interface PointsHeader {
    kind: "clouds" | "streaks"; count: number; low: Vec3; size: Vec3; most_radius: number; most_light: number; longest: number; bytes: number;
    ramp?: number[]; halo?: number;
}
export interface SurfaceHeader {
    name: string; mesh: string; material: "diffuse" | "glossy" | "clear" | "cloudy"; color: Vec3; tinted: boolean; emission: Vec3; absorption: Vec3; ior: number; liquid: boolean;
    low: Vec3; size: Vec3; vertices: number; indices: number; vertex_bytes: number; index_bytes: number;
}
export interface CameraHeader { position: Vec3; target: Vec3; fov: number; aspect: number }
export interface LookHeader {
    to_sun: Vec3; sun: Vec3; zenith: Vec3; horizon: Vec3; background: Vec3; sky_visible: boolean;
    ground: { height: number; color: Vec3 } | null; exposure: number; camera: CameraHeader;
}
export interface Lamp { position: Vec3; intensity: Vec3; radius: number }
export interface FrameHeader {
    frame: number; time: number; fps: number; low: Vec3; high: Vec3; boxed: boolean;
    look: LookHeader; lamps: Lamp[]; points: PointsHeader[]; surfaces: SurfaceHeader[]; volume: VolumeHeader | null;
    source: string; version: number; resolution: number; slot?: number; totals?: Totals; encode_seconds: number; step_seconds?: number; snapshot_seconds?: number;
}
/** `meshes` by name: those of the frame's surfaces. */
export interface Frame { header: FrameHeader; bytes: Uint8Array; meshes: Map<string, Uint8Array>; unpackMs?: number }

/** A binary message: a word of four letters, the header's length, the header, and bytes. */
export function unpack(buffer: ArrayBuffer): { kind: string; header: unknown; bytes: Uint8Array } {
    const kind = String.fromCharCode(...new Uint8Array(buffer, 0, 4));
    const length = new DataView(buffer).getUint32(4, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
    return { kind, header, bytes: new Uint8Array(buffer, 8 + length) };
}
