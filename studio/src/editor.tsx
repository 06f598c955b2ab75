// The scene's text: marked where it is wrong, completed from the tables, and always the same as the forms.
import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { defaultHighlightStyle, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import type { Form, Problem } from "./protocol";
import { studio, useStudio } from "./store";

const fromOutside = Annotation.define<boolean>();

const colours = HighlightStyle.define([
    { tag: tags.definition(tags.propertyName), color: "#8fc1e8" }, { tag: tags.propertyName, color: "#8fc1e8" }, { tag: tags.comment, color: "#7d8590", fontStyle: "italic" },
    { tag: tags.string, color: "#e0c58f" }, { tag: tags.number, color: "#e0a98f" }, { tag: tags.content, color: "#e8dcc8" }, { tag: tags.punctuation, color: "#8b949e" },
]);

const theme = EditorView.theme({
    "&": { height: "100%", fontSize: "13px", backgroundColor: "transparent", color: "#d8dde3" },
    ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
    ".cm-gutters": { backgroundColor: "transparent", color: "#6e7681", border: "none" },
    ".cm-activeLine": { backgroundColor: "#ffffff08" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "#3a5f8a88 !important" },
    ".cm-cursor": { borderLeftColor: "#f0b35b" },
    ".cm-tooltip": { backgroundColor: "#22272e", border: "1px solid #444c56", color: "#d8dde3", maxWidth: "420px" },
    // Without the pictures that the package would draw: the page loads none from its own text.
    ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy #f47067 1px", textUnderlineOffset: "3px" },
    ".cm-lint-marker-error": { content: '"●"', color: "#f47067", fontSize: "10px", lineHeight: "1.8" },
    ".cm-diagnostic": { whiteSpace: "pre-wrap" },
}, { dark: true });

/** The keys above a line, by how far they are indented. */
function pathAbove(state: EditorState, line: number, indent: number): string[] {
    const path: string[] = [];
    for (let n = line - 1; n >= 1 && indent > 0; --n) {
        const text = state.doc.line(n).text, found = /^(\s*)(- )?([A-Za-z_][\w-]*):/.exec(text);
        if (!found) continue;
        const column = found[1].length;
        if (column < indent) { path.unshift(found[3]); indent = column; }
    }
    return path;
}

function formAt(root: Form, path: string[]): Form | undefined {
    let form: Form | undefined = root;
    for (const key of path) {
        if (form?.kind === "list") form = form.item;
        if (form?.kind === "variant") form = form.options?.find((o) => o.name === key)?.form;
        else form = form?.members?.find((m) => m.name === key)?.form;
    }
    return form?.kind === "list" ? form.item : form;
}

function complete(context: CompletionContext): CompletionResult | null {
    const root = studio.document && studio.forms.get(studio.document.model), word = context.matchBefore(/[\w-]*/);
    if (!root || !word || (word.from === word.to && !context.explicit)) return null;
    const line = context.state.doc.lineAt(context.pos), before = line.text.slice(0, word.from - line.from);
    const value = /^(\s*)(?:- )?([\w-]+):\s*$/.exec(before);
    if (value) {
        const form = formAt(root, pathAbove(context.state, line.number, value[1].length))?.members?.find((m) => m.name === value[2])?.form;
        const options = form?.kind === "boolean" ? [{ name: "true", help: "" }, { name: "false", help: "" }] : (form?.options ?? []);
        return options.length ? { from: word.from, options: options.map((o) => ({ label: o.name, detail: o.help })) } : null;
    }
    if (!/^\s*(- )?$/.test(before)) return null;
    const form = formAt(root, pathAbove(context.state, line.number, /^\s*/.exec(before)![0].length));
    if (!form?.members) return null;
    return { from: word.from, options: form.members.map((m) => ({ label: m.name, apply: m.name + ": ", detail: m.form.unit ? `[${m.form.unit}]` : "", info: m.form.help })) };
}

function marks(state: EditorState, problems: Problem[]): Diagnostic[] {
    return problems.map((p) => {
        const line = state.doc.line(Math.max(1, Math.min(p.line || 1, state.doc.lines)));
        const from = Math.min(line.from + Math.max(0, p.column - 1), line.to);
        return { from, to: Math.max(from, line.to), severity: "error", message: (p.path ? p.path + ": " : "") + p.message };
    });
}

export function Editor() {
    const s = useStudio((now) => [now.text, now.document]), place = useRef<HTMLDivElement>(null), view = useRef<EditorView | null>(null);
    useEffect(() => {
        const nonce = document.querySelector("meta[name=nonce]")?.getAttribute("content") ?? "";
        view.current = new EditorView({
            parent: place.current!,
            state: EditorState.create({
                doc: studio.text,
                extensions: [
                    EditorView.cspNonce.of(nonce), lineNumbers(), highlightActiveLine(), drawSelection(), indentOnInput(), indentUnit.of("  "), yaml(), lintGutter(), theme,
                    syntaxHighlighting(colours), syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
                    autocompletion({ override: [complete], icons: false }),
                    // Undo is the scene's, for forms and text alike.
                    keymap.of([{ key: "Mod-z", run: () => (studio.ask("undo"), true) }, { key: "Mod-y", run: () => (studio.ask("redo"), true) }, { key: "Mod-Shift-z", run: () => (studio.ask("redo"), true) }, indentWithTab, ...defaultKeymap]),
                    EditorView.updateListener.of((update) => {
                        if (update.docChanged && !update.transactions.some((t) => t.annotation(fromOutside))) studio.edit(update.state.doc.toString(), "text");
                    }),
                ],
            }),
        });
        return () => view.current?.destroy();
    }, []);
    useEffect(() => {
        const editor = view.current;
        if (!editor) return;
        const now = editor.state.doc.toString();
        if (now !== s.text) {
            // Only what differs, so that the cursor stays where it is.
            let from = 0, end = now.length, other = s.text.length;
            while (from < end && from < other && now[from] === s.text[from]) ++from;
            while (end > from && other > from && now[end - 1] === s.text[other - 1]) --end, --other;
            editor.dispatch({ changes: { from, to: end, insert: s.text.slice(from, other) }, annotations: fromOutside.of(true) });
        }
        editor.dispatch(setDiagnostics(editor.state, marks(editor.state, s.document?.problems ?? [])));
    }, [s.text, s.document]);
    const problems = s.document?.problems ?? [];
    const go = (p: Problem) => {
        const editor = view.current!, line = editor.state.doc.line(Math.max(1, Math.min(p.line || 1, editor.state.doc.lines)));
        editor.dispatch({ selection: { anchor: Math.min(line.from + Math.max(0, p.column - 1), line.to) }, scrollIntoView: true });
        editor.focus();
    };
    return (
        <div class="editor">
            <div class="code" ref={place} />
            {problems.length > 0 && <ul class="problems" id="problems">{problems.map((p, n) => <li key={n}><button onClick={() => go(p)}>{p.line ? `line ${p.line}: ` : ""}{p.path ? <b>{p.path}: </b> : null}{p.message}</button></li>)}</ul>}
        </div>
    );
}
