// What a mixed run tells of itself.
#include "mixing/result_json.h"

#include <cmath>

#include "halfspace/detail/rules/rule_name.h"
#include "report/results/json.h"

namespace halfspace::mixing {

Json result_json(const ShardPlan& plan, const MixState& state, const Model& model,
                 const std::vector<ShardMargins>& margins, const std::optional<MixBound>& bound) {
  const Ledger& ledger = state.ledger;
  Json j;
  j["shards"] = plan.shards;
  j["epochs"] = state.epoch;
  j["mixing"] = name_of(state.mixing);
  j["rule"] = name_of(model.composition.rule);
  j["features"] = model.schema.features;
  j["rounds"] = ledger.rounds;
  j["mistakes"] = ledger.mistakes;
  j["errors"] = report::sum_of_weights(ledger.errors());
  j["weight"] = report::sum_of_weights(ledger.weight());
  j["updates"] = ledger.updates;
  j["rejected"] = state.rejected;
  Json& epochs = j["ledger"] = Json::array();
  for (const std::vector<ShardRecord>& records : state.records) {
    Json shards = Json::array();
    for (const ShardRecord& record : records)
      shards.push_back({{"rounds", record.rounds},
                        {"mistakes", record.mistakes},
                        {"updates", record.updates},
                        {"errors", report::sum_of_weights(record.errors)},
                        {"weight", report::sum_of_weights(record.weight)}});
    epochs.push_back(shards);
  }
  std::uint64_t rows = 0, errors = 0;
  bool whole = !margins.empty();
  for (const ShardMargins& of_shard : margins) {
    rows += of_shard.rows;
    errors += of_shard.errors;
    whole = whole && !of_shard.of_updates;
  }
  j["training"] = nullptr;
  if (whole) j["training"] = {{"rows", rows}, {"errors", errors}};
  j["bound"] = nullptr;
  if (bound) {
    j["bound"] = {
        {"value", std::floor(bound->value)},       {"theorem", bound->theorem}, {"weighted_mistakes", bound->weighted},
        {"weighted_bound", bound->weighted_bound}, {"margin", bound->margin},   {"radius", bound->radius}};
  }
  return j;
}

}  // namespace halfspace::mixing
