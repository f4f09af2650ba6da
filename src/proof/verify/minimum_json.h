// The part of a certificate on the minimum of an objective as JSON.
#pragma once

#include <string_view>

#include "base/json.h"
#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/certificate_field.h"

namespace halfspace::proof {

// Returns whether a loss, by its name in a file, is one that all vectors share.
bool is_multinomial(std::string_view loss);

Json encode_minimum(const MinimumProof& proof);
// Validates every field and cross-reference. `certificate`: what was read before it. Throws Error(data).
MinimumProof decode_minimum(const Field& field, const Certificate& certificate);

}  // namespace halfspace::proof
