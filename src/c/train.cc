// Training, at once and block by block.
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/read_once.h"
#include "c/handles.h"
#include "c/progress.h"
#include "report/results/train_record.h"
#include "train/run/share_done.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

// One pass in the order of the rows. No row is kept: a trainer has no report at its end.
TrainOptions stream_options(TrainSettings settings, const Model* before) {
  if (settings.data.paths.empty()) settings.data.paths = {"<memory>"};  // which is not read: rows are given
  TrainOptions options = train_options(settings, before);
  options.composition.order = OrderName::stream;
  options.shuffle_sorted = false;
  options.stream_memory = 0;
  options.resume = before;
  return options;
}

std::string name_of_feature(const Trainer& trainer, std::uint32_t feature) {
  const std::vector<std::string> names = trainer.model().schema.feature_names();
  return "feature " + (feature < names.size() ? "'" + names[feature] + "'" : std::to_string(feature));
}

report::TrainRecordOptions record_options(const halfspace_watch* watch) {
  const int32_t figures = watch == nullptr ? HALFSPACE_NO_FIGURES : watch->figures;
  const bool all = figures == HALFSPACE_ALL_FIGURES;
  report::TrainRecordOptions wanted{.figures = figures != HALFSPACE_NO_FIGURES, .bounds_over_time = all};
  if (all) wanted.plane.emplace();
  wanted.notes = all || (watch != nullptr && watch->on_note != nullptr);
  return wanted;
}

// Reports how far a run is.
class TrainProgress {
 public:
  explicit TrainProgress(const halfspace_watch* watch) : progress_(watch) {}

  TrainSteps steps() {
    if (!progress_.wanted()) return {};
    TrainSteps steps;
    steps.begin = [this](TrainOptions& options) {
      options.read.progress = [this](std::uint64_t done, std::uint64_t total) { read_ = share_of(done, total); };
      options.on_progress = [this](const Ledger& ledger) { progress_.report(training_now(share(ledger), ledger)); };
    };
    steps.validate = [this](std::size_t candidates) {
      if (candidates == 0) progress_.report({"comparing learners"});
    };
    steps.prepare = [this](TrainOptions& options) {
      order_ = options.composition.order;
      until_ = options.until;
    };
    return steps;
  }
  void finish(const Ledger& ledger) {
    progress_.finish(training_now(ledger.stopped == Stopped::interrupted ? share(ledger) : 1, ledger));
  }

 private:
  std::optional<double> share(const Ledger& ledger) const { return share_done(order_, until_, ledger, read_); }

  Progress progress_;
  OrderName order_ = OrderName::stream;
  Until until_;
  std::optional<double> read_;
};

// Returns the schema of named columns of which there are none yet.
Schema schema_of(const halfspace_labels* labels) {
  static constexpr double value = 0;
  static constexpr std::int32_t first = 0;
  halfspace_labels one_row = checked(labels, "labels");
  one_row.classes = &first;
  one_row.weights = nullptr;
  Schema schema = ArrayRows({.values = &value, .rows = 1, .columns = 1}, labels_of(&one_row), {{"x"}, "y"}).schema();
  schema.columns.clear();
  schema.features = 0;
  return schema;
}

}  // namespace

extern "C" {

halfspace_stop* halfspace_stop_new(halfspace_error* error) {
  return made(error, [] { return new halfspace_stop; });
}

void halfspace_stop_free(halfspace_stop* stop) { delete stop; }

void halfspace_stop_set(halfspace_stop* stop) {
  if (stop != nullptr) stop->set.store(true, std::memory_order_relaxed);
}

int halfspace_train(const halfspace_settings* settings, const halfspace_rows* rows, const halfspace_model* resume,
                    const halfspace_watch* watch, halfspace_model** model, halfspace_result** result,
                    halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_model*& trained = checked(model, "model");
    TrainSettings own = settings_of<TrainSettings>(settings, "train");
    attend(own.data.read, rows, watch);
    own.interrupt = own.data.read.interrupt;
    const Model* const before = resume == nullptr ? nullptr : &resume->model;
    std::set<std::string> noted;
    if (const auto pass_on = own.data.read.on_note) {
      // Folds and later passes repeat notes. Only the first note on the label is passed on, whatever its text.
      own.data.read.on_note = [&noted, pass_on](const ReadNote& note) {
        if (noted.insert(note.on_label ? std::string() : note.text).second) pass_on(note);
      };
    }
    TrainProgress progress(watch);
    const auto run = rerun_at_late_label(
        own.data,
        [&] {
          auto record = std::make_unique<report::TrainRecord>(record_options(watch));
          record->train(own, before, progress.steps());
          return record;
        },
        [](const LateLabel&) {});
    progress.finish(run->run().result.model.ledger);
    run->draw();
    if (own.data.read.on_note) {
      for (const ReadNote& note : run->notes()) own.data.read.on_note(note);
    }
    std::unique_ptr<halfspace_result> made;
    if (result != nullptr) {
      made = std::make_unique<halfspace_result>();
      made->json = run_json("train");
      made->json.update(run->json());
      made->text = run->choice_text() + run->text();
    }
    trained = new halfspace_model{std::move(run->run().result.model)};
    if (result != nullptr) *result = made.release();
  });
}

