// Changes of single values in a scene's text. Nothing else in it moves: comments, order and spaces stay as they were written.
import { type Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";

/** Steps from the root: keys of maps, and items of lists by their index and, if they have one, their name. */
export type Step = string | { index: number; name?: string };

const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : "");

function itemOf(list: YAMLSeq, step: { index: number; name?: string }): Node | undefined {
    if (step.name !== undefined) {
        const named = list.items.find((item) => isMap(item) && String(item.get("name")) === step.name) as Node | undefined;
        if (named) return named;
        // In a change of another scene items are found by their name alone.
        if (list.items.some((item) => isMap(item) && item.has("name"))) return undefined;
    }
    return list.items[step.index] as Node | undefined;
}

function childOf(node: Node | null | undefined, step: Step): Node | null | undefined {
    if (typeof step === "string") return isMap(node) ? ((node.items as Pair[]).find((pair) => keyOf(pair) === step)?.value as Node | null | undefined) : undefined;
    return isSeq(node) ? itemOf(node, step) : undefined;
}

/** The text that stands at a path; undefined if none does. */
export function textAt(text: string, path: Step[]): string | undefined {
    let node: Node | null | undefined = parseDocument(text).contents as Node | null;
    for (const step of path) node = childOf(node, step);
    return node?.range ? text.slice(node.range[0], node.range[1]) : undefined;
}

/** What is left of a path when everything above it has to be written, too: {a: {b: value}}. */
function nested(path: Step[], value: string): string {
    if (path.length === 0) return value;
    const [step, ...rest] = path;
    if (typeof step === "string") return `{${step}: ${nested(rest, value)}}`;
    const inner = nested(rest, value);
    return `[${step.name !== undefined && inner.startsWith("{") ? inner.replace("{", `{name: ${step.name}, `) : inner}]`;
}
const entry = (step: string, rest: Step[], value: string): string => `${step}: ${nested(rest, value)}`;

function lineStart(text: string, at: number): number { return text.lastIndexOf("\n", at - 1) + 1; }
const column = (text: string, at: number): number => at - lineStart(text, at);
const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);

/** Behind the last line of a block's last item, its comment included. */
function behind(text: string, node: Node): number {
    let end = node.range![1];
    while (end > 0 && /\s/.test(text[end - 1])) --end;
    const line = text.indexOf("\n", end);
    return line < 0 ? text.length : line;
}

function addToMap(text: string, map: YAMLMap, step: string, rest: Step[], value: string): string {
    const line = entry(step, rest, value);
    if (map.flow) {
        const end = map.range![1] - 1, filled = map.items.length > 0;
        return insert(text, end, (filled ? ", " : "") + line);
    }
    const last = map.items[map.items.length - 1] as Pair<Node, Node | null>;
    const indent = " ".repeat(column(text, (map.items[0] as Pair<Node>).key.range![0]));
    return insert(text, behind(text, (last.value?.range ? last.value : last.key) as Node), "\n" + indent + line);
}

function addToList(text: string, list: YAMLSeq, step: { index: number; name?: string }, rest: Step[], value: string): string {
    const inner = nested(rest, value), item = step.name !== undefined && inner.startsWith("{") ? inner.replace("{", `{name: ${step.name}, `) : inner;
    if (list.flow || list.items.length === 0) return insert(text, list.range![1] - 1, (list.items.length ? ", " : "") + item);
    const first = list.items[0] as Node, dash = text.lastIndexOf("-", first.range![0]);
    return insert(text, behind(text, list.items[list.items.length - 1] as Node), "\n" + " ".repeat(column(text, dash)) + "- " + item);
}

