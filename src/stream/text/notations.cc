// Numbers in other notations, by a table of patterns.
#include "stream/text/notations.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "stream/parser.h"
#include "stream/text/shapes.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view every_digit = "0123456789";

bool begins_with_digit(std::string_view text) {
  return !text.empty() && every_digit.find(text.front()) != std::string_view::npos;
}

void take_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

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

bool take_whole(std::string_view& text, std::string_view& digits) {
  digits = text.substr(0, text.find_first_not_of(every_digit));
  text.remove_prefix(digits.size());
  return !digits.empty() && (digits.size() == 1 || digits.front() != '0');
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

// 1.5K, 8M
bool is_a_multiple(std::string_view text) {
  constexpr std::string_view marks = "KkM";
  return text.size() > 1 && marks.find(text.back()) != std::string_view::npos &&
         looks_like_number(text.substr(0, text.size() - 1));
}

// 1/8, 3 1/8, 7/10: days and months have other denominators, and so has blood pressure.
bool is_a_fraction(std::string_view text) {
  constexpr std::string_view denominators[] = {"2",  "3",  "4",  "5",  "6",  "8",   "10",
                                               "12", "16", "20", "32", "64", "100", "128"};
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string_view digits;
  if (!take_whole(text, digits)) return false;
  if (text.starts_with(' ')) {
    text.remove_prefix(1);
    if (!take_whole(text, digits)) return false;
  }
  if (!text.starts_with('/')) return false;
  text.remove_prefix(1);
  return std::find(std::begin(denominators), std::end(denominators), text) != std::end(denominators);
}

// 1.5×10^3, 1.5 x 10^-3, 2*10**5
bool has_power_of_ten(std::string_view text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  if (!take_word(text, {"×", "x", "*", "·"})) return false;
  take_blanks(text);
  if (!take_word(text, {"10^", "10**"})) return false;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of(every_digit) == std::string_view::npos;
}

bool has_minus_behind(std::string_view text) {
  if (!take_number(text)) return false;
  take_blanks(text);
  return text == "-" || text == "\u2212";
}

bool is_debit_or_credit(std::string_view text) {
  if (!take_number(text)) return false;
  take_blanks(text);
  return take_word(text, {"dr", "cr"}) && (text.empty() || text == ".");
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

bool has_something_in_brackets(std::string_view text) {
  if (!take_signed(text)) return false;
  take_blanks(text);
  if (text.size() < 3) return false;
  const char close = text.front() == '(' ? ')' : text.front() == '[' ? ']' : '\0';
  return close != '\0' && text.find(close) == text.size() - 1 && text.rfind(text.front()) == 0;
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

// In a pattern, N is a number: a comma in it needs quotes around the cell where commas separate cells. $3 is its first
// group.
constexpr NumberNotation notations[] = {
    {"in hexadecimal", is_hexadecimal, "perl -pe 's/\\b0[xX]([0-9a-fA-F]+)/hex($1)/ge' FILE >NAME"},
    {"with an exponent behind a D", has_fortran_exponent, "sed -E 's/([0-9.])[dD]([-+0-9])/\\1e\\2/g' FILE >NAME"},
    {"with their errors", has_error, "sed -E 's/([0-9.]) *(±|\\+\\/-) *[0-9.]+/\\1/g' FILE >NAME"},
    {"with a K or M for thousands or millions", is_a_multiple,
     "sed -E 's/([0-9.])[Kk]([^A-Za-z0-9]|$)/\\1e3\\2/g; s/([0-9.])M([^A-Za-z0-9]|$)/\\1e6\\2/g' FILE >NAME"},
    {"written as fractions", is_a_fraction, {}, "(-?)(?:(\\d+) )?(\\d+)/([1-9]\\d*)", "($3.\"1\")*(($4||0)+$5/$6)"},
    {"with a power of ten",
     has_power_of_ten,
     {},
     "([-+]?N) *(?:×|x|X|\\*|·) *10(?:\\^|\\*\\*)([-+]?\\d+)",
     "$3.\"e\".$4"},
    {"with the minus sign behind them", has_minus_behind, {}, "(N) *(?:-|\u2212)", "\"-\".$3"},
    {"marked DR or CR",
     is_debit_or_credit,
     {},
     "(N) *(?:([Cc])|[Dd])[Rr]\\.?",
     "($4&&\"-\").$3",
     ", CR as negative (swap [Cc] and [Dd] for DR)"},
    {"marked N, S, E or W",
     is_on_the_globe,
     {},
     "(N) *(?:°)? *(?:([SW])|[NE])",
     "($4&&\"-\").$3",
     ", S and W as negative",
     true},
    {"marked as approximate", is_approximate, {}, "(?i:~|≈|ca\\.?|circa|c\\.|approx\\.?|about|around) *([-+]?N)", "$3"},
    {"with something in brackets behind them",
     has_something_in_brackets,
     {},
     "([-+]?N) *(?:\\([^()]*\\)|\\[[^][]*\\])",
     "$3",
     " without the brackets"},
    {"with marks such as * or + behind them", has_marks_behind, {}, "([-+]?N) *(?:\\*|\\+|†|‡|§)+", "$3"},
    {"behind an apostrophe", is_behind_an_apostrophe, {}, "\\x27([-+]?N)", "$3"}};
static_assert(std::size(notations) == notation_count);

}  // namespace

std::span<const NumberNotation, notation_count> number_notations() {
  return notations;
}

std::string command_of(const NumberNotation& notation, char delimiter) {
  if (!notation.command.empty()) return std::string(notation.command);
  const std::string mark = delimiter == '\t'                      ? "\\t"
                           : delimiter == ',' || delimiter == ';' ? std::string(1, delimiter)
                                                                  : std::string("\\") + delimiter;
  std::string pattern(notation.pattern);
  for (std::size_t at = pattern.find('N'); at != std::string::npos; at = pattern.find('N', at)) {
    if (pattern.substr(at, 2) == "NE") break;
    const std::string number = delimiter == ',' ? "(?(2)[\\d.,]+|[\\d.]+)" : "[\\d.,]+";
    pattern.replace(at, 1, number);
    at += number.size();
  }
  return "perl -pe 's{(^|" + mark + ") *(\")?" + pattern + "(?(2)\")(?=" + mark + "|\\s*$)}{$1.$2." +
         std::string(notation.value) + ".$2}ge' FILE >NAME";
}

bool holds_a_number(std::string_view text) {
  if (looks_like_date(text) || looks_like_time(text)) return false;
  const bool leads = take_word(text, {"<=", ">=", "≤", "≥", "<", ">", "=", "~", "≈", "±"});
  take_blanks(text);
  if (leads) return take_signed(text) && text.empty();
  std::string_view first, second;
  if (!take_whole(text, first)) return false;
  take_blanks(text);
  const bool slash = text.starts_with('/');
  if (!take_word(text, {"/", "x", "×", "of ", "out of "})) return false;
  take_blanks(text);
  if (!take_whole(text, second) || !text.empty()) return false;
  if (!slash || first.size() > 2 || second.size() > 2) return true;
  // 5/12 may be a day and a month.
  const int one = std::stoi(std::string(first)), other = std::stoi(std::string(second));
  return std::max(one, other) > 31 || std::min(one, other) > 12;
}

bool is_measured(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view all = text;
  if (!take_number(text) || text.empty()) return false;
  return text.front() == ' ' || all.substr(0, all.size() - text.size()).find_first_of(".,") != std::string_view::npos;
}

}  // namespace halfspace::stream
