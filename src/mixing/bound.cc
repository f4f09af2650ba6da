// The bound on the mistakes of all shards: what each shard finds out about the comparator, and the theorem.
#include <algorithm>
#include <cmath>

#include "halfspace/base/rounding.h"
#include "halfspace/bounds/evaluation.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/rules/multiclass.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {
namespace {

constexpr std::size_t rows_to_evaluate = std::size_t{1} << 16;

// Returns |u|, bias coordinates included, rounded up.
double norm_of(const ClassWeightVector& u, bool biased) {
  return rounding_up([&] {
    double squares = 0;
    for (const double w : u.w) squares += w * w;
    for (const double bias : u.bias) squares += biased ? bias * bias : 0.0;
    return std::sqrt(squares);
  });
}

// Returns scale k of those that the hinge losses are summed at: half octaves around 1 / |u|, so that margins of rows of
// any length from 2^-16 to 2^16 come near 1.
double scale_of(const ClassWeightVector& u, bool biased, std::size_t k) {
  const double norm = norm_of(u, biased);
  const int octave = norm > 0 ? std::ilogb(norm) : 0;
  const double half = k % 2 == 0 ? 1.0 : 1.4142135623730951;
  return std::ldexp(half, static_cast<int>(k / 2) - static_cast<int>(ShardMargins::scales / 4) - octave);
}

// The theorem's constants for the rule; empty: it has none.
struct Constants {
  double rate = 1, norm_factor = 1;
};
std::optional<Constants> constants_of(const Composition& c) {
  if (c.by_learners_of_two()) return std::nullopt;  // the theorem is of each learner, and mistakes are of all
  const double rate = c.value(parameter::rate);
  if (c.rule == rule::perceptron) return Constants{rate, 1};
  if (c.rule == rule::multiclass && c.choice<ClassUpdate>(parameter::class_update) == ClassUpdate::max_score)
    return Constants{rate, 2};
  return std::nullopt;
}

// Returns m(t) of a mistake of the shard in an epoch, rounded up.
double mixed_share(Mixing mixing, const std::vector<ShardRecord>& epoch, std::size_t shard) {
  if (mixing == Mixing::uniform) return 1.0 / static_cast<double>(epoch.size());
  std::uint64_t mistakes = 0;
  for (const ShardRecord& record : epoch) mistakes += record.mistakes;
  if (mistakes == 0) return 0;
  return rounding_up([&] { return static_cast<double>(epoch[shard].mistakes) / static_cast<double>(mistakes); });
}

// Returns the share of each shard's rows in sums over all epochs, and the sum of m(t), rounded up.
std::vector<double> shares_of(const MixState& state, std::uint32_t shards, double& weighted) {
  std::vector<double> share(shards, 0.0);
  rounding_up([&] {
    for (const std::vector<ShardRecord>& epoch : state.records) {
      for (std::size_t i = 0; i < epoch.size(); ++i) {
        const double mixed = mixed_share(state.mixing, epoch, i);
        share[i] += mixed;
        weighted += mixed * static_cast<double>(epoch[i].mistakes);
      }
    }
  });
  return share;
}

// Returns the least of sum m(i, n) hinge(c u) + c |u| length over the scales c. In rounding_up().
double least_hinge_bound(const ClassWeightVector& u, bool biased, double length, const std::vector<double>& share,
                         const std::vector<ShardMargins>& margins) {
  double least = kInfinity;
  for (std::size_t k = 0; k < ShardMargins::scales; ++k) {
    double sum = scale_of(u, biased, k) * norm_of(u, biased) * length;
    for (std::size_t i = 0; i < margins.size(); ++i) sum += share[i] * margins[i].hinges[k];
    least = std::min(least, sum);
  }
  return least;
}

}  // namespace

ShardMargins margins_of_shard(const MixOptions& options, const ShardPlan& plan, const Model& model,
                              std::uint32_t shard) {
  ReadOptions read = options_of_shard(plan, options.read, shard);
  read.schema = &model.schema;
  return margins_of_rows(model, read.parts.empty() ? nullptr : &read);
}

