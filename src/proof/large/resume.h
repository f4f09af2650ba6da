// Continues from a certificate: what it states is mapped to the points of the question and computed anew, so that a
// wrong certificate proves nothing.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <optional>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/decide/decide.h"
#include "proof/decide/errors.h"
#include "proof/decide/kesler.h"

namespace halfspace::proof {

// The proofs of a certificate in integer coordinates, by their positions in it.
struct Known {
  std::vector<std::vector<mpz_class>> separators;
  std::vector<WeightedMembers> combinations;
};

// Throws Error(usage) that names the first difference: other data (by SHA-256), another question, another bias, or the
// same text read in another way.
void refuse_other_question(const Certificate& resumed, const Certificate& own);

// `rows`: the points of the data, in the order of the text; `many`: the Kesler points that `problem` is about, or null.
// Throws Error(data) if a combination names a row that `rows` do not have, or with another class.
Known known_of(const Certificate& resumed, const Problem& problem, const Points& rows, const Kesler* many);

// Returns the position of the proof of this claim, if the certificate has it.
std::optional<std::uint32_t> claimed(const Certificate& resumed, ClaimKind kind);

// Returns the rows of all combinations, ascending.
std::vector<RowPosition> rows_of(const Certificate& resumed);

// Returns what decide() and tighten() start from: the separators and combinations that the claims name, the best bound
// first.
Start start_of(const Certificate& resumed, const Known& known);

// Return the start of fewest_errors(), and after it replace the lower bound by the certificate's if that is higher.
KnownErrors known_errors(const Certificate& resumed, const Known& known);
void keep_lower_bound(const Certificate& resumed, const Known& known, ErrorRule tie, FewestErrors& fewest);

}  // namespace halfspace::proof
