// The built program and a real browser, for tests: starts both, and ends both.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const program = resolve(process.env.PHLO_PROGRAM ?? fileURLToPath(new URL("../../build/bin/phlo", import.meta.url)));
export const browserPath = process.env.PHLO_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => existsSync(p));

/** `phlo studio --headless`; its address comes first on its output. */
export async function startStudio(scene, folder = mkdtempSync(join(tmpdir(), "phlo-studio-"))) {
    const child = spawn(program, ["studio", scene, "--headless", "--threads", "2"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    child.stderr.on("data", (bytes) => (log += bytes));
    const address = await new Promise((resolve, reject) => {
        createInterface({ input: child.stdout }).once("line", resolve);
        child.once("exit", (code) => reject(new Error(`phlo studio ended with ${code}: ${log}`)));
    });
    return {
        address, folder, pid: child.pid, port: Number(new URL(address).port), log: () => log,
        async stop(keep = false) {
            const ended = new Promise((resolve) => child.once("exit", resolve));
            child.kill("SIGINT");
            const code = await ended;
            if (!keep) rmSync(folder, { recursive: true, force: true });
            return code;
        },
    };
}

export async function startBrowser() {
    return chromium.launch({
        executablePath: browserPath,
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
    });
}

/** The page, watched: whatever it complains about fails the test. */
export async function openPage(context, address) {
    const page = await context.newPage(), complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
    await page.goto(address);
    await page.waitForURL((url) => url.pathname === "/" && url.search === "");
    await page.waitForSelector("#frame-number");
    return { page, complaints };
}

/** What the canvas shows: how many pixels differ from its most common colour, and the mean of all. */
export async function pixels(page) {
    return page.evaluate(() => {
        const canvas = document.querySelector("#view"), gl = canvas.getContext("webgl2");
        const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight, bytes = new Uint8Array(4 * width * height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        const counts = new Map(), mean = [0, 0, 0];
        let checksum = 0;
        for (let n = 0; n < bytes.length; n += 4) {
            const key = (bytes[n] >> 3) << 10 | (bytes[n + 1] >> 3) << 5 | bytes[n + 2] >> 3;
            counts.set(key, (counts.get(key) ?? 0) + 1);
            for (let c = 0; c < 3; ++c) mean[c] += bytes[n + c];
            checksum = (checksum * 31 + bytes[n] + 7 * bytes[n + 1] + 13 * bytes[n + 2]) >>> 0;
        }
        const all = bytes.length / 4;
        return { width, height, colours: counts.size, common: Math.max(...counts.values()) / all, mean: mean.map((v) => v / all), checksum, renderer: gl.getParameter(gl.VERSION) };
    });
}
