// The kernels against their contract, bit for bit: the reference code and every level of vector instructions this
// machine has, for every storage.

#include "halfspace/detail/kernels/kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/simd.h"
#include "halfspace/base/random.h"
#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;

// The contract of kernels.h once more, on plain doubles: what all code below must agree with.
double contract_dot(const std::vector<double>& w, const std::vector<std::uint32_t>& index,
                    const std::vector<double>& value, double initial) {
  std::array<double, 8> lane{};
  lane[0] = initial;
  for (std::size_t i = 0; i < index.size(); ++i) lane[i % 8] = std::fma(w[index[i]], value[i], lane[i % 8]);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

std::vector<double> contract_add(std::vector<double> w, double amount, const std::vector<std::uint32_t>& index,
                                 const std::vector<double>& value) {
  for (std::size_t i = 0; i < index.size(); ++i) w[index[i]] = std::fma(amount, value[i], w[index[i]]);
  return w;
}

template <class Value, bool dense>
void expect_contract(const Case<Value>& row, double amount, const std::string& level) {
  const auto x = row.template example<dense>();
  const double expected = contract_dot(row.weights, row.index, row.value, row.initial);
  ASSERT_EQ(bits(kernels::dot(row.weights.data(), x, row.initial)), bits(expected)) << level << ", size " << x.size;
  std::vector<double> weights = row.weights;
  kernels::add(weights.data(), amount, x);
  ASSERT_TRUE(same_bits(weights, contract_add(row.weights, amount, row.index, row.value)))
      << level << ", size " << x.size;
}

// Scores and steps of several classes: a chain of fused products each.
template <class Value, bool dense>
void expect_contract_of_classes(const Case<Value>& row, const std::string& level) {
  const auto x = row.template example<dense>();
  for (const std::size_t classes : {1U, 2U, 3U, 8U, 9U, 17U}) {
    std::vector<double> w(row.weights.size() * classes), amounts(classes), scores(classes, 0.5), own(classes, 0.5);
    for (std::size_t i = 0; i < w.size(); ++i)
      w[i] = row.weights[i % row.weights.size()] * (1 + 0.1 * static_cast<double>(i % 7));
    for (std::size_t k = 0; k < classes; ++k) amounts[k] = 1.5 - 0.3 * static_cast<double>(k);
    std::vector<double> expected = w;
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      for (std::size_t k = 0; k < classes; ++k) {
        own[k] = std::fma(row.value[i], w[row.index[i] * classes + k], own[k]);
        double& weight = expected[row.index[i] * classes + k];
        weight = std::fma(row.value[i], amounts[k], weight);
      }
    }
    kernels::score_classes(scores.data(), classes, w.data(), x);
    ASSERT_TRUE(same_bits(scores, own)) << level << ", " << classes << " classes, size " << x.size;
    kernels::add_classes(w.data(), classes, amounts.data(), x);
    ASSERT_TRUE(same_bits(w, expected)) << level << ", " << classes << " classes, size " << x.size;
  }
}

