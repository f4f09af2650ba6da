// How a CSV file is cut into cells, where it holds no labelled examples: advice, losses, logs. What each means is said of
// ReadOptions (reader.h) and in docs/formats/csv.md; what is not given is told by the first lines.
//
// Thread-safety: value type.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"

namespace halfspace {

struct TableOptions {
  std::string path;  // "-": standard input
  std::optional<char> delimiter, decimal, thousands;
  std::optional<Quote> quote;
  std::optional<bool> header;
  std::optional<std::uint64_t> skip_lines;
  std::optional<std::string> comment;
  std::vector<std::string> missing;
  std::optional<std::vector<std::string>> missing_only;
  std::function<void(const ReadNote&)> on_note;  // called while the file is opened
  const std::atomic<bool>* interrupt =
      nullptr;  // setting it ends reading, and waits for a pipe, with Error(input_output)
};

}  // namespace halfspace
