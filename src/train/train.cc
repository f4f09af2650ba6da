// Training, whole: reader -> (held out | played | kept) -> ledger -> model, evaluation and bound.
#include "halfspace/train/train.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "train/split.h"

namespace halfspace {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A row's digest: its label, indices and values. Tells whether data gone on with are the data that were broken off.
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

class Training {
 public:
  explicit Training(const TrainOptions& options)
      : options_(options), rows_(kept(options)), held_(kept(options)), began_(Clock::now()) {
    if (!(options.holdout >= 0 && options.holdout < 1)) {
      throw Error(ErrorKind::usage, "--holdout must be a share of at least 0 and below 1")
          .fix("such as --holdout 0.2, for one row in five");
    }
    const OrderName order = options.composition.order;
    if (options.watch && order != OrderName::stream && order != OrderName::cyclic) {
      throw Error(ErrorKind::usage,
                  "--window, --decay and --drift watch the rows in the order of the file, and --order " +
                      std::string(name_of(order)) + " plays them in another")
          .fix("use --order stream or cyclic");
    }
  }

  TrainResult run() {
    open();
    if (model_.composition.order == OrderName::stream) {
      play_stream();
    } else {
      play_kept();
    }
    learner_->finish();
    conclude();
    return std::move(result_);
  }

 private:
  // Reader, schema, composition, learner, ledger: new, or those of the model to go on with.
  void open() {
    ReadOptions read = options_.read;
    if (options_.resume != nullptr) {
      model_ = *options_.resume;
      model_.calibration = {};  // of weights that are no more
      read.schema = &options_.resume->schema;
      read.grow = true;
      read.row_normalised = model_.schema.row_normalised;
      read.single = model_.schema.single;
      read.class_weights = model_.class_weights;
    } else {
      model_.composition = options_.composition;
      model_.holdout = options_.holdout;
      model_.class_weights = read.class_weights;
      read.all_labels = read.all_labels || options_.composition.rule == RuleName::multiclass;
    }
    reader_.emplace(read);
    model_.schema = reader_->schema();
    if (options_.resume == nullptr) model_.composition = fit_to_labels(model_.composition, model_.schema.labels);
    const std::uint32_t classes = std::max(2U, model_.classes());
    learner_ = make_learner(model_.composition, classes, options_.memory.memory);
    learner_->observer = options_.observer;
    learner_->on_ledger_row = options_.on_ledger_row;
    if (options_.record) learner_->recorder = &recorder_;
    generator_ = Generator(model_.composition.seed);
    if (options_.resume != nullptr) {
      learner_->restore(model_.learner);
      generator_.restore(model_.position.generator);
      before_ = model_.ledger;
      allowed_before_ = static_cast<double>(before_.mistakes);
      start_ = learner_->present();
      start_state_ = model_.learner;
      resumed_ = true;
      seen_ = model_.schema.features;
    }
    model_.provenance.version = kVersion;
    ledger_ = model_.ledger;
    if (options_.resume == nullptr) ledger_.watch = options_.watch;
  }

  static RowsOptions kept(const TrainOptions& options) {
    RowsOptions memory = options.memory;
    memory.packed = true;
    return memory;
  }

  bool held_out(std::uint64_t row) const { return game::held_out(row, model_.holdout); }

  Limits limits() const {
    Limits limits;
    limits.updates = options_.until.updates.value_or(UINT64_MAX);
    return limits;
  }

  // Why to stop now, if at all; looked at between blocks.
  Stopped pressed() const {
    if (ledger().updates >= limits().updates) return Stopped::updates;
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      return Stopped::interrupted;
    }
    if (options_.until.seconds && since(began_) >= *options_.until.seconds) return Stopped::time;
    return Stopped::running;
  }

  // ---- one pass, as the rows come ----

