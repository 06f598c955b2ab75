// The only file that knows Boost.Beast.
#include "serve/server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <deque>
#include <map>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"
#include "serve/rate_limit.h"
#include "serve/rules.h"

namespace phlo::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::uint32_t max_header = 16u << 10;
constexpr std::uint64_t max_body = 1u << 10;        // nothing is posted
constexpr int max_connections = 64;
constexpr auto patience = std::chrono::seconds(15);

RequestHead head_of(const Request& request) {
    const auto field = [&](http::field name) { return std::string(request[name]); };
    RequestHead head;
    head.method = std::string(request.method_string()), head.target = std::string(request.target());
    head.host = field(http::field::host), head.origin = field(http::field::origin), head.cookie = field(http::field::cookie);
    head.fetch_site = std::string(request["Sec-Fetch-Site"]);
    head.websocket = websocket::is_upgrade(request);
    head.has_origin = request.count(http::field::origin) > 0;
    return head;
}

/// Two of them could mean one thing to a check and another to who reads on.
bool ambiguous(const Request& request) {
    for (const http::field name : {http::field::host, http::field::origin, http::field::cookie})
        if (request.count(name) > 1) return true;
    return request.count("Sec-Fetch-Site") > 1;
}

void add_safety(Response& response, int port, const std::string& nonce) {
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("X-Frame-Options", "DENY");
    response.set(http::field::cache_control, "no-store");
    response.set("Content-Security-Policy",
                 fmt::format("default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self' ws://127.0.0.1:{} ws://localhost:{}; "
                             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                             nonce.empty() ? "" : " 'nonce-" + nonce + "'", port, port));
}

std::string with_nonce(std::string page, const std::string& nonce) {
    constexpr std::string_view mark = "__NONCE__";
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark)) page.replace(at, mark.size(), nonce);
    return page;
}

}  // namespace

class Server::Impl {
public:
    Impl(const ServerParams& params, Handlers handlers) : params_(params), handlers_(std::move(handlers)), acceptor_(context_) {
        Error error;
        const tcp::endpoint here(asio::ip::address_v4::loopback(), std::uint16_t(params.port));
        acceptor_.open(here.protocol(), error);
        if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor_.bind(here, error);
        if (!error) acceptor_.listen(16, error);
        if (error) throw RunError(fmt::format("cannot listen on 127.0.0.1:{}: {}. Is a studio running there? Choose another --port", params.port, error.message()));
        port_ = acceptor_.local_endpoint().port();
        rules_ = std::make_unique<Rules>(port_);
    }
    ~Impl() { stop(); }

    void start() {
        accept();
        thread_ = std::thread([this] { context_.run(); });
    }
    void stop() {
        if (!thread_.joinable()) return;
        asio::post(context_, [this] { hang_up(); });
        thread_.join();
    }

    int port() const { return port_; }
    std::string new_address() { return fmt::format("http://127.0.0.1:{}{}", port_, rules_->new_sign_in_path()); }
    void send(int client, bool binary, Bytes bytes) {
        asio::post(context_, [this, client, binary, bytes = std::move(bytes)]() mutable {
            const auto found = clients_.find(client);
            if (found != clients_.end()) found->second->write(binary, std::move(bytes));
        });
    }

private:
    /// A browser's WebSocket.
    class Client : public std::enable_shared_from_this<Client> {
    public:
        Client(Impl& server, int number, tcp::socket socket)
            : server_(server), number_(number), stream_(std::move(socket)), rate_(server.params_.messages_per_second, server.params_.burst) {}

