// NumPy archives: X and y, a table alone, or SciPy's sparse matrix in CSR form.
//
// The arrays of one file are read in parallel, so it must be a regular file, not compressed again. docs/formats/npy.md
// has the rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "stream/npy/csr.h"
#include "stream/npy/npy.h"

namespace halfspace::stream {

// Returns whether the first bytes are those of a zip archive whose first member is an array.
bool recognise_npz(std::string_view first_bytes);
// Returns the same for a file that can be read again.
bool recognise_npz_file(const std::string& path);

struct NpzData {  // one of them
  std::optional<NpyData> dense;
  std::optional<CsrData> sparse;
};

// Opens the arrays that ReadOptions::arrays names, or those chosen by name. Throws Error: data, usage (no such array),
// no_input, input_output.
NpzData open_npz(const ReadOptions& options);

}  // namespace halfspace::stream
