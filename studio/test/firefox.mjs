// Debian's Firefox as it is, without a driver program: spoken to by Marionette, the protocol that geckodriver itself uses. It has WebGL only where it has a screen:
// Xvfb is one that nobody sees.
//
//   const fox = await startFirefox();
//   await fox.go("http://127.0.0.1:40123/");   await fox.run("return document.title");   await fox.shot("page.png");
//   await fox.stop();
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const firefoxPath = process.env.PHLO_FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((p) => existsSync(p));
export const screenPath = ["/usr/bin/Xvfb"].find((p) => existsSync(p));

/** An X server of its own; the number that it has chosen. */
async function startScreen(width, height) {
    const child = spawn(screenPath, ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const number = await new Promise((resolve, reject) => { child.stdio[3].once("data", (bytes) => resolve(String(bytes).trim())); child.once("exit", () => reject(new Error("Xvfb does not start"))); });
    return { number, stop: () => child.kill() };
}

const freePort = () => new Promise((resolve) => { const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => resolve(port)); }); });

/** Messages are "LENGTH:JSON"; a command is [0, id, name, parameters], its answer [1, id, error, result]. */
class Marionette {
    #socket; #rest = Buffer.alloc(0); #last = 0; #waiting = new Map();
    constructor(socket) {
        this.#socket = socket;
        socket.on("data", (bytes) => { this.#rest = Buffer.concat([this.#rest, bytes]); this.#read(); });
        socket.on("close", () => { for (const { reject } of this.#waiting.values()) reject(new Error("Firefox has gone")); });
    }
    #read() {
        for (let colon = this.#rest.indexOf(":"); colon > 0; colon = this.#rest.indexOf(":")) {
            const length = Number(this.#rest.subarray(0, colon)), end = colon + 1 + length;
            if (this.#rest.length < end) return;
            const message = JSON.parse(this.#rest.subarray(colon + 1, end));
            this.#rest = this.#rest.subarray(end);
            if (!Array.isArray(message)) continue;   // how it introduces itself
            const [, id, error, result] = message, waits = this.#waiting.get(id);
            this.#waiting.delete(id);
            if (error) waits?.reject(new Error(`${error.error}: ${error.message}`)); else waits?.resolve(result);
        }
    }
    send(name, parameters = {}) {
        const id = ++this.#last, text = JSON.stringify([0, id, name, parameters]);
        return new Promise((resolve, reject) => { this.#waiting.set(id, { resolve, reject }); this.#socket.write(`${Buffer.byteLength(text)}:${text}`); });
    }
    close() { this.#socket.destroy(); }
}

export async function startFirefox(width = 1280, height = 720) {
    const profile = mkdtempSync(join(tmpdir(), "phlo-firefox-")), port = await freePort(), screen = await startScreen(width + 100, height + 300);
    const quiet = { "marionette.port": port, "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "app.update.auto": false, "network.captive-portal-service.enabled": false,
        "webgl.force-enabled": true, "webgl.disabled": false, "toolkit.startup.max_resumed_crashes": -1, "browser.aboutwelcome.enabled": false };
    writeFileSync(join(profile, "user.js"), Object.entries(quiet).map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`).join(""));
    const child = spawn(firefoxPath, ["--marionette", "--no-remote", "--profile", profile], { stdio: "ignore", env: { ...process.env, HOME: profile, DISPLAY: ":" + screen.number, LIBGL_ALWAYS_SOFTWARE: "1" } });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let socket = null;
    for (const end = Date.now() + 60000; !socket && Date.now() < end; await sleep(200))
        socket = await new Promise((resolve) => { const s = createConnection(port, "127.0.0.1", () => resolve(s)); s.once("error", () => resolve(null)); });
    if (!socket) { child.kill(); screen.stop(); throw new Error("Firefox does not answer"); }
    const wire = new Marionette(socket);
    const session = await wire.send("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
    // The window has borders of its own: what counts is the page in it.
    const size = await wire.send("WebDriver:ExecuteScript", { script: "return [outerWidth - innerWidth, outerHeight - innerHeight]", args: [] });
    await wire.send("WebDriver:SetWindowRect", { width: width + size.value[0], height: height + size.value[1] });
    return {
        version: session.capabilities.browserVersion,
        /** With the cookie of somebody who has signed in. */
        async signIn(url, { name, value }) {
            await wire.send("WebDriver:Navigate", { url }).catch(() => {});   // refused, but the cookie needs its site
            await wire.send("WebDriver:AddCookie", { cookie: { name, value, path: "/", httpOnly: true } });
            await wire.send("WebDriver:Navigate", { url });
        },
        go: (url) => wire.send("WebDriver:Navigate", { url }),
        run: async (script, ...args) => (await wire.send("WebDriver:ExecuteScript", { script, args })).value,
        async click(selector) {
            const { value } = await wire.send("WebDriver:FindElement", { using: "css selector", value: selector });
            await wire.send("WebDriver:ElementClick", { id: Object.values(value)[0] });
        },
        press: (key) => wire.send("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys", actions: [{ type: "keyDown", value: key }, { type: "keyUp", value: key }] }] }),
        shot: async (path) => writeFileSync(path, Buffer.from((await wire.send("WebDriver:TakeScreenshot", { full: false })).value, "base64")),
        async stop() {
            wire.close();
            child.kill();
            await ended;
            screen.stop();
            rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
        },
    };
}
