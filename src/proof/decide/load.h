// Reads the data of a question exactly, with the description that a certificate stores.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "proof/exact/points.h"
#include "proof/search/budget.h"
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
// if the memory is too small for buffering. All paths have the columns of the first. Throws Error as Reader does;
// Error(usage) for a path that is not a file, and if bad rows were to be skipped; Error(input_output) once the budget's
// `interrupt`, unless null, is set; GaveUp if the time is over or the memory (of `memory`) too small.
void load(const ReadOptions& read, const std::vector<std::string>& paths, const RowsOptions& memory,
          const Budget& budget, Loaded& loaded);

// The first reading of load(), in steps that may be taken elsewhere: what each source has, as training reads it.
struct SourceSchema {
  Schema schema;                    // the given one with the source's categories and features
  std::vector<std::string> labels;  // of its rows
  std::uint64_t rows = 0;
};
// `columns`: null, or how to read, as the first path shows; its labels are ignored. `notes`: reports them to the options.
// Throws as load() does.
SourceSchema read_as_training(const ReadOptions& read, const std::string& path, const Schema* columns, bool notes,
                              const RowsOptions& memory, const Budget& budget, std::uint64_t& rows_read);
// Throw Error(usage) for what no certificate is about: data that cannot be read again or do not hold decimal text; a
// format that the verifier does not read, features that are derived from columns, and bad rows to be skipped.
void refuse_unreadable(const std::string& path);
void refuse_unprovable(const ReadOptions& read, const Schema& schema, const std::string& path);
// Returns how to read all paths, as the first rows of the first show.
Schema columns_at_beginning(const ReadOptions& read, const std::string& path);
// Returns the classes of all labels, in the order of sources.
Labels classes_of(const ReadOptions& read, const std::vector<std::string>& labels, LabelsAre are);
// Fills in the description of the data, all but what scanning finds.
void describe(Loaded& loaded, std::size_t sources);

void add_entries(Points& points, const ExactRow& row);  // without the end of the row

// What a description lacks until the rows of a source were read as exact decimals.
struct ScannedSource {
  DataSource source;
  std::vector<LabelGroup> classes;
  std::set<std::string> missing;
};
// Reads the rows of a source as exact decimals. Throws as load() does, and what `take` throws.
using TakeRow = std::function<void(const ExactRow& row, std::int32_t klass)>;
ScannedSource scan(const Data& data, const Labels& labels, const std::string& path, const Budget& budget,
                   const TakeRow& take);
// Completes a description by all its sources, in order: files, counts, labels, missing values.
void complete(Data& data, std::vector<ScannedSource> sources);

}  // namespace halfspace::proof
