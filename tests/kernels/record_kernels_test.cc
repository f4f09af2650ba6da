// The kernels over pairs against their contract, bit for bit, at every level with fused multiply-add.

#include "halfspace/detail/kernels/record_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/cases.h"

namespace halfspace {
namespace {

using namespace testing_kernels;

double sum_of_lanes(const double (&l)[8]) { return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])); }

// A row's case, its weights taken as pairs: what record_kernels.h says, one product after another.
template <class Value>
struct PairCase {
  Case<Value> row;
  std::vector<double> pairs;

  PairCase(Generator& draws, Kind kind, std::size_t size) : row(draws, kind, size, false) {
    for (const double weight : row.weights) {
      pairs.push_back(weight);
      pairs.push_back(std::abs(number<double>(draws, kind)));
    }
  }

  kernels::RowView<Value> view() const { return kernels::view(row.template example<false>()); }

  // part 0: the weights by x; part 1: the moments by x^2.
  double sum(std::size_t part, double initial) const {
    double lane[8] = {initial};
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      const double x = row.value[i];
      lane[i % 8] = std::fma(pairs[2 * row.index[i] + part], part == 0 ? x : x * x, lane[i % 8]);
    }
    return sum_of_lanes(lane);
  }

  double confided(double along, double share, std::vector<double>& after) const {
    double lane[8] = {};
    after = pairs;
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      const double x = row.value[i];
      double& weight = after[2 * row.index[i]];
      double& moment = after[2 * row.index[i] + 1];
      const double g = moment * x;
      weight = std::fma(along, g, weight);
      moment = std::fma(-(share * g), g, moment);
      lane[i % 8] = std::fma(weight * x, weight * x, lane[i % 8]);
    }
    return sum_of_lanes(lane);
  }

  std::vector<double> adapted(double size, double along, double box) const {
    std::vector<double> after = pairs;
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      const double x = row.value[i];
      double& weight = after[2 * row.index[i]];
      double& moment = after[2 * row.index[i] + 1];
      const double next = std::fma(size * x, size * x, moment);
      if (!(next > 0)) continue;
      weight = std::min(std::max(weight + along * x / std::sqrt(next), -box), box);
      moment = next;
    }
    return after;
  }
};

template <class Value>
void expect_pair_contract(const std::string& level) {
  Generator draws(21);
  for (const Kind kind : kinds) {
    for (std::size_t size = 0; size < 40; ++size) {
      const PairCase<Value> c(draws, kind, size);
      const double initial = c.row.initial, along = number<double>(draws, Kind::plain);
      const double share = draws.next() / 4;
      const std::string what =
          level + ", " + std::to_string(size) + " values of kind " + std::to_string(static_cast<int>(kind));
      ASSERT_EQ(bits(kernels::dot_weights<2>(c.pairs.data(), c.view(), initial)), bits(c.sum(0, initial))) << what;
      const kernels::PairSums both = kernels::dot_both(c.pairs.data(), c.view(), {initial, 0.5});
      ASSERT_EQ(bits(both.weights), bits(c.sum(0, initial))) << what;
      ASSERT_EQ(bits(both.moments), bits(c.sum(1, 0.5))) << what;

      std::vector<double> expected, pairs = c.pairs;
      const double squares = c.confided(along, share, expected);
      ASSERT_EQ(bits(kernels::arow_step(pairs.data(), c.view(), along, share)), bits(squares)) << what;
      ASSERT_TRUE(same_bits(pairs, expected)) << what;

      pairs = c.pairs;
      kernels::adagrad_step(pairs.data(), c.view(), share, along, 1.5);
      ASSERT_TRUE(same_bits(pairs, c.adapted(share, along, 1.5))) << what;
    }
  }
}

TEST(PairKernels, KeepTheirContractAtEveryLevel) {
  at_every_level([](const std::string& level) {
    if (level == "reference") return;  // the plain kernels alone have one
    expect_pair_contract<One>(level);
    expect_pair_contract<float>(level);
    expect_pair_contract<double>(level);
  });
}

}  // namespace
}  // namespace halfspace
