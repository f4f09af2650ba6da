// Numbers as people read them, in the terminal and on a page.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "halfspace/train/new_rows.h"

namespace halfspace::report {

// Writes 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
// Writes a number of things: "1 row", "1,234 rows"; `many` empty: with an s.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});
// Writes how many passes were made: "7 passes", "7 passes and part of another", "part of a pass".
std::string passes_made(std::uint64_t finished, std::uint64_t begun);
// Writes what a bound allows, as a count; one beyond counting in three digits that are no less.
std::string count_at_most(double bound);
// Returns true if one count of errors on some rows is below another on the same rows by more than chance does (5 %).
bool clearly_fewer(double errors, double others);
// Writes a share as "12.34 %"; "-" when the whole is 0.
std::string percent(double part, double whole);
// Writes a number in at most `digits` significant digits, without a needless exponent.
std::string short_number(double number, int digits = 6);
// Write a number in so many significant digits rounded up, or down: a printed bound is a bound.
std::string rounded_up(double number, int digits = 3);
std::string rounded_down(double number, int digits);
// Write a number with so many decimals that are no less than it, or no more.
std::string fixed_up(double number, int decimals);
std::string fixed_down(double number, int decimals);

// Writes bounds on the error on new rows, the upper one rounded up and the lower one down: "at most 16.3 %, at least
// 14.8 % wrong, 95 % sure"; and what they assume.
std::string new_rows_words(const ExpectedError& expected);
std::string assumption_words(const ExpectedError& expected);
// Writes the bounds alone: "14.8 to 16.3 %".
std::string error_range(const ErrorBounds& bounds);

// Writes a positive number in four significant digits, rounded down: a printed lower bound is one.
std::string at_least_number(double number);
// Names a loss in a sentence: "log loss" is the logistic one.
std::string loss_words(std::string_view loss);
// Returns the length of the longest row from its square; nothing where squares of values leave the doubles, so that
// the sum is imprecise. `any`: whether a row stores a value; only then is a square of 0 one that was lost.
std::optional<double> radius_of(double squared_norm, bool any);
// Returns it as text; "below 1e-135" and "above 1e135" are what is known of the others.
std::string radius_words(double squared_norm, bool any);
// Bytes as "1.2 MB".
std::string byte_size(std::uint64_t bytes);
// Seconds as "0.31 s", "12 s", "3 min 20 s".
std::string duration(double seconds);

}  // namespace halfspace::report
