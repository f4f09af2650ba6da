// Value type, density and norms of a block: vector code where multiply-add is fused, plain code elsewhere.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/storage.cc"
#include "kernels/storage.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "base/simd.h"
#include "halfspace/detail/kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX2

// Sixteen bytes or more hold the eight lanes of a sum; the last of a row are filled up with zeros, which add nothing to
// a lane, and are left out of all else.
class Look {
 public:
  Look(const std::uint32_t* index, const double* value, float* narrow)
      : index_(index), value_(value), narrow_(narrow) {}

  template <bool try_narrow>
  double row(std::uint64_t begin, std::uint64_t end) {
    const Doubles d;
    const Indices di;
    hn::Vec<Doubles> sum[vectors];
    for (auto& lanes : sum) lanes = hn::Zero(d);
    auto expected = hn::Iota(di, 0);
    const auto step = hn::Set(di, static_cast<std::uint32_t>(width));
    std::uint64_t k = begin;
    for (; k + 8 <= end; k += 8) {
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::uint64_t at = k + v * width;
        const auto value = hn::LoadU(d, value_ + at);
        const auto index = hn::LoadU(di, index_ + at);
        sum[v] = hn::MulAdd(value, value, sum[v]);
        note<try_narrow>(at, value, value, index, expected);
        expected = hn::Add(expected, step);
      }
    }
    for (std::size_t v = 0; v < vectors && k < end; ++v, k += width) {
      const std::size_t left = std::min<std::uint64_t>(width, end - k);
      const auto inside = hn::FirstN(d, left);
      const auto index_inside = hn::FirstN(di, left);
      const auto value = hn::MaskedLoad(inside, d, value_ + k);
      const auto index = hn::MaskedLoad(index_inside, di, index_ + k);
      sum[v] = hn::MulAdd(value, value, sum[v]);
      note<try_narrow>(k, value, hn::IfThenElse(inside, value, hn::Set(d, 1.0)), index,
                       hn::IfThenElseZero(index_inside, expected), left);
      expected = hn::Add(expected, step);
    }
    HWY_ALIGN double l[8];
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[v], d, l + v * width);
    return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
  }

  bool narrow() const { return hn::AllFalse(Doubles(), wide_); }

  Storage result(bool any) const {
    Storage storage;
    storage.ones = hn::AllFalse(Doubles(), other_than_one_);
    storage.narrow = narrow();
    storage.dense = hn::AllFalse(Indices(), out_of_place_);
    HWY_ALIGN std::uint32_t largest[width];
    hn::Store(largest_, Indices(), largest);
    if (any) storage.features = *std::max_element(largest, largest + width) + 1;
    storage.zeros = zeros_;
    return storage;
  }

 private:
  using Doubles = hn::CappedTag<double, 8>;
  using Indices = hn::Rebind<std::uint32_t, Doubles>;
  using Floats = hn::Rebind<float, Doubles>;
  static constexpr std::size_t width = hn::MaxLanes(Doubles());
  static constexpr std::size_t vectors = 8 / width;

  // `value` has 0, `nonzero` 1 and both indices 0 where the row has ended.
  template <bool try_narrow>
  HWY_INLINE void note(std::uint64_t at, hn::Vec<Doubles> value, hn::Vec<Doubles> nonzero, hn::Vec<Indices> index,
                       hn::Vec<Indices> expected, std::size_t count = width) {
    const Doubles d;
    const auto one = hn::Set(d, 1.0);
    other_than_one_ = hn::Or(other_than_one_, hn::Ne(nonzero, one));
    zeros_ += hn::CountTrue(d, hn::Eq(nonzero, hn::Zero(d)));
    largest_ = hn::Max(largest_, index);
    out_of_place_ = hn::Or(out_of_place_, hn::Ne(index, expected));
    if constexpr (try_narrow) {
      const Floats df;
      const auto rounded = hn::DemoteTo(df, value);
      wide_ = hn::Or(wide_, hn::Ne(hn::PromoteTo(d, rounded), value));
      if (count == width) {
        hn::StoreU(rounded, df, narrow_ + at);
      } else {
        hn::BlendedStore(rounded, hn::FirstN(df, count), df, narrow_ + at);
      }
    }
  }

  const std::uint32_t* index_;
  const double* value_;
  float* narrow_;
  hn::Mask<Doubles> other_than_one_ = hn::FirstN(Doubles(), 0), wide_ = hn::FirstN(Doubles(), 0);
  hn::Mask<Indices> out_of_place_ = hn::FirstN(Indices(), 0);
  hn::Vec<Indices> largest_ = hn::Zero(Indices());
  std::uint64_t zeros_ = 0;
};

Storage look(std::size_t rows, const std::uint64_t* offset, const std::uint32_t* index, const double* value,
             double* squared_norm, float* narrow) {
  Look look(index, value, narrow);
  std::size_t i = 0;
  for (; i < rows && look.narrow(); ++i) squared_norm[i] = look.row<true>(offset[i], offset[i + 1]);
  for (; i < rows; ++i) squared_norm[i] = look.row<false>(offset[i], offset[i + 1]);
  return look.result(offset[rows] != offset[0]);
}

#else

Storage look(std::size_t rows, const std::uint64_t* offset, const std::uint32_t* index, const double* value,
             double* squared_norm, float* narrow) {
  Storage storage;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t expected = 0;
    for (std::uint64_t k = offset[i]; k < offset[i + 1]; ++k) {
      storage.ones &= value[k] == 1.0;
      storage.zeros += value[k] == 0.0;
      narrow[k] = static_cast<float>(value[k]);
      storage.narrow &= static_cast<double>(narrow[k]) == value[k];
      storage.dense &= index[k] == expected++;
      storage.features = std::max(storage.features, index[k] + 1);
    }
    squared_norm[i] = kernels::squared_norm(value + offset[i], offset[i + 1] - offset[i]);
  }
  return storage;
}

#endif

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS(look);

Storage look_at_values(std::size_t rows, const std::uint64_t* offset, const std::uint32_t* index, const double* value,
                       double* squared_norm, float* narrow) {
  return HALFSPACE_BEST(look)(rows, offset, index, value, squared_norm, narrow);
}

}  // namespace halfspace::kernels
#endif
