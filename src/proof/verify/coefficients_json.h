// The part of a certificate on coefficients as JSON.
#pragma once

#include "base/json.h"
#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/certificate_field.h"

namespace halfspace::proof {

Json encode_coefficients(const CoefficientsProof& proof);
// Validates every field and cross-reference. `certificate`: what was read before it. Throws Error(data).
CoefficientsProof decode_coefficients(const Field& field, const Certificate& certificate);

}  // namespace halfspace::proof
