// Trains as train() does on a file of the same rows.
#include "train/choose/fold_training.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/train/evaluate.h"
#include "stream/columns/logarithms.h"
#include "train/choose/fold_score.h"
#include "train/run/split.h"

namespace halfspace::training {
namespace {

// Kept rows as a source, for a candidate that trains by itself. Numbers the rows from 1, as a file of them would:
// tournaments choose validation rows by number.
class KeptSource final : public RowSource {
 public:
  KeptSource(const Rows& rows, const Schema& schema) : rows_(rows), schema_(schema) {}
  const Schema& schema() const override { return schema_; }
  std::uint64_t rows() const override { return rows_.size(); }
  std::size_t blocks() const override { return rows_.blocks(); }
  Block block(std::size_t i, SourceBuffer& buffer) const override {
    Block block = rows_.block(i);
    buffer.row.resize(block.rows);
    std::iota(buffer.row.begin(), buffer.row.end(), std::uint64_t{i} * Rows::block_rows + 1);
    block.row = buffer.row.data();
    return block;
  }

 private:
  const Rows& rows_;
  const Schema& schema_;
};

// Returns a hook that appends the errors, as a share of the rounds, after 1, 2, 4, 8 ... rounds of the first pass.
std::function<void(const Ledger&)> hook_of(std::vector<LearningPoint>& curve) {
  return [&curve](const Ledger& ledger) {
    if (ledger.rounds != ledger.first_pass_rounds) return;
    const double share = ledger.weight() > 0 ? ledger.errors() / ledger.weight() : 0;
    curve.push_back(
        {ledger.rounds, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(ledger.rounds)))});
  };
}

// Trains by the candidate's own function.
Model learn_by_itself(const DealtRows& dealt, const Rows& from, const Candidate& candidate, const RowsOptions& memory,
                      std::vector<LearningPoint>& curve) {
  const KeptSource source(from, dealt.schema);
  TrainOptions own;
  own.read.rows = &source;
  own.read.threads = 1;
  own.read.row_normalised = dealt.options.read.row_normalised;
  own.read.single = dealt.options.read.single;
  own.composition = candidate.composition;
  own.until = candidate.until;
  own.normalize_columns = dealt.options.normalize_columns || candidate.normalize_columns;
  own.metric = dealt.options.metric;
  own.metric_options = dealt.options.metric_options;
  own.memory = memory;
  own.interrupt = dealt.options.interrupt;
  own.on_ledger_row = hook_of(curve);
  const OneThread one;
  Model model = candidate.train(own);
  dealt.stop_if_interrupted();
  return model;
}

void reach_minimum(const DealtRows& dealt, const FoldPart& part, const Rows& from, const Candidate& candidate,
                   Learner& learner, FoldResult& result) {
  std::optional<OneThread> one;
  if (dealt.sizes.size() > 1) one.emplace();  // folds run in parallel
  OptimumOptions own = optimum_options(*candidate.objective, candidate.composition, candidate.until);
  own.interrupt = dealt.options.interrupt;
  const bool biased = own.bias != 0, with_logarithms = !candidate.logarithms.empty();
  const StandardRows* standard = candidate.objective->standard ? &*part.standard[biased][with_logarithms] : nullptr;
  const MinimumReached minimum =
      minimize_objective(*candidate.objective, own, standard != nullptr ? standard->rows : from,
                         standard != nullptr ? &standard->columns : nullptr, learner, &result.solution);
  dealt.stop_if_interrupted();
  FoldMinimum& of_fold = result.score.minimum.emplace();
  of_fold.gap = minimum.widest().gap;
  for (const ProvedMinimum& of : minimum.of_vector) {
    of_fold.primal += of.primal;
    of_fold.passes += of.passes;
    of_fold.unfinished = of_fold.unfinished || of.stopped == OptimumStop::passes || of.stopped == OptimumStop::time;
  }
}

bool is_standard(const DealtRows& dealt, const Candidate& candidate) {
  if (candidate.objective) return candidate.objective->standard;
  return !candidate.train && (dealt.options.standard_columns || candidate.standard_columns);
}

// Returns the rows that a rule learns from if its columns are centred and scaled.
const StandardRows* standard_rows(const DealtRows& dealt, const FoldPart& part, const Candidate& candidate) {
  if (candidate.objective || !is_standard(dealt, candidate)) return nullptr;
  return &*part.standard[candidate.composition.bias.position != Bias::none][false];
}

// Trains as train() does on a file of these rows.
Model learn_composition(const DealtRows& dealt, const FoldPart& part, bool scales, const Candidate& candidate,
                        FoldResult& result) {
  const bool with_logarithms = !candidate.logarithms.empty();
  const StandardRows* standard = standard_rows(dealt, part, candidate);
  const Rows& from = with_logarithms       ? part.logarithms->rest
                     : scales              ? part.scaled_rest
                     : standard != nullptr ? standard->rows
                                           : part.rest;
  Model model;
  model.schema = with_logarithms ? part.logarithms->schema : dealt.schema;
  if (scales) model.schema.exponents = part.exponents;
  model.composition = tune_defaults(fit_to_labels(candidate.composition, dealt.schema.labels), from);
  const auto learner = make_learner(model.composition, std::max(2U, model.classes()));
  if (candidate.objective) {
    reach_minimum(dealt, part, from, candidate, *learner, result);
    take_scores_as_odds(*candidate.objective, learner->result().classes, model.calibration);
    model.weights = learner->result();
    model.learner = learner->save();
    return model;
  }
  const OrderName order = model.composition.order;
  if (order != OrderName::cyclic && order != OrderName::stream) learner->grow(from.features());
  if (!plays_mistakes_only(order)) learner->on_ledger_row = hook_of(result.curve);
  Game game;
  game.order = order;
  game.until = candidate.until;
  game.interrupt = dealt.options.interrupt;
  Generator draws(model.composition.seed);
  play(*learner, from, game, draws, model.ledger);
  dealt.stop_if_interrupted();
  model.weights = learner->result();
  model.learner = learner->save();
  if (standard != nullptr) standard->columns.undo(model.weights, model.composition.bias.scale);
  return model;
}

