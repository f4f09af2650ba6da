// Maps new categories and labels of a chunk to final numbers: the serial half of tables, in file order.
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stream/columns/known_names.h"
#include "stream/parser.h"

namespace halfspace::stream {

// Provisional numbers of categories and missing values within their chunk: above every feature.
constexpr std::uint32_t first_provisional = 0x80000000;

// Resolves categories and missing values: index first_provisional + k is chunk.new_categories[k], with a column of the
// schema and a text that is empty for a missing value.
class CategoryNumbers {
 public:
  // Loads the categories of the schema's columns.
  void know(const Schema& schema);
  // Resolves the features of the chunk's rows, numbered by first appearance in good rows; drops and counts those that
  // the schema may not grow by. `bad_row` is empty if there are none.
  void commit(ParsedChunk& chunk, const std::vector<bool>& bad_row, const ReadOptions& options, Schema& schema);

 private:
  void look_up(const std::vector<ParsedChunk::NewCategory>& categories, const Schema& schema);
  std::uint32_t new_feature(const ParsedChunk::NewCategory& category, const ReadOptions& options, Schema& schema);
  void learn_factors(const Schema& schema);

  KnownNames known_;
  std::vector<std::uint32_t> numbers_;  // by provisional number
  std::vector<double> factor_;          // factor by feature; empty: none
};

// Good rows with a new label: what is needed to reject them.
struct NewLabelRow {
  std::size_t row;  // position in the buffer
  std::uint64_t column;
  std::string_view record;
};

// Rejects rows whose label exceeds the class limit. Returns which they are; nothing if there are none.
std::vector<bool> refuse_new_labels(ParsedChunk& chunk, const std::vector<NewLabelRow>& rows,
                                    const ReadOptions& options, Schema& schema);

}  // namespace halfspace::stream
