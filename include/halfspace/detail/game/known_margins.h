// Caches margins from the last time each row was scored: orders that search for mistakes after every update need not
// score every row every time.
//
// Idea. Row i was last scored y s_i; since then the weights moved by steps a y_p x_p. A step along a row with cached
// inner products (a column) moves every cached score by a known amount; any other step moves it by at most a |x_p|
// |x_i|. While the cached score exceeds the total of such steps, the row's outcome, mistake or not, is unchanged.
//
// Theorem. Write t_i = y_i <w, x_i> / n_i for any n_i >= |x_i| (bias coordinates included). If margin_i is t_i of some
// moment, moved along with every step that had a column, and the other steps since came to `path` = sum of a |x_p|,
// then now |t_i - margin_i| <= path; hence |margin_i| > path shows the sign of t_i. Proof. Cauchy and Schwarz, step by
// step: |a <x_p, x_i>| / n_i <= a |x_p|. The columns' steps are exact.
//
// Rounding. The sign is that of the score a scan would compute. Let F be at least |w| at all times: the norm at the
// start and all steps since. With L stored values in the longest row and u = 2^-53, a computed score is within
// (L + 9) u F n_i of the exact one, an update's rounding moves t_i by at most u F, a column's product and its addition
// err by at most (L + 16) u F: each less than half of r = 4 (L + 32) u F. So r is added to the path at every step,
// columns or not, and once more, twice, when it is compared. Nothing underflows to harm while 2^-450 <= n_i <= 2^450,
// as F begins at no less than 2^-450, and nothing overflows while F <= 2^500: rows outside are always scored, and
// beyond that F all rows are.
//
// A row gets a column once the rows scored because of its updates are as many as the column has entries, so that
// columns never cost more than scoring without them. A column extends to a few times the usual length of a search;
// beyond that, the step counts as one without a column.
//
// Cost: 16 bytes and a comparison for each row of a search; a row is scored only if the comparison fails. Columns: 8
// bytes and an addition an entry, column_bytes at most. A search finds the same rows, in the same order, as a scan.
//
// Thread-safety: one thread. Ownership: owns its arrays; the rows must outlive it and not change.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/stream/rows.h"

namespace halfspace::game {

class KnownMargins {
 public:
  static constexpr std::uint64_t column_bytes = std::uint64_t{64} << 20;

  // `squared_norm` and `weights`: norm and number of the current weights.
  KnownMargins(const Rows& rows, BiasOptions bias, double squared_norm, std::size_t weights);

  // Returns true if a scan would give row i its cached sign. Rows are first added in order: i is at most their number
  // so far.
  bool certain(std::size_t i) const noexcept {
    return i < margin_.size() && std::abs(margin_[i]) > travelled_ - entered_[i] + slack_;
  }
  bool mistaken(std::size_t i) const noexcept { return margin_[i] < 0; }  // of a certain row

  // Caches the margin y s and the squared norm of row i, which was scored. A row that no score can change has an
  // infinite margin.
  void note(std::size_t i, double margin, double squared_norm) {
    const double length = length_of(squared_norm);
    if (i == margin_.size()) {
      margin_.push_back(0);
      entered_.push_back(0);
    }
    margin_[i] = margin / length;
    entered_[i] = length < std::numeric_limits<double>::infinity() ? travelled_ : -length;
    ++looked_;
  }
  // Marks row i to be scored always.
  void note_unknown(std::size_t i) { note(i, 0, std::numeric_limits<double>::infinity()); }

  // Records that a search ended after `rows` rows, scored or cached.
  void searched(std::size_t length);
  // Records that the weights moved by amount * y x along row i, amount >= 0.
  void stepped(std::size_t i, double amount);

 private:
  // One row's inner products with the first rows: y_i y_p <x_i, x_p> / n_i.
  struct Column {
    std::vector<double> products;
    std::uint64_t credit = 0;  // rows scored because of it since it was last extended
  };

  // Returns n_i, at least the norm; infinite where squares may have lost digits.
  double length_of(double squared_norm) const noexcept {
    const double square = squared_norm + bias_.squared();
    return square >= 0x1p-900 && square <= 0x1p900 ? std::sqrt(square) * upward_
                                                   : std::numeric_limits<double>::infinity();
  }
  template <class Row>
  double step_length(const Row& x) const;
  void travel(double length);
  void lengthen(Column& column, std::size_t row, std::size_t to);

  const Rows& rows_;
  BiasOptions bias_;
  double roundings_ = 0;                  // 4 (L + 32) u
  double upward_ = 1;                     // brings a computed norm above the exact one
  double travelled_ = 0, slack_ = 0;      // F, and 2 r
  std::vector<double> margin_, entered_;  // of the rows noted; entered_: travelled_ then, and the columns' steps since
  std::unordered_map<std::size_t, Column> columns_;  // of the rows learned from
  UnpackBuffer room_;
  std::vector<double> scratch_;  // a row in all its coordinates; 0 between uses
  std::uint64_t bytes_ = 0;      // of the columns
  std::uint64_t looked_ = 0;     // in the current search
  std::uint64_t searches_ = 0, searched_rows_ = 0;
  Column* last_ = nullptr;  // of the row last learned from
};

}  // namespace halfspace::game
