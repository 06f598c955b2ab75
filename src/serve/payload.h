// The bytes behind a message's header: pieces one after the other, each at a multiple of four.
//
//   Payload payload;
//   std::size_t at = payload.add(indices);            // where it begins
//   std::shared_ptr<const std::string> message = finished("PHLF", header, payload.data());
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/vec.h"

namespace phlo::serve {

/// [x, y, z]
inline std::string json_of(const Vec3f& v) { return json::numbers(std::array<float, 3>{v.x, v.y, v.z}); }

/// The root of a share in a byte: eight bits hold thin smoke and bright flame alike.
inline std::uint8_t root_code(float value, float most) { return most > 0 ? std::uint8_t(255 * std::sqrt(std::clamp(value / most, 0.f, 1.f)) + 0.5f) : 0; }

class Payload {
public:
    /// Room for so many bytes; where they begin.
    std::size_t reserve(std::size_t bytes) {
        const std::size_t at = data_.size();
        data_.resize(at + (bytes + 3) / 4 * 4);
        return at;
    }
    template <class T>
    std::size_t add(const std::vector<T>& values) {
        const std::size_t bytes = values.size() * sizeof(T), at = reserve(bytes);
        if (bytes > 0) std::memcpy(data_.data() + at, values.data(), bytes);
        return at;
    }
    std::uint8_t* at(std::size_t offset) { return reinterpret_cast<std::uint8_t*>(data_.data()) + offset; }
    const std::string& data() const { return data_; }

private:
    std::string data_;
};

/// Magic word, length of the header, header, payload.
inline std::shared_ptr<const std::string> finished(std::string_view magic, std::string header, const std::string& payload) {
    header.resize((header.size() + 3) / 4 * 4, ' ');
    const std::uint32_t length = std::uint32_t(header.size());
    auto message = std::make_shared<std::string>();
    message->reserve(8 + header.size() + payload.size());
    message->append(magic.substr(0, 4));
    message->append(reinterpret_cast<const char*>(&length), 4);   // little-endian, as everything here
    message->append(header);
    message->append(payload);
    return message;
}

}  // namespace phlo::serve
