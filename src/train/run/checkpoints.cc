// Builds the model of a run in progress.
#include "train/run/checkpoints.h"

#include <utility>

#include "train/run/run.h"

namespace halfspace::training {

bool Checkpoints::due(const Ledger& ledger) {
  largest_ = std::max(largest_, ledger.rounds - std::exchange(looked_at_, ledger.rounds));
  const std::uint64_t since = ledger.rounds - rounds_;
  if (!options_.on_checkpoint || since == 0) return false;
  const Checkpoint& every = options_.checkpoint;
  return (every.rounds && (since >= *every.rounds || largest_ > *every.rounds - since)) ||
         (every.seconds && seconds_since(time_) >= *every.seconds);
}

Model model_so_far(const Run& run, Schema schema, Position position) {
  Model model = run.model;
  model.schema = std::move(schema);
  const auto learner = make_learner(model.composition, std::max(2U, model.classes()), run.options.memory.memory);
  learner->restore(run.learner->save());
  learner->finish();
  model.weights = learner->result();
  model.learner = learner->save();
  model.ledger = run.ledger;
  model.position = std::move(position);
  model.position.generator = run.generator.state();
  if (model.conformal)
    model.conformal = conformal_scores(std::vector<std::vector<double>>(std::max(2U, model.classes())));
  return model;
}

void Checkpoints::emit(const Run& run, Schema schema, Position position) {
  Model model = model_so_far(run, std::move(schema), std::move(position));
  model.ledger.stopped = Stopped::interrupted;
  options_.on_checkpoint(model);
  rounds_ = run.ledger.rounds;
  time_ = Clock::now();
}

}  // namespace halfspace::training
