// Draws a frame: sky, floor, bodies, gas, liquids, clouds and streaks, in linear light; the last pass develops it.
import type { OrbitCamera } from "./camera";
import { BrickTexture, program, Target, Uniforms } from "./gl";
import type { Frame, PointsHeader, SurfaceHeader, Vec3 } from "./protocol";
import * as shaders from "./shaders";
import { add, cross, lookAt, type Mat4, multiply, norm, orthographic, perspective, scale, sub, unit } from "./vec";

interface Mesh { header: SurfaceHeader; array: WebGLVertexArrayObject; vertices: WebGLBuffer; indices: WebGLBuffer; count: number }
interface Points { header: PointsHeader; bytes: Uint8Array }
/** What a marker shows: an emitter, a body, a lamp, the picked point. */
export interface Marker { position: Vec3; color: [number, number, number, number]; size: number }

const shadowSize = 1024;
const pointSize = 12;   // [bytes]

export class Renderer {
    readonly gl: WebGL2RenderingContext;
    showBox = true;
    /** Pixels of the gas for one of the picture: fewer while the card is slow and things move. */
    gasScale = 0.5;
    markers: Marker[] = [];

    private frame: Frame | null = null;
    private programs: { [name: string]: Uniforms } = {};
    private smoke: BrickTexture | null = null;
    private fire: BrickTexture | null = null;
    private lit: { texture: WebGLTexture; size: Vec3; frame: WebGLFramebuffer } | null = null;
    private blank: WebGLTexture;
    private bakeDue = false;
    private meshes: Mesh[] = [];
    private points: Points[] = [];
    private pointBuffer: WebGLBuffer;
    private pointArrays: { clouds: WebGLVertexArrayObject; streaks: WebGLVertexArrayObject };
    private boxArray: WebGLVertexArrayObject;
    private emptyArray: WebGLVertexArrayObject;
    private ramp: WebGLTexture;
    private shadow: { texture: WebGLTexture; frame: WebGLFramebuffer };
    private shadowClip: Mat4 = new Float32Array(16);
    private targets: { picture: Target; copy: Target; gas: Target; amounts: Target; thickness: Target } | null = null;

