// Opens a run: a new one, or a resumed one.
#include "train/run/run.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/available_memory.h"
#include "base/log/log_rows.h"
#include "base/printable.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/survey.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/widest_row.h"
#include "stream/schema/class_positions.h"
#include "stream/text/text.h"
#include "train/predict/linear_model.h"
#include "train/run/first_look.h"
#include "train/run/split.h"

namespace halfspace::training {
namespace {

// The state of a rule over standard columns is of other values than the data's.
void check_standard_columns(const TrainOptions& options) {
  if (options.resume != nullptr && options.resume->ledger.new_rows == NewRows::standard) {
    throw Error(ErrorKind::usage,
                "the model's rule learned from columns scaled by all of its rows, and cannot go on with others")
        .fix("train a new model on all rows, or one without " + option("normalize", "standard") + ", to resume");
  }
  if (!options.standard_columns) return;
  check_standard(options.composition);
  const std::string with = options.resume != nullptr          ? option("resume")
                           : options.on_checkpoint != nullptr ? option("checkpoint") + ": such a run cannot be resumed"
                                                              : "";
  if (!with.empty())
    throw Error(ErrorKind::usage, option("normalize", "standard") + " excludes " + with)
        .fix("leave one of the two out");
}

void check(const TrainOptions& options) {
  check_standard_columns(options);
  if (!(options.holdout >= 0 && options.holdout < 1)) {
    throw Error(ErrorKind::usage, option("holdout") + " must be a share of at least 0 and below 1")
        .fix("such as " + option("holdout", "0.2") + ", for one row in five");
  }
  check_confidence(options.confidence);
  if (options.calibrate == CalibrationMethod::softmax) {
    throw Error(ErrorKind::usage, "the softmax is not fitted: only given weights have it")
        .fix("use " + option("calibrate", "platt"));
  }
  // Theorems about a run, and its ceiling of margins, need the start that the composition names.
  if (options.resume != nullptr && has_given_weights(*options.resume)) {
    throw Error(ErrorKind::usage,
                "the model's weights were given, not learned, or are those of a minimum that was not reached: there "
                "is no run to resume")
        .fix("train a new model on these rows, without " + option("resume"));
  }
  const double held_out = options.resume != nullptr ? options.resume->holdout : options.holdout;
  if (options.conformal && !(held_out > 0)) {
    throw Error(ErrorKind::usage, option("conformal") + " needs held-out rows, and " +
                                      (options.resume != nullptr ? "the model has none" : "there are none"))
        .fix(options.resume != nullptr ? "leave it out, or train a new model with " + option("holdout", "0.2")
                                       : "add " + option("holdout", "0.2"));
  }
  if (options.threshold && options.threshold->by_metric() && !(held_out > 0)) {
    throw Error(ErrorKind::usage, option("threshold", "auto") + " needs rows that training does not use, and " +
                                      (options.resume != nullptr ? "the model has none" : "there are none"))
        .fix(options.resume != nullptr ? "give a probability, or train a new model with " + option("holdout", "0.2")
                                       : "add " + option("holdout", "0.2") + ", or " + option("folds", "5"));
  }
  if (options.sets) check_coverage(*options.sets);
  const OrderName order = options.composition.order;
  if (options.sets && order != OrderName::stream && order != OrderName::cyclic) {
    throw Error(ErrorKind::usage, option("sets") + " needs the rows in file order, and " +
                                      option("order", name_of(order)) + " uses another")
        .fix("use " + option("order", "stream") + " or cyclic");
  }
  if (options.watch && order != OrderName::stream && order != OrderName::cyclic) {
    throw Error(ErrorKind::usage, option("window") + ", " + option("decay") + " and " + option("drift") +
                                      " need the rows in file order, and " + option("order", name_of(order)) +
                                      " uses another")
        .fix("use " + option("order", "stream") + " or cyclic");
  }
}

bool names_a_file_twice(const ReadOptions& read) {
  std::vector<std::string> paths = read.more;
  paths.push_back(read.path);
  std::sort(paths.begin(), paths.end());
  return std::adjacent_find(paths.begin(), paths.end()) != paths.end();
}

// Returns the loss sums that the run starts with: a resumed run continues its model's.
std::optional<LossSums> sums_of_losses(const TrainOptions& options, const Model& model) {
  if (options.least_loss_norm && !(*options.least_loss_norm >= 0 && std::isfinite(*options.least_loss_norm))) {
    throw Error(ErrorKind::usage, option("least-loss-norm") + " must be a finite number of at least 0")
        .fix("leave it out for the norm of the weights at the end");
  }
  if (options.resume != nullptr) {
    if (options.least_loss && !model.ledger.losses) {
      throw Error(ErrorKind::usage,
                  "the model to resume has no loss sums, and " + option("least-loss") + " needs those of every round")
          .fix("leave it out, or train a new model with " + option("least-loss"));
    }
    return model.ledger.losses;
  }
  if (!options.least_loss) return std::nullopt;
  const Composition& c = model.composition;
  const RuleEntry& entry = entry_of(c.rule);
  if (entry.loss == nullptr) {
    std::string others;
    for (const RuleEntry& other : all_rules()) {
      if (other.loss != nullptr) others += (others.empty() ? "" : ", ") + std::string(other.name);
    }
    throw Error(ErrorKind::usage, option("least-loss") + " needs a rule with a convex loss, and " +
                                      option("rule", entry.name) + " has none")
        .fix("use the rule " + others);
  }
  if (c.by_learners_of_two()) {
    throw Error(ErrorKind::usage,
                option("least-loss") + " needs two classes, and the data have " + std::to_string(model.classes()))
        .fix("leave it out");
  }
  return LossSums(entry.loss(c), c.bias.position == Bias::none ? 0.0 : c.bias.scale);
}

// Returns the calibration that the run starts with: curves to keep, or a method to fit at the end.
Calibration calibration_of(const TrainOptions& options) {
  const Model* before = options.resume;
  const double held_out = before != nullptr ? before->holdout : options.holdout;
  if (options.calibration) {
    Calibration curves = *options.calibration;
    curves.by_folds = held_out > 0;
    return curves;
  }
  const CalibrationMethod method =
      options.calibrate.value_or(before != nullptr ? before->calibration.method : CalibrationMethod::none);
  if (method == CalibrationMethod::none) return {};
  // The scores of a minimum were probabilities by themselves; those that follow may be, too.
  if (before != nullptr && is_at_minimum(*before) && !before->calibration.by_folds && !options.calibrate) return {};
  const bool by_folds = before != nullptr && before->calibration.fitted() &&
                        (before->calibration.by_folds || (held_out == 0 && !options.calibrate));
  if (by_folds && !options.calibrate) {
    if (before->ledger.stopped == Stopped::interrupted) return before->calibration;
    if (options.read.on_note) {
      options.read.on_note(
          {"the model's calibration was fitted by folds and does not hold after training on more "
           "rows: it is dropped",
           "train a new model on all rows to calibrate it"});
    }
    return {};
  }
  if (held_out == 0) {
    throw Error(ErrorKind::usage, option("calibrate") + " needs held-out rows, and " +
                                      (before != nullptr ? "the model has none" : "there are none"))
        .fix(before != nullptr ? "leave it out, or train a new model with " + option("holdout", "0.2")
                               : "add " + option("holdout", "0.2"));
  }
  Calibration to_be_fitted;
  to_be_fitted.method = method;
  return to_be_fitted;
}

}  // namespace

RowsOptions packed(const TrainOptions& options) {
  RowsOptions memory = options.memory;
  memory.packed = true;
  return memory;
}

Run::Run(const TrainOptions& given) : options(given), checkpoints(given) {
  check(options);
  ReadOptions read = options.read;
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  if (options.resume != nullptr) {
    read.schema = &options.resume->schema;
    read.labels.stop_at_late = false;  // the model's labels are final
    read.grow = true;
    read.row_normalised = options.resume->schema.row_normalised;
    read.single = options.resume->schema.single;
    read.labels.class_weights = options.resume->class_weights;
  } else {
    read.labels.scan_all = read.labels.scan_all || entry_of(options.composition.rule).several_classes;
  }
  model.calibration = calibration_of(options);
  reader.emplace(read);
  begin(reader->schema());
}

Run::Run(const TrainOptions& given, Schema schema) : options(given), checkpoints(given) {
  check(options);
  model.calibration = calibration_of(options);
  begin(options.resume != nullptr ? options.resume->schema : schema);
  // The caller gives rows new to the model: none is skipped.
  model.position.unfinished = 0;
  model.position.last_row.clear();
}

void Run::begin(const Schema& schema) {
  Calibration calibration = std::move(model.calibration);
  if (options.resume != nullptr) {
    model = *options.resume;
    if (goes_on_as_a_stream(model, options.until)) model.composition.order = OrderName::stream;
    if (is_at_minimum(model) && options.read.on_note) {
      options.read.on_note({"the model has the weights of a minimum, and goes on from there by the rule " +
                                std::string(name_of(model.composition.rule)),
                            "train on all rows for the minimum over them"});
    }
  } else {
    model.composition = options.composition;
    model.holdout = options.holdout;
    model.class_weights = options.read.labels.class_weights;
    if (options.spread) model.spread.emplace();
  }
  if (model.threshold && !options.threshold && options.read.on_note) {
    options.read.on_note({"the model's threshold was placed before these rows were learned: it is dropped",
                          "give " + option("threshold") + " again"});
  }
  model.threshold.reset();
  model.calibration = std::move(calibration);
  model.schema = schema;
  counts = RowCounts(model.class_weights, model.schema.labels);
  if (options.resume == nullptr) model.composition = fit_to_labels(model.composition, model.schema.labels);
  make();
  generator = Generator(model.composition.seed);
  if (options.resume != nullptr) {
    learner->restore(model.learner);
    generator.restore(model.position.generator);
    beginning = Beginning{learner->present(), model.learner, model.ledger, static_cast<double>(model.ledger.mistakes)};
  }
  model.provenance.version = kVersion;
  ledger = model.ledger;
  ledger.no_new_rows(new_rows_by_settings(model));
  reads_again = names_a_file_twice(options.read);
  if (reads_again) ledger.no_new_rows(NewRows::again);
  if (options.conformal && reads_again) {
    throw Error(ErrorKind::usage,
                option("conformal") + " needs rows that training does not use, and a file is named twice")
        .fix("name each file once");
  }
  if (options.conformal) model.conformal.emplace();
  if (options.sets) sets = IssuedSets{AdaptiveSets(*options.sets), {}};
  if (options.searched) ledger.no_new_rows(NewRows::searched);
  if (options.resume == nullptr) ledger.watch = options.watch;
  ledger.losses = sums_of_losses(options, model);
  checkpoints.begin(ledger);
}

void Run::make() {
  learner = make_learner(model.composition, std::max(2U, model.classes()), options.memory.memory);
  learner->observer = options.observer;
  if (options.sets) {
    learner->observer = [this](const RoundView& round) {
      issue_set(round);
      if (options.observer) options.observer(round);
    };
  }
  learner->on_ledger_row = options.on_ledger_row;
  if (options.record) learner->recorder = &recorder;
}

void Run::issue_set(const RoundView& round) {
  if (model.composition.order != OrderName::stream && ledger.passes > 0) return;
  // As scores of two classes: the margin is the truth's nonconformity with the other sign, and the other class's own.
  const std::span<const double> margin(&round.outcome.margin, 1);
  const double limit = sets->sets.threshold(), truth = nonconformity(margin, 1);
  const std::uint8_t set[] = {truth <= limit, nonconformity(margin, 0) <= limit};
  sets->counts.add(set, 0);
  sets->sets.add(truth);
}

void Run::tune_defaults(const Rows& rows) {
  if (!untuned()) return;
  model.composition = halfspace::tune_defaults(model.composition, rows);
  ledger.no_new_rows(NewRows::scaled);
  make();
}

void EvenSample::thin_out() {
  rows_.seal();
  Rows half(memory_);
  std::uint64_t at = 0;
  for (std::size_t b = 0; b < rows_.blocks(); ++b) {
    const Block block = rows_.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (at++ % 2 == 0) half.append(block, i);
    }
  }
  rows_ = std::move(half);
  distance_ *= 2;
}

