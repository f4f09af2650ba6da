// A model written out by hand, so that no learner has a part in it: the stored file has these values.

#include <gtest/gtest.h>

#include "halfspace/model/model_file.h"
#include "witness/stored.h"

namespace halfspace::testing {
namespace {

Model fixed() {
  Model model;
  model.schema.format = DataFormat::csv;
  model.schema.features = 2;
  model.schema.columns = {{"é", Column::Kind::categorical, Column::no_feature, 1, {"x"}, {0}}};
  model.schema.labels.names = {"no", "yes"};
  model.schema.exponents = {-1};
  model.composition.keep = KeepName::vote;
  model.composition.set(parameter::rate, 0.5);
  model.composition.seed = 0x0123456789abcdef;
  model.holdout = 0.125;
  model.class_weights = {{"yes", 2}};
  model.weights = {1, {1.5, -0.0}, {-0.5}};
  model.learner.finished = 3;
  model.learner.weights = model.weights;
  model.learner.votes = {1, 3, {{0.5, 0, {}, false, 2}}, {0}, {3}};
  Ledger& ledger = model.ledger;
  ledger.rounds = 3;
  ledger.mistakes = ledger.updates = 1;
  ledger.stopped = Stopped::end;
  ledger.pass = {{3, 1, 1, 0.25, 1, 3}};
  ledger.class_weight = {1, 2};
  ledger.first_pass_rounds = 3;
  ledger.previous_label = 1;
  ledger.last_update_round = 2;
  ledger.next_row = 4;
  ledger.new_rows = NewRows::weighted;
  model.position = {4, 0, "r", "s", {1, 2, 3, 4}, {{5, 6, 7, 8}}};
  model.provenance = {"0.1.0", {"f"}};
  model.calibration = {CalibrationMethod::platt, 2, {{-1.5, 0.25}}, {}};
  Watch& watch = ledger.watch.emplace();
  watch.window = Window(2);
  watch.faded = Faded{0.5, 0.25, 1.75};
  watch.adwin = Adwin{0.25, 3, 0, {{0, 1, 0}}};
  watch.alarms = 1;
  watch.latest_alarms = {{2, 3, 0.125, 0.5}};
  model.threshold = -0.25;
  model.conformal.emplace().of_class = {{1, {-2}}, {0, {}}};
  model.spread = FeatureSpread{.rows = 3, .weight = 4, .features = {{-1, 2, 0.5, 0.25}}};
  return model;
}

TEST(Witness, AModelHasTheValuesThatWereWritten) {
  if (writes()) store("fixed.model", encode(fixed()));
  EXPECT_EQ(encode(fixed()), bytes_in("fixed.model"));
  EXPECT_TRUE(load_model(path_of("fixed.model")) == fixed());
}

}  // namespace
}  // namespace halfspace::testing
