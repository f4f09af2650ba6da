// Training: reader -> (held out | trained on | kept) -> ledger -> model, evaluation and bound.
#include "halfspace/train/train.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "train/run/kept_run.h"
#include "train/run/second_reading.h"
#include "train/run/split.h"
#include "train/run/stream_run.h"
#include "train/run/verdict.h"

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

void balance_classes(TrainOptions& options) {
  LabelOptions& labels = options.read.labels;
  if (!labels.balanced) return;
  const std::string flag = option("class-weight", "balanced");
  if (options.resume != nullptr)
    throw Error(ErrorKind::usage, option("resume") + " keeps the model's class weights").fix("leave out " + flag);
  if (options.read.rows == nullptr && options.read.table_text == nullptr &&
      !training::can_be_read_again(options.read)) {
    throw Error(ErrorKind::usage, flag + " reads the data twice, and a pipe can be read only once")
        .fix("save the data to a file first, or give " + option("class-weight", "NAME=W"));
  }
  labels.balanced = false;
  ReadOptions read = options.read;
  read.rejects.clear();
  read.on_reject = nullptr;
  read.on_note = nullptr;
  read.progress = nullptr;
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  Reader reader(read);
  std::vector<double> count;
  double rows = 0;
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.row != nullptr && training::held_out(block.row[i], options.holdout)) continue;
      const auto label = static_cast<std::size_t>(block.label[i]);
      if (label >= count.size()) count.resize(label + 1, 0);
      const double weight = block.weight == nullptr ? 1 : block.weight[i];
      count[label] += weight;
      rows += weight;
    }
    return options.interrupt == nullptr || !options.interrupt->load(std::memory_order_relaxed);
  });
  const std::vector<std::string> names = reader.schema().labels.names;
  const auto present = std::count_if(count.begin(), count.end(), [](double of_class) { return of_class > 0; });
  for (std::size_t k = 0; k < count.size() && k < names.size(); ++k) {
    if (count[k] == 0) continue;
    labels.class_weights.emplace_back(names[k], rows / (static_cast<double>(present) * count[k]));
  }
}

TrainResult train(const TrainOptions& options) {
  if (options.read.labels.balanced) {
    TrainOptions balanced = options;
    balance_classes(balanced);
    return train(balanced);
  }
  training::Run run(options);
  training::KeptRows kept(options);
  if (options.shuffle_sorted) shuffle_sorted(run);
  if (run.model.composition.order == OrderName::stream) {
    training::StreamRun(run, kept).play();
  } else {
    training::KeptRun(run, kept).play();
  }
  run.learner->finish();
  return training::Verdict(run, kept).conclude();
}

}  // namespace halfspace
