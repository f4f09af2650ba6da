// The parts of a page: what all commands' sections are made of, and the sections.
//
// Every function here returns HTML whose texts are escaped; arguments named `html` are HTML already.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/view.h"

namespace halfspace::report {

// The head of a page: one sentence on the result, one on the evidence.
struct Head {
  std::string title;        // of the window; text
  std::string finding;      // html
  std::string because;      // html
  std::string composition;  // html; how it was learned, in a few words
};

struct Fact {
  std::string label, value, note;  // texts
};

struct Section {
  Head head;
  std::vector<Fact> facts;
  std::string body;  // html
};

Section train_section(const View& run);
Section certify_section(const View& run);
Section pairs_section(const View& run);
Section regret_section(const View& run);  // experts and bandits
Section log_section(const View& run);     // a bandit's log
Section lab_section(const View& run);

// Writes the folds, the search, the calibration and the drift of a training run, where it has them.
std::string selection_figures(const View& run);

// Writes a <figure>: a heading, an SVG or another picture, and a sentence on how to read it.
std::string figure(std::string_view id, std::string_view title, const std::string& picture_html,
                   const std::string& caption_html, bool wide = false);
// Writes a table with a header row; numbers are right-aligned, words left-aligned, and a column without anything in it
// is left out.
std::string table_html(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
// Figures side by side if there is room.
std::string group(std::string_view heading, const std::string& figures_html);
// Says what a figure would need and the JSON does not have.
std::string missing_html(const std::string& text);

// Writes a number that is a count where it is whole, or has that many digits before its point; else a short one.
std::string plain(double value, int digits = 4);
// Returns "84.46 %", which no line parts.
std::string share_of(double part, double whole);

// Writes the truth against what was predicted, as a table with shaded cells.
std::string confusion_html(const View& confusion);
// Draws the curve of true against false positives.
std::string roc_svg(const View& roc, const std::string& at);

}  // namespace halfspace::report
