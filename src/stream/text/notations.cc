// Numbers in other notations, by a table of patterns.
#include "stream/text/notations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include "stream/text/number.h"
#include "stream/text/shapes.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view every_digit = "0123456789";

bool begins_with_digit(std::string_view text) {
  return !text.empty() && every_digit.find(text.front()) != std::string_view::npos;
}

void take_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

// Removes the first of the words that the text begins with, in any case.
bool take_word(std::string_view& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (lower_case(text.substr(0, word.size())) != word) continue;
    text.remove_prefix(word.size());
    return true;
  }
  return false;
}

// Removes a number without a sign: .5, 12, 1,234.50 or 1.234,50, but not 1.2.3.
bool take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
  const std::string_view number = text.substr(0, end);
  if (number.empty() || !begins_with_digit(number.substr(number.size() - 1))) return false;
  if (number.front() == ',' || std::count(number.begin(), number.end(), '.') > 1) return false;
  text.remove_prefix(end);
  return true;
}

bool take_signed(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return take_number(text);
}

// Removes a number without commas and leading zeros, which codes have.
bool take_plain(std::string_view& text, std::string_view& number) {
  number = text.substr(0, text.find_first_not_of("0123456789."));
  if (number.find_first_of('.') == std::string_view::npos && number.size() > 1 && number.front() == '0') return false;
  text.remove_prefix(number.size());
  return looks_like_number(number);
}

