// Whether what is written on the page can be read: contrast as WCAG 2 AA asks for (4.5, large letters 3), and nothing cut off or out of the window.
export async function illegible(page) {
    return page.evaluate(() => {
        const probe = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
        const rgba = (css) => { probe.clearRect(0, 0, 1, 1); probe.fillStyle = css; probe.fillRect(0, 0, 1, 1); const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
        const over = (top, under) => [0, 1, 2].map((c) => top[c] * top[3] + under[c] * (1 - top[3]));
        const backdrop = (e) => {
            const layers = [];
            for (let at = e; at; at = at.parentElement) { const c = rgba(getComputedStyle(at).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break; }
            return layers.reverse().reduce((under, top) => over(top, under), [20, 23, 27]);
        };
        const bright = (c) => { const [r, g, b] = c.map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const contrast = (a, b) => { const [l, d] = [bright(a), bright(b)].sort((x, y) => y - x); return (l + 0.05) / (d + 0.05); };
        const scrolls = (e) => { for (let at = e.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflow + getComputedStyle(at).overflowX + getComputedStyle(at).overflowY)) return true; return false; };
        const bad = [];
        for (const e of document.querySelectorAll("body *")) {
            const own = [...e.childNodes].filter((n) => n.nodeType === 3 && n.textContent.trim()).map((n) => n.textContent.trim()).join(" ") || (e instanceof HTMLInputElement && e.type === "text" ? e.value : "");
            if (!own || !e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || e.closest(":disabled, .cm-editor, option, [aria-hidden]")) continue;
            const style = getComputedStyle(e), svg = e instanceof SVGElement, box = e.getBoundingClientRect(), name = `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} "${own.slice(0, 40)}"`;
            if (box.width === 0) continue;
            const under = backdrop(e), ink = over(rgba(svg ? style.fill : style.color), under), size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            const c = contrast(ink, under);
            if (c < (large ? 3 : 4.5)) bad.push(`${name}: contrast ${c.toFixed(2)}`);
            // A box for any text scrolls as one writes; a number is seen whole.
            const longer = e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0, input = e instanceof HTMLInputElement;
            if (longer && (input ? e.classList.contains("number") : /hidden|clip/.test(style.overflowX))) bad.push(`${name}: cut off`);
            if (!scrolls(e) && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)) bad.push(`${name}: out of the window`);
        }
        return bad;
    });
}
