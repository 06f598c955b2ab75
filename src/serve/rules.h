// Who may talk to the studio's server: rules for a server on one's own machine, which every page in the browser can reach.
//
//   Rules rules(8080);
//   Verdict verdict = rules.judge(request);       // serve, sign_in (the address with the token), or refuse with a status and a reason
//
// | rule | against |
// | --- | --- |
// | Host is 127.0.0.1:port or localhost:port, on every request | a foreign name that resolves to this machine (DNS rebinding) |
// | Origin is that host's, on WebSockets and on all that is not GET; missing and `null` are refused | other pages, sandboxed frames |
// | a cookie that only the printed address gives, once: HttpOnly, SameSite=Strict, its name holds the port | other users and other servers of this machine |
// | Sec-Fetch-Site says same-origin or none, but for the top page itself | other sites that guess the address |
//
// Nothing here knows a socket; server.cpp asks before it does anything else.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace phlo::serve {

/// What of a request matters here. A header that is missing is empty, one that came twice is refused by the server.
struct RequestHead {
    std::string method, target;            ///< target as it stands in the request line
    std::string host, origin, cookie, fetch_site;
    bool websocket = false;
    bool has_origin = false;
};

struct Verdict {
    enum class What { serve, sign_in, refuse };
    What what = What::refuse;
    int status = 403;
    std::string reason = {};               ///< for people; never holds a secret
};

/// 128 random bits from the system, as 32 hexadecimal digits.
std::string random_token();
/// Takes the same time wherever they differ.
bool same_secret(std::string_view a, std::string_view b);

class Rules {
public:
    explicit Rules(int port);

    Verdict judge(const RequestHead& head);

    /// The path of a new address that signs a browser in, once: "/?token=…".
    std::string new_sign_in_path();
    std::string cookie_name() const;
    /// Of a browser that has signed in: the whole header.
    std::string set_cookie() const;

private:
    bool known_host(std::string_view host) const;
    bool signed_in(std::string_view cookies) const;

    int port_;
    std::string secret_ = random_token();  ///< in the cookie
    std::mutex guard_;
    std::string token_;                    ///< in the address; empty: used up
};

}  // namespace phlo::serve
