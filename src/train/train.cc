// Training, whole: reader -> (held out | played | kept) -> ledger -> model, evaluation and bound.
#include "halfspace/train/train.h"

#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "train/kept_run.h"
#include "train/stream_run.h"
#include "train/verdict.h"

namespace halfspace {

Composition fit_to_labels(Composition composition, const Labels& labels) {
  if (labels.names.size() <= 2) return composition;
  const RuleEntry& entry = entry_of(composition.rule);
  if (entry.several_classes) return composition;
  if (entry.for_several_classes == nullptr) {
    throw Error(ErrorKind::usage, "the data have " + std::to_string(labels.names.size()) + " classes, and " +
                                      option("rule", entry.name) + " tells two apart")
        .fix("use " + option("rule", "multiclass"));
  }
  return entry.for_several_classes(std::move(composition));
}

TrainResult train(const TrainOptions& options) {
  training::Run run(options);
  training::PlayedRows played(options);
  if (run.model.composition.order == OrderName::stream) {
    training::StreamRun(run, played).play();
  } else {
    training::KeptRun(run, played).play();
  }
  run.learner->finish();
  return training::Verdict(run, played).conclude();
}

}  // namespace halfspace