ReadOptions Run::read_again() const {
  ReadOptions read = options.read;
  read.schema = &model.schema;
  read.labels.class_weights = model.class_weights;
  read.labels.stop_at_late = false;
  read.rejects.clear();
  read.on_reject = nullptr;
  read.on_note = nullptr;
  return read;
}

namespace {

// Fixes the defaults of tunable parameters: the model and its resumed runs use these values.
void keep_untuned(Run& run) {
  for (const ParameterUse& use : run.rule().parameters) {
    if (use.tuned == nullptr || !applies(use, run.model.composition) || run.model.composition.given(*use.parameter))
      continue;
    const std::string name(use.parameter->name);
    run.model.composition.set(*use.parameter, run.model.composition.value(*use.parameter));
    if (!run.options.read.on_note) continue;
    run.options.read.on_note({name + " is " + value_text(*use.parameter, run.model.composition.value(*use.parameter)) +
                                  ", not tuned to the rows: a pipe can be read only once",
                              "give " + option(name) + ", or save the data to a file"});
  }
}

}  // namespace

void tune_defaults_beforehand(Run& run) {
  if (!run.untuned()) return;
  // A log is what a service learned, row by row.
  if (!run.rewindable() || log::is_log(run.options.read.path)) return keep_untuned(run);
  Rows first;
  BlockBuffer counted;
  Reader(run.read_again()).read([&](const Block& whole) {
    const Block block = rows_that_count(whole, counted);
    for (std::size_t i = 0; i < block.rows && first.size() < tuning_rows; ++i) {
      if (!run.held_out(block.row[i])) first.append(block, i);
    }
    return first.size() < tuning_rows;
  });
  first.seal();
  run.tune_defaults(first);
}

