// The eye of the view: goes around a point, slides, comes nearer; or stands where the scene's own camera stands.
import type { CameraHeader, Vec3 } from "./protocol";
import { add, cross, norm, scale, sub, unit } from "./vec";

export class OrbitCamera {
    target: Vec3 = [0, 0, 0.5];
    azimuth = -60;      // [degrees], from +x towards +y
    elevation = 12;
    distance = 3;
    fov = 30;           // across the height [degrees]
    free = false;       // the user has taken it from the scene's place

    get forward(): Vec3 {
        const a = (this.azimuth * Math.PI) / 180, e = (this.elevation * Math.PI) / 180;
        return [-Math.cos(e) * Math.cos(a), -Math.cos(e) * Math.sin(a), -Math.sin(e)];
    }
    get position(): Vec3 { return sub(this.target, scale(this.forward, this.distance)); }

    follow(camera: CameraHeader): void {
        if (this.free) return;
        const way = sub(camera.position, camera.target);
        this.distance = Math.max(norm(way), 1e-3);
        const to = unit(way);
        this.target = camera.target;
        this.azimuth = (Math.atan2(to[1], to[0]) * 180) / Math.PI;
        this.elevation = (Math.asin(Math.max(-1, Math.min(1, to[2]))) * 180) / Math.PI;
        this.fov = camera.fov;
    }
    orbit(dx: number, dy: number): void {
        this.free = true;
        this.azimuth -= dx * 0.4;
        this.elevation = Math.max(-89, Math.min(89, this.elevation + dy * 0.4));
    }
    pan(dx: number, dy: number, height: number): void {
        this.free = true;
        const forward = this.forward, right = unit(cross(forward, [0, 0, 1])), up = cross(right, forward);
        const metres = (2 * this.distance * Math.tan((this.fov * Math.PI) / 360)) / height;
        this.target = add(this.target, add(scale(right, -dx * metres), scale(up, dy * metres)));
    }
    zoom(steps: number): void {
        this.free = true;
        this.distance = Math.max(1e-3, this.distance * Math.pow(1.1, steps));
    }
}
