// A browser in small, for tests: plain sockets, so that it can also say what no browser would.
//
//   Reply reply = ask(port, "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n");
//   WebSocket socket(port, {.cookie = "…"});   socket.send("{}");   socket.receive();
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace phlo::test {

/// A connection to 127.0.0.1 that gives up after ten seconds.
class Socket {
public:
    explicit Socket(int port) : handle_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET, address.sin_port = htons(std::uint16_t(port)), address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{10, 0};
        setsockopt(handle_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        connected_ = connect(handle_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~Socket() { ::close(handle_); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    bool connected() const { return connected_; }
    void write(const std::string& bytes) { (void)!::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    /// What is there; "" if nothing comes any more.
    std::string read() {
        std::string bytes(65536, '\0');
        const ssize_t count = recv(handle_, bytes.data(), bytes.size(), 0);
        bytes.resize(count > 0 ? std::size_t(count) : 0);
        return bytes;
    }

private:
    int handle_;
    bool connected_ = false;
};

struct Reply {
    int status = 0;                ///< 0: none came
    std::string head, body;

    std::string header(const std::string& name) const {
        const std::size_t at = head.find("\r\n" + name + ": ");
        if (at == std::string::npos) return "";
        const std::size_t from = at + name.size() + 4;
        return head.substr(from, head.find("\r\n", from) - from);
    }
};

inline Reply ask(int port, const std::string& request) {
    Socket socket(port);
    socket.write(request);
    std::string all;
    for (std::string more = socket.read(); !more.empty(); more = socket.read()) {
        all += more;
        const std::size_t end = all.find("\r\n\r\n");
        if (end == std::string::npos) continue;
        const std::size_t length = all.find("Content-Length: ");
        if (length != std::string::npos && length < end && all.size() >= end + 4 + std::stoul(all.substr(length + 16))) break;
        if (length == std::string::npos || length > end) break;
    }
    Reply reply;
    const std::size_t end = all.find("\r\n\r\n");
    if (end == std::string::npos || !all.starts_with("HTTP/1.1 ")) return reply;
    reply.status = std::stoi(all.substr(9, 3)), reply.head = all.substr(0, end + 2), reply.body = all.substr(end + 4);
    return reply;
}

struct Visit {
    std::string method = "GET", path = "/", host = {}, cookie = {}, more = {};   ///< host "": the right one
};

inline Reply visit(int port, const Visit& v) {
    return ask(port, fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n{}{}\r\n", v.method, v.path, v.host.empty() ? fmt::format("127.0.0.1:{}", port) : v.host,
                                 v.cookie.empty() ? "" : "Cookie: " + v.cookie + "\r\n", v.more));
}

class WebSocket {
public:
    struct Params {
        std::string cookie, origin = {}, path = "/ws";    ///< origin "": the right one; "-": none
    };
    WebSocket(int port, const Params& params) : socket_(port) {
        const std::string origin = params.origin.empty() ? fmt::format("http://127.0.0.1:{}", port) : params.origin;
        socket_.write(fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                  "Sec-WebSocket-Version: 13\r\nCookie: {}\r\n{}\r\n", params.path, port, params.cookie, origin == "-" ? "" : "Origin: " + origin + "\r\n"));
        while (buffer_.find("\r\n\r\n") == std::string::npos) {
            const std::string more = socket_.read();
            if (more.empty()) break;
            buffer_ += more;
        }
        status_ = buffer_.starts_with("HTTP/1.1 ") ? std::stoi(buffer_.substr(9, 3)) : 0;
        buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
    }
    int status() const { return status_; }

    void send(const std::string& text, int opcode = 1) { socket_.write(frame(text, opcode)); }
    void send_raw(const std::string& bytes) { socket_.write(bytes); }
    static std::string frame(const std::string& text, int opcode) {
        std::string head{char(0x80 | opcode)};
        if (text.size() < 126) head += char(0x80 | text.size());
        else if (text.size() < 65536) head += char(0x80 | 126), head += char(text.size() >> 8), head += char(text.size() & 255);
        else {
            head += char(0x80 | 127);
            for (int shift = 56; shift >= 0; shift -= 8) head += char(text.size() >> shift & 255);
        }
        return head + std::string(4, '\0') + text;   // a mask of zeros
    }
    struct Message {
        int opcode = -1;               ///< -1: the connection is closed
        std::string bytes;
    };
    Message receive() {
        const auto need = [&](std::size_t count) {
            while (buffer_.size() < count) {
                const std::string more = socket_.read();
                if (more.empty()) return false;
                buffer_ += more;
            }
            return true;
        };
        if (!need(2)) return {};
        const auto byte = [&](std::size_t n) { return std::uint64_t(static_cast<unsigned char>(buffer_[n])); };
        std::size_t length = byte(1) & 127, head = 2;
        const int wide = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (wide > 0) {
            if (!need(2 + std::size_t(wide))) return {};
            length = 0;
            for (int n = 0; n < wide; ++n) length = length << 8 | byte(2 + std::size_t(n));
            head += std::size_t(wide);
        }
        if (!need(head + length)) return {};
        Message message{int(byte(0) & 15), buffer_.substr(head, length)};
        buffer_.erase(0, head + length);
        return message.opcode == 8 ? Message{} : message;
    }
    /// The next text that holds `part`; "" if none comes.
    std::string receive_text(const std::string& part) {
        for (Message m = receive(); m.opcode >= 0; m = receive())
            if (m.opcode == 1 && m.bytes.find(part) != std::string::npos) return m.bytes;
        return "";
    }

private:
    Socket socket_;
    std::string buffer_;
    int status_ = 0;
};

/// The cookie that an address gives.
inline std::string sign_in(int port, const std::string& address) {
    const Reply reply = visit(port, {.path = address.substr(address.find("/?"))});
    const std::string cookie = reply.header("Set-Cookie");
    return cookie.substr(0, cookie.find(';'));
}

}  // namespace phlo::test