void shuffle_sorted(Run& run) {
  if (run.options.resume != nullptr || run.options.watch || run.options.sets ||
      run.model.composition.order != OrderName::stream || !run.rewindable())
    return;
  constexpr std::uint64_t enough = 2000;
  Survey first({.rows = enough, .values = 0, .features = 0});
  try {
    BlockBuffer others, counted;
    Reader(run.read_again()).read([&](const Block& whole) {
      const Block block = rows_that_count(whole, counted);
      if (run.model.conformal) {  // held-out rows decide nothing
        others.clear();
        for (std::size_t i = 0; i < block.rows; ++i) {
          if (!run.held_out(block.row[i])) others.append(block, i);
        }
        first.add(others.finish());
      } else {
        first.add(block);
      }
      return first.rows() < enough;
    });
  } catch (const Error&) {
    return;  // the run meets the error as well, and reports where
  }
  const bool one_class = first.of_one_class() && first.rows() >= enough;
  std::string why = one_class                 ? "the first " + std::to_string(first.rows()) + " rows are of one class"
                    : first.sorted_by_class() ? "the rows are sorted by class, or nearly so"
                                              : std::string();
  if (why.empty() && run.model.conformal) return;
  if (why.empty()) {
    const std::optional<stream::ClassesByPosition> positions = stream::sample_classes(run.read_again());
    if (!positions || !positions->differ()) return;
    const auto [class_number, least, most] = positions->extremes();
    why = fmt::format("class {} is {:.0f} % of the rows in one part of the file, and {:.0f} % in another",
                      printable(run.model.schema.labels.names[class_number]), 100 * least, 100 * most);
  }
  run.model.composition.order = OrderName::shuffled;
  if (!run.options.read.on_note) return;
  run.options.read.on_note({why + ": rows are kept and shuffled", option("order", "stream") + " keeps their order"});
}

