// A run of training and its report, for the command and the C interface: TrainSettings in, JSON and text out.
//
//   TrainRecord record({.figures = true});
//   record.train(settings, nullptr, {});
//   record.draw();
//   const Json json = record.json();   // what --json prints, without its first keys
//
// Thread-safety: one thread. Stays where it is while a run observes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halfspace/stream/survey.h"
#include "halfspace/train/settings.h"
#include "report/results/json.h"
#include "report/results/ledger_text.h"
#include "report/results/plane_record.h"

namespace halfspace::report {

// What to record beside the ledger.
struct TrainRecordOptions {
  bool figures = false;                // the curves of a page
  bool bounds_over_time = true;        // of these, the bounds on new rows at each moment
  std::optional<PlaneLimits> plane{};  // the rows and the weights, for their picture
  PlaneChoice choice{};
  bool notes = true;  // a survey of the rows
};

class TrainRecord {
 public:
  explicit TrainRecord(TrainRecordOptions wanted = {});
  TrainRecord(const TrainRecord&) = delete;
  TrainRecord& operator=(const TrainRecord&) = delete;

  // Trains as train_run() does, once.
  void train(const TrainSettings& settings, const Model* resume, TrainSteps steps);
  // Returns whether the run was interrupted before its first round.
  bool learned_nothing() const;
  // Draws the plane, if it was recorded. Throws Error(usage) if there are no such features.
  void draw();

  TrainRun& run() noexcept { return run_; }
  const TrainRun& run() const noexcept { return run_; }
  std::vector<ReadNote> notes() const;
  // Returns the result, and the scores of the folds or the search.
  Json result_json() const;
  // Returns the keys of the run after `command` and `version`. `more`: keys that go before the plane.
  Json json(const Json& more = {}, const TextStyle& style = {}) const;
  // Returns the scores of the folds or the search, if the settings asked for one, and the ledger.
  std::string choice_text(const TextStyle& style = {}) const;
  std::string text(LedgerNotes notes = {}, const TextStyle& style = {}) const;

 private:
  void observe(TrainOptions& options);
  void add_scores(Json& j) const;

  TrainRecordOptions wanted_;
  std::optional<Survey> survey_;
  std::optional<PlaneRecord> plane_;
  Json drawn_;
  TrainRun run_;
  bool validated_ = false, searched_ = false;
};

}  // namespace halfspace::report
