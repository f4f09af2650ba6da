// Recognises numbers, amounts, dates, months and times of day, as tables write them.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

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

}  // namespace halfspace::stream
