// Models come back from their bytes as they were, and give the same bytes again.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "halfspace/base/error.h"
#include "halfspace/detail/train/prediction_sets.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/rule_entry.h"
#include "model/fields.h"
#include "model/format.h"
#include "model/models.h"
#include "support/temporary_folder.h"

namespace halfspace::testing {
namespace {

TEST(RoundTrip, EveryCompositionComesBackAsItWas) {
  for (const Composition& composition : every_composition()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(described(composition));
      const Model model = rich(composition, seed);
      const auto bytes = encode(model);
      EXPECT_EQ(bytes, encode(model));
      const Model back = decode(bytes, "m");
      EXPECT_TRUE(back == model);
      EXPECT_EQ(encode(back), bytes);
    }
  }
}

TEST(RoundTrip, AFreshLearnerComesBackAsItWas) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    const Model model = played(composition, 1, 0);
    EXPECT_TRUE(decode(encode(model), "m") == model);
  }
}

TEST(RoundTrip, ErrorsOfTheirOwnAreKept) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    Model model = played(composition, 3);
    count_errors(model.ledger);
    model.ledger.stopped = Stopped::budget;
    if (composition.keep == KeepName::pocket) model.learner.kept_counts[2] = std::bit_cast<std::uint64_t>(1.5);
    const auto bytes = encode(model);
    const Model back = decode(bytes, "m");
    EXPECT_TRUE(back == model);
    EXPECT_EQ(encode(back), bytes);
  }
}

TEST(RoundTrip, TheSpreadOfFeaturesIsKept) {
  for (const Composition& composition : every_composition()) {
    SCOPED_TRACE(described(composition));
    Model model = rich(composition, 2);
    model.spread = FeatureSpread{.rows = 3, .weight = 4, .features = {{-1, 2}}};
    const auto bytes = encode(model);
    EXPECT_TRUE(decode(bytes, "m") == model);
    model.spread->features.resize(model.schema.features + 1);
    EXPECT_THROW(encode(model), Error);
  }
}

TEST(RoundTrip, ASignOfZeroIsKept) {
  Composition composition;
  composition.keep = KeepName::average;
  Model model = played(composition, 1);
  model.weights.w[0] = -0.0;
  model.learner.weights = model.weights;
  model.learner.weights.w[0] = 0.0;  // equal, and not the same
  const Model back = decode(encode(model), "m");
  EXPECT_TRUE(std::signbit(back.weights.w[0]));
  EXPECT_FALSE(std::signbit(back.learner.weights.w[0]));
}

TEST(RoundTrip, AThresholdIsKept) {
  for (const bool sets : {false, true}) {
    Model model = rich({}, 2);
    if (sets) {
      model.holdout = 0.25;
      model.conformal = conformal_scores({{-1, 2}, {-3}});
    }
    for (const double score : {-1.5, 0.0, -0.0, 1e-300}) {
      model.threshold = score;
      const auto bytes = encode(model);
      const Model back = decode(bytes, "m");
      EXPECT_TRUE(back == model);
      EXPECT_EQ(std::signbit(*back.threshold), std::signbit(score));
      EXPECT_EQ(encode(back), bytes);
    }
  }
}

TEST(RoundTrip, WeightsThatOccurTwiceAreStoredOnce) {
  constexpr std::uint32_t features = 47236;
  for (const KeepName keep : {KeepName::last, KeepName::pocket}) {
    Composition composition;
    composition.keep = keep;
    const auto learner = make_learner(composition, 2);
    learner->grow(features);
    Generator draws(1);
    BlockBuffer buffer = random_rows(draws, 1, 2);
    Ledger ledger;
    learner->play(buffer.finish(), 0, {}, ledger);
    learner->finish();
    Model model;
    model.composition = composition;
    model.schema.labels.names = {"-1", "+1"};
    take(model, *learner, ledger);
    ASSERT_EQ(model.weights.w.size(), features);
    // A pocket after one mistake still holds the start weights, and the learner's are others.
    const std::size_t vectors = keep == KeepName::last ? 1 : 2;
    EXPECT_LT(encode(model).size(), vectors * features * sizeof(double) + 1000);
  }
}

TEST(RoundTrip, AModelThatWouldBeRefusedIsNotWritten) {
  const Model good = played({}, 1);
  const auto refused = [&](const char* field, auto&& change) {
    Model model = good;
    change(model);
    try {
      encode(model);
      ADD_FAILURE() << field;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_NE(error.message().find(std::string("'") + field + "'"), std::string::npos) << error.what();
    }
  };
  refused("weights.w.values[1]", [](Model& m) { m.weights.w[1] = std::numeric_limits<double>::infinity(); });
  refused("weights.features", [](Model& m) { m.schema.features = 1; });
  refused("ledger.pass", [](Model& m) { m.ledger.pass.clear(); });
  refused("schema.labels", [](Model& m) { m.schema.labels.names.clear(); });
  refused("weights", [](Model& m) { m.weights.bias.clear(); });
  refused("learner", [](Model& m) { m.learner.votes.counted = 1; });
  refused("composition", [](Model& m) { m.composition.set(parameter::radius, 1); });
  refused("composition", [](Model& m) { m.schema.labels.names.push_back("third"); });
  refused("threshold.score", [](Model& m) { m.threshold = std::numeric_limits<double>::infinity(); });
  refused("provenance.version", [](Model& m) { m.provenance.version = "\xff"; });
}

TEST(RoundTrip, FilesGiveTheModelBack) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a.model");
  Composition composition;
  composition.keep = KeepName::vote;
  const Model model = rich(composition, 4);
  save_model(model, path);
  EXPECT_TRUE(load_model(path) == model);
}

ErrorKind kind_of_loading(const std::string& path) {
  try {
    load_model(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.file(), path);
    EXPECT_FALSE(error.hint().empty());
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(RoundTrip, WhatIsNotThereIsNoInput) {
  EXPECT_EQ(kind_of_loading(::testing::TempDir() + "halfspace_no_such.model"), ErrorKind::no_input);
  EXPECT_EQ(kind_of_loading(::testing::TempDir()), ErrorKind::no_input);
  EXPECT_EQ(kind_of_loading("/dev/null"), ErrorKind::data);
  EXPECT_EQ(kind_of_loading("/dev/zero"), ErrorKind::data);  // refused by its first bytes, not read for ever
}

}  // namespace
}  // namespace halfspace::testing
