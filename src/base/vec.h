// Small vectors: Vec3f for fields, Vec3d for geometry and sums, Vec3i for cell indices.
#pragma once
#include <algorithm>
#include <cmath>

namespace phlo {

template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    constexpr Vec3() = default;
    constexpr Vec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
    constexpr explicit Vec3(T all) : x(all), y(all), z(all) {}
    template <class U>
    constexpr explicit Vec3(const Vec3<U>& o) : x(T(o.x)), y(T(o.y)), z(T(o.z)) {}

    constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

    constexpr Vec3& operator+=(const Vec3& o) { x += o.x, y += o.y, z += o.z; return *this; }
    constexpr Vec3& operator-=(const Vec3& o) { x -= o.x, y -= o.y, z -= o.z; return *this; }
    constexpr Vec3& operator*=(T s) { x *= s, y *= s, z *= s; return *this; }
    friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
    friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
    friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
    friend constexpr Vec3 operator*(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
    friend constexpr Vec3 operator/(const Vec3& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;
using Vec3i = Vec3<int>;

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const Vec3<T>& a) { return std::sqrt(dot(a, a)); }
template <class T>
Vec3<T> normalized(const Vec3<T>& a) { return a / length(a); }
template <class T>
constexpr Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
template <class T>
constexpr Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

}  // namespace phlo
