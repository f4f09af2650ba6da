// The Littlestone dimension of a finite class, and the mistake tree that proves it.
//
// A mistake tree of depth d asks a point at every inner node; the class shatters it if each of its 2^d paths, left on
// label 0 and right on 1, agrees with some hypothesis. Ldim is the depth of the deepest shattered tree: the number of
// mistakes that an adversary can force on every deterministic learner, and that SOA never exceeds (Littlestone 1988).
//
//   Ldim(empty) = -1;  Ldim(V) = max over points x that split V of 1 + min(Ldim(V, x -> 0), Ldim(V, x -> 1)), else 0
//
// Computed as questions "is Ldim(V) >= d?", cached by version space (a bitset); 2^d hypotheses are needed. Cost: up to
// (2n)^Ldim questions, quasi-polynomial n^O(log |H|), and under the exponential time hypothesis nothing essentially
// better exists (Frances and Litman 1998; Manurangsi and Rubinstein 2017). Hence a budget on version spaces visited:
// when it is spent, the answer is a bracket.
//
// Thread-safety: FiniteClass is a value; a Littlestone is used by one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace halfspace {

// A set of hypotheses by number, 64 in a word.
using Hypotheses = std::vector<std::uint64_t>;

// Hypotheses over points 0 .. points-1, without duplicates (which change no dimension).
class FiniteClass {
 public:
  // `rows`: one hypothesis each, a 0 or 1 for each point. Throws Error(usage) if rows differ in length.
  explicit FiniteClass(const std::vector<std::vector<std::uint8_t>>& rows);

  std::size_t size() const noexcept { return row_of_.size(); }  // distinct hypotheses
  std::size_t points() const noexcept { return points_; }
  // Returns the first given row that is this hypothesis.
  std::size_t row_of(std::size_t hypothesis) const noexcept { return row_of_[hypothesis]; }
  std::size_t words() const noexcept { return words_; }
  std::span<const std::uint64_t> predicting_one(std::size_t point) const noexcept {
    return {ones_.data() + point * words_, words_};
  }

  Hypotheses all() const;
  // Returns those of `from` that predict `label` at `point`.
  Hypotheses consistent(const Hypotheses& from, std::size_t point, int label) const;

 private:
  std::size_t points_ = 0, words_ = 0;
  std::vector<std::size_t> row_of_;
  std::vector<std::uint64_t> ones_;
};

std::size_t count(const Hypotheses& set);

// A complete tree of `depth`: `point` in heap order (node k has children 2k+1 for label 0 and 2k+2 for label 1; 2^depth
// - 1 entries), and for each of the 2^depth leaves, from left to right, the row of the table that agrees with its path.
struct MistakeTree {
  int depth = 0;
  std::vector<std::size_t> point;
  std::vector<std::size_t> row;
};

// Returns true if the rows of the table shatter the tree; uses only the table and the tree.
bool shatters(const std::vector<std::vector<std::uint8_t>>& rows, const MistakeTree& tree);

class Littlestone {
 public:
  static constexpr std::uint64_t default_budget = 2'000'000;

  // Keeps a reference to the class. Memory: about words * 8 + 20 bytes for each version space visited.
  // `interrupt`: null, or set from elsewhere: a search throws Error(input_output).
  explicit Littlestone(const FiniteClass& of, std::uint64_t budget = default_budget,
                       const std::atomic<bool>* interrupt = nullptr);
  ~Littlestone();
  Littlestone(const Littlestone&) = delete;
  Littlestone& operator=(const Littlestone&) = delete;

  struct Answer {
    int lower = -1, upper = -1;  // lower <= Ldim <= upper
    bool exact() const noexcept { return lower == upper; }
  };
  Answer dimension(const Hypotheses& version_space);
  Answer dimension();  // of the whole class

  // Returns a shattered tree of that depth; throws Error(usage) if the budget is spent first. `depth` is at most the
  // dimension's lower bound, and at most 20.
  MistakeTree tree(const Hypotheses& version_space, int depth);

  std::uint64_t visited() const noexcept;  // version spaces visited in total

 private:
  class Search;
  const FiniteClass& class_;
  std::unique_ptr<Search> search_;
};

}  // namespace halfspace