bool is_hexadecimal(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
         text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

// 0.5D+02
bool has_fortran_exponent(std::string_view text) {
  const std::size_t mark = text.find_first_of("dD");
  if (mark == std::string_view::npos || mark == 0 || text.find_first_of(".+-") == std::string_view::npos) return false;
  std::string usual(text);
  usual[mark] = 'e';
  return looks_like_number(usual);
}

// 4.25±0.1, 4.25 +/- 0.1
bool has_error(std::string_view text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  if (!take_word(text, {"±", "+/-"})) return false;
  take_blanks(text);
  return looks_like_number(text);
}

// 1.5K, 8M, 2B
bool is_a_multiple(std::string_view text) {
  constexpr std::string_view marks = "KkMB";
  return text.size() > 1 && marks.find(text.back()) != std::string_view::npos &&
         looks_like_number(text.substr(0, text.size() - 1));
}

// 1/8, 3 1/8, 4.5/5: days and months have other denominators, and so has blood pressure.
bool is_a_fraction(std::string_view text) {
  constexpr std::string_view denominators[] = {"2",  "3",  "4",  "5",  "6",  "8",   "10",
                                               "12", "16", "20", "32", "64", "100", "128"};
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string_view number;
  if (!take_plain(text, number)) return false;
  if (text.starts_with(' ')) {
    text.remove_prefix(1);
    if (!take_plain(text, number)) return false;
  }
  if (!text.starts_with('/')) return false;
  text.remove_prefix(1);
  return std::find(std::begin(denominators), std::end(denominators), text) != std::end(denominators);
}

// ½, 3½, 3 ¾
bool has_a_sign_of_fractions(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string_view number;
  if (begins_with_digit(text) && !take_plain(text, number)) return false;
  take_blanks(text);
  return take_word(text, {"½", "⅓", "⅔", "¼", "¾", "⅛", "⅜", "⅝", "⅞"}) && text.empty();
}

bool take_times_ten(std::string_view& text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  if (!take_word(text, {"×", "x", "*", "·"})) return false;
  take_blanks(text);
  return take_word(text, {"10"});
}

// 1.5×10^3, 1.5 x 10^-3, 2*10**5
bool has_power_of_ten(std::string_view text) {
  if (!take_times_ten(text) || !take_word(text, {"^", "**"})) return false;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of(every_digit) == std::string_view::npos;
}

// 1.5×10³
bool has_raised_power(std::string_view text) {
  if (!take_times_ten(text) || text.empty()) return false;
  take_word(text, {"⁻", "⁺"});
  while (take_word(text, {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"})) {
  }
  return text.empty();
}

// 1.5 million
bool has_a_word_of_size(std::string_view text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  return take_word(text, {"thousand", "lakh", "million", "mio.", "mio", "mln", "mn", "crore", "billion", "bn"}) &&
         text.empty();
}

bool has_minus_behind(std::string_view text) {
  if (!take_number(text)) return false;
  take_blanks(text);
  return text == "-" || text == "\u2212";
}

bool is_debit_or_credit(std::string_view text) {
  if (!take_number(text)) return false;
  take_blanks(text);
  const bool bracket = take_word(text, {"("});
  return take_word(text, {"dr", "cr"}) && text == (bracket ? ")" : text.substr(0, text.starts_with('.') ? 1 : 0));
}

bool begins_with_debit_or_credit(std::string_view text) {
  if (!take_word(text, {"dr", "cr"})) return false;
  take_word(text, {"."});
  take_blanks(text);
  return take_number(text) && text.empty();
}

bool is_on_the_globe(std::string_view text) {
  if (!take_number(text)) return false;
  take_blanks(text);
  take_word(text, {"°"});
  take_blanks(text);
  return text == "N" || text == "S" || text == "E" || text == "W";
}

bool is_approximate(std::string_view text) {
  if (!take_word(text, {"~", "≈", "ca.", "ca ", "circa ", "c.", "approx.", "approx ", "about ", "around "}))
    return false;
  take_blanks(text);
  return take_signed(text) && text.empty();
}

// 3 (30%), 30% (3), 3.4 [1.2-5.6]; words in brackets may be the sign.
bool has_another_in_brackets(std::string_view text) {
  if (!take_signed(text)) return false;
  take_word(text, {"%"});
  take_blanks(text);
  if (text.size() < 3) return false;
  const char close = text.front() == '(' ? ')' : text.front() == '[' ? ']' : '\0';
  return close != '\0' && text.find(close) == text.size() - 1 && text.rfind(text.front()) == 0 &&
         text.find_first_of(every_digit) != std::string_view::npos;
}

bool has_marks_behind(std::string_view text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  if (text.empty()) return false;
  while (take_word(text, {"*", "+", "†", "‡", "§"})) {
  }
  return text.empty();
}

bool is_behind_an_apostrophe(std::string_view text) {
  if (!text.starts_with('\'')) return false;
  text.remove_prefix(1);
  return take_signed(text) && text.empty();
}

// (old), [estimated]
bool has_words_in_brackets(std::string_view text) {
  return text.size() > 2 && ((text.front() == '(' && text.find(')') == text.size() - 1) ||
                             (text.front() == '[' && text.find(']') == text.size() - 1));
}

// 2,11,600 and 1,00,00,000.5: groups of two digits before the last three, as India writes.
bool has_groups_of_two(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  text = text.substr(0, text.find('.'));
  std::size_t groups = 0;
  bool of_two = false;
  for (;; ++groups) {
    const std::size_t end = std::min(text.find_first_not_of(every_digit), text.size());
    if (end == text.size()) return groups > 1 && end == 3 && of_two;
    if (text[end] != ',' || end == 0 || end > 2 || (groups > 0 && end != 2)) return false;
    of_two = of_two || groups > 0;
    text.remove_prefix(end + 1);
  }
}

// In a pattern, N is a number: a comma in it needs quotes around the cell where commas separate cells. $3 is its first
// group.
constexpr NumberNotation notations[] = {
    {"in hexadecimal", is_hexadecimal, "s/\\b0[xX]([0-9a-fA-F]+)/hex($1)/ge"},
    {"with an exponent behind a D", has_fortran_exponent, "s/([0-9.])[dD]([-+0-9])/\\1e\\2/g"},
    {"with their errors", has_error, "s/([0-9.]) *(±|\\+\\/-) *[0-9.]+/\\1/g"},
    {"with K, M or B for thousands and more", is_a_multiple,
     "s/([0-9.])[Kk]([^A-Za-z0-9]|$)/\\1e3\\2/g; s/([0-9.])M([^A-Za-z0-9]|$)/\\1e6\\2/g; "
     "s/([0-9.])B([^A-Za-z0-9]|$)/\\1e9\\2/g"},
    {"with words for thousands or millions",
     has_a_word_of_size,
     {},
     "([-+]?N) *(?i:(thousand)|(lakh)|(million|mio\\.?|mln|mn)|(crore)|billion|bn)",
     "$3.($4?\"e3\":$5?\"e5\":$6?\"e6\":$7?\"e7\":\"e9\")",
     {},
     true},
    {"written as fractions", is_a_fraction, {}, "(-?)(?:(\\d+) )?([\\d.]+)/([1-9]\\d*)", "($3.\"1\")*(($4||0)+$5/$6)"},
    {"written as fractions",
     has_a_sign_of_fractions,
     {},
     "(-?)(\\d*) *([½⅓⅔¼¾⅛⅜⅝⅞])",
     "($3.\"1\")*(($4||0)+{\"½\",1/2,\"⅓\",1/3,\"⅔\",2/3,\"¼\",1/4,\"¾\",3/4,\"⅛\",1/8,\"⅜\",3/8,\"⅝\",5/8,\"⅞\",7/"
     "8}->{$5})"},
    {"with a raised power of ten",
     has_raised_power,
     {},
     "([-+]?N) *[×xX*·] *10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
     "$3.\"e\".($4=~tr/⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹/\\-+0-9/r)"},
    {"with a power of ten", has_power_of_ten, {}, "([-+]?N) *[×xX*·] *10(?:\\^|\\*\\*)([-+]?\\d+)", "$3.\"e\".$4"},
    {"with the minus sign behind them", has_minus_behind, {}, "(N) *[-\u2212]", "\"-\".$3"},
    {"marked DR or CR",
     is_debit_or_credit,
     {},
     "(N) *\\(?(?:([Cc])|[Dd])[Rr][.)]?",
     "($4&&\"-\").$3",
     ", CR as negative (swap [Cc] and [Dd] for DR)"},
    {"behind DR or CR",
     begins_with_debit_or_credit,
     {},
     "(?:([Cc])|[Dd])[Rr]\\.? *(N)",
     "($3&&\"-\").$4",
     ", CR as negative (swap [Cc] and [Dd] for DR)"},
    {"marked N, S, E or W",
     is_on_the_globe,
     {},
     "(N) *°? *(?:([SW])|[NE])",
     "($4&&\"-\").$3",
     ", S and W as negative",
     true},
    {"marked as approximate", is_approximate, {}, "(?i:~|≈|ca\\.?|circa|c\\.|approx\\.?|about|around) *([-+]?N)", "$3"},
    {"with others in brackets behind them",
     has_another_in_brackets,
     {},
     "([-+]?N)%? *(?:\\([^()]*\\)|\\[[^][]*\\])",
     "$3",
     " without the brackets"},
    {"with marks such as * or + behind them", has_marks_behind, {}, "([-+]?N) *[*+†‡§]+", "$3"},
    {"behind an apostrophe", is_behind_an_apostrophe, {}, "\\x27([-+]?N)", "$3"},
    {"with groups of two digits between commas",
     has_groups_of_two,
     {},
     "([-+]?\\d{1,3}(?:,\\d{2,3})*,\\d{3}(?:\\.\\d+)?)",
     "$3=~tr/,//dr"}};
static_assert(std::size(notations) == notation_count);

constexpr std::string_view for_characters = "perl -CSD -Mutf8 -pe";

// Returns the edit that rewrites numbers that are whole cells.
std::string edit_of_cells(const NumberNotation& notation, const RewrittenCells& cells) {
  std::string begin, end;
  if (!cells.columns.empty()) {
    begin = "^( *)(\")?";
    end = "(?(2)\") *$";
  } else if (cells.delimiter != '\0') {
    const std::string mark = delimiter_expression(cells.delimiter);
    begin = "(^|" + mark + ") *(\")?";
    end = "(?(2)\")(?=" + mark + "|\\s*$)";
  } else {
    // Values of JSON and ARFF lie between other marks, and in quotes of two kinds.
    begin = "(^|[:,[]) *([\"\\x27])?";
    end = "(?(2)\\2)(?=\\s*(?:[],\\}]|$))";
  }
  const bool comma = cells.delimiter == ',' || cells.delimiter == '\0';
  const std::string number = comma ? "(?(2)[\\d.,]+|[\\d.]+)" : "[\\d.,]+";
  std::string pattern(notation.pattern);
  for (std::size_t at = pattern.find('N'); at != std::string::npos; at = pattern.find('N', at)) {
    if (pattern.substr(at, 2) == "NE") break;
    pattern.replace(at, 1, number);
    at += number.size();
  }
  return "s{" + begin + pattern + end + "}{$1.$2." + std::string(notation.value) + ".$2}ge";
}

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

std::span<const NumberNotation, notation_count> number_notations() { return notations; }

std::string command_of(std::span<const NumberNotation* const> wanted, const RewrittenCells& cells) {
  std::string edits, commands;
  for (const NumberNotation* one : wanted) {
    const bool for_perl = one->edits.empty() || one->edits.ends_with("e");
    const std::string edit = one->edits.empty() ? edit_of_cells(*one, cells) : std::string(one->edits);
    edits += (edits.empty() ? "" : "; ") + edit;
    commands = in_turn(commands, edit_command(edit, cells, for_perl ? for_characters : std::string_view("sed -E")));
  }
  return cells.columns.empty() ? commands : edit_command(edits, cells, for_characters);
}

bool holds_a_number(std::string_view text) {
  if (looks_like_date(text) || looks_like_time(text)) return false;
  const bool leads = take_word(text, {"<=", ">=", "≤", "≥", "<", ">", "=", "~", "≈", "±"});
  take_blanks(text);
  if (leads) return take_signed(text) && text.empty();
  std::string_view first, second;
  if (!take_plain(text, first)) return false;
  take_blanks(text);
  const bool slash = text.starts_with('/');
  if (has_words_in_brackets(text)) return true;
  if (!take_word(text, {"/", "x", "×", "of ", "out of "})) return false;
  take_blanks(text);
  if (!take_plain(text, second) || !text.empty()) return false;
  // 5/12 may be a day and a month, and 1990/91 a season.
  if (!slash || first.size() > 4 || second.size() > 4) return true;
  if (first.size() == 4 && first.find('.') == std::string_view::npos) return false;
  double one = 0, other = 0;
  if (parse_number(first, one) != NumberProblem::none || parse_number(second, other) != NumberProblem::none)
    return false;
  return std::max(one, other) > 31 || std::min(one, other) > 12 || one != std::floor(one);
}

bool is_measured(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view all = text;
  if (!take_number(text) || text.empty()) return false;
  return text.front() == ' ' || all.substr(0, all.size() - text.size()).find_first_of(".,") != std::string_view::npos;
}

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
