// Trains again, and compares part by part.
#include "halfspace/train/audit.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {
namespace {

[[noreturn]] void refuse_audit(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "this model cannot be trained again: " + why).fix(fix);
}

void refuse_what_no_settings_repeat(const Model& model, const TrainSettings& settings) {
  const Ledger& ledger = model.ledger;
  if (ledger.stopped == Stopped::time || settings.until.seconds)
    refuse_audit("a limit of time ended its run, which is another one each time", "train it with " + option("passes"));
  if (ledger.stopped == Stopped::interrupted)
    refuse_audit("a signal ended its run", "continue it with " + option("resume"));
  if (ledger.watch || ledger.losses)
    refuse_audit("its run was watched", "audit a model that train wrote without a watch");
  if (model.provenance.fingerprints.size() > 1)
    refuse_audit("it was continued with other data", "audit each part of its run that was kept as a model");
  if (model.provenance.fingerprints.empty()) {
    refuse_audit("it did not learn from files that were read to their end",
                 "of a service replay its log: halfspace train LOG, and audit that model");
  }
}

// Collects differences.
class ModelComparison {
 public:
  ModelComparison(const Model& model, const Model& again) : model_(model), again_(again) {}

  std::vector<AuditDifference> run() {
    rows();
    part("version of Halfspace", model_.provenance.version, again_.provenance.version);
    composition();
    schema();
    weights();
    ledger();
    part("calibration", model_.calibration == again_.calibration);
    threshold();
    part("scores for prediction sets", model_.conformal == again_.conformal);
    part("share of rows held out", text(model_.holdout), text(again_.holdout));
    part("state to resume from", model_.learner == again_.learner && model_.position == again_.position);
    part("spread of features", model_.spread == again_.spread);
    if (differences_.empty()) part("rest of the model", model_ == again_);
    return std::move(differences_);
  }

 private:
  static std::string text(double number) { return fmt::format("{}", number); }

  void part(const std::string& what, bool equal) {
    if (!equal) differences_.push_back({what, {}, {}});
  }
  void part(const std::string& what, const std::string& of_model, const std::string& again) {
    if (of_model != again) differences_.push_back({what, of_model, again});
  }

  void rows() {
    const auto& own = model_.provenance.fingerprints;
    const auto& now = again_.provenance.fingerprints;
    part("number of files", std::to_string(own.size()), std::to_string(now.size()));
    for (std::size_t i = 0; i < own.size() && i < now.size(); ++i)
      part(own.size() == 1 ? "text of the data" : "text of file " + std::to_string(i + 1), own[i], now[i]);
    part("number of rows", std::to_string(model_.position.rows), std::to_string(again_.position.rows));
  }

  void composition() {
    const Composition& own = model_.composition;
    const Composition& now = again_.composition;
    part("rule", std::string(name_of(own.rule)), std::string(name_of(now.rule)));
    part("order", std::string(name_of(own.order)), std::string(name_of(now.order)));
    part("keeper", std::string(name_of(own.keep)), std::string(name_of(now.keep)));
    part("seed", std::to_string(own.seed), std::to_string(now.seed));
    part("parameters of the rule, bias or tie",
         own == now || own.rule != now.rule || own.order != now.order || own.keep != now.keep || own.seed != now.seed);
    part("weights of classes", model_.class_weights == again_.class_weights);
  }

  void schema() {
    const Schema& own = model_.schema;
    const Schema& now = again_.schema;
    part("number of features", std::to_string(own.features), std::to_string(now.features));
    part("classes", fmt::format("{}", fmt::join(own.labels.names, ", ")),
         fmt::format("{}", fmt::join(now.labels.names, ", ")));
    part("columns, or how they are read", own == now || own.features != now.features || !(own.labels == now.labels));
  }

  void weights() {
    const ClassWeightVector& own = model_.weights;
    const ClassWeightVector& now = again_.weights;
    part("number of weights", std::to_string(own.w.size()), std::to_string(now.w.size()));
    const auto differ = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b);
    };
    const auto owner = [&](std::size_t k) {
      return own.classes > 1 && k < model_.schema.labels.names.size() ? " for " + model_.schema.labels.names[k] : "";
    };
    for (std::size_t i = 0; i < own.w.size() && own.w.size() == now.w.size(); ++i) {
      if (!differ(own.w[i], now.w[i])) continue;
      const std::vector<std::string> names = model_.schema.feature_names();
      const std::size_t feature = i / own.classes;
      part("weight of " + (feature < names.size() ? names[feature] : std::to_string(feature)) + owner(i % own.classes),
           text(own.w[i]), text(now.w[i]));
      break;
    }
    for (std::size_t k = 0; k < own.bias.size() && own.bias.size() == now.bias.size(); ++k) {
      if (differ(own.bias[k], now.bias[k])) return part("bias" + owner(k), text(own.bias[k]), text(now.bias[k]));
    }
  }

  void ledger() {
    const Ledger& own = model_.ledger;
    const Ledger& now = again_.ledger;
    part("rounds", std::to_string(own.rounds), std::to_string(now.rounds));
    part("mistakes", std::to_string(own.mistakes), std::to_string(now.mistakes));
    part("updates", std::to_string(own.updates), std::to_string(now.updates));
    part("passes", std::to_string(own.passes), std::to_string(now.passes));
    part("how the run stopped", std::string(name_of(own.stopped)), std::string(name_of(now.stopped)));
  }

  void threshold() {
    const auto of = [](const Model& model) { return model.threshold ? text(*model.threshold) : std::string("none"); };
    part("threshold", of(model_), of(again_));
  }

  const Model& model_;
  const Model& again_;
  std::vector<AuditDifference> differences_;
};

}  // namespace

AuditResult audit(const Model& model, const TrainSettings& settings) {
  refuse_what_no_settings_repeat(model, settings);
  AuditResult result;
  result.again = train(settings).model;
  result.differences = ModelComparison(model, result.again).run();
  return result;
}

}  // namespace halfspace
