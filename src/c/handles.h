// The objects behind the C interface, and how errors leave it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "halfspace/bandits/chooser_settings.h"
#include "halfspace/bandits/live.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/detail/train/option.h"
#include "halfspace/proof/certify_settings.h"
#include "halfspace/reasons/explanation.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/train/compare.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/trainer.h"
#include "halfspace_c.h"
#include "lab/experiment.h"
#include "stream/arrays/arrow_table.h"
#include "stream/columns/logarithms.h"
#include "train/settings/given_option.h"

struct halfspace_settings {
  std::variant<halfspace::TrainSettings, halfspace::EvaluateSettings, halfspace::PredictSettings,
               halfspace::CertifySettings, halfspace::BanditSettings, halfspace::CompareSettings,
               halfspace::lab::ExpertsSettings, halfspace::lab::ReplaySettings, halfspace::lab::LabSettings,
               halfspace::ExplainSettings, halfspace::ChooserSettings>
      values;
  std::vector<halfspace::Option> options;  // point into `values`
  std::vector<halfspace::GivenOption> given{};
};

struct halfspace_rows {
  std::variant<halfspace::ArrayRows, halfspace::TableText> rows;

  // Returns options that read these rows.
  halfspace::ReadOptions read(halfspace::ReadOptions options) const;
};

struct halfspace_result {
  halfspace::Json json;
  std::string text;
  std::optional<halfspace::proof::Certificate> certificate;
  bool holds = true;  // the claim of a lab
  // What halfspace_result_separation() returns, and what that points into.
  std::optional<halfspace::Separation> separation{};
  std::vector<halfspace_coefficient> coefficients{};
  halfspace_separation view{};
};

struct halfspace_stop {
  std::atomic<bool> set{false};
};

struct halfspace_model {
  halfspace::Model model;
};

struct halfspace_trainer {
  std::optional<halfspace::Model> before;  // that the trainer goes on with
  std::optional<halfspace::Trainer> trainer;
  halfspace::stream::Logarithms logarithms{};
  halfspace::BlockBuffer row;
};

struct halfspace_predictor {
  halfspace::Model model;
  halfspace::Predictor predictor;
  halfspace::BlockBuffer row;
};

struct halfspace_bandit {
  halfspace::LiveBandit bandit;
};

namespace halfspace::c {

// Stores what is thrown. Never throws.
int report(const std::exception_ptr& thrown, halfspace_error* error) noexcept;

// Runs act() and returns HALFSPACE_OK, or the kind of what it throws.
template <class Act>
int guarded(halfspace_error* error, Act&& act) noexcept {
  try {
    act();
    return HALFSPACE_OK;
  } catch (...) {
    return report(std::current_exception(), error);
  }
}
// Returns what make() does, or null when it throws.
template <class Make>
auto made(halfspace_error* error, Make&& make) noexcept -> decltype(make()) {
  try {
    return make();
  } catch (...) {
    report(std::current_exception(), error);
    return nullptr;
  }
}

// Returns a copy that halfspace_free() frees. Throws std::bad_alloc.
char* copied(const std::string& text);
void* copied(const void* bytes, std::size_t size);

// Throws Error(usage) for null.
template <class T>
T& checked(T* argument, const char* name) {
  if (argument == nullptr)
    throw Error(ErrorKind::usage, std::string(name) + " is null").fix("give " + std::string(name));
  return *argument;
}

// Returns the settings, which must be of this kind. Throws Error(usage).
template <class Settings>
const Settings& settings_of(const halfspace_settings* settings, const char* what) {
  const auto* const found = std::get_if<Settings>(&checked(settings, "settings").values);
  if (found == nullptr)
    throw Error(ErrorKind::usage, "the settings are of another kind")
        .fix("make them with \"" + std::string(what) + "\"");
  return *found;
}

// Returns the labels with copies of the names. Throws Error(usage) for a null name.
ArrayLabels labels_of(const halfspace_labels* labels);

// Returns how many weight vectors a model has, and scores a row: 1 of two classes, unless its rule compares one vector a
// class; else one a class.
std::uint32_t vectors_of(const Model& model);
// Returns what turns scores into probabilities: "platt", "clipped-platt", "isotonic", "logistic", "softmax" or
// "temperature"; empty: nothing does.
std::string_view link_of(const Model& model);
// Throws Error(usage) if probabilities are wanted of a model that has none.
void check_probabilities(const Model& model, bool wanted);
// Predicts for a block. Outputs may be null: classes, one a row; scores, vectors a row; probabilities, classes a row.
void predict_block(const Model& model, Predictor& predictor, const Block& block, std::int32_t* classes, double* scores,
                   double* probabilities);
// Begins the JSON of a command's run.
Json run_json(const char* command);

// Puts rows and callbacks into the options of reading.
void attend(ReadOptions& read, const halfspace_rows* rows, const halfspace_watch* watch);

}  // namespace halfspace::c
