// What the graphics card does. Light is linear until the last pass, which develops it with the same curve as the program's own pictures.

/** A triangle that covers the picture. */
export const fullScreen = `
out vec2 uv;
void main() {
    uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(uv * 2.0 - 1.0, 1.0, 1.0);
}`;

const lightsHead = `
uniform vec3 toSun, sun, zenith, horizon, background;
uniform bool skyVisible, hasGround;
uniform vec3 groundColor;
uniform vec4 lampPlaces[8], lampPowers[8];
uniform int lampCount;
vec3 sky(vec3 d) {
    if (d.z < 0.0) return hasGround ? groundColor * (0.3 * (zenith + horizon) + sun * max(toSun.z, 0.0) / 3.14159) : horizon;
    return mix(horizon, zenith, sqrt(d.z));
}
vec3 behind(vec3 d) { return skyVisible ? sky(vec3(d.xy, hasGround ? max(d.z, 0.0) : d.z)) : background; }
vec3 lampLight(vec3 p, vec3 n) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 8; ++i) {
        if (i >= lampCount) break;
        vec3 way = lampPlaces[i].xyz - p;
        float d2 = dot(way, way), facing = dot(way, n), r = lampPlaces[i].w;
        if (facing > 0.0) sum += lampPowers[i].xyz * (facing / (sqrt(d2) * (d2 + r * r)));
    }
    return sum;
}
vec3 lampGlow(vec3 p) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 8; ++i) {
        if (i >= lampCount) break;
        vec3 way = lampPlaces[i].xyz - p;
        sum += lampPowers[i].xyz / (dot(way, way) + lampPlaces[i].w * lampPlaces[i].w);
    }
    return sum;
}
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }
`;

const gasHead = `
uniform bool hasGas, tinted, hasFire;
uniform sampler3D smoke, fire;
uniform vec3 gasLow, gasSize;         // of the textures [m]
uniform vec3 roomLow, roomHigh;       // of the gas itself [m]
uniform float mostExtinction, mostEmission, cell;
uniform vec3 albedo;
float extinctionAt(vec3 p) {
    vec4 s = texture(smoke, (p - gasLow) / gasSize);
    float root = tinted ? s.a : s.r;
    return mostExtinction * root * root;
}
vec2 throughBox(vec3 from, vec3 way, vec3 low, vec3 high) {
    vec3 a = (low - from) / way, b = (high - from) / way, n = min(a, b), f = max(a, b);
    return vec2(max(max(n.x, n.y), max(n.z, 0.0)), min(f.x, min(f.y, f.z)));
}
/// Of the gas on the way to the sun, in a few long steps.
float sunThroughGas(vec3 p, int steps) {
    if (!hasGas) return 1.0;
    vec2 t = throughBox(p, toSun, roomLow, roomHigh);
    if (t.y <= t.x) return 1.0;
    float dt = (t.y - t.x) / float(steps), depth = 0.0;
    for (int i = 0; i < steps; ++i) depth += extinctionAt(p + toSun * (t.x + (float(i) + 0.5) * dt));
    return exp(-depth * dt);
}
`;

export const skyFragment = `
${lightsHead}
uniform vec3 eye, corner, across, down;
in vec2 uv;
out vec4 color;
void main() {
    vec3 d = normalize(corner + across * uv.x + down * uv.y);
    color = vec4(behind(d), 1.0);
}`;

export const meshVertex = `
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec2 redGreen;
layout(location = 3) in float blue;
uniform mat4 clip;
uniform vec3 low, size;
out vec3 world, normal, tint;
void main() {
    world = low + place * size;
    normal = direction;
    tint = vec3(redGreen, blue) * vec3(redGreen, blue);
    gl_Position = clip * vec4(world, 1.0);
}`;

const shadowHead = `
uniform highp sampler2DShadow shadowMap;
uniform mat4 shadowClip;
uniform bool hasShadow;
float sunlit(vec3 p, vec3 n, float offset) {
    if (!hasShadow) return 1.0;
    vec4 c = shadowClip * vec4(p + n * offset, 1.0);
    vec3 s = c.xyz * 0.5 + 0.5;
    if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
    float sum = 0.0;
    vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += texture(shadowMap, vec3(s.xy + vec2(x, y) * texel * 1.5, s.z - 0.0015));
    return sum / 9.0;
}`;

