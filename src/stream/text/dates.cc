// Days of the Gregorian calendar, and times of day.
#include "stream/text/dates.h"

#include <array>

namespace halfspace::stream {
namespace {

// Removes an expected prefix from a text.
class Front {
 public:
  explicit Front(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }
  char next() const { return text_.empty() ? '\0' : text_.front(); }
  bool take(char c) {
    if (next() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_any(std::string_view any) { return !text_.empty() && any.find(next()) != any.npos && take(next()); }
  // Reads up to `most` digits; returns their number.
  std::size_t number(std::size_t most, int& value) {
    std::size_t digits = 0;
    value = 0;
    while (digits < most && next() >= '0' && next() <= '9') {
      value = 10 * value + (next() - '0');
      text_.remove_prefix(1);
      ++digits;
    }
    return digits;
  }
  void skip_blanks() {
    while (next() == ' ') text_.remove_prefix(1);
  }

 private:
  std::string_view text_;
};

bool leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

bool of_the_calendar(const Date& date) {
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.year < 1 || date.month < 1 || date.month > 12 || date.day < 1) return false;
  return date.day <= days[static_cast<std::size_t>(date.month - 1)] + (date.month == 2 && leap(date.year) ? 1 : 0);
}

// Sakamoto's rule; 0 is Monday.
int weekday_of(const Date& date) {
  constexpr std::array<int, 12> shift = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  const int year = date.year - (date.month < 3 ? 1 : 0);
  const int sunday =
      year + year / 4 - year / 100 + year / 400 + shift[static_cast<std::size_t>(date.month - 1)] + date.day;
  return (sunday + 6) % 7;
}

bool read_year_first(Front& text, Date& date) {
  if (text.number(4, date.year) != 4) return false;
  const char mark = text.next();
  if (mark >= '0' && mark <= '9') return text.number(2, date.month) == 2 && text.number(2, date.day) == 2;
  return text.take_any("-/.") && text.number(2, date.month) > 0 && text.take(mark) && text.number(2, date.day) > 0;
}

bool read_year_last(Front& text, DateOrder order, Date& date) {
  const bool day_first = order == DateOrder::dmy;
  if (text.number(2, day_first ? date.day : date.month) == 0) return false;
  const char mark = text.next();
  // No convention writes the month first with points.
  if (!text.take_any(day_first ? "-/." : "-/") || text.number(2, day_first ? date.month : date.day) == 0 ||
      !text.take(mark))
    return false;
  const std::size_t digits = text.number(4, date.year);
  if (digits == 2) date.year += date.year < 69 ? 2000 : 1900;
  return digits == 2 || digits == 4;
}

bool read_offset(Front& text) {
  if (text.take('Z')) return true;
  if (!text.take_any("+-")) return false;
  int hours = 0, minutes = 0;
  if (text.number(2, hours) != 2 || hours > 15) return false;
  const bool mark = text.take(':');
  const std::size_t digits = text.number(2, minutes);
  return (digits == 2 || (digits == 0 && !mark)) && minutes < 60;
}

bool read_time(Front& text, Date& date) {
  int hours = 0, minutes = 0, seconds = 0;
  if (text.number(2, hours) == 0 || !text.take(':') || text.number(2, minutes) != 2) return false;
  double fraction = 0;
  if (text.take(':')) {
    if (text.number(2, seconds) != 2) return false;
    if (text.take('.') || text.take(',')) {
      int digit = 0, digits = 0;
      std::int64_t numerator = 0, denominator = 1;
      for (; text.number(1, digit) == 1; ++digits) {
        if (digits >= 9) continue;  // below a nanosecond
        numerator = 10 * numerator + digit;
        denominator *= 10;
      }
      if (digits == 0) return false;
      fraction = static_cast<double>(numerator) / static_cast<double>(denominator);
    }
  }
  text.skip_blanks();
  const bool morning = text.next() == 'A' || text.next() == 'a', evening = text.next() == 'P' || text.next() == 'p';
  if (morning || evening) {
    text.take(text.next());
    if (!text.take_any("Mm") || hours < 1 || hours > 12) return false;
    hours = hours % 12 + (evening ? 12 : 0);
    text.skip_blanks();
  }
  if (!text.empty() && !read_offset(text)) return false;
  if (hours > 23 || minutes > 59 || seconds > 60) return false;  // 60: a leap second
  date.timed = true;
  date.seconds = 3600 * hours + 60 * minutes + seconds + fraction;
  return true;
}

}  // namespace

bool read_date(std::string_view text, DateOrder order, Date& date) {
  date = {};
  Front rest(text);
  const bool read = order == DateOrder::ymd ? read_year_first(rest, date) : read_year_last(rest, order, date);
  if (!read || !of_the_calendar(date)) return false;
  date.weekday = weekday_of(date);
  if (rest.empty()) return true;
  if (!rest.take('T')) {
    if (!rest.take(' ')) return false;
    rest.skip_blanks();
  }
  return read_time(rest, date) && rest.empty();
}

}  // namespace halfspace::stream
