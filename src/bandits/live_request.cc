// Lines of JSON, each with exactly the keys that its kind has.
#include "bandits/live_request.h"

#include "base/json.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

[[noreturn]] void refuse(std::string message) {
  throw Error(ErrorKind::usage, std::move(message));
}

LiveRequest ask_of(const Json& object) {
  if (object.size() != 1) refuse("an ask has the one key \"ask\"");
  const Json& name = object["ask"];
  if (name.is_structured()) refuse("\"ask\" is a name, a number, true or null");
  LiveRequest request{.kind = LiveRequest::Kind::ask};
  // A request may have a name or a number, which the reply repeats.
  if (name.is_string() || name.is_number()) request.echo = name.dump(-1, ' ', true, Json::error_handler_t::replace);
  return request;
}

LiveRequest status_of(const Json& object) {
  if (object.size() != 1) refuse("a question for the status has the one key \"status\"");
  return {.kind = LiveRequest::Kind::status};
}

LiveRequest tell_of(const Json& object) {
  const bool loss = object.contains("loss");
  const bool gain = object.contains("gain");
  if (!object.contains("ticket") || loss == gain)
    refuse("a line is {\"ask\":...}, {\"status\":true}, or \"ticket\" with \"loss\" or \"gain\"");
  if (object.size() != 2) refuse("feedback has the keys \"ticket\" and \"loss\" (or \"gain\") and no others");
  if (!object["ticket"].is_number_unsigned()) refuse("\"ticket\" is the whole number that the ask was answered with");
  const Json& value = object[loss ? "loss" : "gain"];
  if (!value.is_number()) refuse(std::string("\"") + (loss ? "loss" : "gain") + "\" is a number from 0 to 1");
  const double number = value.get<double>();
  return {.kind = LiveRequest::Kind::tell,
          .ticket = object["ticket"].get<std::uint64_t>(),
          .loss = loss ? number : 1 - number};
}

}  // namespace

LiveRequest read_live_request(std::string_view line) {
  if (line.size() > LiveRequest::longest_line)
    refuse("the line is longer than " + std::to_string(LiveRequest::longest_line) + " bytes");
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
  if (line.find('\0') != std::string_view::npos) refuse("a NUL byte");  // the parser would take it for the end
  try {
    const Json object = Json::parse(line);
    if (!object.is_object()) refuse("a line is an object: {\"ask\":...} or {\"ticket\":...,\"loss\":...}");
    if (object.contains("ask")) return ask_of(object);
    if (object.contains("status")) return status_of(object);
    return tell_of(object);
  } catch (const Json::exception&) {
    refuse("not a line of JSON");
  }
}

}  // namespace halfspace
