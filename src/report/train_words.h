// The names of flags and theorems in a run's JSON, in the words of a sentence.
//
// Thread-safety: pure functions. What they return is text, not yet escaped; a name they do not know comes back as it
// is.
#pragma once

#include <string>

#include "report/view.h"

namespace halfspace::report {

// Returns "averaged perceptron", with its article where it begins a sentence: "An averaged perceptron".
std::string learner_words(const View& composition);
std::string with_article(const std::string& noun);

// Returns "Novikoff" of "novikoff", "hinge losses over the stream" of "hinge over the stream".
std::string theorem_words(const std::string& theorem);

// Returns how many passes an entry of a run's list is of.
inline std::uint64_t passes_of(const View& entry) {
  return entry.has("passes") ? entry.count("passes") : 1;
}

// Why it stopped, and after how much: "clean", and "nothing left to learn from, in pass 15".
struct StopWords {
  std::string reason, after;
};
StopWords stop_words(const View& run);

// Returns true if the order plays mistakes only: every round is one, and there is no error to show.
bool plays_mistakes_only(const View& run);

}  // namespace halfspace::report