bool Run::held_out(std::uint64_t row) const { return training::held_out(row, model.holdout); }

Limits Run::limits() const {
  Limits limits;
  limits.updates = options.until.updates.value_or(UINT64_MAX);
  return limits;
}

Stopped Run::pressed() const {
  if (ledger.updates >= limits().updates) return options.until.by_default ? Stopped::budget : Stopped::updates;
  if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) return Stopped::interrupted;
  if (options.until.seconds && seconds_since(began) >= *options.until.seconds) return Stopped::time;
  return Stopped::running;
}

bool Run::read(const std::function<bool(const Block&)>& consume) {
  const auto begin = Clock::now();
  const double learned_before = learning;
  bool waited_in_vain = false, counts_any = options.resume != nullptr, any = false, ended = true;
  try {
    reader->read([&](const Block& block) {
      for (std::size_t i = 0; i < block.rows && !counts_any; ++i) {
        if (held_out(block.row[i])) continue;
        any = true;
        counts_any = block.weight == nullptr || block.weight[i] > 0;
      }
      ended = take(block, consume);
      return ended;
    });
  } catch (const Interrupted&) {
    waited_in_vain = true;
  }
  if (ended && !waited_in_vain && any && !counts_any) refuse_no_weight(options.read.path);
  reading += seconds_since(begin) - (learning - learned_before);
  note_source(reader->schema(), reader->report());
  return !waited_in_vain;
}

bool Run::take(const Block& block, const std::function<bool(const Block&)>& consume) {
  if (!checked_first_block && options.resume == nullptr) survey_first_rows(block, schema_of_source(), options.read);
  checked_first_block = true;
  check_width(block);
  return consume(block);
}

void Run::note_source(const Schema& schema, const ReadReport& found) {
  std::vector<std::int16_t> exponents = std::move(model.schema.exponents);
  model.schema = schema;
  model.schema.exponents = std::move(exponents);
  report = found;
  std::vector<std::string>& seen = model.provenance.fingerprints;
  const bool again = std::find(seen.begin(), seen.end(), report.fingerprint) != seen.end();
  if (again && model.composition.order == OrderName::stream) {
    ledger.no_new_rows(NewRows::again);
    reads_again = true;
  }
  if (!report.fingerprint.empty() && (seen.empty() || seen.back() != report.fingerprint))
    seen.push_back(report.fingerprint);
}

