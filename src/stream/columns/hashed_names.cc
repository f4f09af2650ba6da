// Hashed names.
#include "stream/columns/hashed_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/formats/format_entry.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {

void NameHasher::know(const Schema& schema, const ReadOptions& options) {
  columns_.clear();
  kept_.clear();
  first_ = schema.first_hashed();
  mask_ = schema.hashed.bits == 0 ? 0 : (std::uint32_t{1} << schema.hashed.bits) - 1;
  wants_names_ =
      on() && schema.hashed.names.size() < schema.hashed.to_keep && (options.schema == nullptr || options.grow);
  if (!on()) return;
  for (const Column& column : schema.columns) columns_.push_back({seed_of_hashed(column.name), column.missing_feature});
  columns_.push_back({seed_of_hashed(""), Column::no_feature});
  if (!wants_names()) return;
  had_ = std::vector<std::atomic<std::uint64_t>>(had);
  had_[0] = 1;  // belongs elsewhere: 0 is a hash, too
  std::size_t k = 0;
  for (const std::string_view name : schema.hashed.names)
    kept_.insert(0, name, schema.hashed.features[k++], hash_of_name(name, seed_of_names()));
}

bool NameHasher::is_bad(const ParsedChunk& chunk, std::uint64_t row) {
  return std::any_of(chunk.bad.begin(), chunk.bad.end(), [&](const BadRow& bad) { return bad.row == row; });
}

// The dictionary's own hash has a random seed, so that nobody can write names that are slow to find.
void NameHasher::add(const std::string& name, std::uint32_t feature, Schema& schema) {
  const std::uint64_t hash = hash_of_name(name, seed_of_names());
  if (kept_.feature(0, hash, name) != Column::no_feature) return;
  kept_.insert(0, schema.hashed.names.push_back(name), feature, hash);
  schema.hashed.features.push_back(feature);
  if (schema.hashed.features.size() >= schema.hashed.to_keep) wants_names_ = false;
}

void NameHasher::keep_of_table(const HashedChunk& names, const ParsedChunk& chunk, bool bad_rows, Schema& schema) {
  const Column others;
  keep(
      names, chunk, bad_rows,
      [&](std::uint32_t column, std::string_view text) {
        return category_name(schema, column < schema.columns.size() ? schema.columns[column] : others, text);
      },
      schema);
}

void HashedChunk::finish(const NameHasher& hasher, ParsedChunk& chunk) {
  const std::span<const std::uint64_t> good = chunk.rows.row_numbers();
  std::erase_if(names_, [&](const Name& name) { return !std::binary_search(good.begin(), good.end(), name.row); });
  bool any = false;
  const std::span<const std::uint64_t> offset = chunk.rows.offsets();
  for (std::size_t i = 0; i < chunk.rows.rows(); ++i) {
    const std::size_t size = offset[i + 1] - offset[i];
    const std::span<std::uint32_t> indices = chunk.rows.indices().subspan(offset[i], size);
    if (!add_up(hasher.first(), indices, chunk.rows.values().subspan(offset[i], size), any)) refuse(i, chunk);
  }
  if (any) chunk.rows.remove_values(Column::no_feature);
}

// Marks what is added to another value as no feature, and sets `any`. Returns whether all sums are finite.
bool HashedChunk::add_up(std::uint32_t first, std::span<std::uint32_t> indices, std::span<double> values, bool& any) {
  in_row_.clear();
  in_row_.expect(indices.size());
  bool finite = true;
  for (std::uint32_t k = 0; k < indices.size(); ++k) {
    if (indices[k] < first) continue;
    const std::uint32_t before = in_row_.find_or_insert(indices[k], k);
    if (before == RowNames::none) continue;
    values[before] += values[k];
    finite &= std::isfinite(values[before]);
    indices[k] = Column::no_feature;
    any = true;
  }
  return finite;
}

void HashedChunk::refuse(std::size_t row, ParsedChunk& chunk) {
  BadRow bad;
  bad.line = chunk.line_of_row[row];
  bad.row = chunk.rows.row_numbers()[row];
  bad.reason = "values of names that share a feature, or of one name, add up to more than a double holds";
  bad.hint = "scale the features down";
  bad.text = line_at(chunk.text, bad.line);
  chunk.bad.push_back(std::move(bad));
}

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
  schema.hashed.to_keep = options.columns.hash_names.value_or(HashedNames::default_kept);
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
