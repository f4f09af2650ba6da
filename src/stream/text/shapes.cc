// Recognises shapes of texts by their characters.
#include "stream/text/shapes.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "stream/text/first_lines.h"
#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

constexpr std::string_view ten_digits = "0123456789";

bool is_digit_of_shape(char c) { return c >= '0' && c <= '9'; }

// Removes a currency or percent sign from either end, with the blanks next to it.
bool take_unit(std::string_view& text) {
  static constexpr std::string_view units[] = {"US$", "$", "€", "£", "¥", "%", "USD", "EUR", "GBP", "CHF"};
  for (const std::string_view unit : units) {
    const bool front = text.starts_with(unit);
    if (!front && !text.ends_with(unit)) continue;
    if (front) text.remove_prefix(unit.size());
    if (!front) text.remove_suffix(unit.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    return true;
  }
  return false;
}

// Matches 1,234,567: one to three digits, then groups of three. Returns the number without its commas, or nothing.
std::string without_thousands(std::string_view text) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  std::string number;
  std::size_t group = 0;
  bool comma = false;
  for (std::size_t i = 0; i < whole; ++i) {
    if (text[i] == ',') {
      if (group == 0 || group > 3 || (comma && group != 3)) return {};
      comma = true;
      group = 0;
    } else if (is_digit_of_shape(text[i])) {
      ++group;
      number += text[i];
    } else {
      return {};
    }
  }
  return comma && group == 3 ? number.append(text.substr(whole)) : std::string();
}

bool names_a_month(std::string_view text) {
  static constexpr std::string_view months[] = {"january", "february", "march",     "april",   "may",      "june",
                                                "july",    "august",   "september", "october", "november", "december"};
  const std::string word = lower_case(text);
  return word == "sept" || std::any_of(std::begin(months), std::end(months), [&](std::string_view month) {
           return word == month || word == month.substr(0, 3);
         });
}

// January-2005, Jan 05, 31-Jan-2020, Sep 29, 2019: returns the number of parts, one of them the name of a month; 0: no
// date.
std::size_t parts_of_named_date(std::string_view text) {
  constexpr std::string_view marks = " -/.,";
  std::size_t parts = 0, months = 0, years = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(marks), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(marks), text.size()));
    if (++parts > 3) return 0;
    if (names_a_month(part)) {
      ++months;
    } else if (part.empty() || part.find_first_not_of(ten_digits) != std::string_view::npos || part.size() > 4 ||
               part.size() == 3) {
      return 0;
    } else {
      years += part.size() > 2 ? 1 : 0;
    }
  }
  return parts > 1 && months == 1 && years < 2 ? parts : 0;
}

// Removes a time of day with colons, and what joins it to the day; returns whether there is one.
bool take_time(std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  std::size_t begin = colon;
  // 01apr2024:10:00:00
  const bool joined = colon >= 4 && text.find_first_not_of(ten_digits, colon - 4) == colon;
  if (joined) ++begin;
  while (!joined && begin > 0 && is_digit_of_shape(text[begin - 1])) --begin;
  const std::size_t end = std::min(text.find_first_not_of("0123456789:.,", begin), text.size());
  const std::size_t dot = std::min(text.find_first_of(".,", begin), end);
  if (!looks_like_time(std::string_view(text).substr(begin, dot - begin))) return false;
  const bool letter = begin > 0 && (text[begin - 1] == 'T' || text[begin - 1] == ':');
  text.replace(begin - (letter ? 1 : 0), end - begin + (letter ? 1 : 0), " ");
  return true;
}

bool names_a_weekday(std::string_view word) {
  static constexpr std::string_view days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                              "friday", "saturday", "sunday"};
  return std::any_of(std::begin(days), std::end(days),
                     [&](std::string_view day) { return word == day || word == day.substr(0, 3); });
}

