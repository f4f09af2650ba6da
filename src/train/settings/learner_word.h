// A learner in one word: "kernel:kernel=polynomial:degree=3" is the rule kernel with two of its parameters, "svm:C=10"
// an objective with its price. Values of the options rule, preset and objective, and competitors, are such words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/train/settings.h"

namespace halfspace::training {

struct LearnerWord {
  explicit LearnerWord(const std::string& word);

  std::string name;
  std::vector<std::pair<std::string, std::string>> values;  // by option; "true" without a value
};

// Returns the names of the options that belong to a rule, the rule of a preset or an objective.
std::vector<std::string> options_of_learner(std::string_view name);

// Stores the values of a word. Throws Error(usage) for one that is none of these options, or is named twice.
void set_values(const LearnerWord& word, std::span<const Option> options);

// Returns the word if it names only options of its learner, with values that they take. Throws Error(usage).
const std::string& checked_word(const std::string& word);

// Returns the settings with the words' values as options of their own. Throws Error(usage) if both give an option, with
// different values.
TrainSettings spelled_out(const TrainSettings& settings);

}  // namespace halfspace::training