  void play_stream() {
    const std::uint64_t skip = model_.position.unfinished;  // these were taken before the run broke off
    const std::uint64_t offset = model_.position.rows - skip;
    std::uint64_t last = skip;  // number of the last row taken
    Stopped stopped = Stopped::end;
    learner_->moved = &moved_;
    if (ledger().pass.empty()) ledger().pass.emplace_back();
    BlockBuffer learned, held;
    read([&](const Block& whole) {
      if (stopped != Stopped::end) return false;
      std::size_t from = 0;
      while (from < whole.rows && whole.row[from] <= skip) {
        if (whole.row[from] == skip) check_last_row(whole, from);
        ++from;
      }
      if (from == whole.rows) return true;
      Block block = whole;
      if (model_.holdout > 0 || from > 0) {
        learned.clear();
        held.clear();
        for (std::size_t i = from; i < whole.rows; ++i) {
          (held_out(offset + whole.row[i]) ? held : learned).append(whole, i);
        }
        block = learned.finish();
      }
      if (options_.on_rows) options_.on_rows(block);
      const std::size_t played = play(block, 0);
      const bool cut = played < block.rows;
      last = cut ? block.row[played - 1] : whole.row[whole.rows - 1];
      if (model_.holdout > 0) {
        const Block kept = held.finish();
        for (std::size_t i = 0; i < kept.rows && kept.row[i] <= last; ++i) held_.append(kept, i);
      }
      Stopped why = pressed();
      if (options_.on_progress) options_.on_progress(ledger());
      if (why == Stopped::running) {
        seen_ = std::max(seen_, whole.features);
        return true;
      }
      stopped = why;
      model_.position.last_row = cut ? row_digest(block, played - 1) : row_digest(whole, whole.rows - 1);
      for (std::size_t i = 0; i < whole.rows && whole.row[i] <= last; ++i) see(whole, i);
      return false;
    });
    if (last < skip) missing_rows(skip);
    model_.position.rows = offset + last;
    model_.position.unfinished = stopped == Stopped::end ? 0 : last;
    if (stopped == Stopped::end) {
      model_.position.last_row.clear();
      // Rejected rows at the very end count as taken.
      model_.position.rows = offset + std::max(last, reader_->report().rows + reader_->report().rejected);
      ++ledger().passes;
    }
    // Rows behind the last one taken were read already; what only they have is not part of the model.
    if (stopped != Stopped::end) model_.schema.trim(seen_);
    ledger().stopped = stopped;
    rows_.seal();
  }

  void see(const Block& block, std::size_t i) {
    for (std::uint64_t k = block.offset[i]; k < block.offset[i + 1]; ++k) seen_ = std::max(seen_, block.index[k] + 1);
  }

  // Plays a block and keeps what the verdict at the end will need.
  std::size_t play(const Block& block, std::size_t from) {
    const auto begin = Clock::now();
    moved_.clear();
    const std::size_t played = learner_->play(block, from, limits(), ledger());
    result_.learned_rows += played;
    keep(block, from, played);
    learning_ += since(begin);
    return played;
  }

  void keep(const Block& block, std::size_t from, std::size_t played) {
    if (whole_) {
      for (const std::uint32_t i : moved_) moved_rows_.push_back(rows_.size() + i - from);
      if (played == block.rows) {
        rows_.append(block);
      } else {
        for (std::size_t i = from; i < from + played; ++i) rows_.append(block, i);
      }
      if (rows_.bytes() > options_.stream_memory) only_moved();
    } else if (!unbounded_) {
      for (const std::uint32_t i : moved_) rows_.append(block, i);
      if (rows_.bytes() > std::min(options_.stream_memory, options_.memory.memory)) close_segment();
    }
  }

  // Even the rows that moved the weights have grown too many to be kept: the mistakes so far get their bound, and the
  // next ones one that starts from the present weights. The sum covers the run.
  void close_segment() {
    if (model_.composition.rule == RuleName::kernel) {  // there is no bound that starts from support vectors
      unbounded_ = true;
      return;
    }
    rows_.seal();
    model_.ledger = ledger();
    model_.weights = learner_->handed_out();
    model_.learner = learner_->save();
    const std::optional<MistakeBound> so_far = bound();
    unbounded_ = !so_far;
    allowed_before_ = so_far ? so_far->value : 0;
    before_ = ledger();
    start_ = learner_->present();
    start_state_ = model_.learner;
    resumed_ = true;
    rows_ = moved_rows();
  }

