// Verdicts with their proofs in words, as certify and verify print them. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/text_style.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"

namespace halfspace::proof {

// What the text names besides the result.
struct CertifyNotes {
  double seconds = 0;            // the limit; 0: none
  bool coefficients = false;     // asked for
  bool hints = false;            // name other programs and the option that says more: the interface has it
  std::string output{}, data{};  // the certificate's file, empty: none is written; and the data, for a command line
};
// Returns the rows of the proof, what the verdict means, and last the verdict.
std::string certify_text(const CertifyResult& result, const CertifyNotes& notes, const TextStyle& style = {});
// Returns the coefficients as a table with arrows, and last the kind of separation.
std::string separation_text(const Separation& separation, std::uint64_t rows, const TextStyle& style = {});
// Returns sentences on the columns that rounding alone tells from others, and what the data are without them.
std::vector<std::string> near_alias_notes(const Separation& separation);
// Returns each fact that was checked, and last the verdict.
std::string verification_text(const Certificate& certificate, const Verification& result, const TextStyle& style = {});

}  // namespace halfspace::proof
