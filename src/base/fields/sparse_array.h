// Arrays of numbers that are mostly 0, such as the weights of a rule that makes exact zeros: stored as one bit a number
// that marks the nonzero ones, and then those.
//
// A bit a number, not an index a nonzero: a reader allocates at most 64 times the bytes it was given, whatever they
// contain, and the encoding is unique. With at least one nonzero in ten numbers it is also smaller than an index.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "base/fields/archive.h"

namespace halfspace::fields {

// Returns true for +0.0, but not for -0.0, which is stored as any other number.
inline bool is_plain_zero(double value) { return std::bit_cast<std::uint64_t>(value) == 0; }

// Returns true if the array is stored without its zeros: at least half are.
inline bool is_sparse_array(const std::vector<double>& values) {
  std::size_t zeros = 0;
  for (const double value : values) zeros += is_plain_zero(value) ? 1 : 0;
  return !values.empty() && zeros >= values.size() - zeros;
}

// The check of a number that is marked as not 0.
template <class Check>
struct NonzeroCheck {
  const Check& check;
  bool holds(double value) const requires requires { check.holds(value); }
  { return !is_plain_zero(value) && check.holds(value); }
  std::string operator()(double value) const {
    return is_plain_zero(value) ? std::string("0 is marked as a number that is not 0") : check(value);
  }
};

// Writes the numbers that are not 0, which pass their check.
template <class A>
void write_nonzeros(A& archive, const std::vector<double>& values) {
  std::array<double, slice_of_array> some;
  std::size_t size = 0;
  for (const double value : values) {
    some[size] = value;
    size += is_plain_zero(value) ? 0 : 1;
    if (size < some.size()) continue;
    archive.transfer_all(std::span<const double>(some));
    archive.end_piece();
    size = 0;
  }
  archive.transfer_all(std::span<const double>(some.data(), size));
}

// Describes `count` numbers, without their zeros if at least half are; the encoding is unique.
template <class A, class List, class Check>
void describe_sparse_array(A& archive, const char* name, List& values, std::uint64_t count, const Check& check) {
  archive.group(name, [&] {
    bool sparse = is_sparse_array(values);
    archive.flag("sparse", sparse,
                 [&](bool on) { return std::string(on && count == 0 ? "there are no zeros to omit" : ""); });
    if (!sparse) {
      archive.array("values", values, count, check);
      if (is_sparse_array(values)) archive.refuse("at least half are 0, but they are not omitted");
      return;
    }
    // Zeros take no bytes of the file: on 32 bits more may be claimed than can be addressed.
    if (A::reads && count > values.max_size()) archive.refuse(std::to_string(count) + " numbers do not fit the memory");
    std::vector<std::uint64_t> marks;  // bit i % 64 of word i / 64: number i is not 0
    std::vector<double> nonzeros;
    if constexpr (!A::reads) {
      marks.resize((count + 63) / 64);
      for (std::uint64_t i = 0; i < count; ++i)
        marks[i / 64] |= static_cast<std::uint64_t>(!is_plain_zero(values[i])) << i % 64;
    }
    std::uint64_t marked = 0;
    archive.array("marks", marks, count / 64 + (count % 64 != 0 ? 1 : 0), [&](std::uint64_t word, std::uint64_t at) {
      if (count - 64 * at < 64 && word >> (count % 64) != 0) return std::string("marks a number beyond the last");
      marked += static_cast<std::uint64_t>(std::popcount(word));
      return marked > count / 2 ? "more than half of " + std::to_string(count) + " are marked, yet zeros are omitted"
                                : std::string();
    });
    if constexpr (!A::reads) {
      if (all_hold(check, std::span<const double>(values)))
        return archive.group("nonzeros", [&] { write_nonzeros(archive, values); });
      std::copy_if(values.begin(), values.end(), std::back_inserter(nonzeros),
                   [](double value) { return !is_plain_zero(value); });
    }
    archive.array("nonzeros", nonzeros, marked, NonzeroCheck<Check>{check});
    if constexpr (A::reads) {
      values.clear();
      reserve_huge(values, count);
      values.resize(count);
      auto next = nonzeros.begin();
      for (std::uint64_t word = 0; word < marks.size(); ++word) {
        for (std::uint64_t left = marks[word]; left != 0; left &= left - 1)
          values[64 * word + static_cast<std::uint64_t>(std::countr_zero(left))] = *next++;
      }
    }
  });
}

}  // namespace halfspace::fields
