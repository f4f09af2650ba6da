// The kernels over records of three and five numbers: the same bits at every level as one feature at a time gives.
#include "halfspace/detail/kernels/adaptive_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;

// Takes steps along whole rows and, beside them, feature by feature; and sums the dot product by the contract.
template <std::size_t numbers, class Value, class Step>
void expect_by_feature(const std::string& level, const Step& step) {
  Generator draws(31);
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<double> records(numbers * 50);
    for (double& number : records) number = std::abs(gaussian(draws));
    std::vector<std::uint32_t> index(size);
    for (std::size_t i = 0; i < size; ++i)
      index[i] = static_cast<std::uint32_t>(i + pick(draws, 2) * (size < 25 ? 25 : 0));
    std::vector<Value> value(size);
    if constexpr (!std::is_same_v<Value, One>) {
      for (Value& v : value) v = static_cast<Value>(gaussian(draws));
    }
    const kernels::RowView<Value> row{index.data(), value.data(), static_cast<std::uint32_t>(size), 0};
    double lanes[8] = {0.25};
    for (std::size_t i = 0; i < size; ++i) {
      double x = 1;
      if constexpr (!std::is_same_v<Value, One>) x = static_cast<double>(value[i]);
      lanes[i % 8] = std::fma(records[numbers * index[i]], x, lanes[i % 8]);
    }
    const double sum =
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    ASSERT_EQ(kernels::dot_weights<numbers>(records.data(), row, 0.25), sum) << level << " " << size;
    std::vector<double> single = records;
    step(records.data(), row);
    for (std::size_t i = 0; i < size; ++i) {
      step(single.data(), kernels::RowView<Value>{index.data() + i, value.data() + i, 1, 0});
    }
    ASSERT_EQ(records, single) << level << " " << size;
  }
}

template <class Value>
void expect_all(const std::string& level) {
  expect_by_feature<3, Value>(level, [](double* records, auto row) {
    kernels::ftrl_step(records, row, -0.7, {0.1, 1, 0.2, 0.01});
  });
  expect_by_feature<3, Value>(level, [](double* records, auto row) { kernels::normalised_prepare(records, row, 0.3); });
  expect_by_feature<3, Value>(level, [](double* records, auto row) { kernels::normalised_step(records, row, 0.3); });
  expect_by_feature<5, Value>(level, [](double* records, auto row) { kernels::coin_step(records, row, 0.6, 10); });
}

TEST(AdaptiveKernels, WorkOnEachFeatureByItselfAtEveryLevel) {
  at_every_level([](const std::string& level) {
    if (level == "reference") return;  // the plain kernels alone have one
    expect_all<One>(level);
    expect_all<float>(level);
    expect_all<double>(level);
  });
}

}  // namespace
}  // namespace halfspace
