// Deals rows into folds and validates each fold with weights trained on the others.
#include "halfspace/train/folds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "train/first_look.h"
#include "train/split.h"

namespace halfspace {
namespace {

// Separates the draws that deal rows from those of an order with the same seed.
constexpr std::uint64_t kDealing = 0x5f01d5;

double variance(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// Returns the standard error of a mean over K folds, the root of (1/K + 1/(K - 1)) s^2.
double error_of_mean(const std::vector<double>& values) {
  const double k = static_cast<double>(values.size());
  return std::sqrt((1 / k + 1 / (k - 1)) * variance(values));
}

std::vector<double> values_of_folds(const Validation& v) {
  std::vector<double> values;
  for (const FoldScore& fold : v.fold) values.push_back(fold.by(v.metric));
  return values;
}

template <class Score>
double mean_of(const Validation& v, Score&& score) {
  double sum = 0;
  for (const FoldScore& one : v.fold) sum += score(one);
  return sum / static_cast<double>(v.fold.size());
}

}  // namespace

double Validation::accuracy() const {
  return mean_of(*this, [](const FoldScore& one) { return one.accuracy(); });
}

double Validation::value() const {
  return mean_of(*this, [this](const FoldScore& one) { return one.by(metric); });
}

double Validation::rank() const {
  if (metric == Metric::accuracy) return mean_of(*this, [](const FoldScore& one) { return one.weighted_accuracy(); });
  return higher_is_better(metric) ? value() : -value();
}

double Validation::spread() const {
  return std::sqrt(variance(values_of_folds(*this)));
}

double Validation::standard_error() const {
  if (fold.size() > 1) return error_of_mean(values_of_folds(*this));
  if (metric != Metric::accuracy) return fold[0].value_error;
  const double right = fold[0].accuracy();
  return std::sqrt(right * (1 - right) / static_cast<double>(fold[0].rows));
}

std::optional<ExpectedError> Validation::expected_error(double confidence) const {
  std::uint64_t rows = 0, errors = 0;
  std::vector<double> shares;
  for (const FoldScore& one : fold) {
    if (one.rows == 0) return std::nullopt;
    rows += one.rows;
    errors += one.errors;
    shares.push_back(static_cast<double>(one.errors) / static_cast<double>(one.rows));
  }
  if (fold.size() < 2) return expected_error_of_held_out(rows, errors, confidence);
  check_confidence(confidence);
  // Folds that happen to agree say nothing about rows never drawn: not narrower than for one fixed classifier.
  const ErrorBounds between = folds_error(shares, confidence), within = kept_out_error(rows, errors, confidence);
  const ErrorBounds bounds{std::min(between.lower, within.lower), std::max(between.upper, within.upper)};
  return ExpectedError{bounds, confidence, ExpectedFrom::folds, rows, errors};
}

Lead lead(const Validation& first, const Validation& second) {
  const double sign = higher_is_better(first.metric) ? 1 : -1;
  if (first.fold.size() > 1) {
    std::vector<double> differences;
    for (std::size_t k = 0; k < first.fold.size(); ++k)
      differences.push_back(sign * (first.fold[k].by(first.metric) - second.fold[k].by(first.metric)));
    return {sign * (first.value() - second.value()), error_of_mean(differences)};
  }
  if (first.metric != Metric::accuracy)
    return {sign * (first.value() - second.value()), std::hypot(first.standard_error(), second.standard_error())};
  double only_first = 0;  // rows that the first alone got wrong
  double only_second = 0;
  for (std::size_t i = 0; i < first.wrong.size(); ++i) {
    only_first += first.wrong[i] > second.wrong[i];
    only_second += second.wrong[i] > first.wrong[i];
  }
  const double n = static_cast<double>(first.wrong.size());
  const double by = (only_second - only_first) / n;
  return {by, std::sqrt(std::max(0.0, (only_first + only_second) / n - by * by) / n)};
}

namespace {

// Scores the rows of a fold by another metric than accuracy.
class Measured {
 public:
  Measured(const TrainOptions& options, const Model& model)
      : options_(options), curves_(probability_curves(model)), rows_(std::max<std::size_t>(2, model.classes())) {
    if (!wanted() || options.metric_options.costs.empty()) return;
    costs_ = cost_matrix(options.metric_options.costs, model.schema.labels.names);
  }

