// WebGL2 in small: programs, targets, textures. Everything that is drawn in linear light goes to half floats.

export function program(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
    const made = gl.createProgram()!;
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as [number, string][]) {
        const shader = gl.createShader(kind)!;
        gl.shaderSource(shader, "#version 300 es\nprecision highp float;\nprecision highp sampler3D;\n" + source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
        gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(made) ?? "program");
    return made;
}

/** Uniforms by name, looked up once. */
export class Uniforms {
    private places = new Map<string, WebGLUniformLocation | null>();
    constructor(private gl: WebGL2RenderingContext, readonly program: WebGLProgram) {}
    at(name: string): WebGLUniformLocation | null {
        if (!this.places.has(name)) this.places.set(name, this.gl.getUniformLocation(this.program, name));
        return this.places.get(name)!;
    }
    use(): this { this.gl.useProgram(this.program); return this; }
    f(name: string, v: number): this { this.gl.uniform1f(this.at(name), v); return this; }
    i(name: string, v: number): this { this.gl.uniform1i(this.at(name), v); return this; }
    v2(name: string, x: number, y: number): this { this.gl.uniform2f(this.at(name), x, y); return this; }
    v3(name: string, v: ArrayLike<number>): this { this.gl.uniform3f(this.at(name), v[0], v[1], v[2]); return this; }
    v4s(name: string, v: Float32Array): this { this.gl.uniform4fv(this.at(name), v); return this; }
    m4(name: string, m: Float32Array): this { this.gl.uniformMatrix4fv(this.at(name), false, m); return this; }
    texture(name: string, slot: number, target: number, texture: WebGLTexture): this {
        this.gl.activeTexture(this.gl.TEXTURE0 + slot);
        this.gl.bindTexture(target, texture);
        return this.i(name, slot);
    }
}

/** A picture to draw into: linear light, with or without depth that can be read. */
export class Target {
    readonly frame: WebGLFramebuffer;
    readonly color: WebGLTexture;
    readonly depth: WebGLTexture | null = null;
    private colorFrame: WebGLFramebuffer | null = null;
    constructor(private gl: WebGL2RenderingContext, readonly width: number, readonly height: number, options: { depth?: boolean; format?: number } = {}) {
        this.frame = gl.createFramebuffer()!;
        this.color = gl.createTexture()!;
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
        gl.bindTexture(gl.TEXTURE_2D, this.color);
        gl.texStorage2D(gl.TEXTURE_2D, 1, options.format ?? gl.RGBA16F, width, height);
        this.filter(gl.LINEAR);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.color, 0);
        if (options.depth) {
            this.depth = gl.createTexture()!;
            gl.bindTexture(gl.TEXTURE_2D, this.depth);
            gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, width, height);
            this.filter(gl.NEAREST);
            gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.depth, 0);
        }
    }
    private filter(how: number): void {
        const gl = this.gl;
        for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, how], [gl.TEXTURE_MAG_FILTER, how], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
            gl.texParameteri(gl.TEXTURE_2D, key, value);
    }
    bind(): void {
        this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.frame);
        this.gl.viewport(0, 0, this.width, this.height);
    }
    /** To draw on the colours while the depth is read. */
    bindColor(): void {
        const gl = this.gl;
        if (!this.colorFrame) {
            this.colorFrame = gl.createFramebuffer()!;
            gl.bindFramebuffer(gl.FRAMEBUFFER, this.colorFrame);
            gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.color, 0);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.colorFrame);
        gl.viewport(0, 0, this.width, this.height);
    }
    drop(): void {
        this.gl.deleteFramebuffer(this.frame);
        if (this.colorFrame) this.gl.deleteFramebuffer(this.colorFrame);
        this.gl.deleteTexture(this.color);
        if (this.depth) this.gl.deleteTexture(this.depth);
    }
}

/** Three-dimensional texture of bytes, filled brick by brick. */
export class BrickTexture {
    readonly texture: WebGLTexture;
    private filled = new Set<number>();
    private empty: Uint8Array;
    static readonly brick = 16;
    constructor(private gl: WebGL2RenderingContext, readonly cells: readonly number[], readonly channels: number) {
        const b = BrickTexture.brick;
        this.texture = gl.createTexture()!;
        this.empty = new Uint8Array(b * b * b * channels);
        gl.bindTexture(gl.TEXTURE_3D, this.texture);
        const format = channels === 1 ? gl.R8 : channels === 3 ? gl.RGB8 : gl.RGBA8;
        const size = this.bricks.map((n) => n * b);
        gl.texStorage3D(gl.TEXTURE_3D, 1, format, size[0], size[1], size[2]);
        for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
            [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_R, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_3D, key, value);
    }
    get bricks(): number[] { return this.cells.map((n) => Math.ceil(n / BrickTexture.brick)); }
    /** Cells of the texture, those beyond the room included. */
    get size(): number[] { return this.bricks.map((n) => n * BrickTexture.brick); }
    fill(which: Uint32Array, bytes: Uint8Array): void {
        const gl = this.gl, b = BrickTexture.brick, size = b * b * b * this.channels;
        gl.bindTexture(gl.TEXTURE_3D, this.texture);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        const now = new Set<number>();
        which.forEach((brick, n) => { this.upload(brick, bytes.subarray(n * size, (n + 1) * size)); now.add(brick); });
        for (const brick of this.filled) if (!now.has(brick)) this.upload(brick, this.empty);
        this.filled = now;
    }
    private upload(brick: number, bytes: Uint8Array): void {
        const gl = this.gl, b = BrickTexture.brick, [nx, ny] = this.bricks;
        const format = this.channels === 1 ? gl.RED : this.channels === 3 ? gl.RGB : gl.RGBA;
        gl.texSubImage3D(gl.TEXTURE_3D, 0, (brick % nx) * b, (Math.floor(brick / nx) % ny) * b, Math.floor(brick / (nx * ny)) * b, b, b, b, format, gl.UNSIGNED_BYTE, bytes);
    }
    drop(): void { this.gl.deleteTexture(this.texture); }
}
