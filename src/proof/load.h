// The data of a question, read exactly, and the description of them that a certificate carries.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "proof/exact/points.h"

namespace halfspace::proof {

struct Loaded {
  Data data;  // sources, format, columns, bias not; classes are those of the schema, one group for each
  Schema schema;
  std::unique_ptr<Points> points;
};

// Reads each path twice: once as training would (schema, labels, errors with their place), once as exact decimals. All
// have the classes and columns of the first. Throws Error as Reader does; Error(usage) for what is no file, and where
// bad rows were to be skipped; Error(input_output) once `interrupt`, unless null, is set.
Loaded load(const ReadOptions& read, const std::vector<std::string>& paths, const RowsOptions& memory,
            const std::atomic<bool>* interrupt);

}  // namespace halfspace::proof
