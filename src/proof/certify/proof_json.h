// Verdicts with their proofs as JSON (docs/formats/json.md).
#pragma once

#include "base/json.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"

namespace halfspace::proof {

// Returns a number, or null if it is not finite: JSON has no infinity.
Json number(double value);
// Returns the JSON of `certify --json`.
Json certify_result(const CertifyResult& result);
// Returns the JSON of `verify --json`.
Json verification(const Certificate& certificate, const Verification& result);

}  // namespace halfspace::proof
