// What to do about columns of each kind.
//
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "stream/survey/column_texts.h"

namespace halfspace {

inline constexpr std::size_t most_words = 50;  // names of columns in one flag

// The columns with notes, by kind, and what the notes need of them.
struct GatheredColumns {
  std::array<std::vector<const Column*>, static_cast<std::size_t>(NoteKind::kinds)> by_kind;
  std::vector<stream::NumberUnit> units;  // of columns of one unit each
  std::vector<stream::NumberUnit> units_that_differ;
  std::vector<const stream::NumberNotation*> notations;  // of columns of numbers
  std::vector<std::string> mixed_texts;                  // of columns of numbers and other texts
  bool mixed_have_marks = true;                          // these are all such texts
  std::array<bool, 3> date_orders{};                     // those that dates are in

  const std::vector<const Column*>& of(NoteKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
  std::vector<const Column*>& of(NoteKind kind) { return by_kind[static_cast<std::size_t>(kind)]; }
};

// Returns what to do about the columns of a kind; the first proposal comes first.
std::string fix_of_columns(const SurveyedTable& table, const GatheredColumns& columns, NoteKind kind);

}  // namespace halfspace