export const shadowFragment = `
in vec3 world, normal;
out vec4 color;
void main() { color = vec4(1.0); }`;

export const meshFragment = `
${lightsHead}${gasHead}${shadowHead}
uniform vec3 eye, color0, emission;
uniform bool ownColors;
uniform float gloss, soft, reach, offset;
in vec3 world, normal, tint;
out vec4 color;
void main() {
    vec3 n = normalize(normal), v = normalize(eye - world);
    if (dot(n, v) < 0.0) n = -n;
    float open = 0.5 + 0.5 * n.z;
    vec3 around = mix(sky(vec3(0.0, 0.0, -1.0)), mix(horizon, zenith, 0.5), open);
    float facing = max(0.0, (dot(n, toSun) + soft) / (1.0 + soft));
    float lit = facing > 0.0 ? sunlit(world, n, offset) * sunThroughGas(world + n * offset, 12) : 0.0;
    vec3 light = sun * facing * lit / 3.14159 + around * 0.9 + lampLight(world, n) / 3.14159;
    vec3 own = ownColors ? tint : color0;
    vec3 c = own * light + emission;
    if (gloss > 0.0) {
        vec3 r = reflect(-v, n);
        c = mix(c, own * sky(r), gloss) + sun * lit * pow(max(dot(r, toSun), 0.0), 60.0) * gloss;
    }
    float away = reach > 0.0 ? exp(-pow(length(world.xy) / reach, 2.0)) : 1.0;
    color = vec4(c, away);
}`;

/** The floor: a large square that fades into what is behind everything, with no horizon. */
export const groundVertex = `
uniform mat4 clip;
uniform vec3 middle;
uniform float half0;
out vec3 world, normal;
void main() {
    vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    world = middle + vec3(c * half0, 0.0);
    normal = vec3(0.0, 0.0, 1.0);
    gl_Position = clip * vec4(world, 1.0);
}`;

export const groundFragment = `
${lightsHead}${gasHead}${shadowHead}
uniform vec3 eye, middle;
uniform float half0, offset;
in vec3 world, normal;
out vec4 color;
void main() {
    vec3 light = mix(horizon, zenith, 0.5) * 0.9 + lampLight(world, normal) / 3.14159;
    if (toSun.z > 0.0) light += sun * (toSun.z / 3.14159) * sunlit(world, normal, offset) * sunThroughGas(world, 24);
    float r = length(world.xy - middle.xy) / half0;
    float kept = exp(-9.0 * r * r) * smoothstep(1.0, 0.8, r);
    color = vec4(mix(behind(normalize(world - eye)), groundColor * light, kept), 1.0);
}`;

export const lineVertex = `
layout(location = 0) in vec3 place;
uniform mat4 clip;
uniform vec3 low, size;
void main() { gl_Position = clip * vec4(low + place * size, 1.0); }`;

export const lineFragment = `
uniform vec4 ink;
out vec4 color;
void main() { color = ink; }`;

/** Light inside the gas, a slice at a time: light from all around in rgb, the sun's share in a. */
export const bakeFragment = `
${lightsHead}${gasHead}
uniform float layer;
in vec2 uv;
out vec4 color;
void main() {
    vec3 p = roomLow + vec3(uv, layer) * (roomHigh - roomLow);
    float up = (roomHigh.z - p.z) / 10.0, depth = 0.0;
    for (int i = 0; i < 10; ++i) depth += extinctionAt(p + vec3(0.0, 0.0, (float(i) + 0.5) * up));
    vec3 around = mix(horizon, zenith, 0.5) * (0.35 + 0.65 * exp(-0.7 * depth * up)) + lampGlow(p) * (0.25 / 3.14159);
    color = vec4(around, sunThroughGas(p, 24));
}`;