  bool wanted() const { return options_.metric != Metric::accuracy; }

  void add(const Block& block, std::span<const std::int32_t> classes, std::span<const double> scores) {
    if (!wanted()) return;
    const std::size_t vectors = scores.size() / block.rows;
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto own = scores.subspan(i * vectors, vectors);
      const double difference = vectors == 2 ? own[1] - own[0] : 0;
      PredictedRow row{
          .truth = block.label[i], .predicted = classes[i], .scores = vectors == 2 ? std::span(&difference, 1) : own};
      if (curves_.fitted()) row.probabilities = probabilities_ = curves_.probabilities(own);
      rows_.add(row);
    }
  }

  double value() const {
    const double value = value_of(options_.metric, rows_, options_.metric_options, costs_);
    if (!std::isnan(value)) return value;
    if (higher_is_better(options_.metric)) return 0;
    if (options_.metric == Metric::cost)
      throw Error(ErrorKind::usage, option("metric", "cost") + " needs costs")
          .fix("add " + option("cost", "TRUTH:PREDICTED=C"));
    throw Error(ErrorKind::usage,
                option("metric", std::string(name_of(options_.metric))) + " needs a rule that has probabilities")
        .fix("use a rule that minimizes the logistic loss, such as ftrl, nag or the tournament");
  }

  double standard_error() const {
    return bootstrap_error(options_.metric, rows_, options_.metric_options, costs_,
                           {.seed = options_.composition.seed});
  }

 private:
  const TrainOptions& options_;
  Calibration curves_;
  PredictedRows rows_;
  std::vector<double> costs_, probabilities_;
};

}  // namespace

struct Folds::Impl {
  const TrainOptions& options;
  Schema schema;
  Rows rows;
  bool racing = false;              // tolerates small classes and failing candidates
  std::vector<std::uint32_t> fold;  // of every row
  std::vector<std::uint64_t> sizes;

  explicit Impl(const TrainOptions& given) : options(given), rows(given.memory) {}

