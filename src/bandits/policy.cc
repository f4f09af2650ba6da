// Words to policies.
#include "halfspace/detail/bandits/policy.h"

#include <optional>

#include "base/number_words.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "stream/text/number.h"

namespace halfspace::policy {
namespace {

// The parameter of a kind: its limits, and what it is without a word.
struct Parameter {
  Kind kind;
  std::string_view name;
  double fallback, least, most;
};
constexpr Parameter parameters[] = {{Kind::epsilon, "rate", 0.05, 0, 1},
                                    {Kind::softmax, "rate", 10, 0, 1e6},
                                    {Kind::squarecb, "scale", 10, 0, 1e9},
                                    {Kind::thompson, "samples", 50, 1, 10'000},
                                    {Kind::linucb, "width", 1, 0, 1e6}};

const Parameter* parameter_of(Kind kind) {
  for (const Parameter& one : parameters) {
    if (one.kind == kind) return &one;
  }
  return nullptr;
}

[[noreturn]] void refuse(std::string_view words, const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "the policy '" + printable(std::string(words)) + "' " + why).fix(fix);
}

}  // namespace

Policy parse(std::string_view words) {
  const std::size_t colon = words.find(':');
  const std::optional<Kind> kind = value_named<Kind>(words.substr(0, colon));
  if (!kind) {
    std::string names;
    for (const Kind one : values<Kind>()) (names += names.empty() ? "" : ", ") += name_of(one);
    refuse(words, "is unknown", "use one of " + names);
  }
  Policy made;
  made.kind = *kind;
  const std::string_view rest = colon == std::string_view::npos ? "" : words.substr(colon + 1);
  if (*kind == Kind::arm) {
    made.action = rest;
    if (rest.empty()) refuse(words, "names no action", "write arm:NAME");
    return made;
  }
  const Parameter* const parameter = parameter_of(*kind);
  if (parameter == nullptr) {
    if (colon != std::string_view::npos) refuse(words, "has no parameter", "write " + std::string(name_of(*kind)));
    return made;
  }
  made.number = parameter->fallback;
  if (colon == std::string_view::npos) return made;
  const std::string begin = std::string(parameter->name) + "=";
  const std::string example = std::string(name_of(*kind)) + ":" + begin + short_number(parameter->fallback);
  if (!rest.starts_with(begin)) refuse(words, "has another parameter", "write " + example);
  const std::string number(rest.substr(begin.size()));
  if (stream::parse_number(number, made.number) != stream::NumberProblem::none || !(made.number >= parameter->least) ||
      !(made.number <= parameter->most))
    refuse(words, "has a number out of range",
           "use " + short_number(parameter->least) + " to " + short_number(parameter->most));
  return made;
}

}  // namespace halfspace::policy
