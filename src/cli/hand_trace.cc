// Prints rounds as a table.
#include "cli/hand_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "report/results/plane_record.h"

namespace halfspace::cli {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::usage, "--trace text " + why).fix("--trace FILE writes every round as JSON Lines");
}

}  // namespace

void HandTrace::round(const RoundView& view) {
  if (++seen_ > most_rounds) return;
  if (view.learner.expansion()) refuse("shows weights, and a kernel's learner has none");
  const ClassWeightVector w = view.learner.present();
  if (w.classes > 1) refuse("shows one vector of weights, and this learner has one for each class");
  const ClassWeightVector kept = view.learner.result();
  const auto bias = [](const ClassWeightVector& of) { return of.bias.empty() ? 0 : of.bias[0]; };
  Round one{view.round,          view.row, {}, w.w, kept.w, bias(w), bias(kept), view.outcome.score, view.label == 1,
            view.outcome.updated};
  for (std::size_t i = 0; i < view.values.size(); ++i) {
    const std::size_t index = view.values.index[i];
    if (index >= most_features)
      refuse(fmt::format("shows at most {} features, and row {} has number {}", most_features, view.row, index + 1));
    one.x.resize(std::max(one.x.size(), index + 1));
    one.x[index] = view.values[i];
  }
  rounds_.push_back(std::move(one));
}

// A vector votes once for each round that ended with it; the vote includes this round's.
std::int64_t HandTrace::vote(std::size_t of, const Composition& composition) const {
  const std::vector<double>& x = rounds_[of].x;
  std::int64_t votes = 0;
  for (std::size_t s = 0; s <= of; ++s) {
    double score = rounds_[s].bias * composition.bias.scale;
    for (std::size_t j = 0; j < std::min(x.size(), rounds_[s].w.size()); ++j) score += rounds_[s].w[j] * x[j];
    votes += (composition.tie == Tie::negative ? score > 0 : score >= 0) ? 1 : -1;
  }
  return votes;
}

std::string HandTrace::text(const TrainResult& result) const {
  const std::vector<std::string> names = result.model.schema.feature_names();
  const std::size_t features = std::min<std::size_t>(names.size(), most_features);
  const bool bias = result.model.composition.bias.position != Bias::none;
  const KeepName keep = result.model.composition.keep;
  const bool keeps = report::keeps_weights_of_its_own(result.model.composition);
  const bool votes = keep == KeepName::vote && !rounds_.empty() && rounds_.front().round == 1;
  constexpr int digits = 6;
  Table table(std::vector<bool>(6 + (keeps ? 3 : 2) * features + (bias ? keeps ? 2 : 1 : 0) + (votes ? 1 : 0), false));
  std::vector<std::string> head{"round", "row"};
  for (std::size_t j = 0; j < features; ++j) head.push_back(shortened(names[j], 12));
  for (const char* name : {"y", "score", "update"}) head.emplace_back(name);
  for (std::size_t j = 0; j < features; ++j) head.push_back("w " + shortened(names[j], 10));
  if (bias) head.emplace_back("w bias");
  if (keeps) {
    const std::string name(name_of(keep));
    for (std::size_t j = 0; j < features; ++j) head.push_back(name + " " + shortened(names[j], 10));
    if (bias) head.push_back(name + " bias");
  }
  if (votes) head.emplace_back("vote");
  for (std::string& name : head) name = dim(name);
  table.add(head);
  for (std::size_t t = 0; t < rounds_.size(); ++t) {
    const Round& one = rounds_[t];
    std::vector<std::string> cells{grouped(one.round), grouped(one.row)};
    const auto add = [&](const std::vector<double>& values) {
      for (std::size_t j = 0; j < features; ++j)
        cells.push_back(short_number(j < values.size() ? values[j] : 0, digits));
    };
    add(one.x);
    cells.emplace_back(one.positive ? "+1" : "-1");
    cells.push_back(short_number(one.score, digits));
    cells.emplace_back(one.updated ? "*" : "");
    add(one.w);
    if (bias) cells.push_back(short_number(one.bias, digits));
    if (keeps) add(one.kept);
    if (keeps && bias) cells.push_back(short_number(one.kept_bias, digits));
    if (votes) cells.push_back(fmt::format("{:+}", vote(t, result.model.composition)));
    table.add(cells);
  }
  std::string text = table.text();
  if (seen_ > rounds_.size()) {
    text += fmt::format("  the first {} of {} rounds; --trace FILE writes all, as JSON Lines\n",
                        grouped(rounds_.size()), grouped(seen_));
  }
  return text + "\n";
}

}  // namespace halfspace::cli
