// A hyper-parameter, described once: the source of a flag of the command, a key of JSON, a field of the model file, an
// argument of --search and a signature in another language.
//
// A parameter belongs to the rules that list it (rule_entry.h), each with its own default and domain. Its values are
// kept by name (composition.h), so that a new rule's parameters need no change elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "halfspace/detail/base/domain.h"
#include "halfspace/detail/base/names.h"

namespace halfspace {

struct ParameterChoice {
  std::string_view name, help;
};

struct Parameter {
  enum class Kind : std::uint8_t { number, count, choice, flag };

  std::string_view name;           // "relative-margin"; JSON and files write '_' for '-'
  std::string_view placeholder{};  // "R", for help
  Kind kind = Kind::number;
  bool searchable = true;
  std::span<const ParameterChoice> choices{};  // the value is an index into it
  std::string_view off{};                      // flag: the name of the switch that turns it off, "positive-weights"

  std::string key() const;  // "relative_margin"
  std::string_view option_name() const { return off.empty() ? name : off; }
};

// The values that were set, by name. Other parameters have the rule's default.
using ParameterValues = std::map<std::string, double, std::less<>>;

// The values of an enum, as choices of a parameter.
template <Named E>
struct ParameterChoicesOf {
  static constexpr std::size_t size = std::size(NamesOf<E>::table);
  struct Table {
    ParameterChoice entry[size];
  };
  static constexpr Table table = [] {
    Table all{};
    for (std::size_t i = 0; i < size; ++i) all.entry[i] = {NamesOf<E>::table[i].name, NamesOf<E>::table[i].help};
    return all;
  }();
};
template <Named E>
constexpr std::span<const ParameterChoice> parameter_choices() {
  return ParameterChoicesOf<E>::table.entry;
}

// Parameters that several rules share.
namespace parameter {

inline constexpr Parameter rate{.name = "rate", .placeholder = "R"};
inline constexpr Parameter aggressiveness{.name = "aggressiveness", .placeholder = "C"};
inline constexpr Parameter regularization{.name = "regularization", .placeholder = "R"};
inline constexpr Parameter ball{.name = "ball", .placeholder = "U"};
inline constexpr Parameter alpha{.name = "alpha", .placeholder = "A"};

}  // namespace parameter
}  // namespace halfspace
