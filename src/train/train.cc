// Training: reader -> (held out | trained on | kept) -> ledger -> model, evaluation and bound.
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
  if (labels.names.size() <= 2) {
    composition.several_classes = SeveralClasses::own;
    return composition;
  }
  const RuleEntry& entry = entry_of(composition.rule);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage,
                "the data have " + std::to_string(labels.names.size()) + " classes, and " + what + " handles two")
        .fix("use " + option("rule", "multiclass"));
  };
  SeveralClasses& how = composition.several_classes;
  if (entry.several_classes) {
    if (how == SeveralClasses::own) return composition;
    throw Error(ErrorKind::usage, option("multiclass", name_of(how)) + " needs a two-class rule, and " +
                                      option("rule", entry.name) + " is multiclass")
        .fix("leave it out, or use another rule");
  }
  if (how == SeveralClasses::own && entry.for_several_classes != nullptr)
    return entry.for_several_classes(std::move(composition));
  if (entry.support_vectors) refuse(option("rule", entry.name));
  if (composition.keep == KeepName::vote || composition.keep == KeepName::pocket)
    refuse(option("rule", entry.name) + " with " + option("keep", name_of(composition.keep)));
  if (how == SeveralClasses::own) how = SeveralClasses::one_against_rest;
  if (learners_of(how, static_cast<std::uint32_t>(labels.names.size())) > most_learners) {
    throw Error(ErrorKind::usage, option("multiclass", name_of(how)) + " with " + std::to_string(labels.names.size()) +
                                      " classes needs more than " + std::to_string(most_learners) + " learners")
        .fix("use " + option("multiclass", "one-against-rest"));
  }
  return composition;
}

bool goes_on_as_a_stream(const Model& before, const Until& until) {
  const Stopped stopped = before.ledger.stopped;
  const bool ended = stopped == Stopped::end || stopped == Stopped::passes || stopped == Stopped::clean;
  return ended && before.position.unfinished == 0 && until.clean == Clean::no && !until.passes && !until.updates &&
         !until.seconds;
}

TrainResult train(const TrainOptions& options) {
  training::Run run(options);
  training::KeptRows kept(options);
  if (options.shuffle_sorted) run.shuffle_sorted();
  if (run.model.composition.order == OrderName::stream) {
    training::StreamRun(run, kept).play();
  } else {
    training::KeptRun(run, kept).play();
  }
  run.learner->finish();
  return training::Verdict(run, kept).conclude();
}

}  // namespace halfspace