// In bytes; below this, memory is neither checked nor reported.
constexpr std::uint64_t memory_worth_telling = std::uint64_t{1} << 28;

std::uint64_t Run::memory_for(std::uint64_t features) const {
  const StateShape shape = learner->state_shape();
  if (shape.support_vectors) return 0;
  const std::uint64_t weights = features * std::uint64_t{model.classes() > 2 ? model.classes() : 1};
  // Counts the learner's weights, the result's, what a model stores of both, and one copy to evaluate; a keeper has as
  // many of its own. Moments are in the learner, in its saved state and in the model; a matrix exists twice while it
  // grows. Loss sums are in the ledger, the model and what is computed from it.
  const std::uint64_t numbers = 5 + (model.composition.keep == KeepName::last ? 0 : 4) + (ledger.losses ? 3 : 0);
  const double moments = (shape.matrix ? 6.0 : 3.0) * static_cast<double>(shape.moments(features));
  return static_cast<std::uint64_t>(sizeof(double) * (static_cast<double>(weights * numbers) + moments));
}

namespace {

// Features are numbered in the file, or come from the texts of columns: then the widest column has too many.
std::string fix_of_width(const Schema& schema) {
  if (schema.hashed.bits > 1)
    return option("hash", std::to_string(schema.hashed.bits - 1)) + " takes half, and more names share a feature";
  const stream::FormatEntry& format = stream::entry_of(schema.format);
  const auto widest =
      std::max_element(schema.columns.begin(), schema.columns.end(),
                       [](const Column& a, const Column& b) { return a.features.size() < b.features.size(); });
  if (format.counts_features || widest == schema.columns.end() || widest->features.empty())
    return "number the features from 1 without gaps, or check for a wrong number";
  const std::string count = std::to_string(widest->features.size());
  if (format.columns == stream::ColumnsAre::namespaces || widest->name.empty())
    return "the names of " + (widest->name.empty() ? std::string("features") : stream::quote(widest->name)) + " are " +
           count + ": are they names, or numbers in names?";
  return option("drop", widest->name) + " leaves out the column with the most values, " + count;
}

}  // namespace

void Run::check_width(const Block& block) {
  const std::uint64_t weights = block.features * std::uint64_t{model.classes() > 2 ? model.classes() : 1};
  if (weights <= width) return;
  width = weights;
  const std::uint64_t needed = memory_for(block.features);
  if (needed < memory_worth_telling) return;
  const std::uint64_t there = available_memory();
  const std::string found = std::to_string(block.features) + " features: the learner takes about " +
                            std::to_string(needed >> 20) + " MiB for them, and " + std::to_string(there >> 20) +
                            " MiB are available";
  if (needed <= there) {
    if (options.read.on_note && needed >= 2 * memory_reported) {
      options.read.on_note({found, learner->state_shape().matrix
                                       ? option("rule", "arow-diagonal") + " keeps one number a feature"
                                       : fix_of_width(schema_of_source())});
      memory_reported = needed;
    }
    return;
  }
  throw Error(ErrorKind::data, "row " + std::to_string(stream::widest_row(block)) + " makes it " + found)
      .at(options.read.path)
      .fix(model.classes() > 2 ? "each feature has a weight for each of " + std::to_string(model.classes()) +
                                     " classes: is the label a class, or a quantity?"
                               : fix_of_width(schema_of_source()));
}

void Run::add_to_spread(const Block& block, std::size_t rows) {
  for (std::size_t i = 0; model.spread && i < rows; ++i)
    if (!model.spread->add(block, i, counts.of(block, i))) model.spread.reset();
}

std::size_t Run::play(const Block& block) {
  const auto begin = Clock::now();
  const std::size_t played = learner->play(block, 0, limits(), ledger);
  learning += seconds_since(begin);
  return played;
}

std::string row_digest(const Block& block, std::size_t i) {
  XXH64_hash_t hash = 0;
  block.with_example(i, [&](const auto& x) {
    std::vector<double> values(x.size, 1.0);
    if constexpr (!std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
      values.assign(x.value, x.value + x.size);
    }
    hash = XXH3_64bits_withSeed(x.index, x.size * sizeof(std::uint32_t), static_cast<XXH64_hash_t>(x.label));
    hash = XXH3_64bits_withSeed(values.data(), values.size() * sizeof(double), hash);
  });
  std::string digits(16, '0');
  for (std::size_t k = 0; k < 16; ++k) digits[k] = "0123456789abcdef"[(hash >> (60 - 4 * k)) & 15];
  return digits;
}

}  // namespace halfspace::training
