// Checks a certificate against the data, in exact arithmetic. Has its own reader and shares no code with the search for
// certificates.
//
// Uses integers and rationals only; no decision depends on a floating-point number. Makes two passes over the files;
// memory grows with the number of features and with the certificate, not with the rows.
#pragma once

#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"

namespace halfspace::proof {

// What is proved of one vector of a certificate's minimum, rounded outward.
struct MinimumBounds {
  double primal = 0, dual = 0;  // the objective of the weights is at most, that of all weights at least this
  double gap = 0;               // at least (primal - dual) / primal
  double radius = 0;            // each weight is at most this far from the minimum's; a bias if it is penalized
};

struct Verification {
  bool valid = false;
  bool one_class = false;             // all rows in question are of one class
  std::vector<MinimumBounds> minima;  // of the certificate's minimum: one, or one a vector; empty unless valid
  std::string reason;                 // why not; empty when valid
  std::vector<std::string> checked;   // sentences: what was verified, in order; also if a later check failed
};

// Checks a certificate against the data. `certificate`: as decode_certificate returns it. `paths`: the data, one for
// each source in order; for idx the image file, whose labels are in the same folder, with `labels-idx1` for
// `images-idx3` in the name. A wrong certificate, or data that differ from it or cannot be read as it describes, give
// an answer and no exception. Throws Error: no_input, input_output.
Verification verify(const Certificate& certificate, const std::vector<std::string>& paths);

// Returns the files of one source as a certificate names them: digests and sizes of their texts. Throws Error:
// no_input, input_output, data (broken compression).
std::vector<DataFile> describe_files(TextFormat format, const std::string& path);

}  // namespace halfspace::proof
