// An epoch: the passes over shards, the tree of sums, the mixed weights.
#include "halfspace/mixing/mixing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "train/metrics/row_counts.h"

namespace halfspace {
namespace {

std::uint32_t classes_of(const ShardPlan& plan) {
  return std::max<std::uint32_t>(2, static_cast<std::uint32_t>(plan.schema.labels.names.size()));
}

std::unique_ptr<Learner> learner_of(const MixOptions& options, const ShardPlan& plan) {
  return make_learner(fit_to_labels(options.composition, plan.schema.labels), classes_of(plan), options.memory);
}

// Returns an empty vector of the learner's shape.
ClassWeightVector empty_like(const Learner& learner) {
  ClassWeightVector v = learner.present();
  v.w.clear();
  std::fill(v.bias.begin(), v.bias.end(), 0.0);
  return v;
}

void scale(ClassWeightVector& v, double factor) {
  for (double& w : v.w) w *= factor;
  for (double& bias : v.bias) bias *= factor;
}

// Adds coordinate by coordinate, each rounded once.
void add_to(ClassWeightVector& sum, const ClassWeightVector& other) {
  if (sum.classes == 0) {
    sum = other;
    return;
  }
  if (other.classes == 0) return;
  if (sum.w.size() < other.w.size()) sum.w.resize(other.w.size(), 0.0);
  for (std::size_t i = 0; i < other.w.size(); ++i) sum.w[i] += other.w[i];
  for (std::size_t k = 0; k < other.bias.size(); ++k) sum.bias[k] += other.bias[k];
}

// Adds rows until one cannot be taken.
void add_rows(std::optional<FeatureSpread>& spread, const Block& block, const training::RowCounts& counts) {
  for (std::size_t i = 0; spread && i < block.rows; ++i) {
    if (!spread->add(block, i, counts.of(block, i))) spread.reset();
  }
}

void check_finite(const ClassWeightVector& v) {
  const auto finite = [](double weight) { return std::isfinite(weight); };
  if (std::all_of(v.w.begin(), v.w.end(), finite) && std::all_of(v.bias.begin(), v.bias.end(), finite)) return;
  throw Error(ErrorKind::data, "the mixed weights overflow").fix("scale the values down");
}

// Adds the sums of other rows: differences from another first value, which are shifted to this one.
void add_to(FeatureSpread& sum, const FeatureSpread& other) {
  sum.rows += other.rows;
  sum.weight += other.weight;
  sum.features.resize(std::max(sum.features.size(), other.features.size()));
  for (std::size_t j = 0; j < other.features.size(); ++j) {
    FeatureSpread::Sums& mine = sum.features[j];
    const FeatureSpread::Sums& more = other.features[j];
    if (mine.weight == 0) {
      mine = more;
    } else if (more.weight > 0) {
      const double apart = more.first - mine.first;
      mine.weight += more.weight;
      mine.values += more.values + more.weight * apart;
      // At least 0 but for rounding.
      mine.squares = std::max(0.0, mine.squares + (more.squares + apart * (2 * more.values + more.weight * apart)));
    }
  }
}

// Adds the counts of another shard's pass; the first pass and previous labels are each shard's own.
void add_counts(Ledger& sum, const Ledger& other) {
  sum.rounds += other.rounds;
  sum.mistakes += other.mistakes;
  sum.updates += other.updates;
  sum.pass[0].rounds += other.pass[0].rounds;
  sum.pass[0].mistakes += other.pass[0].mistakes;
  sum.pass[0].updates += other.pass[0].updates;
  sum.pass[0].criterion += other.pass[0].criterion;
  sum.pass[0].errors += other.pass[0].errors;
  sum.pass[0].weight += other.pass[0].weight;
  sum.largest_squared_norm = std::max(sum.largest_squared_norm, other.largest_squared_norm);
  sum.largest_row = std::max(sum.largest_row, other.largest_row);
  sum.update_steps += other.update_steps;
  sum.update_squares += other.update_squares;
  sum.smallest_mistake_weight = std::min(sum.smallest_mistake_weight, other.smallest_mistake_weight);
  sum.constant_errors += other.constant_errors;
  sum.previous_errors += other.previous_errors;
  sum.first_pass_rounds += other.first_pass_rounds;
  sum.first_pass_mistakes += other.first_pass_mistakes;
  sum.class_weight.resize(std::max(sum.class_weight.size(), other.class_weight.size()));
  for (std::size_t k = 0; k < other.class_weight.size(); ++k) sum.class_weight[k] += other.class_weight[k];
  if (other.new_rows != NewRows::yes) sum.no_new_rows(other.new_rows);
}

}  // namespace

bool mixes_repeatedly(const MixOptions& options, const ShardPlan& plan) {
  Composition last = options.composition;
  last.keep = KeepName::last;
  const StateShape shape =
      make_learner(fit_to_labels(last, plan.schema.labels), classes_of(plan), options.memory)->state_shape();
  return shape.numbers.empty() && shape.counts == 0 && shape.moments_each == 0 && !shape.matrix &&
         !shape.support_vectors;
}

MixOptions mix_options(const TrainSettings& settings) {
  const TrainOptions chosen = train_options(settings);
  if (chosen.objective) {
    throw Error(ErrorKind::usage, option("objective") + " is minimized, not mixed").fix("give a rule instead");
  }
  MixOptions options = mix_options(chosen);
  if (settings.order.empty()) options.composition.order = OrderName::shuffled;
  return options;
}

MixOptions mix_options(const TrainOptions& chosen) {
  if (chosen.read.labels.balanced) {
    throw Error(ErrorKind::usage, option("class-weight", "balanced") + " asks for the classes of all shards")
        .fix("give the weights, such as " + option("class-weight", "NAME=2"));
  }
  if (chosen.standard_columns) {
    throw Error(ErrorKind::usage, option("normalize", "standard") + " asks for the means of all shards")
        .fix("use " + option("normalize", "row") + ", or scale the columns before");
  }
  if (chosen.normalize_columns) {
    throw Error(ErrorKind::usage, option("normalize", "column") + " asks for the largest values of all shards")
        .fix("use " + option("normalize", "row") + ", or scale the columns before");
  }
  return {.read = chosen.read,
          .composition = chosen.composition,
          .memory = chosen.memory.memory,
          .folder = chosen.memory.folder};
}

KeptShard rows_of_shard(const MixOptions& options, const ShardPlan& plan, const ReadOptions* rows,
                        std::optional<FeatureSpread>* spread) {
  KeptShard kept{Rows({.memory = options.memory, .folder = options.folder, .packed = true})};
  if (rows != nullptr) {
    BlockBuffer counted;
    const training::RowCounts counts(options.read.labels.class_weights, plan.schema.labels);
    Reader reader(*rows);
    reader.read([&](const Block& whole) {
      const Block block = rows_that_count(whole, counted);
      if (spread != nullptr) add_rows(*spread, block, counts);
      kept.rows.append(block);
      return true;
    });
    kept.rejected = reader.report().rejected;
  }
  kept.rows.seal();
  return kept;
}

MixState begin_mixing(const MixOptions& options, const ShardPlan& plan) {
  const Composition& c = options.composition;
  const auto refuse = [](bool wrong, const std::string& what, const std::string& fix) {
    if (wrong) throw Error(ErrorKind::usage, what).fix(fix);
  };
  refuse(c.order != OrderName::stream && c.order != OrderName::shuffled,
         option("order", name_of(c.order)) + " is not defined for several shards",
         "use " + option("order", "shuffled") + " or " + option("order", "stream"));
  refuse(c.keep != KeepName::last && c.keep != KeepName::average,
         option("keep", name_of(c.keep)) + " is not defined for several shards", "use " + option("keep", "average"));
  refuse(c.start.small, option("start", "small") + " would differ from shard to shard", "start at zero");
  const std::unique_ptr<Learner> learner = learner_of(options, plan);
  refuse(learner->state_shape().support_vectors, "a rule with support vectors has no weights to mix",
         "use a linear rule, such as " + option("rule", "perceptron"));
  for (const Column& column : plan.schema.columns)
    refuse(column.unseen_factor != 0, option("text-values", "tf-idf") + " counts rows of all shards",
           "let " + option("text-values") + " be counts or binary");
  MixState state;
  state.mixing = options.mixing;
  state.weights = empty_like(*learner);
  if (c.keep == KeepName::average) state.means = state.weights;
  state.ledger.pass.clear();
  return state;
}

void KeptUpdates::begin_epoch() {
  if (fits_) epochs_.emplace_back(RowsOptions{.memory = ~std::uint64_t{0}, .folder = {}, .packed = true});
}

// Looks at the memory at certain numbers of rows only, so that whether they fit does not depend on the blocks that they
// come in.
void KeptUpdates::add(const Block& block, const std::vector<std::uint32_t>& rows) {
  if (!fits_) return;
  for (const std::uint32_t i : rows) {
    weighted_ = weighted_ || (block.weight != nullptr && block.weight[i] != 1);
    epochs_.back().append(block, i);
    if (epochs_.back().size() % Rows::block_rows == 0 && !check_fit()) return;
  }
}

void KeptUpdates::add(const Rows& rows, std::vector<std::uint32_t> positions) {
  std::sort(positions.begin(), positions.end());
  UnpackBuffer room;
  std::vector<std::uint32_t> of_block;
  for (std::size_t k = 0; k < positions.size();) {
    const std::size_t block = positions[k] / Rows::block_rows;
    of_block.clear();
    for (; k < positions.size() && positions[k] / Rows::block_rows == block; ++k)
      of_block.push_back(static_cast<std::uint32_t>(positions[k] % Rows::block_rows));
    add(rows.block(block).plain(room), of_block);
  }
}

void KeptUpdates::end_epoch(std::uint64_t mistakes) {
  if (!fits_) return;
  epochs_.back().seal();
  if (epochs_.back().size() == mistakes && check_fit()) return;
  fits_ = false;  // a mistake moved nothing, or rows other than mistakes did
  epochs_.clear();
}

bool KeptUpdates::check_fit() {
  std::uint64_t bytes = 0;
  for (const Rows& epoch : epochs_) bytes += epoch.bytes();
  if (bytes <= memory_) return true;
  fits_ = false;
  epochs_.clear();
  return false;
}

PartialSum play_shard(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                      KeptUpdates* kept) {
  const ReadOptions read = options_of_shard(plan, options.read, shard, !has_open_names(plan));
  return play_rows(options, plan, before, shard, read.parts.empty() ? nullptr : &read, kept);
}

namespace {

// A shard's pass: its learner begins at the mixed weights, plays rows, and leaves its sum.
class Pass {
 public:
  Pass(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard, KeptUpdates* kept)
      : options_(options),
        plan_(plan),
        before_(before),
        kept_(kept),
        learner_(learner_of(options, plan)),
        repeatedly_(mixes_repeatedly(options, plan)) {
    sum_.first = shard;
    if (before.epoch > 0) begin_at_mixed_weights();
    if (before.epoch == 0) sum_.spread.emplace();
    if (kept_ != nullptr) {
      kept_->begin_epoch();
      learner_->moved = &moved_;
    }
  }