        void start(const Request& request) {
            stream_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
            stream_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) { response.set(http::field::server, "phlo"); }));
            stream_.read_message_max(server_.params_.max_message);
            stream_.auto_fragment(false);
            stream_.async_accept(request, [self = shared_from_this()](Error error) {
                if (error) return self->end();
                self->open_ = true;
                self->server_.handlers_.opened(self->number_);
                self->read();
            });
        }
        void write(bool binary, Bytes bytes) {
            if (!open_) return;
            waiting_bytes_ += bytes->size();
            waiting_.push_back({binary, std::move(bytes)});
            if (waiting_bytes_ > server_.params_.max_waiting) return cut_off("it does not read what it asks for");
            if (waiting_.size() == 1) write_next();
        }
        void close() {
            Error ignored;
            stream_.next_layer().socket().close(ignored);
        }

    private:
        void read() {
            stream_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
                if (error == websocket::error::message_too_big || error == websocket::error::buffer_overflow) log::info("studio: a message was larger than {} MB; the connection is closed", self->server_.params_.max_message >> 20);
                if (error) return self->end();
                if (!self->rate_.allow()) return self->cut_off("it sends too much too fast");
                // Nothing binary is for this server.
                if (self->stream_.got_text()) self->server_.handlers_.received(self->number_, beast::buffers_to_string(self->buffer_.data()));
                self->buffer_.consume(self->buffer_.size());
                self->read();
            });
        }
        void write_next() {
            stream_.binary(waiting_.front().binary);
            stream_.async_write(asio::buffer(*waiting_.front().bytes), [self = shared_from_this()](Error error, std::size_t) {
                if (error) return self->end();
                self->waiting_bytes_ -= self->waiting_.front().bytes->size();
                self->waiting_.pop_front();
                if (!self->waiting_.empty()) self->write_next();
            });
        }
        void cut_off(const char* why) {
            log::info("studio: a client is cut off: {}", why);
            close();
        }
        void end() {
            if (ended_) return;
            ended_ = true;
            const bool was_open = open_;
            open_ = false;
            server_.clients_.erase(number_);
            if (was_open) server_.handlers_.closed(number_);
        }

        struct Message {
            bool binary;
            Bytes bytes;
        };
        Impl& server_;
        int number_;
        websocket::stream<beast::tcp_stream> stream_;
        beast::flat_buffer buffer_;
        RateLimit rate_;
        std::deque<Message> waiting_;
        std::size_t waiting_bytes_ = 0;
        bool open_ = false, ended_ = false;
    };

    /// A connection that asks for files, until it becomes a WebSocket or ends.
    class Visitor : public std::enable_shared_from_this<Visitor> {
    public:
        Visitor(Impl& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) { ++server_.connections_; }
        ~Visitor() { --server_.connections_; }

        void read() {
            parser_.emplace();
            parser_->header_limit(max_header);
            parser_->body_limit(max_body);
            stream_.expires_after(patience);
            http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
                if (error == http::error::end_of_stream) return;
                if (error == http::error::header_limit || error == http::error::body_limit) return self->answer(self->refusal(413, "the request is too large"), true);
                if (error) return;   // malformed, or the browser went away
                self->handle(self->parser_->release());
            });
        }
        void refuse(int status, const char* why) { answer(refusal(status, why), true); }

    private:
        void handle(Request request) {
            if (ambiguous(request)) return answer(refusal(400, "a header stands twice"), true);
            const RequestHead head = head_of(request);
            const Verdict verdict = server_.rules_->judge(head);
            if (verdict.what == Verdict::What::refuse) {
                if (server_.refusals_told_.allow()) log::info("studio: refused a request: {}", verdict.reason);
                return answer(refusal(verdict.status, verdict.reason), true);
            }
            if (verdict.what == Verdict::What::sign_in) return answer(signed_in(), false);
            if (head.websocket) return upgrade(request, head);
            answer(file(head), !request.keep_alive());
        }
        void upgrade(const Request& request, const RequestHead& head) {
            if (head.target != "/ws") return answer(refusal(404, "no such socket"), true);
            if (int(server_.clients_.size()) >= server_.params_.max_clients) return answer(refusal(503, "too many tabs are open on this studio; close one"), true);
            stream_.expires_never();
            server_.add_client(stream_.release_socket(), request);
        }
        Response file(const RequestHead& head) {
            const std::string path = head.target.substr(0, head.target.find('?'));
            Asset asset = server_.handlers_.get(path);
            if (asset.missing) return refusal(404, "no such page");
            Response response(http::status::ok, 11);
            const bool page = asset.type.starts_with("text/html");
            const std::string nonce = page ? random_token() : "";
            add_safety(response, server_.port_, nonce);
            response.set(http::field::content_type, asset.type);
            if (asset.download) response.set(http::field::content_disposition, "attachment");
            response.body() = page ? with_nonce(std::move(asset.body), nonce) : std::move(asset.body);
            if (head.method == "HEAD") response.body().clear();
            return response;
        }
        Response signed_in() {
            // Not a redirect by status: the browser would count it to whoever opened the address, and keep the cookie to itself.
            Response response(http::status::ok, 11);
            add_safety(response, server_.port_, "");
            response.set(http::field::content_type, "text/html; charset=utf-8");
            response.set(http::field::set_cookie, server_.rules_->set_cookie());
            response.body() = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=/\"><title>Phlogiston</title>\n";
            return response;
        }
        Response refusal(int status, const std::string& reason) {
            Response response(http::status(unsigned(status)), 11);
            add_safety(response, server_.port_, "");
            response.set(http::field::content_type, "text/plain; charset=utf-8");
            response.body() = "Phlogiston studio: " + reason + "\n";
            return response;
        }
        void answer(Response response, bool last) {
            response.keep_alive(!last);
            response.prepare_payload();
            const auto kept = std::make_shared<Response>(std::move(response));
            stream_.expires_after(patience);
            http::async_write(stream_, *kept, [self = shared_from_this(), kept, last](Error error, std::size_t) {
                if (!error && !last) return self->read();
                Error ignored;
                self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
            });
        }

        Impl& server_;
        beast::tcp_stream stream_;
        beast::flat_buffer buffer_;
        std::optional<http::request_parser<http::string_body>> parser_;
    };

    void accept() {
        acceptor_.async_accept([this](Error error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (!error) {
                Error ignored;
                socket.set_option(tcp::no_delay(true), ignored);
                const auto visitor = std::make_shared<Visitor>(*this, std::move(socket));
                if (connections_ > max_connections) visitor->refuse(503, "too many connections");
                else visitor->read();
            }
            accept();
        });
    }
    void add_client(tcp::socket socket, const Request& request) {
        const int number = ++last_client_;
        const auto client = std::make_shared<Client>(*this, number, std::move(socket));
        clients_[number] = client;
        client->start(request);
    }
    void hang_up() {
        Error ignored;
        acceptor_.close(ignored);
        const auto all = clients_;
        for (const auto& [number, client] : all) client->close();
        context_.stop();
    }

    ServerParams params_;
    Handlers handlers_;
    asio::io_context context_{1};
    tcp::acceptor acceptor_;
    int port_ = 0, connections_ = 0, last_client_ = 0;
    std::unique_ptr<Rules> rules_;
    std::map<int, std::shared_ptr<Client>> clients_;
    RateLimit refusals_told_{1, 10};
    std::thread thread_;
};

Server::Server(const ServerParams& params, Handlers handlers) : impl_(std::make_unique<Impl>(params, std::move(handlers))) {}
Server::~Server() = default;
void Server::start() { impl_->start(); }
void Server::stop() { impl_->stop(); }
int Server::port() const { return impl_->port(); }
std::string Server::new_address() { return impl_->new_address(); }
void Server::send_text(int client, std::string text) { impl_->send(client, false, std::make_shared<const std::string>(std::move(text))); }
void Server::send_binary(int client, Bytes bytes) { impl_->send(client, true, std::move(bytes)); }

}  // namespace phlo::serve
