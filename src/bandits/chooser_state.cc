// The state of a chooser as bytes, described once for both directions.
//
// state = version:u8 choices:u64 rewards:u64 reward:f64 actions:f64 always-exp4:u8 losses action-losses
//         value*(policies + 2) next-round later-rounds model*2     little endian; docs/formats/log.md
#include <vector>

#include "bandits/reward_model.h"
#include "bandits/scored_models.h"
#include "base/fields/archive.h"
#include "base/fields/checks.h"
#include "base/fields/sparse_array.h"
#include "halfspace/bandits/chooser.h"

namespace halfspace {
namespace {

constexpr std::uint8_t chooser_version = 1;

struct NumberChecks {
  fields::Anything anything;
  fields::Finite finite;
  fields::NotNegative not_negative;
  decltype(fields::positive) positive = fields::positive;
  decltype(fields::sum_of_positives) sum_of_positives = fields::sum_of_positives;
};

template <class Archive>
void describe_rewards(Archive& archive, LearnerState& state) {
  archive.value("rows", state.finished, fields::anything);
  const auto features = archive.implied("features", std::uint64_t{state.weights.w.size()}, fields::anything);
  fields::describe_sparse_array(archive, "weights", state.weights.w, features, fields::finite);
  archive.numbers("numbers", state.numbers, fields::anything, fields::finite);
  const auto moments = archive.implied("moments", std::uint64_t{state.moments.size()}, fields::anything);
  fields::describe_sparse_array(archive, "moments", state.moments, moments, fields::finite);
}

template <class Archive>
void describe_model(Archive& archive, RewardModel* model) {
  bool present = model != nullptr;
  archive.flag("model", present);
  if (present != (model != nullptr)) archive.refuse("other policies were valued");
  if (!present) return;
  LearnerState state = model->save();
  describe_rewards(archive, state);
  if constexpr (Archive::reads) model->restore(state);
}

}  // namespace

template <class Self, class Archive>
void Chooser::fields(Self& self, Archive& archive) {
  archive.file = "chooser";
  archive.implied("version", chooser_version, [](std::uint8_t stored) {
    return stored == chooser_version ? std::string() : std::to_string(stored) + " is unknown";
  });
  archive.value("choices", self.choices_, fields::anything);
  archive.value("rewards", self.rewards_, fields::anything);
  archive.value("reward", self.reward_, fields::not_negative);
  archive.value("actions", self.actions_, fields::not_negative);
  archive.flag("always exp4", self.always_exp4_);
  archive.numbers("losses", self.losses_, fields::exactly(self.policies_.size(), "the policies"), fields::not_negative);
  ActionLosses::fields(self.action_losses_, archive, NumberChecks{});
  OrderedValues::fields(self.values_, archive, NumberChecks{});
  for (const Models::Scored* const scored : {&self.models_->plain, &self.models_->varied})
    archive.group("rewards", [&] { describe_model(archive, scored->model.get()); });
}

std::vector<std::uint8_t> Chooser::save() const {
  fields::Writer writer;
  fields(*this, writer);
  return std::move(writer.bytes());
}

void Chooser::restore(std::span<const std::uint8_t> bytes) {
  fields::Reader reader(bytes, 0);
  fields(*this, reader);
  if (reader.at() != bytes.size()) reader.refuse("more bytes follow");
}

}  // namespace halfspace