template <class Value, bool dense>
void check_all_sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size <= 67; ++size) sizes.push_back(size);
  Generator draws(17);
  for (int i = 0; i < 6; ++i) sizes.push_back(68 + pick(draws, 5000));
  at_every_level([&](const std::string& level) {
    Generator fresh(23);
    for (const std::size_t size : sizes) {
      for (const Kind kind : kinds) {
        const Case<Value> row(fresh, kind, size, dense);
        expect_contract<Value, dense>(row, number<double>(fresh, kind), level);
        if (size < 20) expect_contract_of_classes<Value, dense>(row, level);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

TEST(Kernels, SparseOnesKeepTheContract) { check_all_sizes<One, false>(); }
TEST(Kernels, SparseFloatsKeepTheContract) { check_all_sizes<float, false>(); }
TEST(Kernels, SparseDoublesKeepTheContract) { check_all_sizes<double, false>(); }
TEST(Kernels, DenseFloatsKeepTheContract) { check_all_sizes<float, true>(); }
TEST(Kernels, DenseDoublesKeepTheContract) { check_all_sizes<double, true>(); }

// The contract itself, by hand: 2^53 + 1 loses the 1 in one lane and keeps it when the two are in different lanes until
// the end; the order of the lanes decides which sums round.
TEST(Kernels, TakeTheSumInEightLanesInTheStatedOrder) {
  const double big = 0x1p53;
  const std::vector<double> weights(16, 1.0);
  const auto sum = [&](const std::vector<double>& value, double initial) {
    std::vector<std::uint32_t> index;
    for (std::size_t i = 0; i < value.size(); ++i) index.push_back(static_cast<std::uint32_t>(i));
    const Example<double, true> x{index.data(), value.data(), static_cast<std::uint32_t>(value.size()), 1, 1, 0, 1};
    return kernels::dot(weights.data(), x, initial);
  };
  at_every_level([&](const std::string& level) {
    SCOPED_TRACE(level);
    // Lanes 0 and 4 meet first: the big numbers cancel before 1 comes.
    EXPECT_EQ(sum({big, 1, 0, 0, -big, 0, 0, 0}, 0), 1.0);
    // 0 and 4 meet first: 1 is lost in lane 0's half, although lane 2 cancels it afterwards.
    EXPECT_EQ(sum({big, 0, -big, 0, 1, 0, 0, 0}, 0), 0.0);
    // 2 and 6 meet first: 1 - 2^53 is exact.
    EXPECT_EQ(sum({big, 0, 1, 0, 0, 0, -big, 0}, 0), 1.0);
    // Even lanes and odd lanes are summed apart.
    EXPECT_EQ(sum({1, big, 0, 0, 0, -big, 0, 0}, 0), 1.0);
    EXPECT_EQ(sum({1, big, 0, -big, 0, 0, 0, 0}, 0), 1.0);
    EXPECT_EQ(sum({big, 1, 0, 0, 0, 0, 0, 0}, -big), 1.0);  // `initial` starts lane 0
    // Product 8 is in lane 0 again, after product 0.
    EXPECT_EQ(sum({big, 0, 0, 0, -big, 0, 0, 0, 1}, 0), 0.0);
    EXPECT_EQ(sum({big, 0, 0, 0, 0, 0, 0, 0, -big, 0, 0, 0, 1, 0, 0, 0}, 0), 1.0);
  });
}

TEST(Kernels, FuseTheProductIntoTheSum) {
  const double x = 1 + 0x1p-30;  // x² needs 61 bits: without fusing the last ones are gone
  const std::vector<double> weights(8, x);
  std::vector<std::uint32_t> index = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> value = {x, 0, 0, 0, 0, 0, 0, 0};
  const Example<double, true> row{index.data(), value.data(), 8, 1, 1, 0, 1};
  at_every_level([&](const std::string& level) {
    EXPECT_EQ(kernels::dot(weights.data(), row, -(1 + 0x1p-29)), 0x1p-60) << level;
    std::vector<double> w(8, -(1 + 0x1p-29));
    kernels::add(w.data(), x, row);
    EXPECT_EQ(w[0], 0x1p-60) << level;
    for (std::size_t size = 0; size <= 40; ++size) {  // as what is no row
      std::vector<double> sums(41, -(1 + 0x1p-29));
      const std::vector<double> numbers(size, x);
      kernels::add(sums.data(), x, numbers.data(), size);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        ASSERT_EQ(sums[j], j < size ? 0x1p-60 : -(1 + 0x1p-29)) << level << ", size " << size << ", number " << j;
      }
    }
  });
}

// Numbers with nothing behind them, and at odd multiples of eight bytes as well.
class Exactly {
 public:
  explicit Exactly(const std::vector<double>& numbers) : room_(new double[numbers.size() + 1]) {
    const bool even = reinterpret_cast<std::uintptr_t>(room_.get()) % 16 == 0;
    at_ = room_.get() + (even ? 1 : 0);
    std::copy(numbers.begin(), numbers.end(), at_);
  }
  double* data() { return at_; }

 private:
  std::unique_ptr<double[]> room_;
  double* at_;
};

// Levels without fused multiply-add round twice: the same but for rounding, wherever numbers lie.
TEST(Kernels, LevelsThatRoundTwiceAreNear) {
  Generator draws(37);
  for (const std::size_t level : simd::runnable()) {
    simd::use(level);
    for (std::size_t size = 0; size < 20; ++size) {
      const Case<double> row(draws, Kind::plain, size, true);
      const auto dense = row.example<true>();
      const auto sparse = row.example<false>();
      Exactly own(row.weights);
      const double expected = contract_dot(row.weights, row.index, row.value, 0);
      EXPECT_NEAR(kernels::dot(own.data(), dense, 0), expected, 1e-12) << simd::name_of(level);
      EXPECT_NEAR(kernels::dot(own.data(), sparse, 0), expected, 1e-12) << simd::name_of(level);
      for (std::size_t classes = 1; classes < 20; ++classes) {
        std::vector<double> w(row.weights.size() * classes), sums(classes, 0.5), changed;
        for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.1 * static_cast<double>(i % 13) - 0.5;
        changed = w;
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t k = 0; k < classes; ++k) sums[k] += row.value[i] * w[row.index[i] * classes + k];
        }
        for (std::size_t i = 0; i < size; ++i) {
          for (std::size_t k = 0; k < classes; ++k) changed[row.index[i] * classes + k] += row.value[i] * sums[k];
        }
        Exactly weights(w), scores(std::vector<double>(classes, 0.5)), amounts(sums);
        kernels::score_classes(scores.data(), classes, weights.data(), sparse);
        kernels::add_classes(weights.data(), classes, amounts.data(), sparse);
        for (std::size_t k = 0; k < classes; ++k)
          ASSERT_NEAR(scores.data()[k], sums[k], 1e-12) << simd::name_of(level) << ", " << classes << " classes";
        for (std::size_t i = 0; i < w.size(); ++i)
          ASSERT_NEAR(weights.data()[i], changed[i], 1e-12) << simd::name_of(level) << ", " << classes << " classes";
      }
    }
  }
  simd::use();
}

// The same bits at every level would also come from a switch that switches nothing: a level without fused multiply-add
// rounds twice, which shows that levels are really chosen.
TEST(Kernels, ReallyRunAtTheChosenLevel) {
#if HWY_ARCH_X86
  bool found = false;
  const double x = 1 + 0x1p-30;
  const std::vector<double> weights(8, x);
  const std::vector<std::uint32_t> index = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> value = {x, 0, 0, 0, 0, 0, 0, 0};
  const Example<double, true> row{index.data(), value.data(), 8, 1, 1, 0, 1};
  for (const std::size_t level : simd::runnable()) {
    if (simd::fuses(level) || level + 1 == simd::levels) continue;
    simd::use(level);
    EXPECT_EQ(kernels::dot(weights.data(), row, -(1 + 0x1p-29)), 0.0) << simd::name_of(level);
    found = true;
  }
  simd::use();
  if (!found) GTEST_SKIP() << "no level without fused multiply-add was built";
#else
  GTEST_SKIP() << "every level of this machine fuses";
#endif
}

TEST(Kernels, GiveTheSameBitsForEveryStorageOfARow) {
  Generator draws(29);
  at_every_level([&](const std::string& level) {
    for (std::size_t size = 0; size <= 67; ++size) {
      const Case<float> floats(draws, Kind::wide, size, true);
      const std::vector<double>& doubles = floats.value;
      const auto count = static_cast<std::uint32_t>(size);
      const double* w = floats.weights.data();
      const std::uint64_t expected = bits(kernels::dot(w, floats.example<true>(), 0.25));
      EXPECT_EQ(bits(kernels::dot(w, floats.example<false>(), 0.25)), expected) << level;
      const Example<double, true> dense{floats.index.data(), doubles.data(), count, 1, 1, 0, 1};
      const Example<double, false> sparse{floats.index.data(), doubles.data(), count, 1, 1, 0, 1};
      EXPECT_EQ(bits(kernels::dot(w, dense, 0.25)), expected) << level;
      EXPECT_EQ(bits(kernels::dot(w, sparse, 0.25)), expected) << level;

      const std::vector<double> ones(size, 1.0);
      const Example<One, false> none{floats.index.data(), nullptr, count, 1, 1, 0, 1};
      const Example<double, true> stored{floats.index.data(), ones.data(), count, 1, 1, 0, 1};
      EXPECT_EQ(bits(kernels::dot(w, none, 0.25)), bits(kernels::dot(w, stored, 0.25))) << level;
    }
  });
}

TEST(Kernels, SquaredNormIsTheSumOfSquaresByTheSameContract) {
  Generator draws(31);
  at_every_level([&](const std::string& level) {
    for (std::size_t size = 0; size <= 67; ++size) {
      for (const Kind kind : kinds) {
        const Case<double> row(draws, kind, size, true);
        const std::uint64_t expected = bits(contract_dot(row.value, row.index, row.value, 0.0));
        ASSERT_EQ(bits(kernels::squared_norm(row.value.data(), size)), expected) << level << ", size " << size;
        const std::uint64_t offset[] = {0, 0, size};
        double norms[2] = {-1, -1};
        kernels::squared_norms(row.value.data(), offset, 2, norms);
        ASSERT_EQ(norms[0], 0.0);
        ASSERT_EQ(bits(norms[1]), expected) << level << ", size " << size;
        const std::vector<float> narrow(row.value.begin(), row.value.end());
        const std::vector<double> wide(narrow.begin(), narrow.end());
        ASSERT_EQ(bits(kernels::squared_norm(narrow.data(), size)), bits(kernels::squared_norm(wide.data(), size)));
      }
    }
  });
}

}  // namespace
}  // namespace halfspace
