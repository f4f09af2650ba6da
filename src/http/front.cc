// Routes requests.
#include "http/front.h"

#include <string_view>
#include <utility>

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

bool is_own_page(std::string_view path) { return path == "/healthz" || path == "/readyz" || path == "/metrics"; }

}  // namespace

bool same_secret(const std::string& a, const std::string& b) {
  if (b.empty()) return a.empty();
  volatile unsigned char difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i % b.size()]));
  return difference == 0;
}

Front::Front(Application& application, FrontOptions options)
    : application_(application), options_(std::move(options)), access_log_(options_.access_log) {}

std::optional<Answer> Front::refuse(const RequestHead& head) {
  if (!options_.hosts.allows(head.host))
    return service::refusal(421, "the service is not called " + head.host,
                            "use its address or localhost; other names are given when the service starts");
  if (std::optional<Answer> refused = application_.refuse(head.request)) return refused;
  if (is_own_page(head.request.path)) return std::nullopt;
  const bool changes = application_.changes(head.request);
  if (!options_.token.empty()) {
    if ((!changes && !options_.token_for_all) || same_secret("Bearer " + options_.token, head.authorization))
      return std::nullopt;
    const char* const what = changes ? "a change of the model needs a token" : "the service needs a token";
    return service::refusal(401, head.authorization.empty() ? what : "wrong token",
                            "send the header Authorization: Bearer TOKEN");
  }
  if (!changes || !head.has_origin) return std::nullopt;
  return service::refusal(403, "a web page may not change the model", "start the service with a token file");
}

std::optional<Answer> Front::answer(const Request& request) {
  return is_own_page(request.path) ? own_page(request) : application_.answer(request);
}

void Front::answer_later(Request request, std::unique_ptr<Reply> reply) {
  application_.answer_later(std::move(request), std::move(reply));
}

void Front::answered(const Answered& answered) noexcept {
  metrics_.count(answered.request.path, answered.status, answered.seconds);
  access_log_.add(answered);
}

std::optional<Answer> Front::own_page(const Request& request) const {
  if (request.path == "/healthz") return Answer{200, "ok\n", "text/plain; charset=utf-8"};
  if (request.path == "/metrics") {
    std::string text = metrics_.text(connections_);
    application_.add_metrics(text);
    return Answer{200, std::move(text), "text/plain; version=0.0.4; charset=utf-8"};
  }
  if (stopping_) return service::refusal(503, "the service is stopping", "ask its successor");
  if (!application_.writable())
    return service::refusal(503, "the disk failed: what was published is served, nothing changes",
                            "restart the service");
  return Answer{200, "ready\n", "text/plain; charset=utf-8"};
}

}  // namespace halfspace::http
