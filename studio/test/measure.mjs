// How fast the studio is, in a real browser: not a test, run by hand on a quiet machine.
//
//   npm run measure
//
// Slider to changed picture at 64 cells of gas, and where that time goes; frames a second while cached 128-cell frames are scrubbed through; frames of a torch
// a second; and what the solver loses by being watched.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPage, startBrowser, startStudio } from "./browser.mjs";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const until = async (ready, seconds = 120) => { for (const end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(20)) if (await ready()) return; throw new Error("waited in vain"); };
const box = (resolution, frames) => `phlo: 1
domain: {size: [1, 1, 1], resolution: ${resolution}}
time: {frames: ${frames}}
gas: {cooling: 0.5 1/s, vorticity: 2}
emitters:
  - {name: source, shape: {sphere: {radius: 0.12}}, position: [0, 0, 0.2], density: 4, temperature: 600, velocity: [0, 0, 1]}
render: {exposure: 0}
`;

async function withPage(scene, text, work) {
    const folder = mkdtempSync(join(tmpdir(), "phlo-measure-"));
    if (text) writeFileSync(join(folder, scene), text);
    const studio = await startStudio(scene, folder), context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    try {
        const { page } = await openPage(context, studio.address);
        await work(page, studio);
    } finally {
        await context.close();
        await studio.stop();
    }
}

/** One drag of a slider, as its parts in milliseconds: until the server has applied it, until its frame is there, until it is drawn. */
function turn(page, key, value) {
    return page.evaluate(([key, value]) => new Promise((resolve) => {
        const { studio, figures } = phlo, began = performance.now(), before = studio.applied, version = studio.document.version;
        let applied = 0, came = 0, draws = 0;
        studio.set(key.split("."), value);
        const look = () => {
            const now = performance.now() - began;
            if (!applied && studio.applied !== before) applied = now;
            if (!came && figures.version > version) came = now, draws = figures.draws;
            if (came && figures.draws > draws) return resolve({ applied, came, drawn: now, draw: 1000 * figures.drawSeconds, take: 1000 * figures.takeSeconds });
            setTimeout(look, 1);
        };
        look();
    }), [key, value]);
}

async function latency(page, title, key, values) {
    const turns = [];
    for (const value of values) { turns.push(await turn(page, key, value)); await sleep(400); }
    const of = (name) => median(turns.map((t) => t[name])).toFixed(0);
    console.log(`${title}: slider to picture ${of("drawn")} ms (applied after ${of("applied")}, its frame there after ${of("came")}; upload ${of("take")}, one drawing ${of("draw")})`);
}

const browser = await startBrowser();
await withPage("box.yaml", box(64, 1000), async (page) => {
    await page.selectOption("#resolution", "64").catch(() => {});
    await until(() => page.evaluate(() => phlo.studio.frame?.frame > 24 && phlo.studio.forms.size > 0));
    console.log(`solver: ${(1000 * (await page.evaluate(() => phlo.studio.secondsPerFrame))).toFixed(0)} ms a frame while watched`);
    await latency(page, "simulation key, 64 cells", "gas.cooling", Array.from({ length: 15 }, (_, n) => `${0.6 + 0.1 * n} 1/s`));
    await latency(page, "look key, 64 cells", "render.exposure", Array.from({ length: 15 }, (_, n) => String(0.1 + 0.1 * n)));
    const busy = async (seconds) => { const from = await page.evaluate(() => phlo.studio.samples.at(-1).stats.frame); await sleep(1000 * seconds); return ((await page.evaluate(() => phlo.studio.samples.at(-1).stats.frame)) - from) / seconds; };
    console.log(`simulated frames a second, watched: ${(await busy(4)).toFixed(1)}`);
});
await withPage("box.yaml", box(128, 40), async (page) => {
    await page.click("#simulate");
    await until(() => page.evaluate(() => phlo.studio.active && !phlo.studio.active.running && phlo.studio.runs[0]?.frames[0]?.[1] === 40), 300);
    for (const round of ["first time", "again"]) {
        const rate = await page.evaluate(() => new Promise((resolve) => {
            const { studio, figures } = phlo, began = performance.now(), before = figures.frames;
            let frame = 1;
            const next = () => {
                if (frame > 40) return resolve((1000 * (figures.frames - before)) / (performance.now() - began));
                const count = figures.frames;
                studio.send("show", { run: "box", frame: frame++ }).then(() => { const wait = () => (figures.frames > count ? next() : setTimeout(wait, 1)); wait(); });
            };
            next();
        }));
        console.log(`scrubbing cached 128-cell frames, every one of them, ${round}: ${rate.toFixed(1)} a second`);
    }
});
await withPage("torch", "", async (page) => {
    await until(() => page.evaluate(() => phlo.studio.frame?.frame > 40));
    await sleep(3000);
    console.log(`torch: ${await page.evaluate(() => phlo.studio.frame.points.map((p) => p.count).join(" + "))} points, ${(await page.evaluate(() => phlo.figures.dataRate)).toFixed(1)} frames of data a second`);
});
await browser.close();