  // In memory always: a segment ends before there is too much of it. Rows that come one by one are not packed.
  Rows moved_rows() const { return Rows(RowsOptions{UINT64_MAX, options_.memory.folder}); }

  // The stream has grown too long to be kept: from now on only the rows that moved the weights.
  void only_moved() {
    rows_.seal();
    Rows moved = moved_rows();
    UnpackBuffer room;
    auto next = moved_rows_.begin();  // ascending
    for (std::size_t b = 0; b < rows_.blocks(); ++b) {
      const Block block = rows_.block(b).plain(room);
      for (; next != moved_rows_.end() && *next / Rows::block_rows == b; ++next) {
        moved.append(block, *next % Rows::block_rows);
      }
    }
    rows_ = std::move(moved);
    moved_rows_ = {};
    whole_ = false;
  }

  void check_last_row(const Block& block, std::size_t i) {
    if (row_digest(block, i) == model_.position.last_row) return;
    throw Error(ErrorKind::data, "row " + std::to_string(block.row[i]) +
                                     " differs from the row at which this model's run was broken off")
        .at(options_.read.path)
        .fix("give the same data as before, or train a new model");
  }

  [[noreturn]] void missing_rows(std::uint64_t skip) {
    throw Error(ErrorKind::data,
                "the data end before row " + std::to_string(skip) + ", at which this model's run was broken off")
        .at(options_.read.path)
        .fix("give the same data as before, or train a new model");
  }

  // ---- several passes, over kept rows ----

  void play_kept() {
    const bool overlap = model_.composition.order == OrderName::cyclic && !resumed_ && !options_.normalize_columns;
    Stopped stopped = Stopped::running;
    if (ledger().pass.empty()) ledger().pass.emplace_back();
    rows_.borrow(reader_->mapping());
    BlockBuffer learned;
    bool complete = true;
    read([&](const Block& whole) {
      Block block = whole;
      if (model_.holdout > 0) {
        learned.clear();
        for (std::size_t i = 0; i < whole.rows; ++i) {
          if (held_out(whole.row[i])) {
            held_.append(whole, i);
          } else {
            learned.append(whole, i);
          }
        }
        block = learned.finish();
      }
      rows_.append(block);
      result_.learned_rows += block.rows;
      if (options_.on_rows && !options_.normalize_columns) options_.on_rows(block);
      if (overlap && stopped == Stopped::running) {
        const auto begin = Clock::now();
        learner_->play(block, 0, limits(), ledger());
        learning_ += since(begin);
        stopped = pressed();
        if (options_.on_progress) options_.on_progress(ledger());
      } else if (stopped == Stopped::running) {
        stopped = pressed() == Stopped::interrupted ? Stopped::interrupted : Stopped::running;
      }
      // Out of time: the rest of the data is not needed to say so. Out of updates: it is, to judge the result.
      complete = stopped != Stopped::interrupted && stopped != Stopped::time;
      return complete;
    });
    rows_.seal();
    if (options_.normalize_columns && !resumed_) scale_columns();
    if (options_.on_rows && options_.normalize_columns) {
      UnpackBuffer room;
      for (std::size_t b = 0; b < rows_.blocks(); ++b) options_.on_rows(rows_.block(b).plain(room));
    }
    same_source(complete);
    // Orders that jump about need all weights at once; walking in file order they grow row by row, as they did before a
    // run was broken off.
    if (model_.composition.order != OrderName::cyclic) learner_->grow(rows_.features());
    model_.position.rows = reader_->report().rows + reader_->report().rejected;
    if (stopped != Stopped::running && stopped != Stopped::updates) {
      ledger().stopped = stopped;
      visits_complete_ = complete;
    } else {
      Game game;
      game.order = model_.composition.order;
      game.until = options_.until;
      game.began = began_;
      game.interrupt = options_.interrupt;
      game.on_pause = options_.on_progress;
      const bool count = game.order != OrderName::cyclic;
      const auto begin = Clock::now();
      halfspace::play(*learner_, rows_, game, generator_, ledger(), &generator_, &model_.position.order,
                      count ? &visits_ : nullptr);
      learning_ += since(begin);
    }
  }