void validate_model(const DealtRows& dealt, const Rows& by, const Model& model, bool keep_scores, FoldResult& result) {
  Predictor predictor(model);
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  Measured measured(dealt.options, dealt.counts, model);
  for (std::size_t b = 0; b < by.blocks(); ++b) {
    const Block block = by.block(b);
    result.vectors = predictor.score_all(block, classes, scores);
    measured.add(block, classes, scores);
    add_to_score(block, classes, dealt.counts, result.score, result.wrong, result.count);
    if (keep_scores) result.scores.insert(result.scores.end(), scores.begin(), scores.end());
    by.release(b);
  }
  if (!measured.wanted()) return;
  result.score.value = measured.value();
  if (dealt.sizes.size() == 1) result.score.value_error = measured.standard_error();
}

bool scales_columns(const DealtRows& dealt, const Candidate& candidate) {
  return !candidate.train && (dealt.options.normalize_columns || candidate.normalize_columns);
}

void standardize(const DealtRows& dealt, std::span<const Candidate> candidates, FoldPart& part) {
  for (const Candidate& candidate : candidates) {
    if (!is_standard(dealt, candidate)) continue;
    if (!candidate.objective) check_standard(candidate.composition);
    const bool biased = candidate.composition.bias.position != Bias::none;
    const bool with_logarithms = !candidate.logarithms.empty();
    std::optional<StandardRows>& standard = part.standard[biased][with_logarithms];
    if (standard) continue;
    const Rows& from = with_logarithms ? part.logarithms->rest : part.rest;
    StandardColumns columns(from, with_logarithms ? part.logarithms->schema : dealt.schema, biased);
    Rows rows = columns.applied(from, part.memory);
    standard = StandardRows{std::move(columns), std::move(rows)};
  }
}

}  // namespace

FoldPart fold_part(const DealtRows& dealt, std::uint32_t k, std::span<const Candidate> candidates) {
  FoldPart part(
      {dealt.options.memory.memory / (2 * std::min<std::size_t>(dealt.sizes.size(), 64)), dealt.options.memory.folder});
  std::uint32_t position = 0;
  for (std::size_t b = 0; b < dealt.rows.blocks(); ++b) {
    const Block block = dealt.rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) (dealt.fold[position++] == k ? part.own : part.rest).append(block, i);
    dealt.rows.release(b);
  }
  part.rest.seal();
  part.own.seal();
  if (std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) { return scales_columns(dealt, c); })) {
    part.exponents = column_exponents(part.rest);
    part.scaled_rest = scaled(part.rest, part.exponents, part.memory);
    part.scaled_own = scaled(part.own, part.exponents, part.memory);
  }
  for (const Candidate& candidate : candidates) {
    if (candidate.logarithms.empty() || part.logarithms) continue;
    Schema schema = dealt.schema;
    stream::declare_logarithms(candidate.logarithms, schema);
    Rows rest = with_logarithms(part.rest, schema, part.memory), own = with_logarithms(part.own, schema, part.memory);
    part.logarithms = RowsWithLogarithms{std::move(schema), std::move(rest), std::move(own)};
  }
  standardize(dealt, candidates, part);
  return part;
}

void validate_on(const DealtRows& dealt, const FoldPart& part, const Candidate& candidate, bool keep_scores,
                 FoldResult& result) {
  if (candidate.train) {
    const Model model = learn_by_itself(dealt, part.rest, candidate, part.memory, result.curve);
    const std::vector<std::int16_t>& exponents = model.schema.exponents;
    if (exponents.empty()) return validate_model(dealt, part.own, model, keep_scores, result);
    validate_model(dealt, scaled(part.own, exponents, part.memory), model, keep_scores, result);
  } else if (scales_columns(dealt, candidate)) {
    validate_model(dealt, part.scaled_own, learn_composition(dealt, part, true, candidate, result), keep_scores,
                   result);
  } else {
    const Rows& own = candidate.logarithms.empty() ? part.own : part.logarithms->own;
    validate_model(dealt, own, learn_composition(dealt, part, false, candidate, result), keep_scores, result);
  }
}

FoldResult all_wrong(const DealtRows& dealt, const Rows& of) {
  FoldResult lost;
  for (std::size_t b = 0; b < of.blocks(); ++b) {
    const Block block = of.block(b);
    const std::vector<std::int32_t> none(block.rows, -1);
    add_to_score(block, none, dealt.counts, lost.score, lost.wrong, lost.count);
    of.release(b);
  }
  if (!higher_is_better(dealt.options.metric)) lost.score.value = std::numeric_limits<double>::infinity();
  return lost;
}

}  // namespace halfspace::training
