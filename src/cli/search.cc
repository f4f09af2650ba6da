// Parses --search into compositions.
#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/nearest.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/parser.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t most_candidates = 1000;
constexpr std::size_t grid_size = 7;

// A parameter to search: one of the rule, or bias-scale or passes, which every composition has.
struct Searchable {
  std::string name;
  bool whole = false;
  std::function<void(Candidate&, double)> set;
};

void set_passes(Candidate& candidate, double passes) {
  candidate.until.passes = static_cast<std::uint64_t>(passes);
  if (passes > 1) candidate.composition = for_several_passes(candidate.composition);
}

std::vector<Searchable> searchable_parameters() {
  std::vector<Searchable> all;
  for (const Parameter* parameter : parameters()) {
    if (!parameter->searchable) continue;
    all.push_back({std::string(parameter->name), parameter->kind == Parameter::Kind::count,
                   [parameter](Candidate& c, double value) { c.composition.set(*parameter, value); }});
  }
  all.push_back({"bias-scale", false, [](Candidate& c, double value) { c.composition.bias.scale = value; }});
  all.push_back({"passes", true, set_passes});
  return all;
}

Searchable named(const std::string& given, const std::string& text) {
  const std::string name = given == "C" ? "aggressiveness" : given;  // the name of aggressiveness in formulas
  std::vector<std::string> known;
  for (const Searchable& parameter : searchable_parameters()) {
    if (name == parameter.name) return parameter;
    known.emplace_back(parameter.name);
  }
  const std::string near = did_you_mean(name, known);
  throw Error(ErrorKind::usage,
              "--search " + text + ": unknown parameter '" + name + "'" + (near.empty() ? "" : "; " + near))
      .fix("the parameters are " + searchable());
}

// Rejects parameters that the composition does not use.
void check_belongs(const Searchable& parameter, const Composition& c, const std::string& text) {
  const auto refuse = [&](const std::string& belongs_to) {
    throw Error(ErrorKind::usage, fmt::format("--search {}: {} belongs to {}", text, parameter.name, belongs_to))
        .fix(fmt::format("leave it out, or choose a --rule other than {}", name_of(c.rule)));
  };
  if (parameter.name == "passes") {
    if (plays_mistakes_only(c.order)) refuse("the orders stream, cyclic, shuffled and random");
  } else if (parameter.name == "bias-scale") {
    if (c.bias.position == Bias::none) refuse("a composition with a bias");
  } else if (find_use(c.rule, parameter.name) == nullptr) {
    std::vector<std::string_view> names;
    for (const RuleEntry& entry : all_rules()) {
      if (find_use(entry.id, parameter.name) != nullptr) names.push_back(entry.name);
    }
    refuse(fmt::format("the {} {}", names.size() == 1 ? "rule" : "rules", fmt::join(names, ", ")));
  }
}

[[noreturn]] void refuse_search(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, "--search " + text + ": " + why)
      .fix("give NAME=LO..HI for a logarithmic grid, NAME=LO..HI:N for one of N values, or NAME=A,B,C");
}

double number(std::string_view digits, const std::string& text) {
  double value = 0;
  if (stream::parse_number(digits, value) != stream::NumberProblem::none)
    refuse_search(text, "'" + std::string(digits) + "' is not a number");
  return value;
}

std::vector<double> grid(std::string_view from, std::string_view to, const std::string& text) {
  auto points = static_cast<double>(grid_size);
  const std::size_t colon = to.find(':');
  if (colon != std::string_view::npos) {
    points = number(to.substr(colon + 1), text);
    to = to.substr(0, colon);
    if (!(points >= 2 && points <= most_candidates && points == std::floor(points)))
      refuse_search(text, fmt::format("a grid has 2 to {} values", most_candidates));
  }
  const double low = number(from, text);
  const double high = number(to, text);
  if (!(low > 0)) refuse_search(text, "a logarithmic grid must begin above 0");
  if (!(high > low)) refuse_search(text, "the grid must end above its beginning");
  return logarithmic_grid(low, high, static_cast<std::size_t>(points));
}

std::vector<double> values_of(std::string_view list, const Searchable& parameter, const std::string& text) {
  std::vector<double> values;
  const std::size_t dots = list.find("..");
  if (dots != std::string_view::npos) {
    values = grid(list.substr(0, dots), list.substr(dots + 2), text);
    if (parameter.whole) {
      for (double& value : values) value = std::round(value);
    }
  } else {
    while (true) {
      const std::size_t comma = list.find(',');
      values.push_back(number(list.substr(0, comma), text));
      if (comma == std::string_view::npos) break;
      list = list.substr(comma + 1);
    }
  }
  std::vector<double> distinct;
  for (const double value : values) {
    if (parameter.whole && !(value >= 1 && value == std::floor(value) && value < 1e15))
      refuse_search(text, fmt::format("{} is not a whole number of at least 1", short_number(value)));
    if (std::find(distinct.begin(), distinct.end(), value) == distinct.end()) distinct.push_back(value);
  }
  return distinct;
}

}  // namespace

std::string searchable() {
  std::string text;
  for (const Searchable& parameter : searchable_parameters())
    text += (text.empty() ? "" : ", ") + std::string(parameter.name);
  return text;
}

std::vector<NamedCandidate> candidates(std::span<const std::string> searches, const Candidate& base) {
  std::vector<NamedCandidate> all{{{}, base}};
  for (const std::string& text : searches) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) refuse_search(text, "no values given");
    const Searchable parameter = named(text.substr(0, equals), text);
    check_belongs(parameter, base.composition, text);
    for (const auto& [name, value] : all[0].values) {
      if (name == parameter.name) refuse_search(text, std::string(name) + " is searched twice");
    }
    const std::vector<double> values = values_of(std::string_view(text).substr(equals + 1), parameter, text);
    if (all.size() * values.size() > most_candidates)
      refuse_search(text, fmt::format("more than {} candidates in all", most_candidates));
    all = spread(all, parameter.name, values, parameter.set);
  }
  for (const NamedCandidate& one : all) validate(one.candidate.composition);
  return all;
}

}  // namespace halfspace::cli
