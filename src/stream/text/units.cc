// Numbers with units, by tables of currencies and measures.
#include "stream/text/units.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "stream/text/shapes.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view all_digits = "0123456789";
constexpr std::size_t longest_unit = 24;

constexpr std::string_view currencies[] = {
    "US$", "A$",  "C$",  "R$",  "$",   "€",   "£",   "¥",   "₹",   "₽", "₩",   "₺",   "₪",   "Rs.", "Rs",  "kr",
    "zł",  "Kč",  "Ft",  "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "CAD", "AUD", "NZD", "BRL", "MXN", "RUB", "ZAR", "TRY", "KRW", "SGD", "HKD", "ILS", "THB", "IDR", "RON", "BGN"};
constexpr std::string_view measures[] = {
    "%",     "‰",     "°",    "°c",   "°f",    "kg",  "mg",   "lb",     "oz",    "mm",   "cm",  "km",
    "mi",    "ft",    "in",   "ml",   "cl",    "ms",  "sec",  "min",    "hr",    "hour", "day", "week",
    "month", "year",  "yr",   "kb",   "mb",    "gb",  "tb",   "khz",    "mhz",   "ghz",  "kw",  "kwh",
    "mw",    "hp",    "mph",  "km/h", "m/s",   "m²",  "m2",   "m³",     "sq ft", "sqft", "cc",  "bhp",
    "kmpl",  "mg/dl", "mmhg", "bpm",  "jahre", "ans", "euro", "dollar", "\"",    "″"};
constexpr std::string_view other_minus_signs[] = {"−", "–"};
constexpr std::string_view one_letter_measures[] = {"g", "m", "L"};

template <class Table>
bool is_in(const Table& table, std::string_view text) {
  return std::find(std::begin(table), std::end(table), text) != std::end(table);
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Years and YEAR as year: letters are compared in lower case, but for a single one.
std::string plain_unit(std::string_view text) {
  std::string plain = text.size() > 1 ? lower_case(text) : std::string(text);
  if (plain.size() > 2 && plain.ends_with('s') && !is_in(measures, plain)) plain.pop_back();
  return plain;
}

// Returns a text as a part of an extended regular expression in single quotes.
std::string as_expression(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (std::string_view("\\.[]{}()*+?^$|/@").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Removes the sign from what stands around a number, and brackets for one: $(5), (5 %). Returns false for other brackets.
bool take_signs(NumberUnit& unit) {
  for (const std::string_view sign : other_minus_signs) {
    const std::size_t at = unit.before.find(sign);
    if (at == std::string::npos) continue;
    unit.before.erase(at, sign.size());
    unit.other_minus = true;
  }
  const std::size_t bracket = unit.before.find('(');
  if (bracket != std::string::npos) {
    if (!unit.after.ends_with(')')) return false;
    unit.before.erase(bracket, 1);
    unit.after = trimmed(std::string_view(unit.after).substr(0, unit.after.size() - 1), " ");
    unit.in_brackets = true;
  }
  unit.before = trimmed(unit.before, " +-.");
  return true;
}

}  // namespace

std::optional<NumberUnit> unit_of(std::string_view text) {
  text = trimmed(text, " ");
  const std::size_t first = text.find_first_of(all_digits);
  if (first == std::string_view::npos) return std::nullopt;
  // A digit may end the unit, as in m2.
  const std::size_t last = std::min(text.find_first_not_of("0123456789.,' ", first), text.size());
  NumberUnit unit{.before = std::string(text.substr(0, first)), .after = std::string(trimmed(text.substr(last), " "))};
  if (!take_signs(unit)) return std::nullopt;
  if (unit.before.empty() && unit.after.empty()) return std::nullopt;
  if (!unit.before.empty() && !is_in(currencies, unit.before)) return std::nullopt;
  if (unit.after.size() > longest_unit) return std::nullopt;
  const bool in_table = is_in(measures, plain_unit(unit.after));
  const bool worded = std::any_of(unit.after.begin(), unit.after.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || byte >= 0x80 || c == '%' || c == '$';
  });
  const bool strange = std::any_of(unit.after.begin(), unit.after.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7f || std::string_view(",;:\"").find(c) != std::string_view::npos;
  });
  if (!unit.after.empty() && !in_table &&
      (!worded || strange || unit.after.find_first_of(all_digits) != std::string::npos ||
       std::count(unit.after.begin(), unit.after.end(), ' ') > 1))
    return std::nullopt;
  if ((unit.other_minus || unit.in_brackets) && !is_known_unit(unit)) return std::nullopt;
  return looks_like_date(text) || looks_like_time(text) ? std::nullopt : std::optional(std::move(unit));
}

bool is_known_unit(const NumberUnit& unit) {
  return unit.after.empty() || !unit.before.empty() || is_in(currencies, unit.after) ||
         is_in(measures, plain_unit(unit.after)) || is_in(one_letter_measures, unit.after);
}

bool is_of_parts(std::string_view text) {
  constexpr std::string_view small[] = {"h", "m", "s", "d", "w", "y", "g", "'", "\"", "''", "′", "″", "°", "st"};
  text = trimmed(text, " ");
  std::size_t parts = 0;
  bool feet = false;
  while (!text.empty()) {
    const std::size_t number = std::min(text.find_first_not_of("0123456789."), text.size());
    if (number == 0 || text.front() == '.') return false;
    text.remove_prefix(number);
    const std::string_view behind = text.substr(0, text.find_first_of(all_digits));
    text.remove_prefix(behind.size());
    const std::string_view unit = trimmed(behind, " ");
    // 51°28'N
    const bool side = text.empty() && parts > 0 && unit.size() > 1 &&
                      std::string_view("NSEW").find(unit.back()) != std::string_view::npos;
    const std::string_view plain = side ? trimmed(unit.substr(0, unit.size() - 1), " ") : unit;
    if (!is_in(small, plain) && !is_in(measures, plain_unit(plain)) && !(plain.empty() && text.empty() && feet))
      return false;
    feet = plain == "'" || plain == "′";
    ++parts;
  }
  return parts > 1;
}

bool are_one_unit(const NumberUnit& first, const NumberUnit& second) {
  return first.before == second.before && plain_unit(first.after) == plain_unit(second.after);
}

std::string shown_unit(const NumberUnit& unit) {
  return unit.before + (unit.before.empty() || unit.after.empty() ? "" : " ") + unit.after;
}

void add_unit(const NumberUnit& unit, std::size_t most, std::vector<NumberUnit>& seen) {
  const auto found = std::find(seen.begin(), seen.end(), unit);
  if (found != seen.end()) {
    found->other_minus = found->other_minus || unit.other_minus;
    found->in_brackets = found->in_brackets || unit.in_brackets;
  } else if (seen.size() < most) {
    seen.push_back(unit);
  }
}

std::string command_without_units(std::span<const NumberUnit> units, const RewrittenCells& cells) {
  std::string edits;
  const auto edit = [&](const std::string& one) {
    if (edits.find(one) == std::string::npos) edits += (edits.empty() ? "" : "; ") + one;
  };
  for (const NumberUnit& unit : units) {
    const std::string number = unit.other_minus || unit.in_brackets ? "([-+.0-9(]|−|–)" : "([-+.0-9])";
    if (!unit.before.empty()) edit("s/" + as_expression(unit.before) + " *" + number + "/\\1/g");
    // A quote in a cell is written twice.
    const std::string after = unit.after == "\"" && cells.quoted ? "\"\"" : as_expression(unit.after);
    if (!unit.after.empty()) edit("s/([0-9.]) *" + after + "([^A-Za-z0-9]|$)/\\1\\2/g");
  }
  const auto any = [&](bool NumberUnit::*flag) {
    return std::any_of(units.begin(), units.end(), [&](const NumberUnit& unit) { return unit.*flag; });
  };
  if (any(&NumberUnit::in_brackets)) edit("s/\\(([0-9.,]+) *\\)/-\\1/g");
  if (any(&NumberUnit::other_minus)) edit("s/(−|–) *([0-9.])/-\\2/g");
  return edit_command(edits, cells);
}

}  // namespace halfspace::stream