ShardMargins margins_of_rows(const Model& model, const ReadOptions* read) {
  ShardMargins found;
  found.smallest_margin = kInfinity;
  found.hinges.assign(ShardMargins::scales, 0.0);
  if (read == nullptr) return found;
  const BiasOptions bias = model.composition.bias;
  const bool biased = bias.position != Bias::none;
  Rows rows;  // some at a time
  const auto once = [](std::uint64_t) { return 1.0; };
  const auto evaluate_rows = [&] {
    if (rows.size() == 0) return;
    rows.seal();
    const EvaluatedMargins evaluated = evaluate_margins(rows, model.weights, bias, model.composition.tie);
    found.rows += evaluated.evaluation.rows;
    found.errors += evaluated.evaluation.errors;
    found.smallest_margin = std::min(found.smallest_margin, or_lowest(evaluated.evaluation.smallest_margin));
    found.largest_squared_norm = std::max(found.largest_squared_norm, evaluated.evaluation.radius_squared);
    for (std::size_t k = 0; k < ShardMargins::scales; ++k) {
      const double hinges = hinge_sum(rows, evaluated.margin, scale_of(model.weights, biased, k), 1, once);
      found.hinges[k] = rounding_up([&] { return found.hinges[k] + hinges; });
    }
    rows = Rows();
  };
  Reader reader(*read);
  reader.read([&](const Block& block) {
    if (block.weight != nullptr)
      found.weighted = found.weighted ||
                       std::any_of(block.weight, block.weight + block.rows, [](double weight) { return weight != 1; });
    for (std::size_t i = 0; i < block.rows; ++i) rows.append(block, i);
    if (rows.size() >= rows_to_evaluate) evaluate_rows();
    return true;
  });
  evaluate_rows();
  return found;
}

std::optional<MixBound> bound_of_mixing(const ShardPlan& plan, const MixState& state, const Model& model,
                                        const std::vector<ShardMargins>& margins) {
  const std::optional<Constants> constants = constants_of(model.composition);
  const auto weighted = [](const ShardMargins& shard) { return shard.weighted; };
  const bool mixed_once = model.ledger.rounds == 0;  // its weights are not those of the rule's theorem
  if (mixed_once || !constants || margins.size() != plan.shards ||
      std::any_of(margins.begin(), margins.end(), weighted))
    return {};
  const bool biased = model.composition.bias.position != Bias::none;
  const ClassWeightVector& u = model.weights;
  const double norm = norm_of(u, biased);
  if (!(norm > 0x1p-40 && norm < 0x1p60)) return {};  // margins are those of u itself: within_reach()
  MixBound bound;
  const std::vector<double> share = shares_of(state, plan.shards, bound.weighted);
  double smallest_margin = kInfinity, radius_squared = 0;
  for (const ShardMargins& shard : margins) {
    if (shard.rows == 0) continue;
    smallest_margin = std::min(smallest_margin, shard.smallest_margin);
    radius_squared = std::max(radius_squared, shard.largest_squared_norm);
  }
  if (!(radius_squared < 0x1p900)) return {};
  rounding_up([&] {
    // Scores of long rows, and updates, are rounded; mixing rounds each coordinate once a node of the tree.
    const double longest = static_cast<double>(state.ledger.largest_row);
    const double updates = static_cast<double>(state.ledger.updates) + 64.0 * static_cast<double>(state.epoch);
    const double allowance = 1 + 4 * (longest + 8) * (updates + 1) * 0x1p-53;
    const double squares = constants->norm_factor * radius_squared * bound.weighted * allowance;
    const double last = norm_of(state.weights, biased) / constants->rate;
    const double length = std::min(std::sqrt(squares), last + updates * 0x1p-51 * std::sqrt(squares));
    bound.weighted_bound = least_hinge_bound(u, biased, length, share, margins);
    bound.theorem = "hinge over the shards";
    if (smallest_margin > 0) {
      const double inverse = norm / smallest_margin;
      const double novikoff = constants->norm_factor * radius_squared * allowance * inverse * inverse;
      bound.weighted_bound = novikoff;
      bound.theorem = "novikoff, mixed";
    }
    // Shares proportional to mistakes weigh them no less than equal ones do.
    bound.value = bound.weighted_bound * static_cast<double>(plan.shards);
    bound.radius = std::sqrt(radius_squared);
  });
  bound.margin =
      smallest_margin > 0 && smallest_margin < kInfinity ? -rounding_up([&] { return -smallest_margin / norm; }) : 0.0;
  return bound;
}

}  // namespace halfspace
