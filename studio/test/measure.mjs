// How fast the studio is, in a real browser: not a test, run by hand on a quiet machine.
//
//   npm run measure                     all;  npm run measure -- latency scrub torch watched
//
// Pixels depend on the graphics card, and here there is none. `latency` and `scrub` draw a hundredth of the pixels, so that what the processor draws costs about what a card
// would take; `latency` draws all of them, too. `torch` and `watched` take frames without drawing them. Milliseconds are wall-clock, medians; `cpu` is processor time of `phlo`.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPage, startBrowser, startStudio } from "./browser.mjs";

const wanted = process.argv.slice(2), asked = (name) => wanted.length === 0 || wanted.includes(name);
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
/** Processor time that a process and its threads have used [s]. */
const cpu = (pid) => { const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" "); return (Number(fields[11]) + Number(fields[12])) / 100; };

async function withPage(scene, text, pixels, work) {
    const folder = mkdtempSync(join(tmpdir(), "phlo-measure-"));
    if (text) writeFileSync(join(folder, scene), text);
    const studio = await startStudio(scene, folder), context = await browser.newContext({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: pixels === "all" ? 1 : 0.1 });
    try {
        const { page } = await openPage(context, studio.address);
        await work(page, studio);
    } finally {
        await context.close();
        await studio.stop();
    }
}

/** One turn of a slider, as its parts in milliseconds, until a picture stands that it has changed: of a setting, the first that was simulated with it. */
function turn(page, key, value, look) {
    return page.evaluate(([key, value, look]) => new Promise((resolve, reject) => {
        const { studio, figures } = phlo, began = performance.now(), before = studio.applied, version = studio.document.version;
        let applied = 0;
        studio.set(key.split("."), value);
        const text = performance.now() - began;
        const watch = () => {
            const now = performance.now();
            if (!applied && studio.applied !== before) applied = now;
            const seen = applied && figures.trace.find((t) => t.version > version && (look || t.time > studio.applied.time + 1e-6));
            if (now - began > 20000) return reject(new Error("no picture"));
            if (!seen) return setTimeout(watch, 1);
            const step = look ? 0 : seen.step, { snapshot, encode } = seen;
            resolve({ total: seen.drawn - began, text, applied: applied - began - text, step, snapshot, encode, rest: seen.came - applied - step - snapshot - encode, unpack: seen.unpack, wait: seen.begun - seen.came, upload: seen.take,
                drawing: seen.drawn - seen.begun - seen.take, kB: seen.bytes / 1024 });
        };
        watch();
    }), [key, value, look]);
}

async function latency(page, title, key, values, look) {
    const turns = [];
    for (const value of values) { turns.push(await turn(page, key, value, look)); await sleep(150 + 300 * Math.random()); }
    const of = (name) => median(turns.map((t) => t[name])).toFixed(name === "unpack" ? 1 : 0);
    console.log(`${title}: slider to picture ${of("total")} ms (quickest ${Math.min(...turns.map((t) => t.total)).toFixed(0)}, slowest ${Math.max(...turns.map((t) => t.total)).toFixed(0)})
    text ${of("text")} · until the server has applied it ${of("applied")} · solver ${of("step")} · snapshot ${of("snapshot")} · encode ${of("encode")} · on the way and waiting ${of("rest")} · unpack ${of("unpack")} (${of("kB")} kB) · until the card is free ${of("wait")} · upload ${of("upload")} · drawing ${of("drawing")}`);
}

/** In the page: takes and counts frames without drawing them. Without a card drawing takes the processor from the solver. */
function undrawn() {
    Object.assign(phlo, { came: 0, bytes: 0 });
    phlo.studio.drawn[0] = (frame) => { ++phlo.came; phlo.bytes += frame.bytes.byteLength; phlo.studio.acknowledge(0); };
}

const browser = await startBrowser();
for (const pixels of asked("latency") ? ["few", "all"] : [])
    await withPage("box.yaml", box(64, 1000), pixels, async (page, studio) => {
        await page.selectOption("#resolution", "64").catch(() => {});
        await until(() => page.evaluate(() => phlo.studio.frame?.frame > 24 && phlo.studio.forms.size > 0));
        console.log(`\n64 cells of gas, ${pixels === "all" ? "all pixels (software)" : "a hundredth of the pixels"}, settings shown; live at ${await page.evaluate(() => phlo.studio.state.resolution)} cells`);
        await latency(page, "a setting of the gas", "gas.cooling", Array.from({ length: 25 }, (_, n) => `${(0.6 + 0.1 * n).toFixed(1)} 1/s`), false);
        await latency(page, "a setting of the look", "render.exposure", Array.from({ length: 25 }, (_, n) => (0.1 + 0.1 * n).toFixed(1)), true);
    });
