#include "particles/columns.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/vec.h"

namespace phlo::particles {
namespace {

struct Sparks {
    std::vector<Vec3f> position;
    std::vector<std::uint8_t> kind;
    std::vector<std::uint32_t> id;
    static constexpr std::tuple columns{&Sparks::position, &Sparks::kind, &Sparks::id};
};

/// Every column of a particle tells its number.
Sparks numbered(int first, int end) {
    Sparks sparks;
    for (int n = first; n < end; ++n)
        sparks.position.push_back({float(n), float(2 * n), float(-n)}), sparks.kind.push_back(std::uint8_t(n % 251)), sparks.id.push_back(std::uint32_t(n));
    return sparks;
}

void expect_numbers(const Sparks& sparks, const std::vector<int>& numbers) {
    ASSERT_EQ(count(sparks), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float n = float(numbers[i]);
        ASSERT_EQ(sparks.position[i], Vec3f(n, 2 * n, -n));
        ASSERT_EQ(sparks.kind[i], numbers[i] % 251);
        ASSERT_EQ(sparks.id[i], std::uint32_t(numbers[i]));
    }
}

TEST(columns, appending_removing_and_sorting_keep_a_particle_together) {
    Sparks sparks = numbered(0, 9000);   // three chunks
    append(numbered(9000, 10'000), sparks);
    std::vector<std::uint8_t> dead(10'000, 0);
    std::vector<int> left;
    for (int n = 0; n < 10'000; ++n)
        if (dead[std::size_t(n)] = n % 3 == 0 || (n > 4000 && n < 9000); !dead[std::size_t(n)]) left.push_back(n);
    EXPECT_EQ(remove_marked(dead, sparks), 10'000 - left.size());
    expect_numbers(sparks, left);

    std::vector<int> order(left.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::reverse(order), std::ranges::reverse(left);
    reorder(order, sparks);
    expect_numbers(sparks, left);
    EXPECT_EQ(remove_marked(std::vector<std::uint8_t>(left.size(), 0), sparks), 0u);
    remove_marked(std::vector<std::uint8_t>(left.size(), 1), sparks);
    expect_numbers(sparks, {});
}

TEST(columns, the_last_ones_take_the_places_of_a_few_that_go) {
    Sparks sparks = numbered(0, 8);
    remove_few(std::vector<int>{1, 4, 7}, sparks);
    expect_numbers(sparks, {0, 5, 2, 3, 6});
    remove_few(std::vector<int>{0, 1, 2, 3, 4}, sparks);
    expect_numbers(sparks, {});
}

TEST(columns, bytes_on_disk_are_length_and_values_of_each_column) {
    Sparks sparks{.position = {{1, 2, 3}}, .kind = {7}, .id = {258}};
    const std::vector<char> bytes = save(sparks);
    const std::vector<unsigned char> expected{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40,   // 1.0f, 2.0f, 3.0f
                                              1, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0};
    ASSERT_EQ(bytes.size(), expected.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(static_cast<unsigned char>(bytes[i]), expected[i]) << i;
}

TEST(columns, saved_and_loaded_a_set_is_the_same) {
    Sparks other;
    load(save(numbered(0, 100)), other);
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 0);
    expect_numbers(other, numbers);
}

TEST(columns, what_is_not_such_a_set_is_refused) {
    const std::vector<char> whole = save(numbered(0, 5));
    Sparks other;
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) EXPECT_THROW(load(std::span(whole).first(bytes), other), RunError) << bytes;
    std::vector<char> longer = whole;
    longer.push_back(0);
    EXPECT_THROW(load(longer, other), RunError);
    Sparks uneven = numbered(0, 5);
    uneven.kind.pop_back();
    EXPECT_THROW(load(save(uneven), other), RunError);
    std::vector<char> huge = whole;
    huge[7] = 0x7f;   // a length that no memory holds
    EXPECT_THROW(load(huge, other), RunError);
}

}  // namespace
}  // namespace phlo::particles