  void play_as_they_come(const ReadOptions& rows) {
    BlockBuffer counted;
    const training::RowCounts counts(options_.read.labels.class_weights, plan_.schema.labels);
    Reader reader(rows);
    reader.read([&](const Block& whole) {
      const Block block = rows_that_count(whole, counted);
      add_rows(sum_.spread, block, counts);
      for (std::size_t from = 0; from < block.rows;) from += learner_->play(block, from, {}, sum_.ledger);
      if (kept_ != nullptr) kept_->add(block, moved_);
      moved_.clear();
      return true;
    });
    rejected_ = reader.report().rejected;
  }

  void play_drawn(const KeptShard& shard, const std::optional<FeatureSpread>& spread) {
    const Rows& all = shard.rows;
    rejected_ = shard.rejected;
    if (sum_.spread) sum_.spread = spread;
    if (all.size() == 0) return;
    Generator draws(options_.composition.seed + before_.epoch * most_shards + sum_.first);
    std::vector<std::uint32_t> order(all.size());
    shuffle(draws, order);
    learner_->grow(all.features());
    learner_->play(all, order, {}, sum_.ledger);
    if (kept_ != nullptr) kept_->add(all, std::move(moved_));
  }

  PartialSum sum() {
    if (kept_ != nullptr) kept_->end_epoch(sum_.ledger.mistakes);
    learner_->finish();
    sum_.records.push_back(
        {sum_.ledger.rounds, sum_.ledger.mistakes, sum_.ledger.updates, sum_.ledger.errors(), sum_.ledger.weight()});
    sum_.rejected = rejected_;
    if (options_.composition.keep == KeepName::average) {
      sum_.means = learner_->result();
      scale(sum_.means, static_cast<double>(sum_.ledger.rounds));
    }
    sum_.weights = repeatedly_ ? learner_->present() : learner_->result();
    if (before_.mixing == Mixing::mistakes) scale(sum_.weights, static_cast<double>(sum_.ledger.mistakes));
    return std::move(sum_);
  }

