// New categories and labels of a chunk to final numbers: the serial half of tables, in file order.
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

// Numbers of categories and missing values while only their chunk knows them: above every feature.
constexpr std::uint32_t first_provisional = 0x80000000;

// The features of categories and missing values: index first_provisional + k is chunk.new_categories[k], whose column is
// the schema's and whose text is empty where the value is missing.
class CategoryNumbers {
 public:
  // Learns the categories of the schema's columns.
  void know(const Schema& schema);
  // Gives the chunk's rows their features, in order of first appearance in rows that are not bad; what the schema may not
  // grow by is taken out and counted. `bad_row` is empty where there are none.
  void commit(ParsedChunk& chunk, const std::vector<bool>& bad_row, const ReadOptions& options, Schema& schema);

 private:
  std::uint32_t known_feature(const ParsedChunk::NewCategory& category, const Schema& schema) const;
  std::uint32_t new_feature(const ParsedChunk::NewCategory& category, const ReadOptions& options, Schema& schema);
  void learn_factors(const Schema& schema);

  KnownNames known_;
  std::vector<std::uint32_t> numbers_;  // by provisional number
  std::vector<double> factor_;          // by feature: what it is multiplied by; empty: nothing is
};

// Good rows whose label is new: what it takes to call them bad.
struct NewLabelRow {
  std::size_t row;  // in the buffer
  std::uint64_t column;
  std::string_view record;
};

// Makes bad rows of those with a label too many. Gives which they are, or nothing when there are none.
std::vector<bool> refuse_new_labels(ParsedChunk& chunk, const std::vector<NewLabelRow>& rows,
                                    const ReadOptions& options, Schema& schema);

}  // namespace halfspace::stream
