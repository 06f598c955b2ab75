#include "base/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"

namespace phlo {
namespace {

TEST(memory, a_buffer_is_zeroed_and_aligned_at_every_size) {
    for (const std::size_t count : {std::size_t(1), std::size_t(17), std::size_t(1000), std::size_t(1) << 20}) {
        const Buffer buffer(count);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u) << count;
        EXPECT_TRUE(std::ranges::all_of(buffer.span(), [](float v) { return v == 0; })) << count;
        EXPECT_EQ(buffer.bytes(), 4 * count);
    }
}

TEST(memory, a_copied_buffer_is_its_own) {
    Buffer a(100);
    a.data()[3] = 5;
    Buffer b(a);
    b.data()[3] = 6;
    EXPECT_EQ(a.data()[3], 5);
    EXPECT_EQ(b.data()[3], 6);
}

TEST(memory, assignment_copies_over_the_same_and_over_another_size) {
    Buffer a(100), same(100), other(7);
    a.data()[99] = 5;
    const float* storage = same.data();
    same = a;
    other = a;
    EXPECT_EQ(same.data(), storage);  // no new allocation inside a time step
    EXPECT_EQ(same.data()[99], 5);
    EXPECT_EQ(other.size(), 100u);
    EXPECT_EQ(other.data()[99], 5);
    EXPECT_NE(other.data(), a.data());
    const Buffer& alias = a;
    a = alias;
    EXPECT_EQ(a.data()[99], 5);
    a = Buffer();
    EXPECT_EQ(a.size(), 0u);
}

TEST(memory, more_than_the_machine_has_is_a_run_error) { EXPECT_THROW(Buffer(std::size_t(1) << 52), RunError); }

TEST(memory, private_bytes_see_a_touched_buffer) {
    const std::size_t before = private_bytes();
    const Buffer buffer(std::size_t(16) << 20);  // 64 MB
    EXPECT_GT(private_bytes(), before + (std::size_t(48) << 20));
    EXPECT_GE(peak_resident_bytes() + (std::size_t(1) << 20), private_bytes());
}

}  // namespace
}  // namespace phlo