/** The text with `value` (YAML on one line) at a path. Throws if the text is no YAML, or the path leads through something else. */
export function withValue(text: string, path: Step[], value: string): string {
    const document: Document = parseDocument(text);
    if (document.errors.length > 0) throw new Error("The scene's text has an error; mend it first.");
    let node = document.contents as Node | null;
    if (!node) return text + (text === "" || text.endsWith("\n") ? "" : "\n") + entry(String(path[0]), path.slice(1), value) + "\n";
    for (let n = 0; n < path.length; ++n) {
        const child = childOf(node, path[n]);
        if (child === undefined || (child === null && n + 1 < path.length) || (isScalar(child) && n + 1 < path.length && child.value === null)) {
            const step = path[n], rest = path.slice(n + 1);
            if (child !== undefined && typeof step === "string" && isMap(node)) {
                // "key:" without a value.
                const pair = (node.items as Pair<Node, Node | null>[]).find((p) => keyOf(p) === step)!;
                return insert(text, pair.key.range![1] + 1, " " + nested(rest, value));
            }
            if (isMap(node) && typeof step === "string") return addToMap(text, node, step, rest, value);
            if (isSeq(node) && typeof step !== "string") return addToList(text, node, step, rest, value);
            if (isScalar(node) && typeof step === "string") return text.slice(0, node.range![0]) + nested(path.slice(n), value) + text.slice(node.range![1]);
            throw new Error("This value cannot be set here; write it into the text.");
        }
        node = child;
    }
    if (!node) throw new Error("This value cannot be set here; write it into the text.");
    let [from, to] = node.range!;
    // Of a value over several lines the last line break is not its own.
    while (to > from && /\s/.test(text[to - 1])) --to;
    return text.slice(0, from) + value + text.slice(to);
}

/** The text without a key. */
export function withoutValue(text: string, path: Step[]): string {
    const document = parseDocument(text);
    let node = document.contents as Node | null | undefined;
    for (const step of path.slice(0, -1)) node = childOf(node, step);
    const last = path[path.length - 1];
    if (!isMap(node) || typeof last !== "string") return text;
    const items = node.items as Pair<Node, Node | null>[], n = items.findIndex((pair) => keyOf(pair) === last);
    if (n < 0) return text;
    const pair = items[n], from = pair.key.range![0], to = pair.value?.range ? pair.value.range[1] : pair.key.range![1] + 1;
    if (node.flow) {
        if (n + 1 < items.length) return text.slice(0, from) + text.slice(items[n + 1].key.range![0]);
        if (n > 0) { const before = items[n - 1]; return text.slice(0, (before.value ?? before.key).range![1]) + text.slice(to); }
        return text.slice(0, from) + text.slice(to);
    }
    if (items.length === 1) return path.length > 1 ? withoutValue(text, path.slice(0, -1)) : text;
    const end = behind(text, (pair.value?.range ? pair.value : pair.key) as Node);
    return text.slice(0, lineStart(text, from)) + text.slice(Math.min(end + 1, text.length));
}

/** The text with another item (YAML on one line) at the end of a list. */
export function withItem(text: string, path: Step[], item: string): string {
    let node = parseDocument(text).contents as Node | null | undefined;
    for (const step of path) node = childOf(node, step);
    if (!isSeq(node)) return withValue(text, path, `[${item}]`);
    return addToList(text, node, { index: node.items.length }, [], item);
}

/** The text without an item of a list. */
export function withoutItem(text: string, path: Step[], step: { index: number; name?: string }): string {
    let node = parseDocument(text).contents as Node | null | undefined;
    for (const s of path) node = childOf(node, s);
    if (!isSeq(node)) return text;
    const item = itemOf(node, step), n = node.items.indexOf(item as Node);
    if (!item || n < 0) return text;
    if (node.items.length === 1) return withValue(text, path, "[]");
    if (node.flow) {
        const items = node.items as Node[];
        return n + 1 < items.length ? text.slice(0, item.range![0]) + text.slice(items[n + 1].range![0]) : text.slice(0, items[n - 1].range![1]) + text.slice(item.range![1]);
    }
    const from = lineStart(text, text.lastIndexOf("-", item.range![0])), end = behind(text, item);
    return text.slice(0, from) + text.slice(Math.min(end + 1, text.length));
}
