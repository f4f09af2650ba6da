// Reads the data of a question exactly, with the description that a certificate stores.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "proof/budget.h"
#include "proof/exact/points.h"
#include "proof/verify/exact_reader.h"

namespace halfspace::proof {

struct Loaded {
  Data data;  // sources, format, columns, without the bias; one group for each class of the schema
  Schema schema;
  std::unique_ptr<Points> points;
  std::uint64_t rows_read = 0;  // rows read before giving up
  double exact_seconds = 0;     // one reading as exact decimals, which a verifier does twice
};

// Reads each path twice: as training would (schema, labels, errors with line and column), and as exact decimals; again
// if the memory is too small for buffering. All paths have the classes and columns of the first. Throws Error as Reader
// does; Error(usage) for a path that is not a file, and if bad rows were to be skipped; Error(input_output) once the
// budget's `interrupt`, unless null, is set; GaveUp if the time is over or the memory (of `memory`) too small.
void load(const ReadOptions& read, const std::vector<std::string>& paths, const RowsOptions& memory,
          const Budget& budget, Loaded& loaded);

void add_entries(Points& points, const ExactRow& row);  // without the end of the row

// Reads the rows of the described data again, in order, as exact decimals; `source` is their path's position. Completes
// the description: files, counts, labels, missing values. Throws as load() does, and what `take` throws: `data` is then
// unchanged.
using TakeRow = std::function<void(std::uint32_t source, const ExactRow& row, std::int32_t klass)>;
void scan(Data& data, const Labels& labels, const std::vector<std::string>& paths, const Budget& budget,
          const TakeRow& take);

}  // namespace halfspace::proof
