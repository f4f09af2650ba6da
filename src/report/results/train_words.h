// Words for the names of flags and theorems in a run's JSON.
//
// Thread-safety: pure functions. Results are text, not yet escaped; an unknown name is returned unchanged.
#pragma once

#include <string>
#include <vector>

#include "halfspace/game/ledger.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "report/results/view.h"

namespace halfspace::report {

// Returns the entry of the run's rule; an empty one for an unknown rule.
RuleEntry rule_of(const View& run);
// Returns true if the run has more than two classes.
inline bool several_classes(const View& run) { return run["classes"].json().size() > 2; }

// Returns "averaged perceptron", with an article at the beginning of a sentence: "An averaged perceptron".
std::string learner_words(const View& composition);
// Returns "logistic regression" for what minimized the objective "logistic".
std::string minimizer_words(const std::string& objective);
std::string with_article(const std::string& noun);

// Returns "Novikoff" for "novikoff", "hinge losses over the stream" for "hinge over the stream".
std::string theorem_words(const std::string& theorem);

// Returns the number of passes that an entry of a run's list covers.
inline std::uint64_t passes_of(const View& entry) { return entry.has("passes") ? entry.count("passes") : 1; }

// Returns why the run stopped, and after how much: "clean", and "nothing left to learn from, in pass 15".
struct StopWords {
  std::string reason, after;
};
StopWords stop_words(const View& run);

// Returns true if the order trains on mistakes only: every round is a mistake, and there is no error to show.
bool plays_mistakes_only(const View& run);

// Returns whether weights of rows other than 1 count there.
bool is_weighted(const View& part);
// Returns the weight of the rows of the first pass that are not of their most frequent class.
double errors_of_the_most_frequent(const Ledger& ledger);
// Returns the number of the most frequent class of the rows held out.
std::size_t most_frequent(const Holdout& holdout);
// Returns the weight of the rows held out that are of another class.
double errors_of_the_most_frequent(const Holdout& holdout);

}  // namespace halfspace::report
