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
#include "optimum/row_sums.h"
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
  return packed('k',
                {part_of(static_cast<std::uint64_t>(asked.sums)), part_of(std::uint64_t{asked.vectors}),
                 part_of(static_cast<std::uint64_t>(asked.positive)), part_of_numbers({&asked.cost, 1}),
                 part_of_numbers(asked.weights), part_of_numbers(asked.direction), part_of_numbers(asked.mending)});
}

SumsAsked sums_of_part(const Part& bytes) {
  const std::vector<Part> parts = unpacked(bytes, 'k', "step");
  if (parts.size() != 7 || number_of(parts[0]) > static_cast<std::uint64_t>(Sums::duals)) throw damaged("step");
  const Numbers cost = numbers_of(parts[3]);
  SumsAsked asked{static_cast<Sums>(number_of(parts[0])),
                  static_cast<std::uint32_t>(number_of(parts[1])),
                  static_cast<std::int32_t>(number_of(parts[2])),
                  cost.empty() ? 0 : cost[0],
                  numbers_of(parts[4]),
                  numbers_of(parts[5]),
                  numbers_of(parts[6])};
  const bool whole = asked.vectors > 0 && !asked.weights.empty() && asked.weights.size() % asked.vectors == 0;
  const std::size_t mending = asked.vectors == 1 ? 4 : asked.mending.empty() ? 0 : 1 + 2 * std::size_t{asked.vectors};
  if (!whole || (asked.sums == Sums::curvature && asked.direction.size() != asked.weights.size()) ||
      (asked.sums == Sums::duals && asked.mending.size() != mending))
    throw damaged("step");
  return asked;
}

// The answer to the first question, which has no parts.
enum Count : std::size_t { count_rows, count_weight, count_rejected, count_features, counts };

Answers counts_of(const KeptShard& shard) {
  const Rows& rows = shard.rows;
  Numbers found(counts);
  found[count_rows] = static_cast<double>(rows.size());
  found[count_rejected] = static_cast<double>(shard.rejected);
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
  if (options.objective->standard) {
    throw Error(ErrorKind::usage, option("normalize", "standard") + " asks for the means of all shards")
        .fix("use " + option("normalize", "row") + ", or scale the columns before");
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

Answers sums_of_rows(const KeptShard& shard, const TrainOptions& options, const Asked& asked) {
  const Rows& rows = shard.rows;
  if (asked.empty()) return counts_of(shard);
  Answers answer;
  for (const SumsAsked& sums : asked) {
    if (sums.weights.size() / sums.vectors < rows.features() + std::size_t{1}) throw damaged("step");
    OptimumOptions own = optimum_options_of(options);
    own.positive = sums.positive;
    own.cost = sums.cost;
    answer.push_back(optimum::row_sums(rows, own, sums.vectors)->answer(sums));
  }
  return answer;
}

void add(const Asked& asked, Answers& to, const Answers& more) {
  if (to.size() != std::max<std::size_t>(1, asked.size()) || more.size() != to.size()) throw damaged("result");
  if (asked.empty()) {
    if (to[0].size() != counts || more[0].size() != counts) throw damaged("result");
    to[0][count_rows] += more[0][count_rows];
    to[0][count_weight] += more[0][count_weight];
    to[0][count_rejected] += more[0][count_rejected];
    to[0][count_features] = std::max(to[0][count_features], more[0][count_features]);
  }
  for (std::size_t k = 0; k < asked.size(); ++k) add_sums(asked[k].sums, to[k], more[k]);
}

Part encode(const Answers& sums) {
  std::vector<Part> parts;
  for (const Numbers& numbers : sums) parts.push_back(part_of_numbers(numbers));
  return packed('v', parts);
}

Answers decode_answers(const Part& bytes) {
  Answers sums;
  for (const Part& part : unpacked(bytes, 'v', "result")) sums.push_back(numbers_of(part));
  return sums;
}

// A search that takes more is badly scaled, and ends with the gap that it has.
constexpr std::size_t most_steps = 2000;

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
    rejected = static_cast<std::uint64_t>(counted[count_rejected]);
    if (rows == 0) {
      throw Error(ErrorKind::data, "no data rows").fix("check that it is the right file, in the right format");
    }
    const auto features = std::max(static_cast<std::uint32_t>(counted[count_features]), plan.schema.features);
    plan.schema.features = features;
    minimum.objective = *options.objective;
    minimum.cost = options.objective->l2 ? 1 / (*options.objective->l2 * weight) : options.objective->cost;
    const std::uint32_t vectors = classes() > 2 ? classes() : 1;
    const std::uint32_t together = options.objective->jointly ? vectors : 1;
    found.resize(vectors / together);
    for (std::uint32_t k = 0; k < found.size(); ++k) {
      OptimumOptions own = optimum_options_of(options);
      own.cost = minimum.cost;
      if (found.size() > 1) own.positive = static_cast<std::int32_t>(k);
      searches.push_back(std::make_unique<VectorSearch>());
      searches[k]->begin([this, k, own, features, together] {
        const optimum::SumsProblem problem{.features = features,
                                           .vectors = together,
                                           .all_cost = minimum.cost * weight,
                                           .ask = [&](const SumsAsked& asked) { return searches[k]->ask(asked); },
                                           .stop = [&] { return answers.size() >= most_steps; }};
        found[k] = optimum::minimize_by_sums(own, problem);
      });
    }
  }

  bool asks() const {
    return searches.empty() ||
           std::any_of(searches.begin(), searches.end(), [](const auto& search) { return search->asks(); });
  }

  void take(const Answers& answer) {
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
    model.ledger.new_rows = NewRows::minimized;
    training::take_scores_as_odds(minimum.objective, state.weights.classes, model.calibration);
    model.position.rows = rows;
    model.position.generator = Generator(model.composition.seed).state();
    model.provenance.version = kVersion;
    minimum.seconds = seconds_since(begun);
  }

  TrainOptions options;
  ShardPlan plan;
  Clock::time_point begun = Clock::now();
  std::uint64_t rows = 0, rejected = 0;
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
  return impl_->answers.empty() ? "the count of its rows"
                                : "sum " + std::to_string(impl_->answers.size()) + " over its rows";
}

void MinimumSearch::take(const Answers& answer) { impl_->take(answer); }
std::vector<Part> MinimumSearch::saved() const { return impl_->answers; }
void MinimumSearch::restore(const std::vector<Part>& saved) {
  for (const Part& answer : saved) {
    if (!asks()) throw damaged("job");
    take(decode_answers(answer));
  }
}

std::uint64_t MinimumSearch::rows() const { return impl_->rows; }
std::uint64_t MinimumSearch::rejected() const { return impl_->rejected; }
std::uint64_t MinimumSearch::steps() const { return impl_->answers.size(); }
const MinimumReached& MinimumSearch::minimum() const { return impl_->minimum; }
const Model& MinimumSearch::model() const { return impl_->model; }

}  // namespace halfspace::jobs
