// The server from outside, through real sockets.
#include "serve/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <vector>

#include "client.h"
#include "serve/assets.h"

namespace phlo::serve {
namespace {

using test::Reply;
using test::visit;
using test::WebSocket;

/// An echo: what a client sends comes back.
struct Echo : testing::Test {
    std::atomic<int> received = 0;
    Server host{{.max_clients = 3, .max_message = 1000, .messages_per_second = 100, .burst = 50},
                  {.get = find_asset,
                   .opened = [](int) {},
                   .received = [this](int client, std::string text) { ++received, host.send_text(client, "heard " + text); },
                   .closed = [](int) {}}};
    std::string cookie;

    Echo() {
        host.start();
        cookie = test::sign_in(host.port(), host.new_address());
    }
    int port() const { return host.port(); }
    bool alive() {
        WebSocket socket(port(), {.cookie = cookie});
        socket.send("still there?");
        return socket.receive().bytes == "heard still there?";
    }
};

using server = Echo;

TEST_F(server, listens_on_the_loopback_address_only) {
    std::ifstream table("/proc/net/tcp");
    std::string line;
    int found = 0;
    const std::string wanted = fmt::format(":{:04X} ", port());
    while (std::getline(table, line)) {
        const std::size_t colon = line.find(':'), at = line.find(wanted);
        if (at == std::string::npos || at != colon + 2 + 8 || line.find(" 0A ") == std::string::npos) continue;
        ++found;
        EXPECT_EQ(line.substr(at - 8, 8), "0100007F");
    }
    EXPECT_EQ(found, 1);
    std::ifstream six("/proc/net/tcp6");
    while (std::getline(six, line)) EXPECT_FALSE(line.find(wanted) != std::string::npos && line.find(" 0A ") != std::string::npos) << line;
}

TEST_F(server, gives_the_page_to_who_has_signed_in) {
    const Reply page = visit(port(), {.cookie = cookie});
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("<title>Phlogiston studio</title>"), std::string::npos);
    EXPECT_EQ(visit(port(), {}).status, 403);
    EXPECT_EQ(visit(port(), {.path = "/app.js"}).status, 403);
}

TEST_F(server, refuses_foreign_hosts_and_origins) {
    EXPECT_EQ(visit(port(), {.host = "evil.example", .cookie = cookie}).status, 421);
    EXPECT_EQ(visit(port(), {.host = fmt::format("evil.example:{}", port()), .cookie = cookie}).status, 421);
    EXPECT_EQ(visit(port(), {.host = fmt::format("localhost:{}", port()), .cookie = cookie}).status, 200);
    EXPECT_EQ(WebSocket(port(), {.cookie = cookie, .origin = "-"}).status(), 403);
    EXPECT_EQ(WebSocket(port(), {.cookie = cookie, .origin = "null"}).status(), 403);
    EXPECT_EQ(WebSocket(port(), {.cookie = cookie, .origin = "http://evil.example"}).status(), 403);
    EXPECT_EQ(WebSocket(port(), {.cookie = "none"}).status(), 403);
    EXPECT_EQ(WebSocket(port(), {.cookie = cookie, .path = "/other"}).status(), 404);
    EXPECT_TRUE(alive());
}

TEST_F(server, refuses_what_another_site_asks_for) {
    EXPECT_EQ(visit(port(), {.path = "/app.js", .cookie = cookie, .more = "Sec-Fetch-Site: cross-site\r\n"}).status, 403);
    EXPECT_EQ(visit(port(), {.path = "/app.js", .cookie = cookie, .more = "Sec-Fetch-Site: same-origin\r\n"}).status, 200);
    EXPECT_EQ(visit(port(), {.path = "/", .cookie = cookie, .more = "Sec-Fetch-Site: cross-site\r\n"}).status, 200);
}

TEST_F(server, an_address_signs_in_once_and_leads_away_from_itself) {
    const std::string address = host.new_address(), path = address.substr(address.find("/?"));
    const Reply first = visit(port(), {.path = path});
    EXPECT_EQ(first.status, 200);
    EXPECT_NE(first.header("Set-Cookie").find("HttpOnly"), std::string::npos);
    EXPECT_NE(first.body.find("content=\"0;url=/\""), std::string::npos);
    EXPECT_EQ(visit(port(), {.path = path}).status, 403);
    EXPECT_EQ(visit(port(), {.path = "/?token=00000000000000000000000000000000"}).status, 403);
}

TEST_F(server, a_header_that_stands_twice_is_refused) {
    const std::string twice = fmt::format("GET / HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nHost: evil.example\r\nCookie: {1}\r\n\r\n", port(), cookie);
    EXPECT_EQ(test::ask(port(), twice).status, 400);
    EXPECT_EQ(visit(port(), {.cookie = cookie, .more = "Cookie: a=b\r\n"}).status, 400);
}

TEST_F(server, files_are_found_by_name_and_never_by_path) {
    for (const char* path : {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/gallery/../app.js", "/gallery/..", "//etc/passwd", "/app.js/", "/index.html%00", "/.git/config"}) {
        const Reply reply = visit(port(), {.path = path, .cookie = cookie});
        EXPECT_TRUE(reply.status == 404 || reply.status == 0) << path << " " << reply.status;
        EXPECT_EQ(reply.body.find("root:"), std::string::npos);
    }
    EXPECT_EQ(visit(port(), {.path = "/gallery/plume.jpg", .cookie = cookie}).header("Content-Type"), "image/jpeg");
}

TEST_F(server, every_answer_carries_the_headers_that_keep_a_page_to_itself) {
    for (const Reply& reply : {visit(port(), {.cookie = cookie}), visit(port(), {.path = "/app.js", .cookie = cookie}), visit(port(), {})}) {
        EXPECT_EQ(reply.header("X-Content-Type-Options"), "nosniff");
        const std::string policy = reply.header("Content-Security-Policy");
        EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self';")) << policy;
        EXPECT_EQ(policy.find("unsafe"), std::string::npos);
        EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
        EXPECT_EQ(reply.header("Cache-Control"), "no-store");
    }
    const std::string first = visit(port(), {.cookie = cookie}).body, second = visit(port(), {.cookie = cookie}).body;
    EXPECT_EQ(first.find("__NONCE__"), std::string::npos);
    EXPECT_NE(first, second) << "each page has its own nonce";
}

TEST_F(server, a_users_file_is_a_download) {
    Server other({}, {.get = [](const std::string&) { return Asset{.type = "text/html", .body = "<script>", .download = true}; }, .opened = [](int) {}, .received = [](int, std::string) {}, .closed = [](int) {}});
    other.start();
    const Reply reply = visit(other.port(), {.path = "/x", .cookie = test::sign_in(other.port(), other.new_address())});
    EXPECT_EQ(reply.header("Content-Disposition"), "attachment");
}

TEST_F(server, too_large_requests_and_messages_end_the_connection_and_nothing_else) {
    EXPECT_EQ(visit(port(), {.cookie = cookie, .more = "X: " + std::string(40000, 'a') + "\r\n"}).status, 413);
    EXPECT_EQ(test::ask(port(), fmt::format("POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 100000\r\n\r\n{}", port(), std::string(100000, 'b'))).status, 413);
    WebSocket socket(port(), {.cookie = cookie});
    socket.send(std::string(2000, 'c'));
    EXPECT_EQ(socket.receive().opcode, -1);
    EXPECT_EQ(received, 0);
    EXPECT_TRUE(alive());
}

TEST_F(server, malformed_requests_and_frames_end_the_connection_and_nothing_else) {
    for (const std::string& wrong : {std::string("\0\0\0\0\r\n\r\n", 8), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"), std::string(500, '\xff') + "\r\n\r\n", std::string("GET / HTTP/1.1\r\nHost : x\r\n\r\n")})
        EXPECT_NE(test::ask(port(), wrong).status, 200);
    for (const std::string& wrong : {std::string("\x81\x05hello"), std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), std::string("\x83\x80\0\0\0\0", 6), std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14)}) {
        WebSocket socket(port(), {.cookie = cookie});
        socket.send_raw(wrong);
        EXPECT_EQ(socket.receive().opcode, -1);
    }
    WebSocket socket(port(), {.cookie = cookie});
    socket.send("\xff\xfe not text", 1);
    EXPECT_EQ(socket.receive().opcode, -1);
    EXPECT_TRUE(alive());
}

TEST_F(server, who_sends_too_much_too_fast_is_cut_off) {
    {
        WebSocket socket(port(), {.cookie = cookie});
        for (int n = 0; n < 2000; ++n) socket.send("x");
        while (socket.receive().opcode >= 0) {}
    }
    EXPECT_LT(received, 500);
    EXPECT_TRUE(alive());
}

TEST_F(server, has_room_for_so_many_tabs_and_no_more) {
    std::vector<std::unique_ptr<WebSocket>> tabs;
    for (int n = 0; n < 3; ++n) {
        tabs.push_back(std::make_unique<WebSocket>(port(), WebSocket::Params{.cookie = cookie}));
        EXPECT_EQ(tabs.back()->status(), 101);
    }
    EXPECT_EQ(WebSocket(port(), {.cookie = cookie}).status(), 503);
    tabs.clear();
    for (int n = 0; n < 50 && !alive(); ++n) {}
    EXPECT_TRUE(alive());
}

TEST_F(server, no_secret_is_in_its_log) {
    testing::internal::CaptureStderr();
    const std::string address = host.new_address(), token = address.substr(address.find('=') + 1), secret = cookie.substr(cookie.find('=') + 1);
    visit(port(), {.path = "/?token=" + token});
    visit(port(), {.path = "/?token=" + token});
    visit(port(), {.host = "evil.example", .cookie = cookie});
    WebSocket(port(), {.cookie = cookie, .origin = "null"});
    { WebSocket socket(port(), {.cookie = cookie}); socket.send(std::string(2000, 'c')); socket.receive(); }
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("refused"), std::string::npos);
    EXPECT_EQ(log.find(token), std::string::npos) << log;
    EXPECT_EQ(log.find(secret), std::string::npos) << log;
}

}  // namespace
}  // namespace phlo::serve
