// Numbers formatted for people.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

// Formats 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
// Returns a sum of weights of rows: grouped(), or six digits of a number that is not whole; with their name.
std::string grouped_count(double number);
std::string rows_counted(double number);
// Formats a number of things: "1 row", "1,234 rows"; an empty `many` appends an s.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});
// Formats a share as "12.34 %"; "-" if the whole is 0.
std::string percent(double part, double whole);
// Formats a number with at most `digits` significant digits, without a needless exponent.
std::string short_number(double number, int digits = 6);
// Format a number with `digits` significant digits, rounded up or down: a printed bound stays a bound.
std::string rounded_up(double number, int digits = 3);
std::string rounded_down(double number, int digits);
// Format a number with fixed decimals, rounded up or down.
std::string fixed_up(double number, int decimals);
std::string fixed_down(double number, int decimals);
// Formats bytes as "1.2 MB".
std::string byte_size(std::uint64_t bytes);
// Formats seconds as "0.31 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

}  // namespace halfspace