  // A run over kept rows that goes on must go on over the same rows.
  void same_source(bool complete) {
    const std::string now = complete ? reader_->report().fingerprint : "";
    if (resumed_ && complete && !model_.position.source.empty() && model_.position.source != now) {
      throw Error(ErrorKind::data, "these are not the data this model was trained on (text digest " + now +
                                       ", the model's " + model_.position.source + ")")
          .at(options_.read.path)
          .fix(
              "give the same data to go on with passes over them, or use --order stream from the start to learn from "
              "new rows");
    }
    if (complete) model_.position.source = now;
  }

  void scale_columns() {
    model_.schema.exponents = game::column_exponents(rows_);
    rows_ = game::scaled(rows_, model_.schema.exponents, kept(options_));
    held_.seal();
    held_ = game::scaled(held_, model_.schema.exponents, kept(options_));
  }

  // One pass of the reader, with the time it kept us waiting.
  void read(const std::function<bool(const Block&)>& consume) {
    const auto begin = Clock::now();
    const double learned_before = learning_;
    reader_->read(consume);
    reading_ += since(begin) - (learning_ - learned_before);
    model_.schema = [&] {
      Schema schema = reader_->schema();
      schema.exponents = model_.schema.exponents;
      return schema;
    }();
    result_.report = reader_->report();
    if (!result_.report.fingerprint.empty()) {
      std::vector<std::string>& seen = model_.provenance.fingerprints;
      if (seen.empty() || seen.back() != result_.report.fingerprint) seen.push_back(result_.report.fingerprint);
    }
  }

  // ---- the end: evaluation, bound, model ----

  void conclude() {
    held_.seal();
    model_.weights = learner_->handed_out();
    model_.learner = learner_->save();
    model_.position.generator = generator_.state();
    model_.ledger = ledger();
    std::vector<std::int32_t> predicted;
    if (model_.composition.rule == RuleName::kernel) {
      function_ = expansion_of(model_);
      evaluated_ = evaluate_margins(rows_, *function_, model_.composition.tie, &predicted);
    }
    double squares = function_ ? evaluated_->evaluation.squared_norm : 0;
    for (const double value : model_.weights.w) squares += value * value;
    if (model_.composition.bias.place != Bias::none) {
      for (const double value : model_.weights.bias) squares += value * value;
    }
    result_.weight_norm = std::sqrt(squares);
    if (whole_ && visits_complete_ && rows_.size() > 0) {
      if (model_.composition.keep == KeepName::vote) {
        result_.training_errors = predict_errors(rows_, nullptr);
      } else {
        if (!function_) {
          evaluated_ = evaluate_margins(rows_, model_.weights, model_.composition.bias, model_.composition.tie,
                                        options_.record ? &predicted : nullptr);
        }
        if (options_.record)
          recorder_.recording.training =
              record_rows(rows_, *evaluated_, predicted, std::max(2U, model_.classes()), false);
        result_.evaluation = evaluated_->evaluation;
        result_.training_errors = evaluated_->evaluation.errors;
      }
    }
    if (visits_complete_ && rows_.size() > 0 && !unbounded_) result_.bound = bound();
    ceiling();
    if (model_.holdout > 0) {
      result_.holdout.emplace();
      result_.holdout->rows = held_.size();
      classes_ = std::max(2U, model_.classes());
      result_.holdout->confusion.assign(std::size_t{classes_} * classes_, 0);
      result_.holdout->errors = predict_errors(held_, &result_.holdout->confusion);
    }
    if (options_.record) finish_recording();
    if (options_.calibrate != CalibrationMethod::none) calibrate_on_held_out();
    result_.seconds = {since(began_), reading_, learning_};
    result_.model = std::move(model_);
  }

