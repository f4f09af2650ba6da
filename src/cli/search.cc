// From the texts of --search to compositions.
#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "stream/parser.h"

namespace halfspace::cli {
namespace {

constexpr std::size_t most_candidates = 1000;
constexpr int grid_size = 7;

// A parameter that can be searched: a new rule's go here. validate() refuses what it knows does not belong to a rule.
struct Parameter {
  const char* name;  // of its flag
  bool whole;
  const char* belongs_to;  // for the error
  bool (*belongs)(const Composition&);
  void (*set)(Candidate&, double);
};

bool is_any(const Composition& c, std::initializer_list<RuleName> rules) {
  return std::find(rules.begin(), rules.end(), c.rule) != rules.end();
}

constexpr std::array<Parameter, 12> kParameters{{
    {"rate", false, "rules other than pa, pa1 and pa2, which find it themselves",
     [](const Composition& c) {
       return !is_any(c, {RuleName::pa, RuleName::pa1, RuleName::pa2});
     },
     [](Candidate& c, double v) { c.composition.rate = v; }},
    {"margin", false, "the rule margin", [](const Composition& c) { return c.rule == RuleName::margin; },
     [](Candidate& c, double v) { c.composition.margin = v; }},
    {"aggressiveness", false, "the rules pa1 and pa2",
     [](const Composition& c) {
       return is_any(c, {RuleName::pa1, RuleName::pa2});
     },
     [](Candidate& c, double v) { c.composition.aggressiveness = v; }},
    {"regularization", false, "second-order rules", [](const Composition&) { return true; },
     [](Candidate& c, double v) { c.composition.regularization = v; }},
    {"ball", false, "rules inside a ball", [](const Composition&) { return true; },
     [](Candidate& c, double v) { c.composition.ball = v; }},
    {"alpha", false, "alma and winnow", [](const Composition&) { return true; },
     [](Candidate& c, double v) { c.composition.alpha = v; }},
    {"threshold", false, "winnow", [](const Composition&) { return true; },
     [](Candidate& c, double v) { c.composition.threshold = v; }},
    {"relative-margin", false, "the rule minnow", [](const Composition& c) { return c.rule == RuleName::minnow; },
     [](Candidate& c, double v) { c.composition.relative_margin = v; }},
    {"radius", false, "the rule minnow", [](const Composition& c) { return c.rule == RuleName::minnow; },
     [](Candidate& c, double v) { c.composition.radius = v; }},
    {"gamma", false, "the rule kernel", [](const Composition& c) { return c.rule == RuleName::kernel; },
     [](Candidate& c, double v) { c.composition.kernel.kernel.gamma = v; }},
    {"bias-scale", false, "a composition with a bias", [](const Composition& c) { return c.bias.place != Bias::none; },
     [](Candidate& c, double v) { c.composition.bias.scale = v; }},
    {"passes", true, "the orders stream, cyclic, shuffled and random",
     [](const Composition& c) { return c.order != OrderName::first_mistake && c.order != OrderName::random_mistake; },
     [](Candidate& c, double v) {
       c.until.passes = static_cast<std::uint64_t>(v);
       if (c.composition.order == OrderName::stream) c.composition.order = OrderName::cyclic;  // one pass is the same
     }},
}};

const Parameter& named(const std::string& given, const std::string& text) {
  const std::string name = given == "C" ? "aggressiveness" : given;  // its name in formulas
  std::vector<std::string> known;
  for (const Parameter& parameter : kParameters) {
    if (name == parameter.name) return parameter;
    known.emplace_back(parameter.name);
  }
  const std::string near = did_you_mean(name, known);
  throw Error(ErrorKind::usage,
              "--search " + text + ": there is no parameter '" + name + "'" + (near.empty() ? "" : "; " + near))
      .fix("the parameters are " + searchable());
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, "--search " + text + ": " + why)
      .fix("give NAME=LO..HI for a logarithmic grid, NAME=LO..HI:N for one of N values, or NAME=A,B,C");
}

double number(std::string_view digits, const std::string& text) {
  double value = 0;
  if (stream::parse_number(digits, value) != stream::NumberProblem::none)
    refuse(text, "'" + std::string(digits) + "' is not a number");
  return value;
}

std::vector<double> grid(std::string_view from, std::string_view to, const std::string& text) {
  double points = grid_size;
  const std::size_t colon = to.find(':');
  if (colon != std::string_view::npos) {
    points = number(to.substr(colon + 1), text);
    to = to.substr(0, colon);
    if (!(points >= 2 && points <= most_candidates && points == std::floor(points)))
      refuse(text, fmt::format("a grid has 2 to {} values", most_candidates));
  }
  const double low = number(from, text);
  const double high = number(to, text);
  if (!(low > 0)) refuse(text, "a logarithmic grid begins above 0");
  if (!(high > low)) refuse(text, "the grid ends where it begins, or before");
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(points); ++i) {
    const double share = i / (points - 1);
    const double exact = std::exp((1 - share) * std::log(low) + share * std::log(high));
    values.push_back(number(fmt::format("{:.3g}", exact), text));
  }
  values.front() = low;
  values.back() = high;
  return values;
}

std::vector<double> values_of(std::string_view list, const Parameter& parameter, const std::string& text) {
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
      refuse(text, fmt::format("{} is not a whole number of at least 1", short_number(value)));
    if (std::find(distinct.begin(), distinct.end(), value) == distinct.end()) distinct.push_back(value);
  }
  return distinct;
}

}  // namespace

std::string Named::name() const {
  std::string text;
  for (const auto& [parameter, value] : values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parameter, short_number(value));
  return text;
}

std::string searchable() {
  std::string text;
  for (const Parameter& parameter : kParameters) text += (text.empty() ? "" : ", ") + std::string(parameter.name);
  return text;
}

std::vector<Named> candidates(std::span<const std::string> searches, const Candidate& base) {
  std::vector<Named> all{{{}, base}};
  for (const std::string& text : searches) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) refuse(text, "no values are given");
    const Parameter& parameter = named(text.substr(0, equals), text);
    if (!parameter.belongs(base.composition)) {
      throw Error(ErrorKind::usage,
                  fmt::format("--search {}: {} belongs to {}", text, parameter.name, parameter.belongs_to))
          .fix(fmt::format("leave it out, or choose another --rule than {}", name_of(base.composition.rule)));
    }
    for (const auto& [name, value] : all[0].values) {
      if (name == parameter.name) refuse(text, std::string(name) + " is searched twice");
    }
    const std::vector<double> values = values_of(std::string_view(text).substr(equals + 1), parameter, text);
    std::vector<Named> next;
    if (all.size() * values.size() > most_candidates)
      refuse(text, fmt::format("more than {} candidates in all", most_candidates));
    for (const Named& before : all) {
      for (const double value : values) {
        Named one = before;
        one.values.emplace_back(parameter.name, value);
        parameter.set(one.candidate, value);
        next.push_back(one);
      }
    }
    all = std::move(next);
  }
  for (const Named& one : all) validate(one.candidate.composition);
  return all;
}

}  // namespace halfspace::cli
