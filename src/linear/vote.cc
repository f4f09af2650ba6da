// Iterates over the vectors of a vote once a block, scoring all its rows with each.
#include "halfspace/detail/linear/vote.h"

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/detail/linear/weights/exponential.h"
#include "halfspace/detail/linear/weights/plain.h"

namespace halfspace {
namespace {

template <class Each>  // Each(example, i)
void each_row(const Block& block, const Each& each) {
  block.with_storage([&]<class Value, bool dense>() {
    for (std::size_t i = 0; i < block.rows; ++i) each(block.example<Value, dense>(i), i);
  });
}

// Calls visit(weights, age) for every vector of the vote with a positive age, in order.
template <class W, class Visit>
void each_vector(W& weights, const VoteHistory& history, const Visit& visit) {
  if (history.first_age != 0) visit(static_cast<double>(history.first_age));
  for (std::size_t k = 0; k < history.steps.size(); ++k) {
    weights.retrace(history.steps[k], history.row(k));
    if (history.steps[k].age != 0) visit(static_cast<double>(history.steps[k].age));
  }
}

template <class W>
void add_two_class_votes(W& weights, const VoteHistory& history, Tie tie, const Block& block,
                         std::vector<double>& votes) {
  each_vector(weights, history, [&](double age) {
    each_row(block, [&](const auto& x, std::size_t i) {
      const double score = checked_score(weights.score(x), x.row);
      votes[i] += (tie == Tie::negative ? score > 0 : score >= 0) ? age : -age;
    });
  });
}

}  // namespace

double squared_norm(const WeightVector& point) {
  return kernels::squared_norm(point.w.data(), point.w.size()) + point.bias * point.bias;
}

double squared_norm(const ClassWeightVector& point) {
  return kernels::squared_norm(point.w.data(), point.w.size()) +
         kernels::squared_norm(point.bias.data(), point.bias.size());
}

void add_votes(Weights start, const VoteHistory& history, Tie tie, const Block& block, std::vector<double>& votes) {
  add_two_class_votes(start, history, tie, block, votes);
}

void add_votes(ExponentialWeights start, const VoteHistory& history, Tie tie, const Block& block,
               std::vector<double>& votes) {
  add_two_class_votes(start, history, tie, block, votes);
}

void add_votes(ClassWeights start, const VoteHistory& history, Tie tie, const Block& block,
               std::vector<double>& votes) {
  const std::uint32_t classes = start.classes();
  std::vector<double> scores(classes);
  each_vector(start, history, [&](double age) {
    each_row(block, [&](const auto& x, std::size_t i) {
      score_classes(start.vector(), start.bias(), x, scores.data());
      for (const double score : scores) checked_score(score, x.row);
      votes[i * classes + winner(scores.data(), classes, tie)] += age;
    });
  });
}

std::uint32_t winner(const double* scores, std::uint32_t classes, Tie tie) {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < classes; ++k) {
    if (scores[k] > scores[best] || (tie == Tie::negative && scores[k] == scores[best])) best = k;
  }
  return best;
}

}  // namespace halfspace
