// Observes a run of training, and reports it.
#include "report/results/train_record.h"

#include <utility>

#include "report/results/choice_text.h"
#include "report/results/figures.h"
#include "report/results/train_notes.h"

namespace halfspace::report {

TrainRecord::TrainRecord(TrainRecordOptions wanted) : wanted_(std::move(wanted)) {
  if (wanted_.notes) survey_ = survey_of_run();
  if (wanted_.plane) plane_.emplace(*wanted_.plane);
}

void TrainRecord::observe(TrainOptions& options) {
  options.record = wanted_.figures;
  if (options.standard_columns) plane_.reset();  // its rounds are of other axes
  if (survey_ || plane_) {
    options.on_rows = [this, next = std::move(options.on_rows)](const Block& block) {
      if (survey_) survey_->add(block);
      if (plane_) plane_->rows(block);
      if (next) next(block);
    };
  }
  if (!plane_) return;
  options.observer = [this, next = std::move(options.observer)](const RoundView& round) {
    plane_->round(round);
    if (next) next(round);
  };
}

void TrainRecord::train(const TrainSettings& settings, const Model* resume, TrainSteps steps) {
  searched_ = !settings.search.empty();
  validated_ = settings.folds || searched_;
  steps.prepare = [this, prepare = std::move(steps.prepare)](TrainOptions& options) {
    if (prepare) prepare(options);
    observe(options);
  };
  run_ = train_run(settings, resume, steps);
}

bool TrainRecord::learned_nothing() const {
  const Ledger& ledger = run_.result.model.ledger;
  return ledger.stopped == Stopped::interrupted && !run_.result.minimum &&
         ledger.rounds == (run_.options.resume == nullptr ? 0 : run_.options.resume->ledger.rounds);
}

void TrainRecord::draw() {
  if (plane_) drawn_ = plane_->picture(run_.result, run_.options.resume, wanted_.choice);
}

std::vector<ReadNote> TrainRecord::notes() const {
  if (!survey_) return {};
  return train_notes(*survey_, run_.options, run_.result, !run_.plan.empty() && run_.choice);
}

void TrainRecord::add_scores(Json& j) const {
  if (validated_ && run_.choice) add_choice(j, *run_.choice, searched_);
}

Json TrainRecord::result_json() const {
  Json j = train_result(run_.result);
  add_scores(j);
  return j;
}

Json TrainRecord::json(const Json& more, const TextStyle& style) const {
  Json j = train_result(run_.result);
  if (run_.result.recording) j["figures"] = train_figures(run_.result, wanted_.bounds_over_time);
  add_scores(j);
  if (!run_.plan.empty()) add_plan(j, run_.plan, run_.choice, style);
  if (!more.is_null()) j.update(more);
  if (!drawn_.is_null()) j["plane"] = drawn_;
  if (survey_) j["notes"] = report::notes(notes(), style);
  return j;
}

std::string TrainRecord::choice_text(const TextStyle& style) const {
  return validated_ && run_.choice ? report::choice_text(*run_.choice, searched_, style) : "";
}

std::string TrainRecord::text(LedgerNotes notes, const TextStyle& style) const {
  notes.label = label_words(run_.options, run_.result.model.schema);
  notes.chosen = run_.plan;
  return ledger_text(run_.result, notes, style);
}

}  // namespace halfspace::report