  void stop_if_interrupted() const {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed))
      throw Error(ErrorKind::input_output, "interrupted during validation: nothing was learned");
  }

  void read(unsigned count) {
    ReadOptions read = options.read;
    read.labels.scan_all = read.labels.scan_all || entry_of(options.composition.rule).several_classes;
    read.rejects.clear();  // the training pass writes them
    if (read.interrupt == nullptr) read.interrupt = options.interrupt;
    Reader reader(read);
    const bool apart = count == 0;
    reader.read([&](const Block& block) {
      if (rows.size() == 0) training::survey_first_rows(block, reader.schema(), read);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const bool held = training::held_out(block.row[i], options.holdout);
        if (held && !apart) continue;  // evaluated at the end only
        rows.append(block, i);
        fold.push_back(held ? 0 : kNeverValidated);
      }
      stop_if_interrupted();
      return true;
    });
    rows.seal();
    schema = reader.schema();
    if (rows.size() >= kNeverValidated)
      throw Error(ErrorKind::usage, "more than 4294967294 rows are too many to validate")
          .fix("use a part of them, or evaluate one file's model on another with halfspace evaluate");
    if (!apart) return deal(count);
    const auto held = static_cast<std::uint64_t>(std::count(fold.begin(), fold.end(), 0U));
    if (held == 0 || held == rows.size()) {
      throw Error(ErrorKind::usage, "of " + std::to_string(rows.size()) + " rows " + std::to_string(held) +
                                        " are held out: there must be rows to train on and rows to validate on")
          .at(options.read.path)
          .fix("give another " + option("holdout") + ", or " + option("folds"));
    }
    sizes = {held};
  }

  void deal(unsigned count) {
    std::vector<std::vector<std::uint32_t>> of_class(std::max<std::size_t>(2, schema.labels.names.size()));
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i)
        of_class[static_cast<std::size_t>(block.label[i])].push_back(position++);
    }
    if (!racing) refuse_small_classes(of_class, count);
    Generator draws(options.composition.seed ^ kDealing);
    std::vector<std::uint32_t> order;
    std::uint32_t next = 0;
    sizes.assign(count, 0);
    for (const std::vector<std::uint32_t>& members : of_class) {
      order.resize(members.size());
      if (!order.empty()) shuffle(draws, order);
      for (const std::uint32_t place : order) {
        fold[members[place]] = next;
        ++sizes[next];
        next = (next + 1) % count;
      }
    }
  }

  void refuse_small_classes(const std::vector<std::vector<std::uint32_t>>& of_class, unsigned count) const {
    const std::vector<std::string>& names = schema.labels.names;
    std::size_t smallest = 0;
    std::size_t present = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      present += !of_class[k].empty();
      if (of_class[k].size() < of_class[smallest].size()) smallest = k;
    }
    if (present < 2) {
      throw Error(ErrorKind::data, "the data have one class only: cross-validation needs two")
          .at(options.read.path)
          .fix("give rows of another class too, or train without " + option("folds"));
    }
    const std::size_t least = of_class[smallest].size();
    if (least >= count) return;
    throw Error(ErrorKind::usage, "the class '" + names[smallest] + "' has " + std::to_string(least) +
                                      (least == 1 ? " row" : " rows") + ", and every one of the " +
                                      std::to_string(count) + " folds needs one")
        .at(options.read.path)
        .fix(least >= 2 ? "give " + option("folds", std::to_string(least)) + ", or more rows of this class"
                        : "give more rows of this class, or leave it out");
  }

  // Trains as train() does on a file of these rows.
  Model learn(const Rows& from, const std::vector<std::int16_t>& exponents, const Candidate& candidate) const {
    Model model;
    model.schema = schema;
    model.schema.exponents = exponents;
    model.composition = tune_defaults(fit_to_labels(candidate.composition, schema.labels), from);
    const auto learner = make_learner(model.composition, std::max(2U, model.classes()));
    const OrderName order = model.composition.order;
    if (order != OrderName::cyclic && order != OrderName::stream) learner->grow(from.features());
    Game game;
    game.order = order;
    game.until = candidate.until;
    game.interrupt = options.interrupt;
    Generator draws(model.composition.seed);
    play(*learner, from, game, draws, model.ledger);
    stop_if_interrupted();
    model.weights = learner->result();
    model.learner = learner->save();
    return model;
  }

  struct FoldResult {
    std::uint64_t errors = 0;
    double weight = 0, wrong_weight = 0, value = 0, value_error = 0;
    std::vector<std::uint8_t> wrong;
    std::vector<double> scores;
    std::uint32_t vectors = 1;
  };

  FoldResult validate(const Rows& by, const Model& model, bool keep_scores) const {
    FoldResult result;
    Predictor predictor(model);
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    Measured measured(options, model);
    for (std::size_t b = 0; b < by.blocks(); ++b) {
      const Block block = by.block(b);
      result.vectors = predictor.score_all(block, classes, scores);
      measured.add(block, classes, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const bool wrong = classes[i] != block.label[i];
        const double weight = block.weight == nullptr ? 1.0 : block.weight[i];
        result.wrong.push_back(wrong);
        result.errors += wrong;
        result.weight += weight;
        result.wrong_weight += wrong ? weight : 0;
      }
      if (keep_scores) result.scores.insert(result.scores.end(), scores.begin(), scores.end());
      by.release(b);
    }
    if (!measured.wanted()) return result;
    result.value = measured.value();
    if (sizes.size() == 1) result.value_error = measured.standard_error();
    return result;
  }

  // Validates all candidates on fold k.
  std::vector<FoldResult> validate_fold(std::uint32_t k, std::span<const Candidate> candidates,
                                        bool keep_scores) const {
    const RowsOptions share{options.memory.memory / (2 * std::min<std::size_t>(sizes.size(), 64)),
                            options.memory.folder};
    Rows rest(share);
    Rows own(share);
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) (fold[position++] == k ? own : rest).append(block, i);
      rows.release(b);
    }
    rest.seal();
    own.seal();
    const auto scales = [&](const Candidate& c) { return options.normalize_columns || c.normalize_columns; };
    std::vector<std::int16_t> exponents;
    Rows scaled_rest(share), scaled_own(share);
    if (std::any_of(candidates.begin(), candidates.end(), scales)) {
      exponents = training::column_exponents(rest);
      scaled_rest = training::scaled(rest, exponents, share);
      scaled_own = training::scaled(own, exponents, share);
    }
    std::vector<FoldResult> results(candidates.size());
    const auto judge = [&](std::size_t c) {
      return scales(candidates[c]) ? validate(scaled_own, learn(scaled_rest, exponents, candidates[c]), keep_scores)
                                   : validate(own, learn(rest, {}, candidates[c]), keep_scores);
    };
    const auto all_wrong = [&] {
      FoldResult lost;
      lost.wrong.assign(own.size(), 1);
      lost.errors = own.size();
      lost.weight = lost.wrong_weight = 1;  // all of it is wrong, however much it is
      if (!higher_is_better(options.metric)) lost.value = std::numeric_limits<double>::infinity();
      return lost;
    };
    const auto validate_one = [&](std::size_t c) {
      try {
        results[c] = judge(c);
      } catch (const Error& error) {
        if (!racing || error.kind() != ErrorKind::data) throw;
        results[c] = all_wrong();  // weights that overflowed
      }
    };
    // Folds run in parallel; a single fold runs its candidates in parallel.
    if (sizes.size() > 1) {
      for (std::size_t c = 0; c < candidates.size(); ++c) validate_one(c);
    } else {
      in_parallel(candidates.size(), 1, [&](std::size_t c, std::size_t) { validate_one(c); });
    }
    return results;
  }
};