if (asked("scrub"))
    await withPage("box.yaml", box(128, 20), "few", async (page, studio) => {
        await page.click("#simulate");
        await until(() => page.evaluate(() => phlo.studio.active && !phlo.studio.active.running && phlo.studio.runs[0]?.frames[0]?.[1] === 20), 500);
        console.log("\ncached frames of 128 cells, every one of them");
        for (const round of ["first time", "again"]) {
            const before = cpu(studio.pid), rate = await page.evaluate(() => new Promise((resolve) => {
                const { studio, figures } = phlo, began = performance.now(), before = figures.frames;
                let frame = 1;
                const next = () => {
                    if (frame > 20) return resolve((1000 * (figures.frames - before)) / (performance.now() - began));
                    const count = figures.frames;
                    studio.send("show", { run: "box", frame: frame++ }).then(() => { const wait = () => (figures.frames > count ? next() : setTimeout(wait, 1)); wait(); });
                };
                next();
            }));
            console.log(`${round}: ${rate.toFixed(1)} a second; cpu ${((1000 * (cpu(studio.pid) - before)) / 20).toFixed(0)} ms a frame, ${await page.evaluate(() => (phlo.figures.trace.at(-1).bytes / 1024).toFixed(0))} kB each`);
        }
    });
if (asked("torch"))
    await withPage("torches.yaml", "phlo: 1\nbase: torch\nname: torches\ntime: {fps: 60}\ntorches:\n  - {name: torch, particles: 50000}\n", "few", async (page, studio) => {
        await page.evaluate(() => phlo.studio.ask("loop", { on: false }));
        await until(() => page.evaluate(() => phlo.studio.frame?.frame > 60));
        await page.evaluate(undrawn);
        await sleep(500);
        const before = cpu(studio.pid), seen = await page.evaluate(() => new Promise((resolve) => {
            const began = performance.now(), { came, bytes } = phlo, solved = phlo.studio.samples.at(-1).stats.frame;
            setTimeout(() => { const seconds = (performance.now() - began) / 1000; resolve({ rate: (phlo.came - came) / seconds, kB: (phlo.bytes - bytes) / 1024 / (phlo.came - came), solved: (phlo.studio.samples.at(-1).stats.frame - solved) / seconds }); }, 5000);
        }));
        const points = await page.evaluate(() => phlo.studio.frame.points.map((p) => p.count).join(" + "));
        console.log(`\ntorch at 60 frames a second, ${points} points: ${seen.solved.toFixed(1)} frames a second simulated, ${seen.rate.toFixed(1)} a second have come to the page and are unpacked; ${seen.kB.toFixed(0)} kB each, cpu ${((1000 * (cpu(studio.pid) - before)) / (5 * seen.rate)).toFixed(0)} ms each, the solver included`);
    });
if (asked("watched"))
    await withPage("box.yaml", box(96, 100000), "few", async (page, studio) => {
        await page.selectOption("#resolution", "96").catch(() => {});
        await until(() => page.evaluate(() => phlo.studio.frame?.frame > 20));
        const solved = () => page.evaluate(() => { const all = phlo.studio.samples; return { frame: all.at(-1).stats.frame, seconds: all.slice(-200).map((s) => [s.stats.frame, Object.values(s.stats.seconds).reduce((a, b) => a + b, 0)]) }; });
        const sums = { watched: { cpu: [], wall: [], step: [] }, alone: { cpu: [], wall: [], step: [] } };
        await page.evaluate(undrawn);
        // In turns, so that what else the machine does falls on both alike; alone: no frame is acknowledged, so none is made.
        for (let n = 0; n < 16; ++n) {
            const how = n % 2 ? "watched" : "alone";
            await page.evaluate((on) => { const { studio } = phlo; if (on) { delete studio.acknowledge; studio.acknowledge(0); } else studio.acknowledge = () => {}; }, how === "watched");
            await sleep(700);
            const from = await solved(), cpu0 = cpu(studio.pid), t0 = Date.now();
            await sleep(3000);
            const to = await solved(), cpu1 = cpu(studio.pid), frames = to.frame - from.frame;
            sums[how].cpu.push((1000 * (cpu1 - cpu0)) / frames), sums[how].wall.push((Date.now() - t0) / frames), sums[how].step.push(median(to.seconds.filter(([f]) => f > from.frame).map(([, s]) => 1000 * s)));
        }
        const compare = (what) => { const w = median(sums.watched[what]), a = median(sums.alone[what]); return `${a.toFixed(1)} alone, ${w.toFixed(1)} watched (${(100 * (w / a - 1)).toFixed(1)} %)`; };
        console.log(`\n96 cells of gas, milliseconds a frame: solver ${compare("step")}; wall-clock ${compare("wall")}; processor time of all threads ${compare("cpu")}`);
    });
await browser.close();