  void finish_recording() {
    recorder_.finish(*learner_, model_.ledger);
    const Composition& c = model_.composition;
    const bool biased = c.bias.place != Bias::none;
    if (model_.holdout > 0 && held_.size() > 0 && c.keep != KeepName::vote) {
      std::vector<std::int32_t> predicted;
      const EvaluatedMargins judged = function_ ? evaluate_margins(held_, *function_, c.tie, &predicted)
                                                : evaluate_margins(held_, model_.weights, c.bias, c.tie, &predicted);
      recorder_.recording.holdout = record_rows(held_, judged, predicted, classes_, true);
    }
    // The comparator of Novikoff's theorem separates the rows played: from zero weights, every step goes its way.
    if (result_.bound && result_.bound->theorem.starts_with("novikoff") && !function_ && !c.start.small && !resumed_) {
      const bool last = result_.bound->comparator == "last";
      recorder_.project(last ? learner_->present() : model_.weights, biased, result_.bound->comparator,
                        result_.bound->margin);
    }
    for (WeightMoment& moment : recorder_.recording.weights) moment.weights = {};
    result_.recording = std::move(recorder_.recording);
  }

  void calibrate_on_held_out() {
    Predictor predictor(model_);
    std::vector<std::int32_t> classes, labels;
    std::vector<double> some, scores;
    std::uint32_t vectors = 1;
    for (std::size_t b = 0; b < held_.blocks(); ++b) {
      const Block block = held_.block(b);
      vectors = predictor.score_all(block, classes, some);
      scores.insert(scores.end(), some.begin(), some.end());
      labels.insert(labels.end(), block.label, block.label + block.rows);
      held_.release(b);
    }
    model_.calibration = calibrate(options_.calibrate, vectors, scores, labels, model_.schema.labels.names);
  }