export const gasFragment = `
${lightsHead}${gasHead}
uniform sampler3D lit;
uniform sampler2D depth;
uniform vec3 eye, corner, across, down;
uniform mat4 unclip;
uniform float stepCells, anisotropy;
in vec2 uv;
out vec4 color;
float phase(float c, float g) { float q = 1.0 + g * g - 2.0 * g * c; return (1.0 - g * g) / (12.566 * q * sqrt(q)); }
void main() {
    vec3 way = corner + across * uv.x + down * uv.y;
    float d = texture(depth, uv).r;
    vec4 hit = unclip * vec4(uv * 2.0 - 1.0, d * 2.0 - 1.0, 1.0);
    float solid = d < 1.0 ? length(hit.xyz / hit.w - eye) : 1e20;
    way = normalize(way);
    vec2 t = throughBox(eye, way, roomLow, roomHigh);
    t.y = min(t.y, solid);
    color = vec4(0.0);
    if (t.y <= t.x) return;
    float dt = max(cell * stepCells, (t.y - t.x) / 320.0);
    float c = dot(way, toSun);
    float turned = mix(phase(c, anisotropy), 1.0 / 12.566, 0.35);
    vec3 sum = vec3(0.0);
    float passed = 1.0;
    // The last step is as long as what is left of the way: gas before a body would be counted beyond its surface, or not at all, from pixel to pixel.
    float within = noise(gl_FragCoord.xy);
    for (float from = t.x; from < t.y; from += dt) {
        float len = min(dt, t.y - from);
        vec3 p = eye + way * (from + len * within), q = (p - gasLow) / gasSize;
        vec4 m = texture(smoke, q);
        float root = tinted ? m.a : m.r, sigma = mostExtinction * root * root;
        vec3 shine = vec3(0.0);
        if (hasFire) { vec3 e = texture(fire, q).rgb; shine = mostEmission * e * e; }
        if (sigma <= 0.0 && shine == vec3(0.0)) continue;
        vec3 own = tinted ? m.rgb : albedo;
        vec4 l = texture(lit, (p - roomLow) / (roomHigh - roomLow));
        // Light that is scattered more than once: dimmed less and from everywhere.
        vec3 inside = sun * (turned * l.a + 0.5 / 12.566 * pow(l.a, 0.35)) + l.rgb;
        float kept = exp(-sigma * len), share = sigma > 1e-6 ? (1.0 - kept) / sigma : len;
        sum += passed * share * (own * sigma * inside + shine);
        passed *= kept;
        if (passed < 0.004) break;
    }
    color = vec4(sum, 1.0 - passed);
}`;

/** The gas, which is drawn coarser, laid over the picture: at a body's edge each pixel takes what was seen at its own depth, so that edges stay sharp [kopf2007]. */
export const gasOverFragment = `
uniform sampler2D gas, depth;
uniform vec2 lens;
in vec2 uv;
out vec4 color;
float farness(vec2 at) { return lens.y / (texture(depth, at).r * 2.0 - 1.0 + lens.x); }
void main() {
    ivec2 size = textureSize(gas, 0);
    vec2 at = uv * vec2(size) - 0.5, first = floor(at), part = at - first;
    float own = farness(uv), sum = 0.0;
    color = vec4(0.0);
    for (int n = 0; n < 4; ++n) {
        vec2 step0 = vec2(n & 1, n >> 1), near = mix(1.0 - part, part, step0);
        ivec2 cell = clamp(ivec2(first + step0), ivec2(0), size - 1);
        float off = (farness((vec2(cell) + 0.5) / vec2(size)) / own - 1.0) * 50.0;
        float weight = (near.x * near.y + 1e-4) / (1.0 + off * off);
        color += weight * texelFetch(gas, cell, 0);
        sum += weight;
    }
    color /= sum;
}`;

export const copyFragment = `
uniform sampler2D picture;
in vec2 uv;
out vec4 color;
void main() { color = texture(picture, uv); }`;

export const pointVertex = `
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 radiusOpacity;   // of a streak: radius and amount
layout(location = 2) in vec3 light;
layout(location = 3) in float turn;
layout(location = 4) in vec3 streak;
uniform mat4 view, projection;
uniform vec3 low, size;
uniform float mostRadius, mostLight, longest, pixel;
uniform bool streaks;
out vec2 at;
out vec4 shine;
out float along;
void main() {
    vec3 world = low + place * size;
    vec4 head = view * vec4(world, 1.0);
    float least = pixel * -head.z;
    float r = max(mostRadius * radiusOpacity.x * radiusOpacity.x, least);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    along = 0.0;
    if (streaks) {
        vec4 tail = view * vec4(world + streak * longest, 1.0);
        vec2 run = head.xy - tail.xy;
        float l = length(run);
        vec2 e = l > 1e-9 ? run / l : vec2(0.0, 1.0), n = vec2(-e.y, e.x);
        vec2 middle = 0.5 * (head.xy + tail.xy);
        float reach = 0.5 * l + r;
        head.xy = middle + e * corner.x * reach + n * corner.y * r;
        at = corner * vec2(reach / r, 1.0);
        along = 0.5 * l / r;
        float amount = mostLight * radiusOpacity.y * radiusOpacity.y;
        shine = vec4(amount / (1.0472 * r * r + 1.0667 * l * r), 0.0, 0.0, 0.0);
    } else {
        head.xy += corner * r;
        at = corner;
        shine = vec4(mostLight * light * light, radiusOpacity.y);
    }
    gl_Position = projection * head;
}`;

