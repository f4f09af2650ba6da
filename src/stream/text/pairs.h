// Recognises words such as 3:0.5, age:41 and age=41, of which lines of LIBSVM and Vowpal Wabbit consist.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace halfspace::stream {

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
