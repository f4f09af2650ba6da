// One line of LIBSVM text to one row: `label index:value index:value ... # comment`.
//
// Two readers of the same language. The quick one takes what files are made of (ascending indices of up to 7 digits,
// plain decimals, single lines) and gives up at anything else; the careful one takes everything and says what is wrong
// and where. A line goes to the careful one only when the quick one gave up.
//
// Thread-safety: one RowReader per thread; the LabelTable is shared and constant.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/schema.h"
#include "stream/parser.h"

namespace halfspace::stream {

// The classes by the texts that name them.
class LabelTable {
 public:
  LabelTable() = default;
  // `learning`: labels that are not known are collected in ParsedPiece::new_labels instead of being refused.
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
  bool labels_optional = false;
  std::uint64_t feature_limit = ~std::uint64_t{0};  // features from here on are dropped and counted
  std::size_t line_limit = 0;
};

class RowReader {
 public:
  RowReader(const RowRules& rules, const LabelTable& table, ParsedPiece& piece)
      : rules_(rules), table_(table), piece_(piece) {}

  enum class Outcome : std::uint8_t { row, bad, nothing };  // nothing: a blank line or a comment

  // `line` without its line end. `readable`: how many bytes may be read after it.
  Outcome read(std::string_view line, std::size_t readable);

 private:
  bool read_quickly(const char* line, std::size_t size);
  Outcome read_carefully(std::string_view line);
  Outcome refuse(std::string_view line, std::size_t column, std::string reason, std::string hint);
  Outcome read_label(std::string_view line, std::string_view text, std::int32_t& label);
  Outcome read_feature(std::string_view line, std::string_view token, std::int64_t& previous);
  std::int32_t resolve(std::string_view text);
  void finish_row(std::int32_t label);

  struct Cached {
    std::uint64_t key = 0;
    std::int32_t label = LabelTable::not_found;
  };

  const RowRules& rules_;
  const LabelTable& table_;
  ParsedPiece& piece_;
  std::array<Cached, 64> cache_;
  std::unordered_map<std::string_view, std::int32_t> seen_;
  std::vector<std::uint32_t> boundaries_;
  std::uint64_t unknown_ = 0;  // features of this row that were dropped
};

}  // namespace halfspace::stream
