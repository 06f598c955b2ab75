// The pictures in docs/studio.md, of the page as it is: not a test, run by hand when the page has changed, and then looked at.
//
//   npm run shots -- ../docs/studio            all;  npm run shots -- ../docs/studio campfire torch
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPage, startBrowser, startStudio } from "./browser.mjs";

const [folder = "../docs/studio", ...wanted] = process.argv.slice(2), size = { width: Number(process.env.PHLO_WIDTH ?? 1280), height: Number(process.env.PHLO_HEIGHT ?? 720) };
const until = async (ready, what, seconds = 600) => { for (const end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(100)) if (await ready()) return; throw new Error("waited in vain: " + what); };
const browser = await startBrowser();

/** The scene at a frame, paused; the picture is drawn as finely as it gets when it is taken. */
async function show(scene, { cells = 0, frame, tab = "settings" }, names, work = async () => {}) {
    if (wanted.length > 0 && !names.some((name) => wanted.includes(name))) return;
    const studio = await startStudio(scene, mkdtempSync(join(tmpdir(), "phlo-shots-"))), context = await browser.newContext({ viewport: size });
    try {
        const { page } = await openPage(context, studio.address);
        page.setDefaultTimeout(600000);
        await until(() => page.evaluate(() => phlo.studio.state && phlo.studio.forms.size > 0 && phlo.studio.frame), "the page");
        if (cells > 0) await page.evaluate((n) => phlo.studio.send("resolution", { cells: n }), cells);
        await until(() => page.evaluate(([n, c]) => phlo.studio.frame.frame >= n && (c === 0 || phlo.studio.frame.resolution === c), [frame, cells]), `frame ${frame} of ${scene}`);
        await page.evaluate(() => phlo.studio.send("play", { on: false }));
        await page.click("#tab-" + tab);
        const take = async (name) => {
            if (wanted.length > 0 && !wanted.includes(name)) return;
            await page.mouse.move(0.7 * size.width, 20);
            for (let before = -1, now = 0; before !== now; before = now, await sleep(2500), now = await page.evaluate(() => phlo.figures.frames));   // until none comes any more
            await page.evaluate(() => { document.activeElement?.blur(); phlo.drawFine(); });
            await page.screenshot({ path: resolve(folder, name + ".png"), timeout: 600000 });
            console.log(name);
        };
        await work(page, take);
        if (names.length === 1) await take(names[0]);
    } finally {
        await context.close();
        await studio.stop();
    }
}
/** A click on what is seen at a place of the scene's box, in shares of it. */
async function pick(page, share) {
    const at = await page.evaluate((s) => { const { low, high } = phlo.studio.frame; return phlo.seenAt(s.map((v, n) => low[n] + v * (high[n] - low[n]))); }, share), view = await page.locator("#view").boundingBox();
    await page.mouse.click(view.x + at.x * view.width, view.y + (1 - at.y) * view.height);
    await page.waitForSelector("#reading tr");
}
const runOver = (page, name) => until(() => page.evaluate((n) => { const r = phlo.studio.runs.find((x) => x.name === n); return r && !phlo.studio.active?.running && r.frames.length > 0; }, name), `the run ${name}`, 1200);

await show("torch", { frame: 60 }, ["torch"]);
await show("milk-in-coffee", { cells: 64, frame: 30 }, ["liquids"]);
await show("erosion", { cells: 64, frame: 60 }, ["erosion"]);
await show("ball-fire", { frame: 60 }, ["vortex"]);
await show("campfire", { cells: 80, frame: 40 }, ["campfire", "settings", "text", "scenes", "help", "pictures", "chemistry"], async (page, take) => {
    await take("campfire");
    await page.click("#gizmos");
    await take("settings");
    await page.click("#gizmos");
    await page.click("#tab-text");
    await page.evaluate(() => phlo.studio.edit(phlo.studio.text.replace("vorticity:", "vortcity:"), "text"));
    await page.waitForSelector("#problems");
    await take("text");
    await page.click("#undo");
    await page.keyboard.press("o");
    await until(() => page.evaluate(() => { const seen = [...document.querySelectorAll(".card img")].filter((i) => i.getBoundingClientRect().top < innerHeight); return seen.length > 0 && seen.every((i) => i.complete && i.naturalWidth > 0); }), "the presets' pictures");
    await take("scenes");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await take("help");
    await page.keyboard.press("Escape");
    await page.click("#tab-chemistry");
    await page.selectOption("#mechanism", "hydrogen");
    await page.waitForSelector("#ignition-delay b");
    await pick(page, [0.5, 0.5, 0.3]);
    await take("chemistry");
    if (wanted.length > 0 && !wanted.includes("pictures")) return;
    await page.click("#tab-pictures");
    await page.selectOption("#picture-size", "0.5");
    await page.click("#picture-draft");
    await page.waitForSelector('[data-job="picture"][data-state="done"] img', { timeout: 600000 });
    await page.fill("#wedge-path", "gas.buoyancy.temperature");
    await page.fill("#wedge-values", "0.002, 0.006, 0.012, 0.024");
    await page.fill("#wedge-frame", "12");
    await page.click("#wedge-go");
    await page.waitForSelector('[data-job="wedge"][data-state="done"]', { timeout: 1200000 });
    await take("pictures");
});
await show("hydrogen-jet", { cells: 40, frame: 4, tab: "chemistry" }, ["reacting"], async (page) => {
    await pick(page, [0.5, 0.5, 0.2]);
    await page.evaluate(() => phlo.studio.send("play"));
    await until(() => page.evaluate(() => phlo.studio.samples.filter((s) => s.probe).length >= 16), "curves at the point");
    await page.evaluate(() => phlo.studio.send("play", { on: false }));
    await page.evaluate(() => [...document.querySelectorAll(".panel h3")].find((h) => h.textContent === "In the simulation").scrollIntoView());
});
await show("plume", { cells: 64, frame: 40, tab: "numbers" }, ["numbers", "timeline"], async (page, take) => {
    await take("numbers");
    if (wanted.length > 0 && !wanted.includes("timeline")) return;
    await page.evaluate(() => phlo.studio.edit(phlo.studio.text.replace(/resolution: \d+/, "resolution: 64"), "text"));
    await page.evaluate(() => phlo.studio.send("simulate", { run: "plume" }));
    await runOver(page, "plume");
    await page.evaluate(() => phlo.studio.set(["gas", "vorticity"], "9"));
    await page.evaluate(() => phlo.studio.send("simulate", { run: "plume-curly", from_run: "plume", from_frame: 20 }));
    await runOver(page, "plume-curly");
    await page.evaluate(() => phlo.studio.send("show", { run: "plume", other: "plume-curly", frame: 60 }));
    await page.waitForSelector(".wiper");
    await until(() => page.evaluate(() => phlo.figures.others > 0 && phlo.figures.shown === 60), "both runs");
    await sleep(8000);
    await take("timeline");
});
await browser.close();
