// Checks a certificate against the data, in exact arithmetic. Trusts nobody: it reads the data by itself and has no
// part in how certificates are found.
//
// Integers and rationals only; nothing is decided by a floating-point number. Two passes over the files; memory grows
// with the number of features and with the certificate, not with the rows.
//
// Thread-safety: functions of their arguments and of the files.
#pragma once

#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"

namespace halfspace::proof {

struct Verification {
  bool valid = false;
  bool one_class = false;            // all rows in question are of one class: there was nothing to separate
  std::string reason;                // why not; empty when valid
  std::vector<std::string> checked;  // sentences: what was found true, in order; also when a later check failed
};

// Checks a certificate against the data. `certificate`: as decode_certificate gives it. `paths`: the data, one for each
// source in order; for idx the image file, whose labels are the file beside it with `labels-idx1` for `images-idx3` in
// its name. A certificate that is wrong in any way, or data that are other than it says or cannot be read as it says,
// give an answer and no exception. Throws Error: no_input, input_output.
Verification verify(const Certificate& certificate, const std::vector<std::string>& paths);

// Returns the files of one source as a certificate names them: digests and sizes of their texts. Throws Error:
// no_input, input_output, data (broken compression).
std::vector<DataFile> describe_files(TextFormat format, const std::string& path);

}  // namespace halfspace::proof
