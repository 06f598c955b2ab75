#include "serve/rules.h"

#include <gtest/gtest.h>

#include "serve/rate_limit.h"

namespace phlo::serve {
namespace {

constexpr int port = 8080;

struct SignedIn : testing::Test {
    Rules doorman{port};
    std::string cookie;

    SignedIn() {
        RequestHead head;
        head.method = "GET", head.host = "127.0.0.1:8080", head.target = doorman.new_sign_in_path();
        EXPECT_EQ(doorman.judge(head).what, Verdict::What::sign_in);
        cookie = doorman.set_cookie().substr(0, doorman.set_cookie().find(';'));
    }
    RequestHead good() const {
        RequestHead head;
        head.method = "GET", head.host = "127.0.0.1:8080", head.target = "/app.js", head.cookie = cookie;
        return head;
    }
    RequestHead socket() const {
        RequestHead head = good();
        head.target = "/ws", head.websocket = true, head.has_origin = true, head.origin = "http://127.0.0.1:8080";
        return head;
    }
    int status(const RequestHead& head) { return doorman.judge(head).what == Verdict::What::serve ? 200 : doorman.judge(head).status; }
};

using rules = SignedIn;

TEST_F(rules, a_signed_in_browser_is_served) {
    EXPECT_EQ(status(good()), 200);
    EXPECT_EQ(status(socket()), 200);
}

TEST_F(rules, only_this_machines_own_names_are_hosts) {
    for (const char* host : {"evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:80801", "localhost", "localhost.evil.example:8080", "0.0.0.0:8080", "[::1]:8080", "", "127.0.0.1:8080 ", "LOCALHOST:8080x"}) {
        RequestHead head = good();
        head.host = host;
        EXPECT_EQ(status(head), 421) << host;
    }
    RequestHead head = good();
    head.host = "localhost:8080";
    EXPECT_EQ(status(head), 200);
}

TEST_F(rules, a_host_and_an_origin_that_agree_with_each_other_are_not_enough) {
    RequestHead head = socket();
    head.host = "evil.example:8080", head.origin = "http://evil.example:8080";
    EXPECT_EQ(status(head), 421);
}

TEST_F(rules, a_socket_needs_the_origin_of_its_own_page) {
    for (const char* origin : {"null", "", "http://evil.example", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "http://localhost:8080", "http://127.0.0.1:8080.evil.example", "file://"}) {
        RequestHead head = socket();
        head.origin = origin;
        EXPECT_EQ(status(head), 403) << origin;
    }
    RequestHead head = socket();
    head.has_origin = false, head.origin = "";
    EXPECT_EQ(status(head), 403);
}

TEST_F(rules, without_the_cookie_nothing_is_served) {
    for (const std::string& wrong : {std::string(), std::string("phlo_studio_8080="), std::string("phlo_studio_8080=0"), "phlo_studio_8081" + cookie.substr(cookie.find('=')), cookie.substr(0, cookie.size() - 1), "x" + cookie, cookie + "0"}) {
        RequestHead head = good();
        head.cookie = wrong;
        EXPECT_EQ(status(head), 403) << wrong;
        RequestHead other = socket();
        other.cookie = wrong;
        EXPECT_EQ(status(other), 403) << wrong;
    }
    RequestHead head = good();
    head.cookie = "other=1; " + cookie + "; more=2";
    EXPECT_EQ(status(head), 200);
}

TEST_F(rules, the_address_works_once) {
    const std::string path = doorman.new_sign_in_path();
    RequestHead head;
    head.method = "GET", head.host = "127.0.0.1:8080", head.target = path;
    EXPECT_EQ(doorman.judge(head).what, Verdict::What::sign_in);
    EXPECT_EQ(doorman.judge(head).what, Verdict::What::refuse);
    head.target = "/?token=";
    EXPECT_EQ(doorman.judge(head).what, Verdict::What::refuse) << "a token that is used up is not the empty one";
}

TEST_F(rules, a_new_address_makes_the_old_one_void) {
    RequestHead head;
    head.method = "GET", head.host = "127.0.0.1:8080", head.target = doorman.new_sign_in_path();
    doorman.new_sign_in_path();
    EXPECT_EQ(doorman.judge(head).what, Verdict::What::refuse);
}

TEST_F(rules, the_cookie_is_for_this_server_alone) {
    const std::string whole = doorman.set_cookie();
    EXPECT_TRUE(whole.starts_with("phlo_studio_8080="));
    EXPECT_NE(whole.find("; HttpOnly"), std::string::npos);
    EXPECT_NE(whole.find("; SameSite=Strict"), std::string::npos);
    EXPECT_EQ(cookie.size(), std::string("phlo_studio_8080=").size() + 32) << "128 bits";
    EXPECT_NE(Rules(port).set_cookie(), whole) << "another start has another secret";
}

TEST_F(rules, other_sites_get_nothing_but_the_top_page) {
    for (const char* site : {"cross-site", "same-site", "anything"}) {
        RequestHead head = good();
        head.fetch_site = site;
        EXPECT_EQ(status(head), 403) << site;
        head.target = "/";
        EXPECT_EQ(status(head), 200) << site;
        RequestHead other = socket();
        other.fetch_site = site;
        EXPECT_EQ(status(other), 403) << site;
    }
    for (const char* site : {"same-origin", "none"}) {
        RequestHead head = good();
        head.fetch_site = site;
        EXPECT_EQ(status(head), 200) << site;
    }
}

TEST_F(rules, nothing_is_posted) {
    for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"}) {
        RequestHead head = good();
        head.method = method;
        EXPECT_EQ(status(head), 405) << method;
    }
}

TEST_F(rules, no_reason_holds_a_secret) {
    const std::string token = doorman.new_sign_in_path().substr(8), secret = cookie.substr(cookie.find('=') + 1);
    for (RequestHead head : {good(), socket()})
        for (int wrong = 0; wrong < 4; ++wrong) {
            if (wrong == 0) head.host = "x";
            if (wrong == 1) head.cookie = "phlo_studio_8080=" + token;
            if (wrong == 2) head.target = "/?token=" + secret, head.websocket = false;
            if (wrong == 3) head.origin = "http://" + secret, head.has_origin = true;
            const std::string reason = doorman.judge(head).reason;
            EXPECT_EQ(reason.find(token), std::string::npos);
            EXPECT_EQ(reason.find(secret), std::string::npos);
        }
}

TEST(rate_limit, passes_a_burst_and_then_its_rate) {
    RateLimit rate(16, 5);
    int passed = 0;
    for (int n = 0; n < 100; ++n) passed += rate.allow(0);
    EXPECT_EQ(passed, 5);
    for (int n = 1; n <= 64; ++n) passed += rate.allow(n / 32.0);
    EXPECT_EQ(passed, 5 + 32);
}

}  // namespace
}  // namespace phlo::serve