    constructor(readonly canvas: HTMLCanvasElement) {
        const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true, powerPreference: "high-performance" });
        if (!gl) throw new Error("This browser has no WebGL2, which the view needs. Switch on hardware acceleration, or use a newer browser.");
        if (!gl.getExtension("EXT_color_buffer_float") && !gl.getExtension("EXT_color_buffer_half_float"))
            throw new Error("This graphics card cannot draw in half floats, which the view needs.");
        gl.getExtension("OES_texture_float_linear");
        this.gl = gl;
        const make = (name: string, vertex: string, fragment: string) => (this.programs[name] = new Uniforms(gl, program(gl, vertex, fragment)));
        make("sky", shaders.fullScreen, shaders.skyFragment);
        make("mesh", shaders.meshVertex, shaders.meshFragment);
        make("shadow", shaders.meshVertex, shaders.shadowFragment);
        make("ground", shaders.groundVertex, shaders.groundFragment);
        make("line", shaders.lineVertex, shaders.lineFragment);
        make("bake", shaders.fullScreen, shaders.bakeFragment);
        make("gas", shaders.fullScreen, shaders.gasFragment);
        make("gasOver", shaders.fullScreen, shaders.gasOverFragment);
        make("copy", shaders.fullScreen, shaders.copyFragment);
        make("clouds", shaders.pointVertex, shaders.cloudFragment);
        make("streaks", shaders.pointVertex, shaders.streakFragment);
        make("ramp", shaders.fullScreen, shaders.rampFragment);
        make("thickness", shaders.meshVertex, shaders.thicknessFragment);
        make("liquid", shaders.meshVertex, shaders.liquidFragment);
        make("film", shaders.fullScreen, shaders.filmFragment);
        this.emptyArray = gl.createVertexArray()!;
        this.pointBuffer = gl.createBuffer()!;
        // Both begin with place and radius; what follows of a cloud is opacity, light and turn, of a streak its amount and whence it came.
        this.pointArrays = {
            clouds: this.makePointArray([[0, 3, gl.UNSIGNED_SHORT, true, 0], [1, 2, gl.UNSIGNED_BYTE, true, 6], [2, 3, gl.UNSIGNED_BYTE, true, 8], [3, 1, gl.UNSIGNED_BYTE, true, 11]]),
            streaks: this.makePointArray([[0, 3, gl.UNSIGNED_SHORT, true, 0], [1, 2, gl.UNSIGNED_BYTE, true, 6], [4, 3, gl.BYTE, true, 8]]),
        };
        this.boxArray = this.makeBox();
        this.ramp = gl.createTexture()!;
        this.shadow = this.makeShadow();
        this.blank = gl.createTexture()!;
        gl.bindTexture(gl.TEXTURE_3D, this.blank);
        gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RGBA8, 1, 1, 1);
    }

    // ---- a frame arrives

    take(frame: Frame): void {
        const gl = this.gl, { header, bytes } = frame;
        this.frame = frame;
        const volume = header.volume;
        if (volume) {
            this.smoke = this.fit(this.smoke, volume.cells, volume.smoke.channels);
            this.smoke.fill(this.list(bytes, volume.smoke.bricks, volume.smoke.count), bytes.subarray(volume.smoke.bytes));
            if (volume.fire) {
                this.fire = this.fit(this.fire, volume.cells, 3);
                this.fire.fill(this.list(bytes, volume.fire.bricks, volume.fire.count), bytes.subarray(volume.fire.bytes));
            }
            this.bakeDue = true;
        }
        // What stands still stays on the card; what is alike is there once.
        const before = new Map(this.meshes.map((mesh) => [mesh.header.mesh, mesh])), now = new Map<string, Mesh>();
        this.meshes = header.surfaces.map((surface) => {
            const there = now.get(surface.mesh) ?? before.get(surface.mesh), mesh = there ? { ...there, header: surface } : this.makeMesh(surface, frame.meshes.get(surface.mesh)!);
            now.set(surface.mesh, mesh);
            return mesh;
        });
        for (const [name, mesh] of before) if (!now.has(name)) { gl.deleteVertexArray(mesh.array); gl.deleteBuffer(mesh.vertices); gl.deleteBuffer(mesh.indices); }
        this.points = header.points.map((set) => ({ header: set, bytes: bytes.subarray(set.bytes, set.bytes + pointSize * set.count) }));
    }

    private list(bytes: Uint8Array, offset: number, count: number): Uint32Array {
        return new Uint32Array(bytes.buffer, bytes.byteOffset + offset, count);
    }
    private fit(texture: BrickTexture | null, cells: Vec3, channels: number): BrickTexture {
        if (texture && texture.channels === channels && texture.cells.every((n, axis) => n === cells[axis])) return texture;
        texture?.drop();
        return new BrickTexture(this.gl, cells, channels);
    }
    private makeMesh(header: SurfaceHeader, bytes: Uint8Array): Mesh {
        const gl = this.gl, array = gl.createVertexArray()!, vertices = gl.createBuffer()!, indices = gl.createBuffer()!;
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
        gl.bufferData(gl.ARRAY_BUFFER, bytes.subarray(header.vertex_bytes, header.vertex_bytes + 12 * header.vertices), gl.STREAM_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, 12, 0);
        gl.enableVertexAttribArray(1);
        gl.vertexAttribPointer(1, 3, gl.BYTE, true, 12, 8);
        gl.enableVertexAttribArray(2);
        gl.vertexAttribPointer(2, 2, gl.UNSIGNED_BYTE, true, 12, 6);
        gl.enableVertexAttribArray(3);
        gl.vertexAttribPointer(3, 1, gl.UNSIGNED_BYTE, true, 12, 11);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, bytes.subarray(header.index_bytes, header.index_bytes + 4 * header.indices), gl.STREAM_DRAW);
        gl.bindVertexArray(null);
        return { header, array, vertices, indices, count: header.indices };
    }
    /** `parts`: place, how many, type, whether a share of one, offset. */
    private makePointArray(parts: [number, number, number, boolean, number][]): WebGLVertexArrayObject {
        const gl = this.gl, array = gl.createVertexArray()!;
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.pointBuffer);
        for (const [place, count, type, normalized, offset] of parts) {
            gl.enableVertexAttribArray(place);
            gl.vertexAttribPointer(place, count, type, normalized, pointSize, offset);
            gl.vertexAttribDivisor(place, 1);
        }
        gl.bindVertexArray(null);
        return array;
    }
    private makeBox(): WebGLVertexArrayObject {
        const gl = this.gl, array = gl.createVertexArray()!, lines: number[] = [];
        for (let axis = 0; axis < 3; ++axis)
            for (let n = 0; n < 4; ++n)
                for (let end = 0; end < 2; ++end) {
                    const p = [0, 0, 0];
                    p[axis] = end, p[(axis + 1) % 3] = n & 1, p[(axis + 2) % 3] = n >> 1;
                    lines.push(...p);
                }
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(lines), gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
        gl.bindVertexArray(null);
        return array;
    }
    private makeShadow(): { texture: WebGLTexture; frame: WebGLFramebuffer } {
        const gl = this.gl, texture = gl.createTexture()!, frame = gl.createFramebuffer()!;
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowSize, shadowSize);
        for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
            [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
        gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
        gl.drawBuffers([gl.NONE]);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return { texture, frame };
    }

    // ---- a picture is drawn

    private view: Mat4 = new Float32Array(16);
    private projection: Mat4 = new Float32Array(16);
    private eye: Vec3 = [0, 0, 0];
    private corner: Vec3 = [0, 0, 0];
    private across: Vec3 = [0, 0, 0];
    private up: Vec3 = [0, 0, 0];

    private place(camera: OrbitCamera, aspect: number): void {
        const { low, high } = this.frame!.header, far = camera.distance + 40 * norm(sub(high, low)) + 10;
        this.eye = camera.position;
        this.view = lookAt(this.eye, camera.target);
        this.projection = perspective(camera.fov, aspect, camera.distance * 0.01, far);
        const forward = camera.forward, right = unit(cross(forward, Math.abs(forward[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1])), up = cross(right, forward);
        const half = Math.tan((camera.fov * Math.PI) / 360);
        this.corner = sub(sub(forward, scale(right, half * aspect)), scale(up, half));
        this.across = scale(right, 2 * half * aspect);
        this.up = scale(up, 2 * half);
    }

    /** The direction in which a place of the picture looks, from 0 to 1 from the lower left corner. */
    sight(x: number, y: number): { eye: Vec3; way: Vec3 } {
        return { eye: this.eye, way: unit(add(this.corner, add(scale(this.across, x), scale(this.up, y)))) };
    }
    /** Where a point is in the picture, from 0 to 1 from the lower left corner; null behind the eye. */
    seenAt(p: Vec3): { x: number; y: number; depth: number } | null {
        const m = multiply(this.projection, this.view), at = (r: number) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
        const w = at(3);
        return w > 0 ? { x: 0.5 + (0.5 * at(0)) / w, y: 0.5 + (0.5 * at(1)) / w, depth: w } : null;
    }

    private fitTargets(width: number, height: number): void {
        const gl = this.gl, gasWidth = Math.max(1, Math.round(width * this.gasScale)), gasHeight = Math.max(1, Math.round(height * this.gasScale)), t = this.targets;
        if (!t || t.picture.width !== width || t.picture.height !== height) {
            if (t) for (const target of Object.values(t)) target.drop();
            this.targets = {
                picture: new Target(gl, width, height, { depth: true }),
                copy: new Target(gl, width, height),
                gas: new Target(gl, gasWidth, gasHeight),
                amounts: new Target(gl, width, height, { format: gl.R16F }),
                thickness: new Target(gl, width, height, { format: gl.R16F }),
            };
        } else if (t.gas.width !== gasWidth || t.gas.height !== gasHeight) {
            t.gas.drop();
            t.gas = new Target(gl, gasWidth, gasHeight);
        }
    }

    private lights(u: Uniforms): Uniforms {
        const { look, lamps } = this.frame!.header;
        const places = new Float32Array(32), powers = new Float32Array(32);
        lamps.slice(0, 8).forEach((lamp, n) => { places.set([...lamp.position, lamp.radius], 4 * n); powers.set([...lamp.intensity, 0], 4 * n); });
        u.use().v3("toSun", look.to_sun).v3("sun", look.sun).v3("zenith", look.zenith).v3("horizon", look.horizon).v3("background", look.background);
        u.i("skyVisible", look.sky_visible ? 1 : 0).i("hasGround", look.ground ? 1 : 0).v3("groundColor", look.ground?.color ?? [0, 0, 0]);
        return u.v4s("lampPlaces[0]", places).v4s("lampPowers[0]", powers).i("lampCount", Math.min(lamps.length, 8)).v3("eye", this.eye);
    }
    /** Texture places 0 and 1. */
    private gas(u: Uniforms): Uniforms {
        const gl = this.gl, volume = this.frame!.header.volume;
        u.texture("smoke", 0, gl.TEXTURE_3D, this.smoke?.texture ?? this.blank).texture("fire", 1, gl.TEXTURE_3D, this.fire?.texture ?? this.blank);
        u.i("hasGas", volume ? 1 : 0);
        if (!volume || !this.smoke) return u;
        const size = this.smoke.size.map((n) => n * volume.h) as Vec3;
        u.v3("gasLow", volume.origin).v3("gasSize", size).v3("roomLow", volume.origin).v3("roomHigh", add(volume.origin, scale(volume.cells, volume.h)));
        u.f("mostExtinction", volume.most_extinction).f("mostEmission", volume.most_emission).f("cell", volume.h).v3("albedo", volume.albedo);
        return u.i("tinted", volume.smoke.channels === 4 ? 1 : 0).i("hasFire", volume.fire ? 1 : 0);
    }
    /** Texture place 2. */
    private shadows(u: Uniforms): Uniforms {
        return u.texture("shadowMap", 2, this.gl.TEXTURE_2D, this.shadow.texture).m4("shadowClip", this.shadowClip).i("hasShadow", this.meshes.length > 0 ? 1 : 0);
    }
    private triangle(): void {
        this.gl.bindVertexArray(this.emptyArray);
        this.gl.drawArrays(this.gl.TRIANGLES, 0, 3);
    }

    /** Nothing moves: light in the gas as fine as it gets. */
    bakeFine(): void { this.bakeDue = true; }

    draw(camera: OrbitCamera): void {
        const gl = this.gl, width = this.canvas.width, height = this.canvas.height;
        if (!this.frame || width === 0 || height === 0 || gl.isContextLost()) return;
        this.fitTargets(width, height);
        this.place(camera, width / height);
        gl.disable(gl.BLEND);
        gl.disable(gl.CULL_FACE);
        this.drawShadows();
        if (this.bakeDue && this.frame.header.volume) this.bake();
        this.drawSolids();
        if (this.frame.header.volume) this.drawGas();
        if (this.meshes.some((m) => m.header.material === "clear")) this.drawClear();
        for (const set of this.points) set.header.kind === "clouds" ? this.drawClouds(set) : this.drawStreaks(set);
        this.develop();
    }

    private drawShadows(): void {
        const gl = this.gl, { low, high, look } = this.frame!.header;
        const middle = scale(add(low, high), 0.5), half = 0.6 * norm(sub(high, low)) + 1e-6;
        const eye = add(middle, scale(look.to_sun, 2 * half));
        this.shadowClip = multiply(orthographic(half, 0.01 * half, 4 * half), lookAt(eye, middle));
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
        gl.viewport(0, 0, shadowSize, shadowSize);
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(true);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        const u = this.programs.shadow.use().m4("clip", this.shadowClip);
        for (const mesh of this.meshes) if (mesh.header.material !== "clear") this.drawMesh(u, mesh);
    }
    private drawMesh(u: Uniforms, mesh: Mesh): void {
        const gl = this.gl;
        u.v3("low", mesh.header.low).v3("size", mesh.header.size);
        gl.bindVertexArray(mesh.array);
        gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    }

    private bake(): void {
        const gl = this.gl, volume = this.frame!.header.volume!;
        const size = volume.cells.map((n) => Math.max(4, Math.min(this.gasScale < 0.3 ? 20 : 48, Math.ceil(n / 2)))) as Vec3;
        if (!this.lit || this.lit.size.some((n, axis) => n !== size[axis])) {
            if (this.lit) { gl.deleteTexture(this.lit.texture); gl.deleteFramebuffer(this.lit.frame); }
            this.lit = { texture: gl.createTexture()!, size, frame: gl.createFramebuffer()! };
            gl.bindTexture(gl.TEXTURE_3D, this.lit.texture);
            gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RGBA16F, size[0], size[1], size[2]);
            for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
                [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_R, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_3D, key, value);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.lit.frame);
        gl.viewport(0, 0, size[0], size[1]);
        gl.disable(gl.DEPTH_TEST);
        const u = this.gas(this.lights(this.programs.bake));
        for (let layer = 0; layer < size[2]; ++layer) {
            gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, this.lit.texture, 0, layer);
            u.f("layer", (layer + 0.5) / size[2]);
            this.triangle();
        }
        this.bakeDue = false;
    }

    private drawSolids(): void {
        const gl = this.gl, { header } = this.frame!, clip = multiply(this.projection, this.view), size = norm(sub(header.high, header.low));
        this.targets!.picture.bind();
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(true);
        gl.clearColor(0, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.disable(gl.DEPTH_TEST);
        this.lights(this.programs.sky).v3("corner", this.corner).v3("across", this.across).v3("down", this.up);
        this.triangle();
        gl.enable(gl.DEPTH_TEST);
        if (header.look.ground) {
            const middle: Vec3 = [(header.low[0] + header.high[0]) / 2, (header.low[1] + header.high[1]) / 2, header.look.ground.height];
            this.shadows(this.gas(this.lights(this.programs.ground))).m4("clip", clip).v3("middle", middle).f("half0", 6 * size + 1e-6).f("offset", 0.001 * size);
            gl.bindVertexArray(this.emptyArray);
            gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        }
        const u = this.shadows(this.gas(this.lights(this.programs.mesh))).m4("clip", clip).f("reach", 0).f("offset", 0.002 * size);
        for (const mesh of this.meshes) {
            if (mesh.header.material === "clear") continue;
            u.v3("color0", mesh.header.color).i("ownColors", mesh.header.tinted ? 1 : 0).v3("emission", mesh.header.emission).f("gloss", mesh.header.material === "glossy" ? 0.7 : mesh.header.material === "cloudy" ? 0.04 : 0);
            u.f("soft", mesh.header.material === "cloudy" ? 0.35 : 0);
            this.drawMesh(u, mesh);
        }
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(false);
        const lines = this.programs.line.use().m4("clip", clip);
        gl.bindVertexArray(this.boxArray);
        if (this.showBox && header.boxed) {
            const glow = 0.25 / Math.pow(2, header.look.exposure);
            gl.uniform4f(lines.at("ink"), glow, glow, glow * 1.1, 0.35);
            lines.v3("low", header.low).v3("size", sub(header.high, header.low));
            gl.drawArrays(gl.LINES, 0, 24);
        }
        for (const marker of this.markers) {
            const bright = 1 / Math.pow(2, header.look.exposure);
            gl.uniform4f(lines.at("ink"), marker.color[0] * bright, marker.color[1] * bright, marker.color[2] * bright, marker.color[3]);
            lines.v3("low", sub(marker.position, [marker.size, marker.size, marker.size])).v3("size", [2 * marker.size, 2 * marker.size, 2 * marker.size]);
            gl.drawArrays(gl.LINES, 0, 24);
        }
        gl.disable(gl.BLEND);
    }

    private drawGas(): void {
        const gl = this.gl, { picture, gas } = this.targets!, volume = this.frame!.header.volume!;
        gas.bind();
        gl.disable(gl.DEPTH_TEST);
        const u = this.gas(this.lights(this.programs.gas)).v3("corner", this.corner).v3("across", this.across).v3("down", this.up);
        u.texture("lit", 3, gl.TEXTURE_3D, this.lit!.texture).texture("depth", 4, gl.TEXTURE_2D, picture.depth!);
        u.m4("unclip", inverse(multiply(this.projection, this.view))).f("stepCells", 0.7).f("anisotropy", volume.anisotropy);
        this.triangle();
        picture.bindColor();
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        this.programs.gasOver.use().texture("gas", 0, gl.TEXTURE_2D, gas.color).texture("depth", 4, gl.TEXTURE_2D, picture.depth!).v2("lens", this.projection[10], this.projection[14]);
        this.triangle();
        gl.disable(gl.BLEND);
    }

    private drawClear(): void {
        const gl = this.gl, { picture, copy, thickness } = this.targets!, clip = multiply(this.projection, this.view), clear = this.meshes.filter((m) => m.header.material === "clear");
        copy.bind();
        gl.disable(gl.DEPTH_TEST);
        this.programs.copy.use().texture("picture", 0, gl.TEXTURE_2D, picture.color);
        this.triangle();
        thickness.bind();
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        const thick = this.programs.thickness.use().m4("clip", clip).v3("eye", this.eye);
        for (const mesh of clear) this.drawMesh(thick, mesh);
        gl.disable(gl.BLEND);
        picture.bind();
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(true);
        const u = this.shadows(this.gas(this.lights(this.programs.liquid))).m4("clip", clip).v2("pixels", picture.width, picture.height).f("bend", 0.12);
        u.texture("picture", 3, gl.TEXTURE_2D, copy.color).texture("thickness", 4, gl.TEXTURE_2D, thickness.color);
        for (const mesh of clear) {
            u.v3("absorption", mesh.header.absorption).f("ior", mesh.header.ior);
            this.drawMesh(u, mesh);
        }
        gl.disable(gl.DEPTH_TEST);
    }

    private pointUniforms(u: Uniforms, set: PointsHeader): void {
        u.use().m4("view", this.view).m4("projection", this.projection).v3("low", set.low).v3("size", set.size).f("mostRadius", set.most_radius);
        u.f("mostLight", set.most_light).f("longest", set.longest).f("pixel", 1.5 * norm(this.up) / this.canvas.height).i("streaks", set.kind === "streaks" ? 1 : 0);
    }
    private drawClouds(set: Points): void {
        const gl = this.gl;
        this.targets!.picture.bind();
        this.pointUniforms(this.programs.clouds, set.header);
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(false);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        this.drawPoints(this.pointArrays.clouds, farthestFirst(set, this.view));
        gl.disable(gl.BLEND);
    }
    private drawStreaks(set: Points): void {
        const gl = this.gl, { picture, amounts } = this.targets!;
        // The streaks' target has no depth of its own: what stands before them is left out by the picture's.
        gl.bindFramebuffer(gl.FRAMEBUFFER, amounts.frame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, picture.depth, 0);
        amounts.bind();
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        this.pointUniforms(this.programs.streaks, set.header);
        gl.enable(gl.DEPTH_TEST);
        gl.depthMask(false);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        this.drawPoints(this.pointArrays.streaks, set.bytes);
        gl.bindTexture(gl.TEXTURE_2D, this.ramp);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB32F, 64, 1, 0, gl.RGB, gl.FLOAT, new Float32Array(set.header.ramp!));
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        picture.bind();
        gl.disable(gl.DEPTH_TEST);
        gl.blendFunc(gl.ONE, gl.ONE);
        const rise = this.seenAt(add(set.header.low, [0, 0, set.header.halo ?? 0])), from = this.seenAt(set.header.low);
        const u = this.programs.ramp.use().texture("amounts", 0, gl.TEXTURE_2D, amounts.color).texture("ramp", 1, gl.TEXTURE_2D, this.ramp);
        u.v2("rise", rise && from ? rise.x - from.x : 0, rise && from ? rise.y - from.y : 0);
        this.triangle();
        gl.disable(gl.BLEND);
    }
    private drawPoints(array: WebGLVertexArrayObject, bytes: Uint8Array): void {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.pointBuffer);
        gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STREAM_DRAW);
        gl.bindVertexArray(array);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, bytes.length / pointSize);
    }

    private develop(): void {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.disable(gl.DEPTH_TEST);
        this.programs.film.use().texture("picture", 0, gl.TEXTURE_2D, this.targets!.picture.color).f("gain", Math.pow(2, this.frame!.header.look.exposure));
        this.triangle();
        gl.bindVertexArray(null);
    }
}

