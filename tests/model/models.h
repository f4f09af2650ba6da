// Models to test with: every composition, made by playing a learner on small random data.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/game/learner.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"
#include "halfspace/train/model.h"
#include "support/every.h"

namespace halfspace::testing {

inline bool takes_ones_only(const Composition& c) { return takes_ones_only(c.rule); }

// Gives every parameter of the rule a value that is not its default.
inline void give_every_parameter(Composition& c) {
  for (const ParameterUse& use : entry_of(c.rule).parameters) {
    for (const double value : {0.25, 0.75, 1.25, 2.0, 3.0}) {
      if (!use.domain.holds(value) || use.fallback == value) continue;
      c.set(*use.parameter, value);
      break;
    }
  }
}

// One of each kind of learner: rule x keep, the ways of minnow, and the options that change what is stored.
inline std::vector<Composition> every_composition() {
  std::vector<Composition> all;
  const auto add = [&](Composition c) {
    for (const KeepName keep : every<KeepName>()) {
      c.keep = keep;
      if (!entry_of(c.rule).keeps(keep)) continue;
      all.push_back(c);
      if (entry_of(c.rule).several_classes || keep == KeepName::vote || keep == KeepName::pocket) continue;
      c.several_classes = all.size() % 2 == 0 ? SeveralClasses::one_against_rest : SeveralClasses::one_against_one;
      all.push_back(c);
      c.several_classes = SeveralClasses::own;
    }
  };
  for (const RuleName rule : every<RuleName>()) {
    if (rule == rule::kernel) continue;  // below, with its own options
    Composition c;
    c.rule = rule;
    add(c);
    const bool winnow = takes_ones_only(c);
    c.bias.position = winnow ? Bias::first : Bias::none;
    c.tie = Tie::positive;
    if (rule == rule::minnow) {
      c.set(parameter::rate, 0.25);
      c.set(parameter::both_signs, false);
    } else if (rule == rule::second_order || rule == rule::arow || rule == rule::arow_diagonal) {
      c.set(parameter::regularization, 0.25);
    } else if (rule == rule::alma) {
      c.set(parameter::alpha, 0.5);
    } else if (winnow) {
      c.set(parameter::alpha, 1.25);
    } else if (rule == rule::adagrad || rule == rule::projected || rule == rule::eg) {
      c.set(parameter::ball, 0.5);
    } else if (entry_of(rule).against_small_start().empty()) {
      c.start = {true, 7};
    } else {
      give_every_parameter(c);
    }
    if (rule == rule::multiclass) c.set(parameter::class_update, ClassUpdate::uniform);
    add(c);
    c.bias = {Bias::first, winnow ? 1.0 : 0.5};
    c.tie = Tie::negative;
    if (rule == rule::minnow) {
      c.parameters.erase("rate");
      c.set(parameter::relative_margin, 0.125);
      c.set(parameter::radius, 2);
      c.set(parameter::both_signs, true);
    }
    if (rule == rule::multiclass) c.set(parameter::class_update, ClassUpdate::pa1);
    if (winnow) c.set(parameter::theta, 3);
    if (rule == rule::projected || rule == rule::eg) c.set(parameter::rate, 0.25);
    add(c);
  }
  // Kernels: without a budget, and with each way of keeping to one.
  Composition kernel;
  kernel.rule = rule::kernel;
  kernel.set(parameter::gamma, 0.25);
  all.push_back(kernel);
  kernel.keep = KeepName::average;
  kernel.parameters = {};
  kernel.set(parameter::kernel, KernelName::linear);
  all.push_back(kernel);
  kernel.keep = KeepName::last;
  kernel.set(parameter::kernel, KernelName::polynomial);
  kernel.set(parameter::budget, 5);
  kernel.tie = Tie::positive;
  all.push_back(kernel);
  kernel.set(parameter::eviction, Eviction::forgetron);
  kernel.bias.position = Bias::none;
  kernel.tie = Tie::negative;
  all.push_back(kernel);
  kernel.keep = KeepName::average;
  kernel.set(parameter::eviction, Eviction::projectron);
  kernel.set(parameter::residual, 0.25);
  all.push_back(kernel);
  return all;
}

inline std::string described(const Composition& c) {
  return std::string(name_of(c.rule)) + " x " + std::string(name_of(c.keep)) + ", tie " + std::string(name_of(c.tie)) +
         ", bias " + std::string(name_of(c.bias.position)) + ", " + std::string(name_of(c.several_classes));
}

inline std::uint32_t classes_for(const Composition& c) {
  return c.rule == rule::multiclass || c.by_learners_of_two() ? 3 : 2;
}

// Rows with a noisy linear truth; later rows have more features, so that learners grow.
inline BlockBuffer random_rows(Generator& draws, std::size_t rows, std::uint32_t classes, std::uint64_t first_row = 1,
                               bool ones = false) {
  BlockBuffer buffer;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto features = static_cast<std::uint32_t>(4 + (first_row + i) / 8);
    double truth = 0;
    for (std::uint32_t j = 0; j < features; ++j) {
      if (draws.next() < 0.4) continue;
      const double value = ones ? 1.0 : gaussian(draws);
      buffer.add(j, value);
      truth += (j % 2 == 0 ? value : -value);
    }
    std::int32_t label = static_cast<std::int32_t>(pick(draws, classes));
    if (draws.next() < 0.8) label = truth > 0 ? 1 : 0;
    buffer.end_row(label, first_row + i, draws.next() < 0.9 ? 1.0 : 0.5);
  }
  return buffer;
}

