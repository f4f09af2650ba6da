// Whether and how a schema hashes names.
#include "stream/columns/hash_options.h"

#include <algorithm>
#include <string>

#include "halfspace/base/error.h"
#include "stream/format_entry.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {

void hash_names(const ReadOptions& options, Schema& schema) {
  if (!options.columns.hash) return;
  const std::uint32_t bits = *options.columns.hash;
  if (bits < 1 || bits > HashedNames::most_bits) {
    throw Error(ErrorKind::usage, option("hash") + " is " + std::to_string(bits))
        .fix("from 1 to " + std::to_string(HashedNames::most_bits) +
             " bits of a hash number a name; 18 to 24 are usual");
  }
  if (std::any_of(schema.columns.begin(), schema.columns.end(), [](const Column& column) {
        return column.kind == Column::Kind::text && column.text_values == TextValues::tf_idf;
      })) {
    throw Error(ErrorKind::usage, "tf-idf counts the rows with each token, which " + option("hash") + " does not know")
        .fix("let " + option("text-values") + " be counts or binary, or leave out " + option("hash"));
  }
  if (entry_of(schema.format).columns != ColumnsAre::namespaces) {
    for (Column& column : schema.columns) {
      if (Column::gives_features(column.kind)) column.missing_feature = schema.features++;
    }
  }
  schema.hashed.bits = bits;
  schema.hashed.to_keep = options.columns.hash_names.value_or(HashedNames::usual_kept);
  schema.features += std::uint32_t{1} << bits;
}

void check_hashing(const ReadOptions& options, const Schema& schema) {
  if (!options.columns.hash) return;
  const HashedNames& model = schema.hashed;
  const bool same = *options.columns.hash == model.bits;
  if (same && options.columns.hash_names.value_or(model.to_keep) == model.to_keep) return;
  throw Error(ErrorKind::usage, model.bits == 0 ? "the model has a feature for each name, and hashes none"
                                : same ? "the model keeps " + std::to_string(model.to_keep) + " of the hashed names"
                                       : "the model hashes names to 2^" + std::to_string(model.bits) + " features")
      .at(shown_name(options.path))
      .fix("leave out " + option("hash") + (same ? " and " + option("hash-names") : "") +
           ": a model reads names its own way");
}

}  // namespace halfspace::stream