  std::uint64_t predict_errors(const Rows& rows, std::vector<std::uint64_t>* confusion) const {
    Predictor predictor(model_);
    std::vector<std::int32_t> classes;
    std::vector<double> scores;
    std::uint64_t errors = 0;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const Block block = rows.block(b);
      predictor.predict(block, classes, scores);
      for (std::size_t i = 0; i < block.rows; ++i) {
        errors += classes[i] != block.label[i];
        if (confusion != nullptr) {
          ++(*confusion)[static_cast<std::size_t>(block.label[i]) * classes_ + static_cast<std::size_t>(classes[i])];
        }
      }
      rows.release(b);
    }
    return errors;
  }

  std::optional<MistakeBound> bound() const {
    const Composition& c = model_.composition;
    RunForBound run;
    run.composition = &c;
    run.ledger = &model_.ledger;
    run.dimension = model_.schema.features + (c.bias.place == Bias::none ? 0 : 1);
    run.rows = &rows_;
    run.whole = whole_;
    run.state = &model_.learner;
    std::vector<bool> stepped;
    if (c.order == OrderName::stream && whole_) {
      stepped.resize(rows_.size());
      for (const std::uint64_t i : moved_rows_) stepped[i] = true;
      run.steps = [&](std::uint64_t i) { return stepped[i] ? 1.0 : 0.0; };
    }
    run.only_mistakes = c.order == OrderName::first_mistake || c.order == OrderName::random_mistake;
    const std::uint64_t partial = model_.ledger.pass.back().rounds;
    const std::uint64_t n = rows_.size();
    const std::uint64_t finished = model_.ledger.passes;
    const bool broken_off = model_.ledger.pass.size() > finished;
    // Rounds over the same rows that came before a resumption are known for cyclic runs alone.
    const bool all_known = c.order == OrderName::cyclic;
    if (c.order == OrderName::stream) {
      run.visits = [](std::uint64_t) { return 1.0; };
    } else if (all_known) {
      run.visits = [=](std::uint64_t i) {
        return static_cast<double>(finished) + (broken_off && partial <= n && i < partial ? 1.0 : 0.0);
      };
    } else {
      run.visits = [this](std::uint64_t i) { return i < visits_.size() ? static_cast<double>(visits_[i]) : 0.0; };
    }
    ClassWeightVector small;
    if (function_) {
      if (resumed_ && !all_known) return std::nullopt;
      run.forgotten = forgotten_in(model_.learner.kernel);
      const double amounts = model_.ledger.update_steps + run.forgotten.amounts;  // no coefficients ever came to more
      run.score_error = kernel_score_error(rows_, *function_, amounts * (1 + 0x1p-20));
      return bound_of_run(run, {{std::string(name_of(c.keep)), {}, &*evaluated_}});
    }
    if (resumed_ && !all_known) {
      run.start = &start_;
      run.start_state = &start_state_;
      run.before = before_;
      run.allowed_before = allowed_before_;
      run.resumed = true;
    } else if (c.start.small) {
      small = learner_->present();
      for (std::size_t i = 0; i < small.w.size(); ++i) small.w[i] = c.start.weight(i);
      std::fill(small.bias.begin(), small.bias.end(), 0.0);
      run.start = &small;
    }
    if (c.rule == RuleName::minnow && model_.learner.numbers.size() == 8) {
      run.guess_radius = model_.learner.numbers[4];
      run.guess_restarts = static_cast<std::uint64_t>(model_.learner.numbers[7]);
    }
    std::vector<Comparator> comparators;
    if (c.keep != KeepName::vote) {
      comparators.push_back({std::string(name_of(c.keep)), model_.weights, evaluated_ ? &*evaluated_ : nullptr});
    }
    if (c.keep != KeepName::last) comparators.push_back({"last", learner_->present()});
    return bound_of_run(run, comparators);
  }

  // The free by-product of a perceptron run from 0: |w| / (sum of steps) bounds every margin on these rows.
  void ceiling() {
    const Composition& c = model_.composition;
    if (c.rule != RuleName::perceptron || c.start.small || model_.ledger.updates == 0) return;
    const ClassWeightVector w = learner_->present();
    double squares = 0;
    for (const double value : w.w) squares += value * value;
    if (c.bias.place != Bias::none) squares += w.bias[0] * w.bias[0];
    // <w, u> >= margin * the sum of the steps; both sums were rounded to nearest, once an update.
    const double slack = 1 + static_cast<double>(model_.ledger.updates + w.w.size() + 8) * 0x1p-52;
    result_.margin_ceiling = std::sqrt(squares) / model_.ledger.update_steps * slack;
  }

  const Ledger& ledger() const { return ledger_; }
  Ledger& ledger() { return ledger_; }

  const TrainOptions& options_;
  std::optional<Reader> reader_;
  std::unique_ptr<Learner> learner_;
  Generator generator_;
  Model model_;
  Ledger ledger_, before_;
  ClassWeightVector start_;    // of a resumed run
  LearnerState start_state_;   // the same, with all it remembers
  double allowed_before_ = 0;  // what bounds the mistakes made before start_
  bool unbounded_ = false;     // a segment of the run had no bound
  std::uint32_t seen_ = 0;     // features of the rows taken from a stream
  std::size_t classes_ = 2;    // rows and columns of the confusion table: a lone class still has its opposite
  bool resumed_ = false;
  Rows rows_, held_;
  bool whole_ = true;                      // rows_ holds all rows played, not only those that moved the weights
  bool visits_complete_ = true;            // how often each was played is known
  std::vector<std::uint32_t> moved_;       // positions in the block at hand
  std::vector<std::uint64_t> moved_rows_;  // positions in rows_, while whole_
  std::vector<std::uint32_t> visits_;
  Recorder recorder_;                          // used when the run is to be recorded
  std::optional<KernelExpansion> function_;    // handed out, by the kernel rule
  std::optional<EvaluatedMargins> evaluated_;  // of the handed-out weights on rows_
  TrainResult result_;
  Clock::time_point began_;
  double reading_ = 0, learning_ = 0;
};

}  // namespace

Composition fit_to_labels(Composition composition, const Labels& labels) {
  if (labels.names.size() <= 2) return composition;
  const auto becomes = [&](RuleName rule, ClassUpdate update) {
    if (composition.rule != rule) return;
    composition.rule = RuleName::multiclass;
    composition.class_update = update;
  };
  becomes(RuleName::perceptron, composition.class_update);
  becomes(RuleName::pa, ClassUpdate::pa);
  becomes(RuleName::pa1, ClassUpdate::pa1);
  becomes(RuleName::pa2, ClassUpdate::pa2);
  if (composition.rule != RuleName::multiclass) {
    throw Error(ErrorKind::usage, "the data have " + std::to_string(labels.names.size()) + " classes, and --rule " +
                                      std::string(name_of(composition.rule)) + " tells two apart")
        .fix("use --rule multiclass");
  }
  return composition;
}

TrainResult train(const TrainOptions& options) {
  return Training(options).run();
}

}  // namespace halfspace
