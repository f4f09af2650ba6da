// Parses the texts of values; each option checks its own.
#include "halfspace/detail/train/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/nearest.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "stream/text/number.h"
#include "train/settings/given_option.h"

namespace halfspace {
namespace {

[[noreturn]] void refuse_option(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

// Reads the whole text as a number, or returns nothing: no blanks, no sign that wraps, no "nan", no hexadecimal, no
// trailing text. Decimals are parsed as in data.
template <class Number>
std::optional<Number> strict(std::string_view text) {
  Number number{};
  if constexpr (std::is_floating_point_v<Number>) {
    if (stream::parse_number(text, number) != stream::NumberProblem::none) return std::nullopt;
  } else {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  return number;
}

// Reads "64M" as bytes.
std::optional<std::uint64_t> bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = strict<double>(text.substr(0, digits));
  std::string_view unit = text.substr(digits);
  if (unit.size() == 2 && unit[1] == 'B') unit.remove_suffix(1);
  static constexpr std::pair<std::string_view, double> units[] = {{"", 1},    {"B", 1},   {"k", 1e3}, {"K", 1e3},
                                                                  {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
  for (const auto& [name, factor] : units) {
    if (unit == name && number && *number * factor <= 1e18) return static_cast<std::uint64_t>(*number * factor);
  }
  return std::nullopt;
}

bool within(const OptionTakes& takes, double number) {
  return (takes.above ? number > takes.least : number >= takes.least) && number <= takes.most;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

// 1 and 1.0 are one value.
bool same_value(const std::string& text, const std::string& other) {
  const std::optional<double> number = strict<double>(text);
  return text == other || (number && number == strict<double>(other));
}

bool asks_for_nothing(const Option& row, const std::string& text) {
  return std::any_of(row.usual.begin(), row.usual.end(),
                     [&](const std::string& usual) { return same_value(text, usual); });
}

std::string shown_name(const Option& row, const std::string& value = "") {
  return row.positional() ? row.name : option(row.name, value);
}

void refuse_alone(const Option& row, std::span<const GivenOption> given) {
  const auto is_given = [&](const std::string& name) {
    return std::any_of(given.begin(), given.end(), [&](const GivenOption& one) { return one.first->name == name; });
  };
  if (row.needs.empty() || std::any_of(row.needs.begin(), row.needs.end(), is_given)) return;
  std::string others;
  for (const std::string& name : row.needs) {
    std::string only;  // the one value of the other option that this one has an effect with
    for (const Option::Idle& idle : row.idle) {
      if (idle.flag == name && idle.others && idle.values.size() == 1 && only.empty()) only = idle.values.front();
    }
    others += (others.empty() ? "" : " or ") + option(name, only);
  }
  refuse_option(fmt::format("{} does nothing without {}", shown_name(row), others),
                fmt::format("add {}, or leave out {}", others, shown_name(row)));
}

void refuse_idle(const Option& row, std::span<const GivenOption> given) {
  for (const Option::Idle& idle : row.idle) {
    for (const auto& [other, text] : given) {
      if (other->name != idle.flag) continue;
      const bool listed = std::find(idle.values.begin(), idle.values.end(), text) != idle.values.end();
      if (!idle.values.empty() && listed == idle.others) continue;
      refuse_option(
          fmt::format("{} does nothing with {}", shown_name(row), shown_name(*other, idle.values.empty() ? "" : text)),
          "leave one of the two out");
    }
  }
}

// Stores a text in the target of an option; returns false if it is no value of that option.
class Store {
 public:
  Store(const Option& row, const std::string& text) : row_(row), takes_(row.takes), text_(text) {}

  bool operator()(std::monostate) const { return true; }
  bool operator()(bool* target) const { return *target = true; }
  bool operator()(std::string* target) const {
    *target = text_;
    return !text_.empty() || !row_.takes_file();
  }
  bool operator()(std::vector<std::string>* target) const {
    if (takes_.form == OptionTakes::Form::commas) {
      for (std::string& part : split(text_)) target->push_back(std::move(part));
    } else {
      target->push_back(text_);
    }
    return true;
  }
  bool operator()(std::optional<std::vector<std::string>>* target) const {
    if (!*target) target->emplace();
    return (*this)(&**target);
  }
  bool operator()(const OptionSwitch& turn) const {
    turn();
    return true;
  }
  bool operator()(const OptionSetter& setter) const {
    setter(text_);
    return true;
  }
  template <class Number>
  bool operator()(Number* target) const {
    const std::optional<Number> number = parsed<Number>();
    if (number) *target = *number;
    return number.has_value();
  }
  template <class Number>
  bool operator()(std::optional<Number>* target) const {
    *target = parsed<Number>();
    return target->has_value();
  }

 private:
  template <class Number>
  std::optional<Number> parsed() const {
    std::optional<Number> number;
    if (takes_.form == OptionTakes::Form::size) {
      if (const auto count = bytes(text_)) number = static_cast<Number>(*count);
    } else {
      number = strict<Number>(text_);
    }
    if (number && !within(takes_, static_cast<double>(*number))) number.reset();
    return number;
  }

  const Option& row_;
  const OptionTakes& takes_;
  const std::string& text_;
};

}  // namespace

Option::Option(std::string_view names, std::string its_placeholder, std::string its_help, OptionTarget its_target,
               OptionTakes its_takes)
    : placeholder(std::move(its_placeholder)),
      help(std::move(its_help)),
      target(std::move(its_target)),
      takes(std::move(its_takes)),
      positional_(std::isupper(static_cast<unsigned char>(names.front())) != 0) {
  if (const std::size_t comma = names.find(','); comma != std::string_view::npos) {
    letter = names[1];
    names.remove_prefix(comma + 1);
  }
  name = names.substr(std::min(names.size(), names.find_first_not_of('-')));
}

namespace takes {

Option required(Option row) {
  row.required = true;
  return row;
}

Option or_by_flag(std::string flag, Option row) {
  row.instead = std::move(flag);
  return row;
}

Option needs(std::string flag, Option row) {
  row.needs.insert(row.needs.begin(), std::move(flag));
  return row;
}

Option usually(std::string value, Option row) {
  row.usual.push_back(std::move(value));
  return row;
}

Option idle_with(std::string flag, Option row) {
  row.idle.push_back({std::move(flag)});
  return row;
}

Option idle_with(std::string flag, std::vector<std::string> values, Option row) {
  row.idle.push_back({std::move(flag), std::move(values)});
  return row;
}

Option unlisted(Option row) {
  row.listed = false;
  return row;
}

Option only_with(std::string flag, std::vector<std::string> values, Option row) {
  row.idle.push_back({std::move(flag), std::move(values), true});
  return row;
}

}  // namespace takes

bool Option::takes_value() const noexcept {
  return !std::holds_alternative<std::monostate>(target) && !std::holds_alternative<bool*>(target) &&
         !std::holds_alternative<OptionSwitch>(target);
}

bool Option::repeats() const noexcept {
  return takes.repeated || std::holds_alternative<std::vector<std::string>*>(target) ||
         std::holds_alternative<std::optional<std::vector<std::string>>*>(target);
}

bool Option::number() const noexcept {
  return takes_value() && !repeats() && !std::holds_alternative<std::string*>(target) &&
         !std::holds_alternative<OptionSetter>(target);
}

std::string Option::takes_words() const {
  if (!takes.choices.empty()) {
    std::string list;
    for (std::size_t i = 0; i < takes.choices.size(); ++i)
      list += (i == 0 ? "" : i + 1 == takes.choices.size() ? " or " : ", ") + takes.choices[i].name;
    return list + (takes.parameters ? ", with parameters as NAME:PARAMETER=VALUE" : "");
  }
  if (takes.form == OptionTakes::Form::size) return "a size such as 512M or 4G";
  if (takes_file()) return "the name of a file";
  if (!number()) return "";
  const bool fraction =
      std::holds_alternative<double*>(target) || std::holds_alternative<std::optional<double>*>(target);
  const std::string kind = fraction ? "a number" : "a whole number";
  if (std::isfinite(takes.most)) return fmt::format("{} from {} to {}", kind, takes.least, takes.most);
  if (takes.above) return fmt::format("{} above {}", kind, takes.least);
  if (std::isfinite(takes.least)) return fmt::format("{} of at least {}", kind, takes.least);
  return fraction ? kind : kind + " of at least 0";
}

void Option::set(const std::string& text) const {
  if (std::visit(Store(*this, text), target)) return;
  const std::string what = positional_ ? name : option(name);
  refuse_option(fmt::format("{} takes {}, not '{}'", what, takes_words(), printable(text)),
                takes.form == OptionTakes::Form::size
                    ? "give a number and one of the units k, M, G and T, or a number of bytes"
                    : fmt::format("write {}, or leave it out", positional_ ? placeholder : option(name, placeholder)));
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return !option.positional() && option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

void set_option(std::span<const Option> options, std::string_view name, const std::string& text) {
  const Option* const found = find_option(options, name);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const Option& one : options) known.push_back(one.name);
    const bool dashes = name.starts_with("--") && find_option(options, name.substr(2)) != nullptr;
    const std::vector<std::string> near = nearest(std::string(name), known);
    refuse_option("there is no option '" + printable(name) + "'",
                  dashes         ? "leave out the dashes"
                  : near.empty() ? "options_of(), in C halfspace_describe(), lists the options"
                                 : "did you mean '" + near.front() + "'?");
  }
  const std::string chosen = found->choice_in(text);
  const auto is_text = [&](const OptionChoice& choice) { return choice.name == chosen; };
  const std::vector<OptionChoice>& choices = found->takes.choices;
  if (!choices.empty() && std::none_of(choices.begin(), choices.end(), is_text)) {
    refuse_option(fmt::format("'{}' is no value of {}", printable(chosen), option(found->name)),
                  fmt::format("it takes {}", found->takes_words()));
  }
  if (!found->takes_value() && text != "true") {
    if (text == "false") return;
    refuse_option(fmt::format("{} takes no value but true and false, not '{}'", option(found->name), printable(text)),
                  "leave it out, or give true");
  }
  found->set(text);
}

void refuse_useless(std::span<const GivenOption> given) {
  for (const auto& [row, text] : given) {
    if (asks_for_nothing(*row, text)) continue;
    refuse_alone(*row, given);
    refuse_idle(*row, given);
  }
}

}  // namespace halfspace
