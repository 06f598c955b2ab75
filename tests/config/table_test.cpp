#include "config/table.h"

#include <gtest/gtest.h>

#include "complaint.h"
#include "config/merge.h"

namespace phlo::config {
namespace {

enum class Mode { slow, fast };

struct Inner {
    double depth = 2;
};

struct Item {
    std::string name;
    double weight = 1;
};

struct Things {
    double length = 1;
    int count = 3;
    std::uint64_t seed = 7;
    bool on = false;
    std::string word = "hello";
    Mode mode = Mode::slow;
    Vec3d place{1, 2, 3};
    Vec3f colour{1, 1, 1};
    double angle = 0;
    Curve<double> fade{1.0};
    Curve<Vec3d> path{Vec3d()};
    std::optional<double> limit;
    Inner inner;
    std::vector<Item> items;
    int first = 0, last = 10;
};

const Table<Things>& things_table() {
    static const auto inner = Table<Inner>("inner", "Inside.").key("depth", &Inner::depth, {.unit = "m", .help = "how deep"});
    static const auto item = Table<Item>("item", "One of many.")
                                 .key("name", &Item::name, {})
                                 .key("weight", &Item::weight, {.unit = "kg", .above = 0, .required = true});
    static const auto table =
        Table<Things>("things", "All kinds of values.")
            .key("length", &Things::length, {.unit = "m", .min = 0, .max = 100, .help = "how long"})
            .key("count", &Things::count, {.min = 1, .help = "how many"})
            .key("seed", &Things::seed, {})
            .key("on", &Things::on, {})
            .key("word", &Things::word, {})
            .choice("mode", &Things::mode, {{"slow", Mode::slow, "takes long"}, {"fast", Mode::fast, "does not"}}, {.help = "speed"})
            .key("place", &Things::place, {.unit = "m"})
            .colour("colour", &Things::colour, {})
            .key("angle", &Things::angle, {.unit = "rad"})
            .key("fade", &Things::fade, {.min = 0, .max = 1})
            .key("path", &Things::path, {.unit = "m"})
            .key("limit", &Things::limit, {.unit = "s"})
            .table("inner", &Things::inner, inner)
            .list("items", &Things::items, item)
            .key("first", &Things::first, {})
            .key("last", &Things::last, {})
            .input<int>("number", [](Things& t, int n) { t.last = t.first + n - 1; }, {.replaces = "last"});
    return table;
}

struct Outcome {
    Things things;
    std::string problems;
};

Outcome read(const std::string& text) {
    Outcome outcome;
    Problems problems;
    Reader reader(problems, things_table().schema());
    reader.seconds_from_frame = [](double frame) { return (frame - 1) / 10; };
    things_table().read(parse_yaml(text, "f.yaml"), reader, outcome.things);
    outcome.problems = problems.text();
    return outcome;
}

TEST(Table, absent_keys_keep_the_defaults_of_the_struct) {
    const Outcome outcome = read("{}");
    EXPECT_EQ(outcome.problems, "");
    EXPECT_EQ(outcome.things.count, 3);
    EXPECT_EQ(outcome.things.word, "hello");
}

TEST(Table, every_kind_of_value_is_read) {
    const Outcome outcome = read(
        "length: 20 cm\ncount: 5\nseed: 18446744073709551615\non: yes\nword: '12'\nmode: fast\n"
        "place: [1 m, 20 cm, 0]\ncolour: '#ff0000'\nangle: 180 deg\nfade: 50 %\nlimit: 2 min\ninner: {depth: 3}\n"
        "items: [{name: a, weight: 2 g}, {weight: 3}]\n");
    const Things& t = outcome.things;
    EXPECT_EQ(outcome.problems, "");
    EXPECT_EQ(t.length, 0.2);
    EXPECT_EQ(t.count, 5);
    EXPECT_EQ(t.seed, 18446744073709551615u);
    EXPECT_TRUE(t.on);
    EXPECT_EQ(t.word, "12");
    EXPECT_EQ(t.mode, Mode::fast);
    EXPECT_EQ(t.place, Vec3d(1, 0.2, 0));
    EXPECT_EQ(t.colour, Vec3f(1, 0, 0));
    EXPECT_NEAR(t.angle, 3.14159265358979, 1e-12);
    EXPECT_EQ(t.fade(0), 0.5);
    EXPECT_EQ(t.limit, 120);
    EXPECT_EQ(t.inner.depth, 3);
    ASSERT_EQ(t.items.size(), 2u);
    EXPECT_EQ(t.items[0].weight, 0.002);
}

TEST(Table, keyframes_come_in_three_spellings_and_two_clocks) {
    for (const char* text :
         {"fade: {keys: [[0, 0], [2 s, 1]]}", "fade: {keys: [[1 f, 0], [21 frames, 1]], interpolation: linear}",
          "fade: [{time: 0, value: 0}, {frame: 21, value: 100 %}]", "fade: {keys: [{frame: 1, value: 0}, {time: 2000 ms, value: 1}]}"}) {
        const Outcome outcome = read(text);
        EXPECT_EQ(outcome.problems, "") << text;
        EXPECT_NEAR(outcome.things.fade(0.5), 0.25, 1e-12) << text;
    }
    const Outcome smooth = read("path: {interpolation: smooth, keys: [[0, [0, 0, 0]], [1, [1, 10 cm, 0]]]}");
    EXPECT_EQ(smooth.problems, "");
    EXPECT_EQ(smooth.things.path.interpolation(), Interpolation::smooth);
    EXPECT_EQ(smooth.things.path(1).y, 0.1);
}

TEST(Table, all_problems_are_told_in_the_order_of_the_file) {
    const std::string problems = read("lenght: 1\nlength: 3 kg\ncount: 2.5\nitems: [{weight: -1}, 5]\n").problems;
    EXPECT_EQ(problems,
              "f.yaml:1:1: lenght: unknown key; did you mean 'length'?\n"
              "f.yaml:2:9: length: '3 kg' is a mass; expected a length: m, mm, cm, km, in, ft\n"
              "f.yaml:3:8: count: got '2.5'; expected a whole number, >= 1\n"
              "f.yaml:4:18: items.0.weight: '-1' is out of range; expected > 0 kg\n"
              "f.yaml:4:23: items.1: got '5'; expected the keys name or weight");
}

TEST(Table, a_key_in_the_wrong_place_is_sent_home) {
    EXPECT_EQ(read("depth: 1\n").problems, "f.yaml:1:1: depth: unknown key; 'depth' belongs to inner.depth");
}

TEST(Table, angles_need_their_unit) {
    EXPECT_EQ(read("angle: 90\n").problems, "f.yaml:1:8: angle: an angle needs its unit; expected '90 deg' or '90 rad'");
    EXPECT_EQ(read("angle: 0\n").problems, "");
}

TEST(Table, a_dump_reads_back_to_the_same_dump) {
    Things things =
        read(
            "length: 0.1\nangle: 33 deg\nmode: fast\nword: 'a: b # c'\nfade: {keys: [[0, 0.1], [0.3, 0.7]], interpolation: smooth}\n"
            "colour: '#123456'\nlimit: 3\nitems: [{name: '5', weight: 0.30000000000000004}]\n")
            .things;
    const std::string dump = to_yaml(things_table().write(things));
    const Outcome again = read(dump);
    EXPECT_EQ(again.problems, "");
    EXPECT_EQ(to_yaml(things_table().write(again.things)), dump);
    EXPECT_EQ(again.things.angle, things.angle);
    EXPECT_TRUE(again.things.fade == things.fade);
    EXPECT_EQ(again.things.colour, things.colour);
}

TEST(Table, two_spellings_of_the_same_are_refused_together) {
    EXPECT_EQ(read("number: 5\n").things.last, 4);
    EXPECT_EQ(read("last: 5\nnumber: 5\n").problems, "f.yaml:2:1: number: 'last' says the same; expected only one of the two");
}

TEST(Merge, tables_merge_and_lists_merge_by_name) {
    const Node base =
        parse_yaml("inner: {depth: 1}\nlength: 1\nitems: [{name: a, weight: 1}, {name: b, weight: 2}]\nlast: 3\n", "base.yaml");
    const Node delta = parse_yaml("length: 2\nitems: [{name: b, weight: 5}, {name: c, weight: 6}]\nnumber: 7\n", "delta.yaml");
    const Node both = merged(base, delta, *things_table().schema());
    EXPECT_EQ(both.find("inner.depth")->position.where(), "base.yaml:1:16");
    EXPECT_EQ(both.find("length")->text, "2");
    EXPECT_EQ(both.find("items.a.weight")->text, "1");
    EXPECT_EQ(both.find("items.b.weight")->position.where(), "delta.yaml:2:27");
    EXPECT_EQ(both.find("items")->items.size(), 3u);
    EXPECT_EQ(both.find("last"), nullptr) << "another spelling of the same in the delta";
}

TEST(Merge, overrides_reach_by_index_and_name) {
    const Schema& schema = *things_table().schema();
    Node root = parse_yaml("items: [{name: a, weight: 1}, {name: b, weight: 2}]\nlast: 4\n", "f.yaml");
    apply_override(root, "items.0.weight=3", schema);
    apply_override(root, "items.b.weight=4 g", schema);
    apply_override(root, "inner.depth=5 cm", schema);
    apply_override(root, "place=[1, 2, 3]", schema);
    apply_override(root, "number=9", schema);
    EXPECT_EQ(root.find("items.a.weight")->text, "3");
    EXPECT_EQ(root.find("items.1.weight")->text, "4 g");
    EXPECT_EQ(root.find("inner.depth")->text, "5 cm");
    EXPECT_EQ(root.find("place.2")->text, "3");
    EXPECT_EQ(root.find("last"), nullptr);
    EXPECT_EQ(root.find("inner.depth")->position.where(), "--set inner.depth=5 cm");
}

TEST(Merge, overrides_that_make_no_sense_are_refused) {
    const Schema& schema = *things_table().schema();
    const auto complaint = [&](const char* assignment) {
        Node root = parse_yaml("items: [{name: alpha, weight: 1}]\n", "f.yaml");
        return test::complaint([&] { apply_override(root, assignment, schema); });
    };
    EXPECT_EQ(complaint("length"), "--set length: expected key.path=value, such as gas.cooling=0.5");
    EXPECT_EQ(complaint("=3"), "--set =3: expected key.path=value, such as gas.cooling=0.5");
    EXPECT_EQ(complaint("a..b=3"), "--set a..b=3: an empty key in 'a..b'; expected key.path=value");
    EXPECT_EQ(complaint("items.3.weight=1"), "--set items.3.weight=1: items: no item '3'; expected an index below 1 or a name: alpha");
    EXPECT_EQ(complaint("items.alpa.weight=1"),
              "--set items.alpa.weight=1: items: no item 'alpa'; expected an index below 1 or a name: alpha; did you mean 'alpha'?");
    EXPECT_NE(complaint("length=[1").find("not valid YAML"), std::string::npos);
}

}  // namespace
}  // namespace phlo::config