bool names_a_zone(std::string_view word) {
  static constexpr std::string_view zones[] = {"z",   "utc", "gmt", "cet", "cest", "bst", "ist", "am", "pm",
                                               "est", "edt", "cst", "cdt", "mst",  "mdt", "pst", "pdt"};
  return std::find(std::begin(zones), std::end(zones), word) != std::end(zones) ||
         ((word.starts_with('+') || word.starts_with('-')) && word.size() >= 5 &&
          word.find_first_not_of("0123456789:", 1) == std::string_view::npos);
}

// 01APR2024, with blanks between its parts.
std::string with_parts_apart(std::string_view text) {
  const std::size_t name = std::min(text.find_first_not_of(ten_digits), text.size());
  const std::size_t year = std::min(text.find_first_of(ten_digits, name), text.size());
  const std::string_view day = text.substr(0, name), month = text.substr(name, year - name), rest = text.substr(year);
  const bool fits = !day.empty() && day.size() <= 2 && names_a_month(month) && (rest.size() == 2 || rest.size() == 4);
  return fits ? std::string(day) + " " + std::string(month) + " " + std::string(rest) : std::string(text);
}

// 2024-05-31, 31.5.24, 5/31/2024 12:00
bool is_digits_of_date(std::string_view text) {
  std::size_t groups = 0, longest = 0;
  char mark = 0;
  while (groups < 3) {
    std::size_t count = 0;
    while (count < text.size() && is_digit_of_shape(text[count])) ++count;
    if (count == 0 || count == 3 || count > 4) return false;
    longest = std::max(longest, count);
    text.remove_prefix(count);
    if (++groups == 3) break;
    if (text.empty() || (text[0] != '-' && text[0] != '/' && text[0] != '.') || (mark != 0 && text[0] != mark))
      return false;
    mark = text[0];
    text.remove_prefix(1);
  }
  if (text.empty()) return longest >= 2;
  return (text[0] == ' ' || text[0] == 'T') && text.size() > 1 && is_digit_of_shape(text[1]) &&
         text.find_first_not_of("0123456789:.+-TZ AMPamp") == std::string_view::npos;
}

// A day with its weekday, a time of day or a zone in words: Mon, 01 Apr 2024 10:00:00 GMT; 2024-04-01 10:00 UTC;
// 01apr2024:10:00:00.
bool is_date_with_words(std::string_view text) {
  std::string plain(text);
  if (plain.ends_with(']')) plain.resize(std::min(plain.rfind('['), plain.size()));
  const bool timed = take_time(plain);
  std::string day;
  std::size_t words = 0;
  for (std::size_t at = 0, end = 0; at < plain.size(); at = end + 1) {
    end = std::min(plain.find(' ', at), plain.size());
    std::string word = plain.substr(at, end - at);
    if (word.ends_with(',')) word.pop_back();
    if (word.empty()) continue;
    const std::string lower = lower_case(word);
    if (names_a_weekday(lower) || (timed && names_a_zone(lower))) continue;
    day += (words++ == 0 ? "" : " ") + word;
  }
  day = with_parts_apart(day);
  return day != text && (parts_of_named_date(day) == 3 || (words == 1 && is_digits_of_date(day)));
}

// 2024Q1, 2024-Q1, Q1 2024
bool is_quarter(std::string_view text) {
  const std::size_t mark = text.find_first_of("Qq");
  if (mark == std::string_view::npos || mark + 1 >= text.size() || text[mark + 1] < '1' || text[mark + 1] > '4')
    return false;
  std::string rest = std::string(text.substr(0, mark)) + std::string(text.substr(mark + 2));
  if (rest.size() == 5 && (rest.front() == ' ' || rest.front() == '-')) rest.erase(0, 1);
  if (rest.size() == 5 && (rest.back() == ' ' || rest.back() == '-' || rest.back() == '/')) rest.pop_back();
  return rest.size() == 4 && (rest.starts_with("19") || rest.starts_with("20")) &&
         rest.find_first_not_of(ten_digits) == std::string::npos;
}