export const cloudFragment = `
in vec2 at;
in vec4 shine;
in float along;
out vec4 color;
void main() {
    float w = max(0.0, 1.0 - dot(at, at));
    w *= w;
    color = vec4(shine.rgb * w, shine.a * w);
}`;

export const streakFragment = `
in vec2 at;
in vec4 shine;
in float along;
out vec4 color;
void main() {
    vec2 d = vec2(max(abs(at.x) - along, 0.0), at.y);
    float w = max(0.0, 1.0 - dot(d, d));
    color = vec4(shine.r * w * w, 0.0, 0.0, 1.0);
}`;

/** Composition that has added up becomes colour; a halo reaches upwards. */
export const rampFragment = `
uniform sampler2D amounts, ramp;
uniform vec2 rise;
in vec2 uv;
out vec4 color;
void main() {
    float a = texture(amounts, uv).r, halo = 0.0;
    for (int i = 1; i <= 8; ++i) halo += texture(amounts, uv - rise * (float(i) / 8.0)).r * (1.0 - float(i) / 9.0);
    a = a + 0.06 * halo;
    float s = 1.0 - exp(-a), x = s * 63.0, i = floor(x);
    vec3 c = mix(texelFetch(ramp, ivec2(int(i), 0), 0).rgb, texelFetch(ramp, ivec2(min(int(i) + 1, 63), 0), 0).rgb, x - i);
    color = vec4(c, 0.0);
}`;

/** How much liquid lies on a line of sight: way out minus way in. */
export const thicknessFragment = `
uniform vec3 eye;
in vec3 world, normal;
out vec4 color;
void main() {
    float d = length(world - eye);
    color = vec4(gl_FrontFacing ? -d : d, 0.0, 0.0, 1.0);
}`;

export const liquidFragment = `
${lightsHead}${gasHead}${shadowHead}
uniform sampler2D picture, thickness;
uniform vec3 eye, absorption;
uniform vec2 pixels;
uniform float ior, bend;
in vec3 world, normal;
out vec4 color;
void main() {
    vec3 n = normalize(normal), v = normalize(eye - world);
    if (dot(n, v) < 0.0) n = -n;
    float c = clamp(dot(n, v), 0.0, 1.0), f0 = pow((ior - 1.0) / (ior + 1.0), 2.0), fresnel = f0 + (1.0 - f0) * pow(1.0 - c, 5.0);
    vec2 at = gl_FragCoord.xy / pixels;
    float deep = max(texture(thickness, at).r, 0.0);
    vec3 seen = texture(picture, clamp(at - n.xy * bend * min(deep, 1.0), 0.002, 0.998)).rgb * exp(-absorption * deep);
    vec3 r = reflect(-v, n), mirrored = sky(vec3(r.xy, max(r.z, 0.02)));
    float lit = sunlit(world, n, 0.0);
    vec3 glint = sun * lit * pow(max(dot(r, toSun), 0.0), 220.0) * 2.0;
    color = vec4(mix(seen, mirrored, fresnel) + glint * (0.1 + fresnel), 1.0);
}`;

export const filmFragment = `
uniform sampler2D picture;
uniform float gain;
in vec2 uv;
out vec4 color;
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }
void main() {
    vec3 x = max(texture(picture, uv).rgb, 0.0) * gain * 0.8;
    vec3 y = min(vec3(1.0), x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
    vec3 s = mix(12.92 * y, 1.055 * pow(y, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, y));
    color = vec4(s + (noise(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}`;
