// The rows of a log as text, for reading: those that were learned, in order, without the ones that were forgotten.
//
// Files of a log, besides its segments and snapshots: "begin.model", the model that it begins with; "header", the text
// before rows in a file of their format; and "reading", how its rows are read, as JSON. A folder with the first two is a
// log.
//
// Reads only, and takes no lock: a process may be adding events, of which those count that were complete when this was
// made. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/log/storage.h"

namespace halfspace::log {

inline constexpr const char* begin_name = "begin.model";
inline constexpr const char* header_name = "header";
inline constexpr const char* reading_name = "reading";

bool is_log(const std::string& path);

class LogRows {
 public:
  // Passes over the log once. Throws Error: data for damage, input_output.
  explicit LogRows(const std::string& path);

  // Appends the text of some more rows, the header before the first. Returns false at the end.
  bool next(std::string& text);
  void rewind() noexcept { at_ = 0; }
  std::uint64_t done() const noexcept { return at_; }  // files
  std::uint64_t total() const noexcept { return segments_.size() + 1; }

 private:
  std::unique_ptr<Storage> storage_;
  std::vector<std::string> segments_;
  std::set<std::uint64_t> forgotten_;
  std::uint64_t last_ = 0;  // event
  std::size_t at_ = 0;      // 0: the header is next
};

}  // namespace halfspace::log
