#include "serve/rules.h"

#include <sys/random.h>

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::serve {
namespace {

constexpr std::string_view token_path = "/?token=";

}  // namespace

std::string random_token() {
    std::array<std::uint8_t, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size())) throw RunError("the system gives no random numbers; the studio needs them for its secrets");
    std::string text;
    for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.empty() || a.size() != b.size()) return false;
    unsigned differs = 0;
    for (std::size_t n = 0; n < a.size(); ++n) differs |= unsigned(static_cast<unsigned char>(a[n]) ^ static_cast<unsigned char>(b[n]));
    return differs == 0;
}

Rules::Rules(int port) : port_(port) {}

std::string Rules::new_sign_in_path() {
    const std::lock_guard hold(guard_);
    token_ = random_token();
    return std::string(token_path) + token_;
}

std::string Rules::cookie_name() const { return fmt::format("phlo_studio_{}", port_); }

std::string Rules::set_cookie() const {
    return fmt::format("{}={}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict", cookie_name(), secret_);
}

bool Rules::known_host(std::string_view host) const { return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_); }

bool Rules::signed_in(std::string_view cookies) const {
    const std::string wanted = cookie_name() + "=";
    while (!cookies.empty()) {
        const std::size_t end = cookies.find(';');
        std::string_view one = cookies.substr(0, end);
        cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
        while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
        if (one.starts_with(wanted) && same_secret(one.substr(wanted.size()), secret_)) return true;
    }
    return false;
}

Verdict Rules::judge(const RequestHead& head) {
    const auto refuse = [](int status, std::string reason) { return Verdict{Verdict::What::refuse, status, std::move(reason)}; };
    if (!known_host(head.host)) return refuse(421, "this server answers to 127.0.0.1 and localhost only");
    if (head.method != "GET" && head.method != "HEAD") return refuse(405, "everything goes through the WebSocket; expected GET");
    const bool top_page = !head.websocket && (head.target == "/" || head.target.starts_with(token_path));
    if (head.websocket && !head.has_origin) return refuse(403, "a WebSocket without Origin");
    if (head.has_origin && head.origin != "http://" + head.host) return refuse(403, "another page's request");
    if (!head.fetch_site.empty() && head.fetch_site != "same-origin" && head.fetch_site != "none" && !top_page) return refuse(403, "another site's request");
    if (!head.websocket && head.target.starts_with(token_path)) {
        const std::lock_guard hold(guard_);
        if (!same_secret(std::string_view(head.target).substr(token_path.size()), token_))
            return refuse(403, "this address was used already, or is of another studio; the terminal of 'phlo studio' gives a new one (press Enter there)");
        token_.clear();
        return {Verdict::What::sign_in, 200, {}};
    }
    if (!signed_in(head.cookie)) return refuse(403, "open the address that 'phlo studio' printed; press Enter in its terminal for a new one");
    return {Verdict::What::serve, 200, {}};
}

}  // namespace phlo::serve
