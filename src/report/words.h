// Numbers formatted for people, in the terminal and on a page.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "halfspace/train/new_rows.h"

namespace halfspace::report {

// Formats 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
// Formats a number of things: "1 row", "1,234 rows"; an empty `many` appends an s.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});
// Formats the number of passes: "7 passes", "7 passes and part of another", "part of a pass".
std::string passes_made(std::uint64_t finished, std::uint64_t begun);
// Formats a bound as a count; a very large one with three digits, rounded up.
std::string count_at_most(double bound);
// Returns true if one count of errors is significantly below another on the same rows (5 %).
bool clearly_fewer(double errors, double others);
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

// Formats bounds on the error on new rows, the upper one rounded up and the lower one down: "at most 16.3 %, at least
// 14.8 % wrong, 95 % sure"; and their assumption.
std::string new_rows_words(const ExpectedError& expected);
std::string assumption_words(const ExpectedError& expected);
// Formats the bounds alone: "14.8 to 16.3 %".
std::string error_range(const ErrorBounds& bounds);

// Formats a positive number with four significant digits, rounded down: a printed lower bound stays one.
std::string at_least_number(double number);
// Returns the name of a loss in a sentence: "log loss" for logistic.
std::string loss_words(std::string_view loss);
// Returns the norm of the longest row from its square; nothing if squares of values overflow or underflow, which makes
// the sum imprecise. `any`: whether a row stores a value; only then does a square of 0 mean underflow.
std::optional<double> radius_of(double squared_norm, bool any);
// Returns it as text: "below 1e-135" or "above 1e135" if the norm is unknown.
std::string radius_words(double squared_norm, bool any);
// Formats bytes as "1.2 MB".
std::string byte_size(std::uint64_t bytes);
// Formats seconds as "0.31 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

}  // namespace halfspace::report
