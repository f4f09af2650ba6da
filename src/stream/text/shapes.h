// Recognises numbers, amounts, dates, months and times of day, as tables write them.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

// 1.5, -3e8; too large a number is one, too.
bool looks_like_number(std::string_view text);
// $2.39, 12 %, 1,234.5, 3,50 EUR: a number with a currency sign, a percent sign, or commas between thousands.
bool looks_like_amount(std::string_view text);
// A number with a Unicode minus, in brackets as accountants write debts, or with no-break spaces.
bool has_odd_marks(std::string_view text);
// 2024-05 and 05/2024, and May-2024 or May 24 in English.
bool looks_like_month(std::string_view text);
// Digits in the shape of a day, perhaps followed by a time: 2024-05-31, 31.5.24, 5/31/2024 12:00; 31-May-2024,
// 31MAY2024; with a weekday or a zone, as in Fri, 31 May 2024 12:00:00 GMT; 2024年5月31日; a month, or a quarter: 2024Q2.
bool looks_like_date(std::string_view text);
// 9:05, 13:08:59, 18:01:47,978, 1:30 PM, 18.00.00.
bool looks_like_time(std::string_view text);
// NA, none, - and other words for a missing value, in upper or lower case.
bool looks_missing(std::string_view text);
// Unknown, not available, k.A. and the like: words for a missing value that may be a category, too.
bool means_unknown(std::string_view text);
// 99, 999, -9, -99 and so on, which often stand for a missing value.
bool is_in_nines(std::string_view text);

std::string lower_case(std::string_view text);

// Returns the name that such a word for totals follows, as in pivot tables, "no Total"; empty of Total, Subtotal and Grand
// Total alone; nothing of other texts.
std::optional<std::string_view> name_of_total(std::string_view text);

// Scripts whose words have no blanks between them.

// Returns whether most of a text, valid UTF-8, are letters of Chinese, Japanese, Thai, Lao, Khmer or Burmese, at least
// six: its words are not separated by blanks.
bool lacks_blanks(std::string_view text);

// Recognises words such as 3:0.5, age:41 and age=41, of which lines of LIBSVM and Vowpal Wabbit consist.

// Returns whether a word is name:value or name=value, with one such mark, and no address of a page or a file.
bool is_pair(std::string_view word);

// Counts the values of lines, and those that hold a word name:value.
class Pairs {
 public:
  // `first`: of its line; it is a label if it is no pair, and not counted, as empty values are not.
  void add(std::string_view value, bool first);

  std::size_t values() const noexcept { return values_; }
  std::size_t pairs() const noexcept { return pairs_; }
  // Returns whether most values are name:value, in most lines, and not all of these times of day.
  bool are_most() const noexcept { return 2 * pairs_ > values_ && 2 * lines_with_pairs_ > lines_ && times_ < pairs_; }

 private:
  std::size_t values_ = 0, pairs_ = 0, times_ = 0, lines_ = 0, lines_with_pairs_ = 0;
  bool line_has_one_ = false;
};

}  // namespace halfspace::stream
