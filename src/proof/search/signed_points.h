// Signed points: z_i = y_i (x_i, bias), the form in which every question about separability is asked.
//
// A view of some rows of a Rows, each with a sign, in coordinates scaled by a power of two per feature. Any invertible
// diagonal scaling keeps separability and witnesses; scaled columns keep the float side well conditioned.
// Values are the doubles nearest to what the file says: good for searching, proof of nothing.
//
// Thread-safety: reading is free to all threads. Ownership: the Rows must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/rows.h"

namespace halfspace::proof {

struct Member {
  std::uint32_t row;  // position in the Rows
  std::int8_t sign;   // +1 or -1
};

class SignedPoints {
 public:
  // `bias` is the value of the coordinate after the features; 0: there is none. `rows` is sealed.
  SignedPoints(const Rows& rows, std::vector<Member> members, double bias);

  std::size_t size() const noexcept { return members_.size(); }
  // Features and the bias coordinate, if there is one.
  std::size_t dimension() const noexcept { return dimension_; }
  bool biased() const noexcept { return bias_ != 0; }
  double bias() const noexcept { return bias_; }
  Member member(std::size_t i) const { return members_[i]; }
  // log2 of what each coordinate was multiplied by.
  std::span<const std::int16_t> exponents() const noexcept { return exponent_; }

  // Products with scaled points take `unscaled(w)`: <D z, w> = <z, D w>.
  void unscale(const double* w, double* to) const;
  double dot_unscaled(std::size_t i, const double* w) const;        // <z_i, w>
  void add_unscaled(std::size_t i, double amount, double* w) const;  // w += amount z_i
  // D z_i, scattered: to[j] += amount * (D z_i)_j.
  void add(std::size_t i, double amount, double* to) const;
  double squared_norm(std::size_t i) const { return squared_norm_[i]; }  // of D z_i
  std::uint32_t stored(std::size_t i) const;

  // Calls f(index, value) for the stored values of z_i as they are in the rows: unsigned, unscaled, without the bias.
  template <class F>
  void each(std::size_t i, F&& f) const {
    with(i, [&](const auto& x) {
      using Value = typename std::decay_t<decltype(x)>::value_type;
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if constexpr (std::is_same_v<Value, One>) {
          f(x.index[k], 1.0);
        } else {
          f(x.index[k], static_cast<double>(x.value[k]));
        }
      }
    });
  }

 private:
  template <class F>
  decltype(auto) with(std::size_t i, F&& f) const {
    const std::uint32_t row = members_[i].row;
    return blocks_[row / Rows::block_rows].with_example(row % Rows::block_rows, static_cast<F&&>(f));
  }

  std::vector<Block> blocks_;
  std::vector<Member> members_;
  double bias_;
  std::size_t features_, dimension_;
  std::vector<std::int16_t> exponent_;
  std::vector<double> scale_, squared_norm_;
};

}  // namespace halfspace::proof
