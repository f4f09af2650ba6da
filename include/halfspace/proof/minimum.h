// The proof of a minimum that train() reached, as a certificate that others can check against the data.
//
//   options.objective->keep_dual_variables = true;
//   refuse_unprovable_minimum(options);   // before the run
//   const TrainResult result = train(options);
//   const CertifiedMinimum proof = certify_minimum(options, result);
//   write proof.certificate with encode_certificate (certificate.h); anyone can check it with verify (verify.h)
//
// train() proves its bounds for the values as doubles, the certificate for the decimals of the file. Weak duality holds
// for any weights and dual variables, so that of the run both are taken, and both objectives computed anew, exactly.
// The weights are the model's to the bit. Dual variables are rounded down to 62 bits or so, and to at most the cost,
// which is the decimal that was given. Of a bias that is not penalized the dual variables of one side are reduced until
// both sides have the same sum.
//
// The objectives of logistic losses are not rational: the certificate states bounds.
//
// Thread-safety: calls are independent of one another.
#pragma once

#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/train/train.h"

namespace halfspace {

struct CertifiedMinimum {
  proof::Certificate certificate;            // verify() has accepted it
  std::vector<proof::MinimumBounds> bounds;  // one for each vector of weights
  double seconds = 0;

  // Returns the bounds with the largest gap.
  const proof::MinimumBounds& widest() const;
};

// Throws Error(usage) for options whose minimum no certificate can state: what they train on must be decimals in files
// that can be read again, each row at the price of its class. Reads the beginning of the data.
void refuse_unprovable_minimum(const TrainOptions& options);

// Makes the certificate. Reads the files five times. `result`: of train() with these options, whose objective keeps the
// dual variables. Throws what refuse_unprovable_minimum() throws; Error(data) for files that have changed since;
// Error(input_output) or Interrupted once options.interrupt is set.
CertifiedMinimum certify_minimum(const TrainOptions& options, const TrainResult& result);

}  // namespace halfspace
