// The bound on the mistakes of all shards: what each shard finds out about the comparator, and the theorem.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "bounds/weight_evaluator.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/detail/bounds/evaluation.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"

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

// The scales that the hinge losses are summed at: half octaves around 1 / |u|, so that margins of rows of any length
// from 2^-16 to 2^16 come near 1.
using Scales = std::array<double, ShardMargins::scales>;
Scales scales_of(const ClassWeightVector& u, bool biased) {
  const double norm = norm_of(u, biased);
  const int octave = norm > 0 ? std::ilogb(norm) : 0;
  Scales scales{};
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const double half = k % 2 == 0 ? 1.0 : 1.4142135623730951;
    scales[k] = std::ldexp(half, static_cast<int>(k / 2) - static_cast<int>(ShardMargins::scales / 4) - octave);
  }
  return scales;
}

// Adds the sums over margins of max(0, 1 - c margin) for each scale c, ascending, rounded up. A margin belongs to the
// number of scales at which its hinge may be above 0; those numbers are counted, and their margins added up.
void add_hinges(const std::vector<double>& margins, const Scales& scales, double* hinges) {
  rounding_up([&] {
    std::array<double, ShardMargins::scales + 1> count{}, sum{};  // of minus the margins
    for (const double margin : margins) {
      const auto positive = [margin](double scale) { return 1 + scale * -margin > 0; };
      const auto number = margin > 0 ? std::partition_point(scales.begin(), scales.end(), positive) - scales.begin()
                                     : static_cast<std::ptrdiff_t>(scales.size());
      count[static_cast<std::size_t>(number)] += 1;
      sum[static_cast<std::size_t>(number)] += -margin;
    }
    double rows = 0, sums = 0;
    for (std::size_t k = scales.size(); k-- > 0;) {
      rows += count[k + 1];
      sums += sum[k + 1];
      // A hinge that is rounded up to above 0 may be as low as -2^-52.
      hinges[k] += rows * 0x1p-52 + (rows + scales[k] * sums);
    }
  });
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

// Returns m(i, n), rounded up, by epoch n and shard i; `weighted`: the sum of m(t) over mistakes, rounded up.
std::vector<std::vector<double>> shares_of(const MixState& state, double& weighted) {
  std::vector<std::vector<double>> shares;
  rounding_up([&] {
    for (const std::vector<ShardRecord>& epoch : state.records) {
      std::vector<double>& share = shares.emplace_back();
      for (std::size_t i = 0; i < epoch.size(); ++i) {
        share.push_back(mixed_share(state.mixing, epoch, i));
        weighted += share[i] * static_cast<double>(epoch[i].mistakes);
      }
    }
  });
  return shares;
}

// Returns c |u| length + sum of m(t) hinge(c u) for scale k: over the mistakes, or where only sums over all rows are
// known, over all rows and epochs. In rounding_up().
double hinge_bound(double scaled_length, std::size_t k, const std::vector<std::vector<double>>& shares,
                   const std::vector<ShardMargins>& margins) {
  double sum = scaled_length;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    for (std::size_t n = 0; n < shares.size(); ++n) {
      const std::size_t epoch = margins[i].of_updates ? n : 0;
      sum += shares[n][i] * margins[i].hinges[epoch * ShardMargins::scales + k];
    }
  }
  return sum;
}

// Returns the number of the scale at which the mean distance of the mistakes from the boundary is 1, or the next below.
std::size_t scale_of_mean(const Scales& scales, const std::vector<std::vector<double>>& shares, double weighted,
                          const std::vector<ShardMargins>& margins) {
  double sum = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    for (std::size_t n = 0; n < shares.size(); ++n)
      sum += shares[n][i] * margins[i].distance_sums[margins[i].of_updates ? n : 0];
  }
  const double mean = sum / weighted;
  const auto below = [mean](double scale) { return scale * mean <= 1; };
  const auto past = std::partition_point(scales.begin(), scales.end(), below) - scales.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(past, 1) - 1);
}