/** Clouds that hide each other are drawn from back to front: sorted by depth in 4096 layers. */
function farthestFirst(set: Points, view: Mat4): Uint8Array {
    const { header } = set, count = header.count, layers = 4096;
    const words = new Uint32Array(set.bytes.buffer, set.bytes.byteOffset, 3 * count), places = new Uint16Array(set.bytes.buffer, set.bytes.byteOffset, 6 * count);
    const along = [view[2] * header.size[0] / 65535, view[6] * header.size[1] / 65535, view[10] * header.size[2] / 65535];
    const depth = new Float32Array(count);
    let low = Infinity, high = -Infinity;
    for (let n = 0; n < count; ++n) {
        const d = along[0] * places[6 * n] + along[1] * places[6 * n + 1] + along[2] * places[6 * n + 2];
        depth[n] = d;
        if (d < low) low = d;
        if (d > high) high = d;
    }
    const starts = new Uint32Array(layers + 1), per = (layers - 1) / Math.max(high - low, 1e-12);
    for (let n = 0; n < count; ++n) ++starts[1 + Math.floor((depth[n] - low) * per)];
    for (let n = 0; n < layers; ++n) starts[n + 1] += starts[n];
    const sorted = new Uint32Array(3 * count);
    for (let n = 0; n < count; ++n) {
        const to = 3 * starts[Math.floor((depth[n] - low) * per)]++;
        sorted[to] = words[3 * n], sorted[to + 1] = words[3 * n + 1], sorted[to + 2] = words[3 * n + 2];
    }
    return new Uint8Array(sorted.buffer);
}

function inverse(m: Mat4): Mat4 {
    const a = Array.from({ length: 4 }, (_, r) => [m[r], m[4 + r], m[8 + r], m[12 + r], ...[0, 1, 2, 3].map((c) => (c === r ? 1 : 0))]);
    for (let c = 0; c < 4; ++c) {
        let best = c;
        for (let r = c; r < 4; ++r) if (Math.abs(a[r][c]) > Math.abs(a[best][c])) best = r;
        [a[c], a[best]] = [a[best], a[c]];
        const by = a[c][c] || 1e-30;
        a[c] = a[c].map((v) => v / by);
        for (let r = 0; r < 4; ++r) if (r !== c) { const f = a[r][c]; a[r] = a[r].map((v, n) => v - f * a[c][n]); }
    }
    const out = new Float32Array(16);
    for (let r = 0; r < 4; ++r) for (let c = 0; c < 4; ++c) out[4 * c + r] = a[r][4 + c];
    return out;
}
