// Builds the page into dist/, which is kept in the repository: the same sources and packages give the same bytes on every machine.
//
//   npm ci && npm run build
//   npm run check        # builds elsewhere, and fails unless dist/ is what comes out
import { build } from "esbuild";
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const check = process.argv.includes("--check");
const out = check ? await mkdtemp(join(tmpdir(), "phlo-studio-")) : "dist";

/** Licences of all packages whose code is in the bundle. */
async function licences(inputs) {
    const names = new Set();
    for (const input of Object.keys(inputs)) {
        const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
        if (found) names.add(found[1]);
    }
    let text = "The studio's page holds code of these packages.\n";
    for (const name of [...names].sort()) {
        const folder = join("node_modules", name), about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
        const file = (await readdir(folder)).sort().find((f) => /^licen[cs]e/i.test(f));
        text += `\n${"=".repeat(78)}\n${name} ${about.version} (${about.license})\n${"=".repeat(78)}\n\n`;
        text += file ? (await readFile(join(folder, file), "utf8")).trim() + "\n" : `Licence: ${about.license}\n`;
    }
    return text;
}

await mkdir(out, { recursive: true });
const result = await build({
    entryPoints: { app: "src/app.tsx" }, outdir: out, bundle: true, minify: true, format: "esm", target: ["chrome100", "firefox102"], jsx: "automatic", jsxImportSource: "preact",
    legalComments: "none", metafile: true, charset: "utf8", logLevel: "warning",
});
const styles = (await readFile("src/style.css", "utf8")) + (await readFile("node_modules/uplot/dist/uPlot.min.css", "utf8"));
await writeFile(join(out, "app.css"), styles);
await copyFile("src/index.html", join(out, "index.html"));
await writeFile(join(out, "licences.txt"), await licences(result.metafile.inputs));

let size = 0;
for (const name of (await readdir(out)).sort()) {
    const bytes = await readFile(join(out, name));
    size += bytes.length;
    if (check && !bytes.equals(await readFile(join("dist", name)).catch(() => Buffer.alloc(0)))) {
        console.error(`studio/dist/${name} is not what the sources give; run 'npm run build' in studio/ and commit it`);
        process.exitCode = 1;
    }
}
console.log(`${out}: ${(size / 1024).toFixed(0)} kB`);
if (size > 1024 * 1024) { console.error("the bundle is larger than 1 MB"); process.exitCode = 1; }
