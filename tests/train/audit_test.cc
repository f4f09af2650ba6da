// Audits: every kind of model is trained again to the bit, and what was changed is named.
#include "halfspace/train/audit.h"

#include <fmt/format.h>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

std::string rows_of(std::size_t count, std::uint32_t classes, std::uint64_t seed) {
  Generator draws(seed);
  std::string text = "a,b,kind,y\n";
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::uint32_t>(draws.next() * classes);
    text +=
        fmt::format("{:.4g},{:.4g},{},k{}\n", gaussian(draws) + k, gaussian(draws), draws.next() < 0.5 ? "u" : "v", k);
  }
  return text;
}

TrainSettings settings_of(const std::string& path, const std::vector<std::pair<std::string, std::string>>& options) {
  TrainSettings settings;
  settings.data.paths = {path};
  std::vector<Option> all = options_of(settings);
  all.push_back(search_option(settings.search));
  for (const auto& [name, value] : options) set_option(all, name, value);
  return settings;
}

using Options = std::vector<std::pair<std::string, std::string>>;

TEST(Audit, EveryKindOfModelIsTrainedAgain) {
  const TemporaryFolder folder;
  for (const std::uint32_t classes : {2U, 3U}) {
    const std::string path = folder.write("d.csv", rows_of(200, classes, classes));
    for (const Options& options : {Options{},
                                   {{"passes", "3"}},
                                   {{"rule", "arow"}},
                                   {{"preset", "averaged"}, {"passes", "4"}, {"seed", "7"}},
                                   {{"preset", "pocket"}, {"updates", "40"}},
                                   {{"preset", "voted"}, {"passes", "2"}},
                                   {{"objective", "logistic"}},
                                   {{"objective", "svm"}, {"C", "2"}},
                                   {{"rule", "pa1"}, {"folds", "4"}, {"calibrate", "platt"}},
                                   {{"rule", "pa1"}, {"search", "aggressiveness=0.1,1"}, {"folds", "3"}},
                                   {{"normalize", "column"}},
                                   {{"rule", "kernel"}, {"passes", "1"}},
                                   {{"holdout", "0.2"}, {"conformal", "true"}},
                                   {{"class-weight", "balanced"}, {"rule", "perceptron"}, {"passes", "2"}},
                                   {{"hash", "6"}, {"rule", "nag"}}}) {
      SCOPED_TRACE(options.empty() ? "no options" : options[0].first + " " + options[0].second);
      if (classes > 2 && !options.empty() && options[0].second == "kernel") continue;  // of two classes
      const TrainSettings settings = settings_of(path, options);
      const AuditResult result = audit(train(settings).model, settings);
      EXPECT_TRUE(result.equal()) << (result.equal() ? "" : result.differences[0].what);
    }
  }
}

// The first of what differs.
std::string first_difference(const Model& model, const TrainSettings& settings) {
  const AuditResult result = audit(model, settings);
  return result.equal() ? "" : result.differences[0].what;
}

TEST(Audit, NamesWhatWasChanged) {
  const TemporaryFolder folder;
  const std::string text = rows_of(200, 2, 5);
  const std::string path = folder.write("d.csv", text);
  const TrainSettings settings = settings_of(path, {{"rule", "perceptron"}, {"passes", "3"}, {"order", "shuffled"}});
  const Model model = train(settings).model;
  std::string other = text;
  other[other.find('\n') + 1] = other[other.find('\n') + 1] == '1' ? '2' : '1';
  EXPECT_EQ(
      first_difference(model, settings_of(folder.write("e.csv", other), {{"rule", "perceptron"}, {"passes", "3"}})),
      "text of the data");
  Model changed = model;
  changed.weights.w[1] = std::nextafter(changed.weights.w[1], 100.0);
  EXPECT_EQ(first_difference(changed, settings), "weight of b");
  changed = model;
  changed.weights.bias[0] += 1;
  EXPECT_EQ(first_difference(changed, settings), "bias");
  changed = model;
  changed.provenance.version = "0.0.9";
  EXPECT_EQ(first_difference(changed, settings), "version of Halfspace");
  changed = model;
  changed.threshold = 0.25;
  EXPECT_EQ(first_difference(changed, settings), "threshold");
  const auto with = [&](const std::string& name, const std::string& value) {
    return settings_of(path, {{"rule", "perceptron"}, {"passes", "3"}, {"order", "shuffled"}, {name, value}});
  };
  EXPECT_EQ(first_difference(model, with("seed", "2")), "seed");
  EXPECT_EQ(first_difference(model, with("tie", "negative")), "parameters of the rule, bias or tie");
  EXPECT_EQ(first_difference(model, with("drop", "kind")), "number of features");
  EXPECT_EQ(first_difference(model, settings_of(path, {{"rule", "arow"}})), "rule");
}

TEST(Audit, WhatNoSettingsRepeatIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("d.csv", rows_of(50, 2, 6));
  const TrainSettings settings = settings_of(path, {{"rule", "perceptron"}});
  const Model model = train(settings).model;
  for (const auto& change : std::vector<std::function<void(Model&)>>{
           [](Model& m) { m.ledger.stopped = Stopped::time; },
           [](Model& m) { m.ledger.stopped = Stopped::interrupted; },
           [](Model& m) { m.provenance.fingerprints.clear(); },
           [](Model& m) { m.ledger.watch.emplace(); },
       }) {
    Model other = model;
    change(other);
    EXPECT_THROW(audit(other, settings), Error);
  }
  EXPECT_THROW(audit(model, settings_of(path, {{"rule", "perceptron"}, {"seconds", "9"}})), Error);
}

}  // namespace
}  // namespace halfspace
