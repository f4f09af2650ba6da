// The data of a question, read exactly, and the description of them that a certificate carries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "proof/budget.h"
#include "proof/exact/points.h"

namespace halfspace::proof {

struct Loaded {
  Data data;  // sources, format, columns, bias not; classes are those of the schema, one group for each
  Schema schema;
  std::unique_ptr<Points> points;
  std::uint64_t rows_read = 0;  // so far, where reading was given up
  double exact_seconds = 0;     // of one reading as exact decimals, which a verifier does twice
};

// Reads each path twice: as training would (schema, labels, errors with line and column), and as exact decimals, once
// more where the memory is too small for the first time. All have the classes and columns of the first. Throws Error as
// Reader does; Error(usage) for what is no file, and where bad rows were to be skipped; Error(input_output) once the
// budget's `interrupt`, unless null, is set; GaveUp when the time is over or the memory (of `memory`) too small.
void load(const ReadOptions& read, const std::vector<std::string>& paths, const RowsOptions& memory,
          const Budget& budget, Loaded& loaded);

}  // namespace halfspace::proof
