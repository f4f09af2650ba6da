// Maps new categories and labels of a chunk to final numbers: the serial half of tables, in file order.
#include "stream/columns/category_numbers.h"

#include <span>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/columns/name_hash.h"
#include "stream/labels/label_inference.h"
#include "stream/source/raw_file.h"

namespace halfspace::stream {
namespace {

constexpr std::uint32_t unnumbered = 0xfffffffe;

}  // namespace

void CategoryNumbers::know(const Schema& schema) {
  known_.clear();
  for (std::uint32_t c = 0; c < schema.columns.size(); ++c) {
    const Column& column = schema.columns[c];
    const std::uint64_t seed = seed_of_names(c);
    std::size_t k = 0;
    for (const std::string_view text : column.categories)
      known_.insert(c, text, column.features[k++], hash_of_name(text, seed));
  }
}

void CategoryNumbers::commit(ParsedChunk& chunk, const std::vector<bool>& bad_row, const ReadOptions& options,
                             Schema& schema) {
  learn_factors(schema);
  const std::vector<ParsedChunk::NewCategory>& categories = chunk.new_categories;
  look_up(categories, schema);
  // Only categories of good rows become features.
  std::uint64_t ignored = 0;
  const auto number_indices = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t k = begin; k < end; ++k) {
      std::uint32_t& index = chunk.rows.indices()[k];
      if (index < first_provisional) continue;
      const std::size_t number = index - first_provisional, ahead = number + 8;
      std::uint32_t& feature = numbers_[number];
      if (feature == unnumbered) {
        if (ahead < categories.size()) known_.view().prefetch(categories[ahead].hash);
        feature = new_feature(categories[number], options, schema);
      }
      index = feature;
      ignored += feature == Column::no_feature ? 1 : 0;
      if (feature < factor_.size()) chunk.rows.values()[k] *= factor_[feature];
    }
  };
  const std::span<const std::uint64_t> offset = chunk.rows.offsets();
  if (bad_row.empty()) {
    number_indices(0, offset.back());
  } else {
    for (std::size_t i = 0; i < bad_row.size(); ++i) {
      if (!bad_row[i]) number_indices(offset[i], offset[i + 1]);
    }
  }
  chunk.unknown_features += ignored;
  if (ignored > 0) chunk.rows.remove_values(Column::no_feature);
}

// Runs once documents are counted, which may be after the first pass.
void CategoryNumbers::learn_factors(const Schema& schema) {
  if (!factor_.empty()) return;
  for (const Column& column : schema.columns) {
    if (column.unseen_factor == 0) continue;
    factor_.resize(schema.features, 1.0);
    for (std::size_t k = 0; k < column.factors.size(); ++k) factor_[column.features[k]] = column.factors[k];
  }
}

void CategoryNumbers::look_up(const std::vector<ParsedChunk::NewCategory>& categories, const Schema& schema) {
  numbers_.resize(categories.size());
  const KnownNames::View known = known_.view();
  known.find_all(
      categories.size(),
      [&](std::size_t i) {
        return NameKey{categories[i].hash, categories[i].column, categories[i].text};
      },
      numbers_.data());
  for (std::size_t i = 0; i < categories.size(); ++i) {
    std::uint32_t& number = numbers_[i];
    if (number != KnownNames::none) number = known[number].feature;
    if (categories[i].text.empty()) number = schema.columns[categories[i].column].missing_feature;
    if (number == Column::no_feature) number = unnumbered;
  }
}

std::uint32_t CategoryNumbers::new_feature(const ParsedChunk::NewCategory& category, const ReadOptions& options,
                                           Schema& schema) {
  Column& column = schema.columns[category.column];
  const bool missing = category.text.empty();
  if (options.schema != nullptr && !options.grow) return Column::no_feature;
  if (schema.features == first_provisional - 1) {
    throw Error(ErrorKind::data, "more than 2147483647 features")
        .at(shown_name(options.path))
        .fix("leave a column out with " + option("drop"));
  }
  const std::uint32_t feature = schema.features++;
  if (missing) {
    column.missing_feature = feature;
  } else {
    known_.insert(category.column, column.categories.push_back(category.text), feature, category.hash);
    column.features.push_back(feature);
    if (column.unseen_factor > 0) {
      column.factors.push_back(column.unseen_factor);
      factor_.resize(feature + std::size_t{1}, 1.0);
      factor_[feature] = column.unseen_factor;
    }
  }
  return feature;
}

std::vector<bool> refuse_new_labels(ParsedChunk& chunk, const std::vector<NewLabelRow>& rows,
                                    const ReadOptions& options, Schema& schema) {
  std::vector<bool> bad_row;
  if (chunk.new_labels.empty()) return bad_row;
  auto row = rows.begin();
  for (const RefusedLabel& refused : commit_new_labels(chunk, schema.labels)) {
    while (row->row < refused.row) ++row;
    if (!chunk.late_label) chunk.late_label = refused.text;
    LabelProblem problem = describe_unknown(refused.text, schema.labels, options);
    chunk.bad.push_back({chunk.line_of_row[refused.row], chunk.rows.row_numbers()[refused.row], row->column,
                         std::move(problem.reason), std::move(problem.hint), std::string(row->record)});
    bad_row.resize(chunk.rows.rows());
    bad_row[refused.row] = true;
  }
  return bad_row;
}

}  // namespace halfspace::stream
