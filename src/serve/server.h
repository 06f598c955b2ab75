// The studio's server: HTTP for the page, a WebSocket for everything else, on 127.0.0.1 and nowhere else.
//
//   Server server({.port = 0}, handlers);                  // 0: a free one
//   server.start();
//   fmt::print("{}\n", server.new_address());              // works once
//   server.send_text(client, "{…}");                       // any thread
//
// One thread does all the talking. It never waits for a solver: handlers are called on it and must return at once. A client that reads slowly costs
// nothing but the message that is on its way to it: what is sent meanwhile is either text, of which there is a limit, or dropped by who counts
// acknowledgements (session.h).
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace phlo::serve {

/// A file of the page, or a picture: bytes and what they are.
struct Asset {
    std::string type = "application/octet-stream";
    std::string body = {};
    bool download = false;              ///< a user's file: saved, never shown inside the page's origin
    bool missing = false;
};

struct Handlers {
    std::function<Asset(const std::string& path)> get;       ///< path without the query; only of browsers that have signed in
    std::function<void(int client)> opened;
    std::function<void(int client, std::string text)> received;
    std::function<void(int client)> closed;
};

struct ServerParams {
    int port = 0;
    int max_clients = 16;
    std::size_t max_message = 4u << 20;       ///< [bytes] that a client may send at once
    double messages_per_second = 300;         ///< of a client, in the long run
    double burst = 600;
    std::size_t max_waiting = 64u << 20;      ///< [bytes] of text that waits for a slow client before it is cut off
};

class Server {
public:
    /// Listens; throws RunError if the port is taken. Nobody is answered before start().
    Server(const ServerParams& params, Handlers handlers);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    void start();
    void stop();                        ///< no handler is called any more; what is sent from now on goes nowhere
    int port() const;
    /// "http://127.0.0.1:8080/?token=…": signs one browser in. Earlier addresses that nobody used are void.
    std::string new_address();

    using Bytes = std::shared_ptr<const std::string>;
    void send_text(int client, std::string text);
    void send_binary(int client, Bytes bytes);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace phlo::serve