// The part of a model that playing decides.
inline void take(Model& model, const Learner& learner, const Ledger& ledger) {
  model.weights = learner.result();
  model.learner = learner.save();
  model.ledger = ledger;
  const auto features = static_cast<std::uint32_t>(model.learner.weights.w.size() / model.weights.classes);
  if (model.schema.features < features) model.schema.features = features;
  for (const std::uint32_t index : model.learner.kernel.index) {
    model.schema.features = std::max(model.schema.features, index + 1);
  }
}

// Makes the errors others than the mistakes.
inline void count_errors(Ledger& ledger) {
  ledger.pass.front().errors = ledger.pass.front().weight / 4 + 0.25;
  ledger.constant_errors += 0.5;
  if (!ledger.class_weight.empty()) ledger.class_weight.front() += 0.5;
}

inline Model played(const Composition& composition, std::uint64_t seed, std::size_t rows = 40) {
  Generator draws(seed);
  const std::uint32_t classes = classes_for(composition);
  BlockBuffer buffer = random_rows(draws, rows, classes, 1, seed % 2 == 0 || takes_ones_only(composition));
  const Block block = buffer.finish();
  const auto learner = make_learner(composition, classes);
  Ledger ledger;
  learner->grow(block.features);
  learner->play(block, 0, {}, ledger);
  learner->finish();
  Model model;
  model.composition = composition;
  model.schema.format = DataFormat::libsvm;
  model.schema.labels.names =
      classes == 2 ? std::vector<std::string>{"-1", "+1"} : std::vector<std::string>{"a", "b", "c"};
  take(model, *learner, ledger);
  model.position.rows = rows;
  model.position.unfinished = rows / 2;
  model.position.last_row = "00112233445566778899aabbccddeeff";
  model.position.generator = draws.state();
  model.provenance = {"0.1.0", {"ffeeddccbbaa99887766554433221100"}};
  model.ledger.new_rows = new_rows_by_settings(model);
  return model;
}

// What is watched, over rounds of which the later ones are mistaken more often.
inline Watch watched(std::uint64_t rounds) {
  Watch watch;
  watch.window = Window(7);
  watch.faded = Faded{0.75};
  watch.adwin.emplace();
  for (std::uint64_t t = 1; t <= rounds; ++t) watch.see(t % 8 == 0 || t > 28, t, t + 1);
  if (rounds > 28) {
    watch.alarms = 1;
    watch.latest_alarms = {{rounds, rounds + 1, 0.125, 0.5}};
  }
  return watch;
}

// One curve a score: Platt's with a vote, else isotonic ones.
inline Calibration calibrated(const Model& model) {
  Calibration calibration;
  calibration.rows = 5;
  if (model.composition.keep == KeepName::vote) {
    calibration.method = CalibrationMethod::platt;
    calibration.platt.assign(model.weights.classes > 2 ? model.weights.classes : 1, {-1.5, 0.25});
  } else {
    calibration.method = CalibrationMethod::isotonic;
    calibration.isotonic.assign(model.weights.classes > 2 ? model.weights.classes : 1, {{-1, 0.5, 2}, {0, 0.25, 1}});
  }
  return calibration;
}

// The same with something in every field there is.
inline Model rich(const Composition& composition, std::uint64_t seed) {
  Model model = played(composition, seed);
  Schema& schema = model.schema;
  schema.format = DataFormat::csv;
  schema.delimiter = ';';
  schema.columns = {{"größe", Column::Kind::numeric, 0, 3, {}, {}},
                    {"colour", Column::Kind::categorical, Column::no_feature, Column::no_feature, {"red", ""}, {1, 2}},
                    {"", Column::Kind::label, Column::no_feature, Column::no_feature, {}, {}}};
  schema.exponents = {0, -3, 7};
  schema.row_normalised = seed % 2 == 0;
  model.holdout = 0.25;
  model.class_weights = {{schema.labels.names[0], 2.5}};
  model.position.source = "0123456789abcdef";
  model.position.order.pass_start = {1, 2, 3, UINT64_MAX};
  model.calibration = calibrated(model);
  model.ledger.watch = watched(model.ledger.first_pass_rounds);
  model.ledger.new_rows = new_rows_by_settings(model);
  return model;
}

}  // namespace halfspace::testing
