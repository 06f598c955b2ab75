// The session's small parts: delivery, document, diagnostics.
#include <gtest/gtest.h>

#include "serve/delivery.h"
#include "serve/diagnostics.h"
#include "serve/document.h"

namespace phlo::serve {
namespace {

struct Post {
    std::vector<std::pair<int, std::string>> sent;
    Delivery delivery{[this](int client, Delivery::Bytes bytes) { sent.emplace_back(client, *bytes); }};
    void publish(const char* text, Delivery::Urgency urgency = Delivery::Urgency::usual) { delivery.publish(parcel(text), urgency); }
    static Delivery::Parcel parcel(const char* text, const std::string& meshes = "") {
        FrameParcel made{.frame = std::make_shared<const std::string>(text)};
        for (const char mesh : meshes) made.meshes.push_back({.id = std::uint64_t(mesh), .bytes = std::make_shared<const std::string>(1, mesh)});
        return std::make_shared<const FrameParcel>(made);
    }
};

using Sent = std::vector<std::pair<int, std::string>>;

TEST(delivery, one_frame_is_on_its_way_and_the_next_one_is_the_newest) {
    Post post;
    post.delivery.open(1);
    EXPECT_TRUE(post.delivery.wanted());
    post.publish("a");
    EXPECT_FALSE(post.delivery.wanted());
    post.publish("b");
    post.publish("c");
    EXPECT_EQ(post.sent, (Sent{{1, "a"}}));
    post.delivery.acknowledge(1);
    EXPECT_EQ(post.sent, (Sent{{1, "a"}, {1, "c"}}));
    post.delivery.acknowledge(1);
    EXPECT_EQ(post.sent.size(), 2u) << "there is nothing newer";
    post.publish("d");
    EXPECT_EQ(post.sent.back(), (std::pair<int, std::string>{1, "d"}));
}

TEST(delivery, a_slow_client_does_not_hold_up_a_quick_one) {
    Post post;
    post.delivery.open(1), post.delivery.open(2);
    for (const char* frame : {"a", "b", "c"}) post.publish(frame), post.delivery.acknowledge(2);
    EXPECT_EQ(post.sent, (Sent{{1, "a"}, {2, "a"}, {2, "b"}, {2, "c"}}));
}

TEST(delivery, what_a_hand_has_changed_does_not_wait_but_never_queues) {
    Post post;
    post.delivery.open(1);
    post.publish("a");
    post.publish("changed", Delivery::Urgency::changed);
    EXPECT_EQ(post.sent, (Sent{{1, "a"}, {1, "changed"}}));
    post.publish("changed again", Delivery::Urgency::changed);
    EXPECT_EQ(post.sent.size(), 2u) << "two are on their way already";
    post.delivery.acknowledge(1);
    EXPECT_EQ(post.sent.back(), (std::pair<int, std::string>{1, "changed again"}));
}

TEST(delivery, a_newcomer_sees_the_newest_frame_at_once) {
    Post post;
    post.publish("a");
    EXPECT_FALSE(post.delivery.wanted());
    post.delivery.open(1);
    EXPECT_EQ(post.sent, (Sent{{1, "a"}}));
    post.delivery.close(1);
    post.delivery.acknowledge(1);
    EXPECT_FALSE(post.delivery.watched());
}

TEST(delivery, a_mesh_is_sent_again_only_if_the_frame_before_did_not_have_it) {
    Post post;
    post.delivery.open(1);
    for (const char* meshes : {"xy", "yx", "yzz", "x"}) post.delivery.publish(post.parcel("f", meshes)), post.delivery.acknowledge(1);
    EXPECT_EQ(post.sent, (Sent{{1, "x"}, {1, "y"}, {1, "f"}, {1, "f"}, {1, "z"}, {1, "f"}, {1, "x"}, {1, "f"}}));
    post.sent.clear();
    post.delivery.open(2);
    EXPECT_EQ(post.sent, (Sent{{2, "x"}, {2, "f"}})) << "a newcomer has none";
}

TEST(delivery, of_a_frame_that_a_client_never_saw_it_has_no_meshes) {
    Post post;
    post.delivery.open(1);
    post.delivery.publish(post.parcel("a", "x"));
    post.delivery.publish(post.parcel("b", "y"));   // the client is still busy with a
    post.delivery.publish(post.parcel("c", "xy"));
    post.delivery.acknowledge(1);
    EXPECT_EQ(post.sent, (Sent{{1, "x"}, {1, "a"}, {1, "y"}, {1, "c"}}));
}

TEST(document, edits_of_one_key_within_a_second_are_one_step) {
    Document d("a", "/x/scene.yaml", true);
    d.edit("b", "gas.cooling", 10), d.edit("c", "gas.cooling", 10.5), d.edit("d", "gas.cooling", 11.2), d.edit("e", "gas.cooling", 13), d.edit("f", "gas.vorticity", 13.1);
    std::string way;
    while (d.undo()) way += d.text();
    EXPECT_EQ(way, "eda");
    while (d.redo()) way += d.text();
    EXPECT_EQ(way, "edadef");
}

TEST(document, a_new_edit_forgets_what_was_undone) {
    Document d("a", "/x/scene.yaml", true);
    d.edit("b", "", 1), d.undo(), d.edit("c", "", 2);
    EXPECT_FALSE(d.can_redo());
    EXPECT_TRUE(d.unsaved());
    d.undo();
    EXPECT_FALSE(d.unsaved());
}

TEST(diagnostics, lines_of_an_error_are_taken_apart) {
    const auto list = diagnostics("/x/a.yaml:3:5: gas.coolign: unknown key; did you mean 'cooling'?\n/x/other.yaml:1:2: base: no\n/x/a.yaml:7:1: not valid YAML: bad\n  a second line", "/x/a.yaml");
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].line, 3);
    EXPECT_EQ(list[0].column, 5);
    EXPECT_EQ(list[0].path, "gas.coolign");
    EXPECT_EQ(list[0].message, "unknown key; did you mean 'cooling'?");
    EXPECT_EQ(list[1].line, 0);
    EXPECT_EQ(list[1].message, "/x/other.yaml:1:2: base: no");
    EXPECT_EQ(list[2].line, 7);
    EXPECT_EQ(list[2].path, "");
    EXPECT_EQ(list[2].message, "not valid YAML: bad\n  a second line");
}

}  // namespace
}  // namespace phlo::serve
