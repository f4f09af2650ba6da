// Signed points z_i = y_i (x_i, bias), in which every question about separability is posed.
//
// A view of some rows of a Rows, each with a sign, in scaled coordinates. Any invertible diagonal scaling preserves
// separability and witnesses; scaled columns keep the float side well conditioned. Values are the doubles nearest to
// the file's numbers: for searching, not for proofs.
//
// Thread-safety: any number of threads may read. Ownership: the Rows must outlive it.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "halfspace/stream/rows.h"

namespace halfspace::proof {

struct Member {
  std::uint32_t row;  // position in the Rows
  std::int8_t sign;   // +1 or -1
};

class SignedPoints {
 public:
  // Scales so that the largest value of each coordinate is in (1/2, 1]. `biased`: a coordinate 1 after the features.
  // `rows` is sealed.
  SignedPoints(const Rows& rows, std::vector<Member> members, std::size_t features, bool biased);
  // Scales by the given factors, one for each coordinate.
  SignedPoints(const Rows& rows, std::vector<Member> members, bool biased, std::vector<double> scale);

  std::size_t size() const noexcept { return members_.size(); }
  // Features and the bias coordinate, if there is one.
  std::size_t dimension() const noexcept { return dimension_; }
  bool biased() const noexcept { return dimension_ > features_; }
  Member member(std::size_t i) const { return members_[i]; }

  // Products with scaled points take `unscaled(w)`: <D z, w> = <z, D w>.
  void unscale(const double* w, double* to) const;
  double dot_unscaled(std::size_t i, const double* w) const;  // <z_i, w>
  // Adds D z_i, scattered: to[j] += amount * (D z_i)_j.
  void add(std::size_t i, double amount, double* to) const;
  // Adds D^2 z_i: what w changes by, unscaled, when the scaled w takes a step along D z_i.
  void add_twice_scaled(std::size_t i, double amount, double* to) const;
  double squared_norm(std::size_t i) const { return squared_norm_[i]; }  // of D z_i

  // Calls f(index, value) for the stored values of z_i as in the rows: unsigned, unscaled, without the bias.
  template <class F>
  void each(std::size_t i, F&& f) const {
    with(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) f(x.index[k], x.value_at(k));
    });
  }

 private:
  void measure();
  template <class F>
  decltype(auto) with(std::size_t i, F&& f) const {
    const std::uint32_t row = members_[i].row;
    return blocks_[row / Rows::block_rows].with_example(row % Rows::block_rows, static_cast<F&&>(f));
  }

  std::vector<Block> blocks_;
  std::vector<Member> members_;
  std::size_t features_, dimension_;
  std::vector<double> scale_, squared_norm_;
};

}  // namespace halfspace::proof
