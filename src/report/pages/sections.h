// The sections of a page, and the parts they share.
//
// Every function here returns HTML whose texts are escaped; arguments named `html` are HTML already.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halfspace/detail/train/new_rows.h"
#include "report/figures/chart.h"
#include "report/results/view.h"

namespace halfspace::report {

// The head of a page: one sentence on the result, one on the evidence.
struct Head {
  std::string title;        // of the window; text
  std::string finding;      // html
  std::string because;      // html
  std::string composition;  // html; the composition in a few words
};

struct Fact {
  std::string label, value, note;  // texts
};

struct Section {
  Head head;
  std::vector<Fact> facts;
  std::string body;     // html
  bool rounds = false;  // the body has the player of rounds, rounds.js
};

// What the sections of commands share.
class PageOfRun {
 protected:
  explicit PageOfRun(const View& run) : run_(run) {}
  void fact(std::string label, std::string value, std::string note = "") {
    section_.facts.push_back({std::move(label), std::move(value), std::move(note)});
  }
  // Says that a run has no figures.
  static std::string not_recorded();

  const View& run_;
  Section section_;
};

Section train_section(const View& run);
Section evaluate_section(const View& run);
Section certify_section(const View& run);
Section pairs_section(const View& run);
Section regret_section(const View& run);  // experts and bandits
Section log_section(const View& run);     // a bandit's log
Section events_section(const View& run);  // one of events with features
Section choose_section(const View& run);  // policies of choose, live
Section lab_section(const View& run);
Section compare_section(const View& run);
Section service_section(const View& run);
Section explain_section(const View& run);

// Writes the folds, the search, the calibration and the drift of a training run, where it has them.
std::string selection_figures(const View& run);

// Draws how a training run went: mistakes, errors, drift alarms, passes.
std::string course_figures(const View& run);
// Draws the norm of the weights; of a perceptron with a bound, the two lemmas of its proof.
std::string norm_figures(const View& run);
// Draws the trained model: weights, margins, confusions.
std::string model_figures(const View& run);

// Draws the largest weights of a run that has `figures.weights`.
std::string weights_figure(const View& run);

// Writes the coefficients of a logistic regression with arrows, for a proof that examined them.
std::string separation_figures(const View& run);

// Writes a <figure>: a heading, an SVG or another picture, and a sentence on how to read it.
std::string figure(std::string_view id, std::string_view title, const std::string& picture_html,
                   const std::string& caption_html, bool wide = false);
// Writes a table with a header row; numbers are right-aligned, words left-aligned, and an empty column is omitted.
std::string table_html(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
// Returns a line with the lists `x` and `y` of a view.
Series series_of(std::string name, const View& of, const char* x, const char* y, int look = 0);
// Puts figures side by side if there is room.
std::string group(std::string_view heading, const std::string& figures_html);

// Formats a number as a count if it is whole or has that many digits before its point; else shortened.
std::string plain(double value, int digits = 4);
// Returns "84.46 %" without a possible line break.
std::string share_of(double part, double whole);

// Writes the confusion matrix as a table with shaded cells.
std::string confusion_html(const View& confusion);
// Returns the chart of a ROC curve; `x_at`, `y_at`: JSON pointers to its numbers.
Chart roc_chart(std::vector<double> false_positive, std::vector<double> true_positive, std::string x_at,
                std::string y_at);

// Returns the run's bounds on new rows, if its JSON has them.
std::optional<ExpectedError> expected_error_of(const View& run);
// Writes the error as a part of a sentence, its bounds as a sentence, both HTML; and both as a fact.
std::string expected_headline(const ExpectedError& expected);
std::string expected_html(const ExpectedError& expected);
Fact expected_fact(const ExpectedError& expected);

}  // namespace halfspace::report