Folds::Folds(const TrainOptions& options, unsigned count, bool racing) : impl_(std::make_unique<Impl>(options)) {
  if (count == 1)
    throw Error(ErrorKind::usage, "one fold leaves no rows to train on")
        .fix("give " + option("folds", "2") + " or more");
  impl_->racing = racing;
  impl_->read(count);
}
Folds::~Folds() = default;

const Labels& Folds::labels() const {
  return impl_->schema.labels;
}
std::uint64_t Folds::rows() const {
  return impl_->rows.size();
}
const std::vector<std::uint32_t>& Folds::fold_of_row() const {
  return impl_->fold;
}

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, bool keep_scores) const {
  return cross_validate(candidates, 0, impl_->sizes.size(), keep_scores);
}

std::vector<Validation> Folds::cross_validate(std::span<const Candidate> candidates, std::size_t first,
                                              std::size_t last, bool keep_scores) const {
  const Impl& p = *impl_;
  std::vector<std::vector<Impl::FoldResult>> by_fold(last - first);
  in_parallel(by_fold.size(), 1, [&](std::size_t k, std::size_t) {
    by_fold[k] = p.validate_fold(static_cast<std::uint32_t>(first + k), candidates, keep_scores);
  });
  std::vector<Validation> results(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    Validation& v = results[c];
    v.vectors = by_fold[0][c].vectors;
    v.metric = p.options.metric;
    for (std::size_t k = 0; k < by_fold.size(); ++k) {
      const Impl::FoldResult& own = by_fold[k][c];
      v.fold.push_back({p.sizes[first + k], own.errors, own.weight, own.wrong_weight, own.value, own.value_error});
    }
    // Puts the rows of the folds back into file order.
    std::vector<std::size_t> next(by_fold.size(), 0);
    std::uint32_t position = 0;
    for (std::size_t b = 0; b < p.rows.blocks(); ++b) {
      const Block block = p.rows.block(b);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const std::size_t place = p.fold[position++];
        if (place == kNeverValidated || place < first || place >= last) continue;
        const std::size_t k = place - first;
        const Impl::FoldResult& own = by_fold[k][c];
        const std::size_t at = next[k]++;
        v.wrong.push_back(own.wrong[at]);
        v.label.push_back(block.label[i]);
        if (!keep_scores) continue;
        v.scores.insert(v.scores.end(), own.scores.begin() + static_cast<std::ptrdiff_t>(at * v.vectors),
                        own.scores.begin() + static_cast<std::ptrdiff_t>((at + 1) * v.vectors));
      }
    }
  }
  return results;
}

}  // namespace halfspace
