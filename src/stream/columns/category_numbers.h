// Maps new categories and labels of a chunk to final numbers: the serial half of tables, in file order.
//
// Thread-safety: one thread, except for `known` and `factors`, which are safe at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "stream/columns/chunk_names.h"
#include "stream/columns/hashed_names.h"
#include "stream/columns/known_names.h"
#include "stream/parser.h"

namespace halfspace::stream {

class CellNames;

// Provisional numbers of categories and missing values within their chunk: above every feature.
constexpr std::uint32_t first_provisional = 0x80000000;

// What tf-idf multiplies the values of tokens by: constant within a pass.
class TokenFactors {
 public:
  explicit TokenFactors(const Schema& schema);
  bool none() const { return unseen_.empty(); }
  double of(std::uint32_t column, std::uint32_t feature) const {
    if (feature < counted_.size()) return counted_[feature];
    return column < unseen_.size() ? unseen_[column] : 1;
  }

 private:
  std::vector<double> counted_;  // by feature
  std::vector<double> unseen_;   // by column: of a token that no counted row has; 1 where tokens are not counted
};

// Resolves categories and missing values: index first_provisional + k is the k-th new name of the chunk, with a column
// of the schema and a text that is empty for a missing value.
class CategoryNumbers {
 public:
  // Loads the categories of the schema's columns, or its table of hashed names.
  void know(const Schema& schema, const ReadOptions& options);
  // Loads the factors, which may have been counted since the last pass.
  void begin_pass(const Schema& schema) { factors_ = std::make_shared<TokenFactors>(schema); }
  // Resolves the new names in the chunk's rows, numbered by first appearance in good rows; drops and counts those that
  // the schema may not grow by. Of hashed names keeps the first. `bad_row` is empty if there are none.
  void commit(ParsedChunk& chunk, const CellNames& cells, const std::vector<bool>& bad_row, const ReadOptions& options,
              Schema& schema);

  // Returns the names that are known by now.
  KnownNames::Snapshot known() const { return known_.snapshot(); }
  std::shared_ptr<const TokenFactors> factors() const { return factors_; }
  const NameHasher& hasher() const { return hasher_; }

 private:
  void look_up(const std::vector<ChunkNames::Entry>& names, std::uint32_t limit);
  std::uint32_t new_feature(const ChunkNames::Entry& name, const ReadOptions& options, Schema& schema);

  NameHasher hasher_;
  KnownNames known_;                    // a missing value has the empty name
  std::vector<std::uint32_t> numbers_;  // by provisional number
  std::shared_ptr<const TokenFactors> factors_ = std::make_shared<TokenFactors>(Schema());
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