 private:
  void begin_at_mixed_weights() {
    if (!repeatedly_) {
      throw Error(ErrorKind::usage, "the rule " + std::string(name_of(options_.composition.rule)) +
                                        " keeps more than weights from row to row: it is mixed once, after one epoch")
          .fix("use " + option("epochs", "1") + ", or " + option("rule", "perceptron"));
    }
    learner_->grow(static_cast<std::uint32_t>(before_.weights.w.size() / before_.weights.classes));
    LearnerState state = learner_->save();
    state.weights = before_.weights;
    learner_->restore(state);
  }

  const MixOptions& options_;
  const ShardPlan& plan_;
  const MixState& before_;
  KeptUpdates* kept_;
  std::unique_ptr<Learner> learner_;
  bool repeatedly_;
  PartialSum sum_;
  std::uint64_t rejected_ = 0;
  std::vector<std::uint32_t> moved_;
};

}  // namespace

PartialSum play_rows(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                     const ReadOptions* rows, KeptUpdates* kept) {
  if (options.composition.order == OrderName::shuffled) {
    std::optional<FeatureSpread> spread;
    if (before.epoch == 0) spread.emplace();
    const KeptShard all = rows_of_shard(options, plan, rows, before.epoch == 0 ? &spread : nullptr);
    return play_kept(options, plan, before, shard, all, spread, kept);
  }
  Pass pass(options, plan, before, shard, kept);
  if (rows != nullptr) pass.play_as_they_come(*rows);
  return pass.sum();
}

PartialSum play_kept(const MixOptions& options, const ShardPlan& plan, const MixState& before, std::uint32_t shard,
                     const KeptShard& rows, const std::optional<FeatureSpread>& spread, KeptUpdates* kept) {
  Pass pass(options, plan, before, shard, kept);
  pass.play_drawn(rows, spread);
  return pass.sum();
}

PartialSum add(PartialSum left, const PartialSum& right) {
  const std::size_t size = left.records.size();
  if (!std::has_single_bit(size) || right.records.size() != size || left.first % (2 * size) != 0 ||
      right.first != left.first + size) {
    throw Error(ErrorKind::data, "sums over shards " + std::to_string(left.first) + " and " +
                                     std::to_string(right.first) + " are not neighbours in the tree")
        .fix("add the sums of each shard exactly once");
  }
  left.records.insert(left.records.end(), right.records.begin(), right.records.end());
  add_to(left.weights, right.weights);
  add_to(left.means, right.means);
  add_counts(left.ledger, right.ledger);
  left.rejected += right.rejected;
  if (left.spread && right.spread) {
    add_to(*left.spread, *right.spread);
  } else {
    left.spread.reset();
  }
  return left;
}

void end_epoch(const MixOptions& options, const ShardPlan& plan, MixState& state, const PartialSum& whole) {
  if (whole.first != 0 || whole.records.size() != plan.shards) {
    throw Error(ErrorKind::data, "the sum is not over all " + std::to_string(plan.shards) + " shards")
        .fix("add the sums of each shard exactly once");
  }
  if (whole.ledger.rounds == 0) {
    throw Error(ErrorKind::data, "no data rows").fix("check that it is the right file, in the right format");
  }
  ClassWeightVector mixed = whole.weights;
  if (state.mixing == Mixing::uniform) {
    scale(mixed, 1.0 / plan.shards);  // exact
  } else if (whole.ledger.mistakes > 0) {
    const auto mistakes = static_cast<double>(whole.ledger.mistakes);
    for (double& w : mixed.w) w /= mistakes;
    for (double& bias : mixed.bias) bias /= mistakes;
  } else {
    mixed = state.weights;  // no weight has moved
  }
  check_finite(mixed);
  state.weights = std::move(mixed);
  if (options.composition.keep == KeepName::average) {
    add_to(state.means, whole.means);
    check_finite(state.means);
  }
  Ledger& ledger = state.ledger;
  const bool first = state.epoch == 0;
  const PassRecord pass = whole.ledger.pass[0];
  if (first) {
    ledger = whole.ledger;
    state.spread = whole.spread;
    state.rejected = whole.rejected;
  } else {
    Ledger counts = whole.ledger;
    counts.first_pass_rounds = counts.first_pass_mistakes = 0;
    counts.constant_errors = counts.previous_errors = 0;
    counts.class_weight.clear();
    const PassRecord before = ledger.pass[0];
    add_counts(ledger, counts);
    ledger.pass[0] = before;
    ledger.pass.push_back(pass);
    ledger.no_new_rows(NewRows::again);
  }
  ledger.passes = ++state.epoch;
  ledger.stopped = Stopped::passes;
  ledger.previous_label = -1;
  ledger.last_update_round = ledger.updates > 0 ? ledger.rounds : 0;
  ledger.next_row = std::bit_ceil(ledger.rounds + 1);
  state.records.push_back(whole.records);
}

Model mixed_model(const MixOptions& options, const ShardPlan& plan, const MixState& state) {
  Model model;
  model.schema = plan.schema;
  model.composition = fit_to_labels(options.composition, plan.schema.labels);
  model.composition.keep = KeepName::last;
  model.composition.order = OrderName::stream;  // new rows come one by one
  model.class_weights = options.read.labels.class_weights;
  model.spread = state.spread;
  ClassWeightVector weights = state.weights;
  if (options.composition.keep == KeepName::average) {
    weights = state.means;
    const auto rounds = static_cast<double>(state.ledger.rounds);
    for (double& w : weights.w) w /= rounds;
    for (double& bias : weights.bias) bias /= rounds;
  }
  const auto features = static_cast<std::uint32_t>(weights.w.size() / weights.classes);
  model.schema.features = std::max(model.schema.features, features);
  const bool repeatedly = mixes_repeatedly(options, plan);
  if (!repeatedly) {
    model.composition = Composition();
    model.composition.rule = weights.classes > 1 ? rule::multiclass : rule::perceptron;
    model.composition.tie = options.composition.tie == Tie::negative ? Tie::negative : Tie::positive;
  }
  const std::unique_ptr<Learner> learner = make_learner(model.composition, classes_of(plan), options.memory);
  learner->grow(model.schema.features);
  LearnerState stored = learner->save();
  weights.grow(model.schema.features);
  stored.weights = weights;
  learner->restore(stored);
  model.weights = learner->result();
  model.learner = learner->save();
  model.position.rows = state.ledger.pass[0].rounds;
  if (repeatedly) {
    model.ledger = state.ledger;
    model.learner.finished = state.ledger.rounds;
  } else {
    model.ledger.stopped = Stopped::end;
  }
  model.position.generator = Generator(model.composition.seed).state();
  model.provenance.version = kVersion;
  return model;
}

}  // namespace halfspace
