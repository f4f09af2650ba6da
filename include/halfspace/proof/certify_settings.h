// The options of certifying by name, described in rows (detail/train/option.h).
//
//   CertifySettings settings;
//   settings.data.paths = {"credit.csv"};
//   set_option(options_of(settings), "seconds", "10");
//   const CertifyResult result = certify(settings);     // what `halfspace certify credit.csv --seconds 10` proves
//
// Rows point into the settings that they were made for.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/detail/train/option.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/pairwise.h"
#include "halfspace/train/settings.h"

namespace halfspace {

// What to decide: CertifyOptions, of which certify_options() makes `read` and `resume`.
struct CertifySettings : CertifyOptions {
  CertifySettings() { memory.memory = 4'000'000'000; }

  DataSettings data;
  bool pairs = false, one_against_rest = false;  // asks two-class questions instead of one about all classes
  std::string resume_from;                       // the file of a certificate

  bool asks_many() const noexcept { return pairs || one_against_rest; }
};
// Returns the options of the questions and their limits.
std::vector<Option> question_options(CertifySettings& settings);
// Returns all options.
std::vector<Option> options_of(CertifySettings& settings);

// Return the options of one question, or of many, from the settings. Throw Error(usage).
// `interrupt`, if any, becomes that of the options, and ends the wait for a certificate to resume that is a pipe.
CertifyOptions certify_options(const CertifySettings& settings, const std::atomic<bool>* interrupt = nullptr);
PairwiseOptions pairwise_options(const CertifySettings& settings);
// Returns the questions that the settings ask about these classes: pairs, then each class against the rest.
std::vector<PairwiseQuestion> questions_of(const CertifySettings& settings, const std::vector<std::string>& classes);

// Decide as `halfspace certify` does with these flags; the answers are in the order of their questions. Throw Error as
// certify() does; usage if the settings ask many questions of the first, or one of the second.
CertifyResult certify(const CertifySettings& settings);
std::vector<PairwiseAnswer> pairwise(const CertifySettings& settings);

}  // namespace halfspace
