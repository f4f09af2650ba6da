// Lines of LIBSVM text to rows: `label index:value index:value ... # comment`.
//
// Two readers of the same language. The fast one accepts what most lines consist of (a known label, single blanks,
// ascending indices of up to 8 digits, numbers) and gives up on anything else; the careful one accepts everything and
// reports what is wrong and where. A line goes to the careful one only after the fast one gives up.
//
// Thread-safety: one RowReader per thread; the LabelTable is shared and constant.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/schema.h"
#include "stream/parser.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

// The classes by label text.
class LabelTable {
 public:
  LabelTable() = default;
  // `learning`: unknown labels are collected in ParsedChunk::new_labels instead of being rejected.
  LabelTable(Labels labels, bool learning);

  std::int32_t find(std::string_view text) const;  // not_found when there is none
  static constexpr std::int32_t not_found = -1;

  bool learning() const noexcept { return learning_; }
  const Labels& labels() const noexcept { return labels_; }

 private:
  Labels labels_;
  std::unordered_map<std::string, std::int32_t> by_text_;
  bool learning_ = true;
};

struct RowRules {
  bool zero_based = false;
  bool ignore_labels = false;                       // rows may have any, or none
  bool bare_labels = true;                          // a word alone is always a label; else it must look like one
  std::uint64_t feature_limit = ~std::uint64_t{0};  // features from here on are dropped and counted
  std::size_t line_limit = 0;
  const ReadOptions* options = nullptr;  // for the fix of an unknown label
};

class RowReader {
 public:
  RowReader(const RowRules& rules, const LabelTable& table, ParsedChunk& chunk);

  // Reads whole lines into the chunk, up to and including the first bad one if `stop_at_bad`.
  void read(std::string_view text, bool stop_at_bad);

 private:
  enum class Outcome : std::uint8_t { row, bad, nothing };  // nothing: a blank line or a comment

  // Memory that is reused from chunk to chunk.
  struct Scratch {
    Separators separators;
    std::vector<std::uint8_t> rest;
  };

  bool read_quickly(std::string_view text, std::size_t begin, std::size_t& separator);
  Outcome read_carefully(std::string_view line);
  Outcome refuse(std::string_view line, std::size_t column, std::string reason, std::string hint);
  Outcome read_label(std::string_view line, std::string_view text, std::int32_t& label);
  Outcome read_feature(std::string_view line, std::string_view token, std::int64_t& previous);
  std::int32_t resolve(std::string_view text);
  void remember(std::string_view text, std::int32_t label);
  void finish_row(std::int32_t label);

  struct Cached {
    std::uint64_t key = 0;
    std::int32_t label = LabelTable::not_found;
  };

  const RowRules& rules_;
  const LabelTable& table_;
  ParsedChunk& chunk_;
  std::array<Cached, 64> cache_;
  std::unordered_map<std::string_view, std::int32_t> seen_;
  Scratch& scratch_;
  std::uint64_t unknown_ = 0;  // features of this row that were dropped
};

}  // namespace halfspace::stream
