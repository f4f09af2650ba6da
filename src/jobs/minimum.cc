// Questions and answers as bytes, and the searches of all vectors side by side.
#include "jobs/minimum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "base/clock.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "jobs/search.h"
#include "optimum/shard_newton.h"
#include "train/run/objective.h"

namespace halfspace::jobs {
namespace {

using optimum::Sums;
using optimum::SumsAsked;
using Numbers = std::vector<double>;

static_assert(std::endian::native == std::endian::little);

Part part_of_numbers(std::span<const double> numbers) {
  Part part(numbers.size_bytes());
  std::memcpy(part.data(), numbers.data(), part.size());
  return part;
}

Numbers numbers_of(const Part& part) {
  if (part.size() % sizeof(double) != 0) throw damaged("result");
  Numbers numbers(part.size() / sizeof(double));
  std::memcpy(numbers.data(), part.data(), part.size());
  return numbers;
}

Part part_of_sums(const SumsAsked& asked) {
  const optimum::Scaling& s = asked.scaling;
  const double scaling[] = {s.least[0], s.least[1], s.most[0], s.most[1], asked.cost};
  return packed('k', {part_of(static_cast<std::uint64_t>(asked.sums)),
                      part_of(static_cast<std::uint64_t>(asked.positive)), part_of_numbers(scaling),
                      part_of_numbers(asked.weights), part_of_numbers(asked.direction)});
}

SumsAsked sums_of_part(const Part& bytes) {
  const std::vector<Part> parts = unpacked(bytes, 'k', "step");
  if (parts.size() != 5 || number_of(parts[0]) > static_cast<std::uint64_t>(Sums::duals)) throw damaged("step");
  const Numbers scaling = numbers_of(parts[2]);
  SumsAsked asked{static_cast<Sums>(number_of(parts[0])), static_cast<std::int32_t>(number_of(parts[1])), 1, numbers_of(parts[3]),
                  numbers_of(parts[4]), {}};
  if (scaling.size() != 5 || asked.weights.empty()) throw damaged("step");
  if (asked.sums == Sums::curvature && asked.direction.size() != asked.weights.size()) throw damaged("step");
  asked.scaling = {{scaling[0], scaling[1]}, {scaling[2], scaling[3]}};
  asked.cost = scaling[4];
  return asked;
}

// The answer to the first question, which has no parts.
enum Count : std::size_t { count_rows, count_weight, count_features, counts };

RowSums counts_of(const Rows& rows) {
  Numbers found(counts);
  found[count_rows] = static_cast<double>(rows.size());
  found[count_features] = rows.features();
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) found[count_weight] += block.weight == nullptr ? 1.0 : block.weight[i];
    rows.release(b);
  }
  return {found};
}

OptimumOptions optimum_options_of(const TrainOptions& options) {
  return training::optimum_options(*options.objective, options.composition, options.until);
}

}  // namespace

void check_objective(const TrainOptions& options) {
  if (options.objective->loss == MarginLoss::hinge) {
    throw Error(ErrorKind::usage, option("objective", objective_name(MarginLoss::hinge)) +
                                      " has no slope at a margin of 1, and is minimized on one machine")
        .fix("use " + option("objective", "squared-hinge") + " or logistic");
  }
}

Part encode(const Asked& asked) {
  std::vector<Part> parts;
  for (const SumsAsked& sums : asked) parts.push_back(part_of_sums(sums));
  return packed('u', parts);
}

Asked decode_asked(const Part& bytes) {
  Asked asked;
  for (const Part& part : unpacked(bytes, 'u', "step")) asked.push_back(sums_of_part(part));
  return asked;
}

RowSums sums_of_rows(const Rows& rows, const TrainOptions& options, const Asked& asked) {
  if (asked.empty()) return counts_of(rows);
  const OptimumOptions own = optimum_options_of(options);
  RowSums answer;
  for (const SumsAsked& sums : asked) {
    if (sums.weights.size() < rows.features() + std::size_t{1}) throw damaged("step");
    answer.push_back(sums_over(rows, own, sums));
  }
  return answer;
}

void add(const Asked& asked, RowSums& to, const RowSums& more) {
  if (to.size() != std::max<std::size_t>(1, asked.size()) || more.size() != to.size()) throw damaged("result");
  if (asked.empty()) {
    if (to[0].size() != counts || more[0].size() != counts) throw damaged("result");
    to[0][count_rows] += more[0][count_rows];
    to[0][count_weight] += more[0][count_weight];
    to[0][count_features] = std::max(to[0][count_features], more[0][count_features]);
  }
  for (std::size_t k = 0; k < asked.size(); ++k) add_sums(asked[k].sums, to[k], more[k]);
}

Part encode(const RowSums& sums) {
  std::vector<Part> parts;
  for (const Numbers& numbers : sums) parts.push_back(part_of_numbers(numbers));
  return packed('v', parts);
}

RowSums decode_row_sums(const Part& bytes) {
  RowSums sums;
  for (const Part& part : unpacked(bytes, 'v', "result")) sums.push_back(numbers_of(part));
  return sums;
}

