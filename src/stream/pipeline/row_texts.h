// All data rows of a chunk, good and bad, for ReadOptions::on_rows.
//
// Thread-safety: one thread at a time; the chunk must not change between collect and give.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "stream/parser.h"

namespace halfspace::stream {

class RowTexts {
 public:
  // Collects the parsed rows and their kept texts. Call it before commit, which may turn good rows into bad ones.
  void collect(ParsedChunk& parsed, const Format& format);

  // Calls on_rows with them once `bad` is final; without the rows from the first bad one on if that stops the pass.
  struct Before {
    std::string_view file;  // the chunk's
    std::uint64_t rows, lines;
  };
  void give(const std::vector<BadRow>& bad, bool stop_at_bad, const Before& before,
            const std::function<void(std::span<const RowText>)>& on_rows);

 private:
  std::vector<RowText> rows_;
  std::vector<std::string_view> records_;
  KeptTexts kept_;
};

}  // namespace halfspace::stream