// Returns the bound at the best scale. Over the mistakes alone the best would be 0, which says "mistakes <= mistakes": it
// is then the scale at which their mean distance from the boundary is 1. In rounding_up().
double least_hinge_bound(const ClassWeightVector& u, bool biased, double length,
                         const std::vector<std::vector<double>>& shares, double weighted,
                         const std::vector<ShardMargins>& margins) {
  const Scales scales = scales_of(u, biased);
  const double norm = norm_of(u, biased);
  const auto bound = [&](std::size_t k) { return hinge_bound(scales[k] * norm * length, k, shares, margins); };
  if (std::any_of(margins.begin(), margins.end(), [](const auto& shard) { return shard.of_updates; }))
    return bound(scale_of_mean(scales, shares, weighted, margins));
  double least = kInfinity;
  for (std::size_t k = 0; k < scales.size(); ++k) least = std::min(least, bound(k));
  return least;
}

}  // namespace

bool has_mixing_bound(const MixOptions& options, const ShardPlan& plan) {
  return mixes_repeatedly(options, plan) && constants_of(fit_to_labels(options.composition, plan.schema.labels));
}

struct ShardEvaluator::Prepared {
  WeightEvaluator evaluator;
  Scales scales;
};

ShardEvaluator::ShardEvaluator(const Model& model) : model_(model) {
  const BiasOptions bias = model.composition.bias;
  prepared_ = std::make_unique<Prepared>(Prepared{WeightEvaluator(model.weights, bias, model.schema.features),
                                                  scales_of(model.weights, bias.position != Bias::none)});
}
ShardEvaluator::~ShardEvaluator() = default;

ShardMargins ShardEvaluator::of_shard(const MixOptions& options, const ShardPlan& plan, std::uint32_t shard) {
  ReadOptions read = options_of_shard(plan, options.read, shard);
  read.schema = &model_.schema;
  return of_rows(read.parts.empty() ? nullptr : &read);
}

void ShardEvaluator::add(const Rows& rows, std::size_t epoch, ShardMargins& found) {
  if (rows.size() == 0) return;
  const EvaluatedMargins evaluated = prepared_->evaluator.evaluate(rows, model_.composition.tie);
  found.rows += evaluated.evaluation.rows;
  found.errors += evaluated.evaluation.errors;
  found.smallest_margin = std::min(found.smallest_margin, or_lowest(evaluated.evaluation.smallest_margin));
  found.largest_squared_norm = std::max(found.largest_squared_norm, evaluated.evaluation.radius_squared);
  add_hinges(evaluated.margin, prepared_->scales, found.hinges.data() + epoch * ShardMargins::scales);
  for (const double margin : evaluated.margin) found.distance_sums[epoch] += std::abs(margin);
}

ShardMargins ShardEvaluator::of_rows(const ReadOptions* read) {
  ShardMargins found;
  found.smallest_margin = kInfinity;
  found.hinges.assign(ShardMargins::scales, 0.0);
  found.distance_sums.assign(1, 0.0);
  if (read == nullptr) return found;
  Rows rows;  // some at a time
  const auto evaluate_rows = [&] {
    rows.seal();
    add(rows, 0, found);
    rows.clear();
  };
  Reader reader(*read);
  BlockBuffer counted;
  reader.read([&](const Block& whole) {
    const Block block = rows_that_count(whole, counted);
    if (block.weight != nullptr)
      found.weighted = found.weighted ||
                       std::any_of(block.weight, block.weight + block.rows, [](double weight) { return weight != 1; });
    rows.append(block);
    if (rows.size() >= rows_to_evaluate) evaluate_rows();
    return true;
  });
  evaluate_rows();
  return found;
}

ShardMargins ShardEvaluator::of_updates(const KeptUpdates& kept) {
  ShardMargins found;
  found.of_updates = true;
  found.smallest_margin = kInfinity;
  found.hinges.assign(ShardMargins::scales * kept.epochs().size(), 0.0);
  found.distance_sums.assign(kept.epochs().size(), 0.0);
  found.weighted = kept.weighted();
  for (std::size_t n = 0; n < kept.epochs().size(); ++n) add(kept.epochs()[n], n, found);
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
  if (!(norm > 0x1p-40 && norm < 0x1p60)) return {};  // margins are those of u itself: brought_within_reach()
  MixBound bound;
  const std::vector<std::vector<double>> shares = shares_of(state, bound.weighted);
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
    bound.weighted_bound = least_hinge_bound(u, biased, length, shares, bound.weighted, margins);
    const bool of_updates = std::any_of(margins.begin(), margins.end(), [](const auto& m) { return m.of_updates; });
    bound.theorem = of_updates ? "hinge over the mistakes of shards" : "hinge over the shards";
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