halfspace_trainer* halfspace_trainer_new(const halfspace_settings* settings, const halfspace_rows* rows,
                                         const halfspace_model* resume, halfspace_error* error) {
  return made(error, [&] {
    TrainSettings own = settings_of<TrainSettings>(settings, "train");
    if (rows != nullptr) own.data.read = rows->read(std::move(own.data.read));
    auto trainer = std::make_unique<halfspace_trainer>();
    if (resume != nullptr) {
      trainer->before = resume->model;
      trainer->logarithms = stream::Logarithms(resume->model.schema, true);
    }
    const Model* const before = trainer->before ? &*trainer->before : nullptr;
    if (before == nullptr) checked(rows, "rows");
    TrainOptions options = stream_options(std::move(own), before);
    Schema schema;
    if (before == nullptr) schema = Reader(options.read).schema();
    options.read.rows = nullptr;
    options.read.table_text = nullptr;
    trainer->trainer.emplace(std::move(options), std::move(schema));
    return trainer.release();
  });
}

halfspace_trainer* halfspace_trainer_new_named(const halfspace_settings* settings, const halfspace_labels* labels,
                                               halfspace_error* error) {
  return made(error, [&] {
    const TrainSettings& own = settings_of<TrainSettings>(settings, "train");
    auto trainer = std::make_unique<halfspace_trainer>();
    trainer->trainer.emplace(stream_options(own, nullptr), schema_of(labels));
    return trainer.release();
  });
}

void halfspace_trainer_free(halfspace_trainer* trainer) { delete trainer; }

int halfspace_trainer_add_feature(halfspace_trainer* trainer, const char* name, uint32_t* feature,
                                  halfspace_error* error) {
  return guarded(error, [&] {
    const std::uint32_t added = checked(trainer, "trainer").trainer->add_feature(&checked(name, "name"));
    if (feature != nullptr) *feature = added;
  });
}

int halfspace_trainer_learn(halfspace_trainer* trainer, const halfspace_rows* rows, halfspace_error* error) {
  return guarded(error, [&] {
    Trainer& own = *checked(trainer, "trainer").trainer;
    std::visit([&](const auto& given) { own.learn(given); }, checked(rows, "rows").rows);
  });
}

int halfspace_trainer_learn_row(halfspace_trainer* trainer, size_t count, const uint32_t* features,
                                const double* values, int32_t class_number, double weight, halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_trainer& own = checked(trainer, "trainer");
    own.row.clear();
    if (count != 0) {
      checked(features, "features");
      checked(values, "values");
    }
    for (std::size_t k = 0, least = 0; k < count; ++k) {
      const std::uint32_t feature = read_once(features[k]);
      const double value = read_once(values[k]);
      if (feature < least)
        throw Error(ErrorKind::usage, "the features of a row are not in ascending order").fix("sort them");
      least = std::size_t{feature} + 1;
      if (!std::isfinite(value))
        throw Error(ErrorKind::data, "the value of " + name_of_feature(*own.trainer, feature) + " is not finite")
            .fix("leave the feature out where it is not known");
      if (!own.logarithms.gives(feature)) own.row.add(feature, value);
    }
    own.logarithms.add_to_row(own.row);
    if (!is_weight(weight))
      throw Error(ErrorKind::data, "the weight of a row is not a number from 0 to 1e100").fix("1 is the usual weight");
    own.row.end_row(class_number, 0, weight);
    Block block = own.row.finish();
    block.row = nullptr;
    own.trainer->learn(block);
  });
}

halfspace_model* halfspace_trainer_model(const halfspace_trainer* trainer, halfspace_error* error) {
  return made(error, [&] { return new halfspace_model{checked(trainer, "trainer").trainer->model()}; });
}

}  // extern "C"
