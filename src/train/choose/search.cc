// Parses the values to search into compositions.
#include "train/choose/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/nearest.h"
#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "stream/text/number.h"

namespace halfspace::training {
namespace {

constexpr std::size_t most_candidates = 1000;
constexpr std::size_t grid_size = 7;

// A parameter to search: one of the rule or of the objective, or bias-scale or passes.
struct Searchable {
  std::string name;
  bool whole = false;
  std::function<void(Candidate&, double)> set;
};

void set_passes(Candidate& candidate, double passes) {
  candidate.until.passes = static_cast<std::uint64_t>(passes);
  if (passes > 1) candidate.composition = for_several_passes(candidate.composition);
}

Searchable bias_scale() {
  return {"bias-scale", false, [](Candidate& c, double value) { c.composition.bias.scale = value; }};
}

std::vector<Searchable> parameters_of_objectives() {
  return {{"C", false, [](Candidate& c, double value) { c.objective->cost = value; }},
          {"l2", false, [](Candidate& c, double value) { c.objective->l2 = value; }},
          bias_scale()};
}

std::vector<Searchable> parameters_of_rules() {
  std::vector<Searchable> all;
  for (const Parameter* parameter : parameters()) {
    if (!parameter->searchable) continue;
    all.push_back({std::string(parameter->name), parameter->kind == Parameter::Kind::count,
                   [parameter](Candidate& c, double value) { c.composition.set(*parameter, value); }});
  }
  all.push_back(bias_scale());
  all.push_back({"passes", true, set_passes});
  return all;
}

std::string asked(const std::string& text) { return option("search") + " " + text; }

std::string names_of(const std::vector<Searchable>& all) {
  std::string text;
  for (const Searchable& parameter : all) text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

Searchable named(const std::string& given, const Candidate& base, const std::string& text) {
  const std::vector<Searchable> all = base.objective ? parameters_of_objectives() : parameters_of_rules();
  // In the formulas of rules C is the aggressiveness.
  const std::string name = given == "C" && !base.objective ? "aggressiveness" : given;
  std::vector<std::string> known;
  for (const Searchable& parameter : all) {
    if (name == parameter.name) return parameter;
    known.emplace_back(parameter.name);
  }
  const std::string near = did_you_mean(name, known);
  throw Error(ErrorKind::usage, asked(text) + ": unknown parameter '" + name + "'" + (near.empty() ? "" : "; " + near))
      .fix("the parameters are " + names_of(all));
}

// Rejects parameters that the candidate does not use.
void check_belongs(const Searchable& parameter, const Candidate& base, const std::string& text) {
  const Composition& c = base.composition;
  const auto refuse = [&](const std::string& belongs_to) {
    throw Error(ErrorKind::usage, fmt::format("{}: {} belongs to {}", asked(text), parameter.name, belongs_to))
        .fix(fmt::format("leave it out, or choose a {} other than {}", option("rule"), name_of(c.rule)));
  };
  if (parameter.name == "passes") {
    if (plays_mistakes_only(c.order)) refuse("the orders stream, cyclic, shuffled and random");
  } else if (parameter.name == "bias-scale") {
    if (c.bias.position == Bias::none) refuse("a composition with a bias");
  } else if (!base.objective && find_use(c.rule, parameter.name) == nullptr) {
    std::vector<std::string_view> names;
    for (const RuleEntry& entry : all_rules()) {
      if (find_use(entry.id, parameter.name) != nullptr) names.push_back(entry.name);
    }
    refuse(fmt::format("the {} {}", names.size() == 1 ? "rule" : "rules", fmt::join(names, ", ")));
  }
}

[[noreturn]] void refuse_search(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, asked(text) + ": " + why)
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
  return names_of(parameters_of_rules()) + "; with " + option("objective") + " " + names_of(parameters_of_objectives());
}

std::vector<std::string> searched_names(std::span<const std::string> searches) {
  std::vector<std::string> names;
  for (const std::string& text : searches) names.push_back(text.substr(0, text.find('=')));
  return names;
}

std::vector<NamedCandidate> candidates(std::span<const std::string> searches, const Candidate& base) {
  std::vector<NamedCandidate> all{{{}, base}};
  for (const std::string& text : searches) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) refuse_search(text, "no values given");
    const Searchable parameter = named(text.substr(0, equals), base, text);
    check_belongs(parameter, base, text);
    for (const auto& [name, value] : all[0].values) {
      if (name == parameter.name) refuse_search(text, std::string(name) + " is searched twice");
    }
    const std::vector<double> values = values_of(std::string_view(text).substr(equals + 1), parameter, text);
    const bool price = base.objective && parameter.name != "bias-scale";
    if (price && !(*std::min_element(values.begin(), values.end()) > 0))
      refuse_search(text, parameter.name + " must be above 0");
    if (all.size() * values.size() > most_candidates)
      refuse_search(text, fmt::format("more than {} candidates in all", most_candidates));
    all = spread(all, parameter.name, values, parameter.set);
  }
  for (const NamedCandidate& one : all) validate(one.candidate.composition);
  return all;
}

}  // namespace halfspace::training
