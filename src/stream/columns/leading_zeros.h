// Finds columns of whole numbers with leading zeros, as codes have: 02139.
//
// Thread-safety: value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class LeadingZeros {
 public:
  explicit LeadingZeros(std::size_t columns) : columns_(columns) {}

  static constexpr std::uint64_t most_rows = 1000;  // that are looked at

  // Counts a value of a column, which is not missing.
  void add(std::size_t column, std::string_view text);
  // Reports the numeric columns whose numbers look like codes.
  void note(const ReadOptions& options, const Schema& schema) const;

 private:
  struct Codes {
    std::uint64_t rows = 0, padded = 0;
    std::size_t width = 0;  // of all; 0: they differ
    bool others = false, differ = false;
    std::string first{}, example{};
  };
  std::vector<Codes> columns_;
};

}  // namespace halfspace::stream