struct MinimumSearch::Impl {
  using VectorSearch = Search<SumsAsked, Numbers>;

  Impl(const TrainOptions& chosen, const ShardPlan& its_plan) : options(chosen), plan(its_plan) {}
  ~Impl() {
    for (const auto& search : searches) search->stop();
  }

  std::uint32_t classes() const {
    return std::max<std::uint32_t>(2, static_cast<std::uint32_t>(plan.schema.labels.names.size()));
  }

  void begin(const Numbers& counted) {
    if (counted.size() != counts) throw damaged("result");
    rows = static_cast<std::uint64_t>(counted[count_rows]);
    weight = counted[count_weight];
    if (rows == 0) {
      throw Error(ErrorKind::data, "no data rows").fix("check that it is the right file, in the right format");
    }
    const auto features = std::max(static_cast<std::uint32_t>(counted[count_features]), plan.schema.features);
    plan.schema.features = features;
    minimum.objective = *options.objective;
    minimum.cost = options.objective->l2 ? 1 / (*options.objective->l2 * weight) : options.objective->cost;
    const std::uint32_t vectors = classes() > 2 ? classes() : 1;
    found.resize(vectors);
    for (std::uint32_t k = 0; k < vectors; ++k) {
      OptimumOptions own = optimum_options_of(options);
      own.cost = minimum.cost;
      if (vectors > 1) own.positive = static_cast<std::int32_t>(k);
      searches.push_back(std::make_unique<VectorSearch>());
      searches[k]->begin([this, k, own, features] {
        found[k] = optimum::minimize_by_sums(own, features, minimum.cost * weight,
                                    [&](const SumsAsked& asked) { return searches[k]->ask(asked); });
      });
    }
  }

  bool asks() const {
    return searches.empty() ||
           std::any_of(searches.begin(), searches.end(), [](const auto& search) { return search->asks(); });
  }

  void take(const RowSums& answer) {
    if (searches.empty()) {
      begin(answer.at(0));
    } else {
      std::vector<VectorSearch*> asking;
      for (const auto& search : searches) {
        if (search->asks()) asking.push_back(search.get());
      }
      if (answer.size() != asking.size()) throw damaged("result");
      for (std::size_t k = 0; k < answer.size(); ++k) asking[k]->go_on(answer[k]);
    }
    answers.push_back(encode(answer));
    if (!asks()) finish();
  }

  // The weights of the minimum become a model of a linear rule.
  void finish() {
    const auto vectors = static_cast<std::uint32_t>(found.size());
    model.schema = plan.schema;
    model.composition = fit_to_labels(options.composition, plan.schema.labels);
    model.class_weights = options.read.labels.class_weights;
    const std::unique_ptr<Learner> learner = make_learner(model.composition, classes(), options.memory.memory);
    learner->grow(model.schema.features);
    LearnerState state = learner->save();
    training::take_minimum(found, optimum_options_of(options).bias != 0, state.weights, minimum);
    learner->restore(state);
    model.weights = learner->result();
    model.learner = learner->save();
    model.ledger.stopped = Stopped::end;
    model.ledger.no_new_rows(NewRows::again);
    training::take_scores_as_odds(minimum.objective.loss, vectors, model.calibration);
    model.position.generator = Generator(model.composition.seed).state();
    model.provenance.version = kVersion;
    minimum.seconds = seconds_since(begun);
  }

  TrainOptions options;
  ShardPlan plan;
  Clock::time_point begun = Clock::now();
  std::uint64_t rows = 0;
  double weight = 0;
  MinimumReached minimum;
  Model model;
  std::vector<Optimum> found;
  std::vector<Part> answers;
  std::vector<std::unique_ptr<VectorSearch>> searches;  // by vector
};

MinimumSearch::MinimumSearch(const TrainOptions& options, const ShardPlan& plan)
    : impl_(std::make_unique<Impl>(options, plan)) {}
MinimumSearch::~MinimumSearch() = default;

bool MinimumSearch::asks() const { return impl_->asks(); }

Asked MinimumSearch::question() const {
  Asked asked;
  for (const auto& search : impl_->searches) {
    if (search->asks()) asked.push_back(search->question());
  }
  return asked;
}

std::string MinimumSearch::step() const {
  return impl_->answers.empty() ? "the count of its rows" : "sum " + std::to_string(impl_->answers.size()) + " over its rows";
}

void MinimumSearch::take(const RowSums& answer) { impl_->take(answer); }
std::vector<Part> MinimumSearch::saved() const { return impl_->answers; }
void MinimumSearch::restore(const std::vector<Part>& saved) {
  for (const Part& answer : saved) {
    if (!asks()) throw damaged("job");
    take(decode_row_sums(answer));
  }
}

std::uint64_t MinimumSearch::rows() const { return impl_->rows; }
std::uint64_t MinimumSearch::steps() const { return impl_->answers.size(); }
const MinimumReached& MinimumSearch::minimum() const { return impl_->minimum; }
const Model& MinimumSearch::model() const { return impl_->model; }

}  // namespace halfspace::jobs
