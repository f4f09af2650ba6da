// Parses lines of JSON, each with exactly the keys of its kind.
#include "bandits/live_protocol.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/printable.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

std::string quoted_json(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

struct LiveRequest {
  enum class Kind : std::uint8_t { none, ask, status, tell };

  Kind kind = Kind::none;
  std::string echo = {};  // of an ask: its name or number as ASCII JSON, or empty
  std::uint64_t ticket = 0;
  double loss = 0;
};

[[noreturn]] void refuse_request(std::string message) { throw Error(ErrorKind::usage, std::move(message)); }

LiveRequest ask_of(const Json& object) {
  if (object.size() != 1) refuse_request("an ask has only the key \"ask\"");
  const Json& name = object["ask"];
  if (name.is_structured()) refuse_request("\"ask\" must be a name, a number, true or null");
  LiveRequest request{.kind = LiveRequest::Kind::ask};
  // The answer repeats the request's name or number.
  if (name.is_string() || name.is_number()) request.echo = name.dump(-1, ' ', true, Json::error_handler_t::replace);
  return request;
}

LiveRequest status_of(const Json& object) {
  if (object.size() != 1) refuse_request("a status request has only the key \"status\"");
  return {.kind = LiveRequest::Kind::status};
}

LiveRequest tell_of(const Json& object) {
  const bool loss = object.contains("loss");
  const bool gain = object.contains("gain");
  if (!object.contains("ticket") || loss == gain)
    refuse_request("a line is {\"ask\":...}, {\"status\":true}, or \"ticket\" with \"loss\" or \"gain\"");
  if (object.size() != 2) refuse_request("feedback has only the keys \"ticket\" and \"loss\" (or \"gain\")");
  if (!object["ticket"].is_number_unsigned())
    refuse_request("\"ticket\" must be the whole number from the answer to an ask");
  const Json& value = object[loss ? "loss" : "gain"];
  if (!value.is_number())
    refuse_request(std::string("\"") + (loss ? "loss" : "gain") + "\" must be a number from 0 to 1");
  const double number = value.get<double>();
  return {.kind = LiveRequest::Kind::tell,
          .ticket = object["ticket"].get<std::uint64_t>(),
          .loss = loss ? number : 1 - number};
}

// Returns the request of a line; none for a blank line. Throws Error(usage). The bandit validates ticket and loss.
LiveRequest request_of(std::string_view line) {
  if (line.size() > LiveProtocol::longest_line)
    refuse_request("the line is longer than " + std::to_string(LiveProtocol::longest_line) + " bytes");
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
  if (line.find('\0') != std::string_view::npos) refuse_request("a NUL byte");  // the parser would stop there
  try {
    std::string repeated;
    const Json object = Json::parse(line, {.repeated_key = &repeated});
    if (!repeated.empty()) refuse_request("the member " + stream::quote(repeated) + " is there twice");
    if (!object.is_object()) refuse_request("a line must be an object: {\"ask\":...} or {\"ticket\":...,\"loss\":...}");
    if (object.contains("ask")) return ask_of(object);
    if (object.contains("status")) return status_of(object);
    return tell_of(object);
  } catch (const Json::exception&) {
    refuse_request("not a line of JSON");
  }
}

}  // namespace

std::vector<std::string> live_arms(const std::string& text) {
  const std::string fix = option("arms", "5") + ", or their names: " + option("arms", "red,green,blue");
  if (text.empty()) throw Error(ErrorKind::usage, "no arms given").fix(fix);
  std::vector<std::string> arms;
  if (text.find(',') == std::string::npos) {
    double count = 0;
    const bool whole = text.find_first_not_of("0123456789") == std::string::npos &&
                       stream::parse_number(text, count) == stream::NumberProblem::none;
    if (!(whole && count >= 1 && count <= static_cast<double>(BanditOptions::most_arms))) {
      throw Error(ErrorKind::usage, option("arms") + " takes 1 to " + std::to_string(BanditOptions::most_arms) +
                                        " arms, or their names with commas, not '" + printable(text) + "'")
          .fix(fix);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) arms.push_back(std::to_string(i));
    return arms;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma == at) throw Error(ErrorKind::usage, option("arms") + ": an arm has no name").fix(fix);
    const std::string name = quoted_json(text.substr(at, comma - at));
    if (std::find(arms.begin(), arms.end(), name) != arms.end()) {
      throw Error(ErrorKind::usage, option("arms") + ": two arms have the name " + name).fix("name each arm once");
    }
    arms.push_back(name);
    at = comma + 1;
  }
  return arms;
}

std::string LiveProtocol::answer(std::string_view line) {
  ++line_;
  try {
    const LiveRequest request = request_of(line);
    switch (request.kind) {
      case LiveRequest::Kind::none:
        return {};
      case LiveRequest::Kind::ask:
        return asked(request.echo);
      case LiveRequest::Kind::status:
        return status();
      case LiveRequest::Kind::tell:
        tell_(request.ticket, request.loss);
        return fmt::format("{{\"ticket\":{},\"learned\":true}}", request.ticket);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return fmt::format("{{\"error\":{},\"line\":{}}}", quoted_json(render_options(error.message(), style_)), line_);
  }
  return {};
}

std::string LiveProtocol::asked(const std::string& echo) {
  const LiveBandit::Answer answer = ask_();
  return fmt::format("{{{}\"arm\":{},\"p\":{},\"ticket\":{}}}", echo.empty() ? "" : "\"ask\":" + echo + ",",
                     arms_[answer.arm], answer.probability, answer.ticket);
}

// Reports the counts, from which a client continues after a break.
std::string LiveProtocol::status() const {
  const LiveBandit& bandit = bandit_();
  return fmt::format("{{\"asks\":{},\"learned\":{},\"open\":{},\"loss\":{}}}", bandit.asks(), bandit.tells(),
                     bandit.open(), bandit.loss());
}

}  // namespace halfspace