// 2024年4月1日, and so in Korean.
bool is_date_with_signs(std::string_view text) {
  static constexpr std::string_view signs[][3] = {{"年", "月", "日"}, {"년", "월", "일"}};
  for (const auto& [year, month, day] : signs) {
    std::string_view rest = text;
    std::size_t parts = 0;
    for (const std::string_view sign : {year, month, day}) {
      const std::size_t end = std::min(rest.find_first_not_of(ten_digits), rest.size());
      if (end == 0 || end > 4 || !rest.substr(end).starts_with(sign)) break;
      rest.remove_prefix(end + sign.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      ++parts;
    }
    if (parts >= 2 && (rest.empty() || looks_like_time(rest))) return true;
  }
  return false;
}

// 18.00.00
bool is_time_with_points(std::string_view text) {
  if (text.size() != 8 || text[2] != '.' || text[5] != '.') return false;
  const auto below = [&](std::size_t at, std::string_view limit) {
    return is_digit_of_shape(text[at]) && is_digit_of_shape(text[at + 1]) && text.substr(at, 2) < limit;
  };
  return below(0, "24") && below(3, "60") && below(6, "60");
}

struct ScriptRange {
  std::uint32_t first, last;
};

// Thai and Lao, Burmese, Khmer, kana, Han.
constexpr ScriptRange without_blanks[] = {{0xe00, 0xeff},   {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x3040, 0x30ff},
                                          {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0x20000, 0x3ffff}};

bool is_without_blanks(std::uint32_t point) {
  return std::any_of(std::begin(without_blanks), std::end(without_blanks),
                     [&](const ScriptRange& range) { return point >= range.first && point <= range.last; });
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

bool looks_like_number(std::string_view text) {
  double ignored = 0;
  return parse_number(text, ignored) != NumberProblem::not_a_number;
}

bool looks_like_amount(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool unit = take_unit(text);
  if (text.empty() || !is_digit_of_shape(text.front())) return false;
  const std::string number = without_thousands(text);
  if (!number.empty()) return looks_like_number(number);
  return unit && (looks_like_number(text) || text.find_first_not_of("0123456789.,' ") == std::string_view::npos);
}

bool has_odd_marks(std::string_view text) {
  constexpr std::string_view marks[] = {"\xe2\x88\x92", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
  constexpr std::string_view dash = "\xe2\x80\x93";
  if (text.starts_with(dash)) return has_odd_marks(std::string(marks[0]) + std::string(text.substr(dash.size())));
  std::string plain(text);
  bool odd = text.size() > 2 && text.front() == '(' && text.back() == ')';
  if (odd) plain = plain.substr(1, plain.size() - 2);
  for (const std::string_view mark : marks) {
    for (std::size_t at = plain.find(mark); at != std::string::npos; at = plain.find(mark, at)) {
      plain.erase(at, mark.size());
      odd = true;
    }
  }
  const std::size_t digit = plain.find_first_of(ten_digits);
  return odd && digit != std::string::npos && plain.find_first_not_of("0123456789.,") == std::string::npos;
}

bool looks_like_month(std::string_view text) {
  if (parts_of_named_date(text) == 2) return true;
  const std::size_t mark = text.find_first_not_of(ten_digits);
  if (text.size() != 7 || (mark != 2 && mark != 4) || (text[mark] != '-' && text[mark] != '/')) return false;
  const std::string_view month = mark == 2 ? text.substr(0, 2) : text.substr(5), rest = text.substr(mark + 1);
  return month >= "01" && month <= "12" && rest.find_first_not_of(ten_digits) == std::string_view::npos;
}

bool looks_like_date(std::string_view text) {
  if (text.find_first_of(ten_digits) == std::string_view::npos) return false;
  if (looks_like_month(text) || parts_of_named_date(text) == 3) return true;
  if (is_digits_of_date(text)) return true;
  return text.size() >= 6 && (is_quarter(text) || is_date_with_signs(text) || is_date_with_words(text));
}
bool looks_like_time(std::string_view text) {
  if (is_time_with_points(text)) return true;
  std::size_t groups = 0;
  for (;;) {
    const std::size_t count = std::min(text.find_first_not_of(ten_digits), text.size());
    if (count == 0 || count > 2 || (groups > 0 && count != 2)) return false;
    text.remove_prefix(count);
    if (++groups == 3 || !text.starts_with(':')) break;
    text.remove_prefix(1);
  }
  if (groups < 2) return false;
  if (groups == 3 && (text.starts_with('.') || text.starts_with(','))) {
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of(ten_digits), text.size()));
  }
  if (text.starts_with(' ')) text.remove_prefix(1);
  const std::string half = lower_case(text);
  return half.empty() || half == "am" || half == "pm";
}

bool looks_missing(std::string_view text) {
  const std::string word = lower_case(text);
  static constexpr std::string_view names[] = {
      "na",   "n/a",    "n.a.", "nan",  "nat", "<na>",    "<undefined>", "#n/a", "#null!", "#div/0!", "#value!",
      "null", "(null)", "\\n",  "none", "nil", "missing", "-",           "--",   "?",      ".",       ".."};
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

bool means_unknown(std::string_view text) {
  const std::string word = lower_case(text);
  static constexpr std::string_view names[] = {
      "unknown",   "unk",  "not known",    "not available", "no data",       "undefined",
      "unbekannt", "k.a.", "keine angabe", "inconnu",       "non renseigné", "nd",
      "n.d.",      "nm",   "nr",           "desconocido",   "onbekend",      "sconosciuto"};
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

bool is_in_nines(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  return text.size() > (negative ? 0 : 1) && text.find_first_not_of('9') == std::string_view::npos;
}

std::optional<std::string_view> name_of_total(std::string_view text) {
  const std::string word = lower_case(text);
  for (const std::string_view all : {"grand total", "grand totals", "subtotal", "sub-total", "sub total", "subtotals",
                                     "total", "totals", "gesamtergebnis", "teilergebnis", "total general"}) {
    if (word == all) return std::string_view();
  }
  for (const std::string_view behind : {" total", " subtotal", " totals"}) {
    if (word.size() > behind.size() && word.ends_with(behind)) return text.substr(0, text.size() - behind.size());
  }
  return std::nullopt;
}

bool lacks_blanks(std::string_view text) {
  constexpr std::size_t fewest = 6;
  std::size_t points = 0, found = 0;
  for (std::size_t at = 0; at < text.size(); ++points) {
    const auto byte = [&](std::size_t i) {
      return at + i < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) : 0U;
    };
    const std::size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    std::uint32_t point = bytes == 1 ? byte(0) : byte(0) & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) point = point << 6 | (byte(i) & 0x3f);
    found += is_without_blanks(point) ? 1 : 0;
    at += bytes;
  }
  return found >= fewest && found * 2 >= points;
}

bool is_pair(std::string_view word) {
  constexpr std::string_view marks = ":=";
  const std::size_t colon = word.find_first_of(marks);
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == word.size() ||
      word.find_first_of(marks, colon + 1) != std::string_view::npos)
    return false;
  const char next = word[colon + 1];
  // One comma within digits may be a decimal mark.
  const std::size_t comma = word.find_first_of(",;", colon);
  const bool decimal =
      comma == std::string_view::npos ||
      (comma + 1 < word.size() && word.find_first_not_of("0123456789", comma + 1) == std::string_view::npos);
  return next != '/' && next != '\\' && word.find_first_of("\"'{[(") == std::string_view::npos &&
         word.find_first_of(",;") > colon && decimal;
}

void Pairs::add(std::string_view value, bool first) {
  bool empty = true, pair = false, time = false;
  for (std::string_view word; !pair && !(word = next_word(value)).empty(); empty = false) {
    pair = is_pair(word);
    const std::string_view value_alone = word.substr(0, word.find(','));
    time = pair && (looks_like_time(value_alone) || looks_like_date(value_alone));
  }
  lines_ += first ? 1 : 0;
  line_has_one_ = line_has_one_ && !first;
  lines_with_pairs_ += pair && !line_has_one_ ? 1 : 0;
  line_has_one_ = line_has_one_ || pair;
  values_ += pair || (!first && !empty) ? 1 : 0;
  pairs_ += pair ? 1 : 0;
  times_ += time ? 1 : 0;
}

}  // namespace halfspace::stream
