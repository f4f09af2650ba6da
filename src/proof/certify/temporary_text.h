// Rows in memory as a temporary text file, removed with the object: a proof is about text that can be read again.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"

namespace halfspace::proof {

class TemporaryText {
 public:
  // Returns whether the options read rows or a table in memory.
  static bool needed(const ReadOptions& options) { return options.rows != nullptr || options.table_text != nullptr; }

  // Writes the rows or the table (write_text) to a new file in the folder (empty: /tmp). Throws Error(input_output).
  TemporaryText(ReadOptions options, const std::string& folder);
  ~TemporaryText();
  TemporaryText(const TemporaryText&) = delete;
  TemporaryText& operator=(const TemporaryText&) = delete;

  const std::string& path() const noexcept { return path_; }
  // Returns options that read this file instead of the rows.
  const ReadOptions& read() const noexcept { return read_; }

 private:
  void write() const;

  ReadOptions read_;
  std::string path_;
};

}  // namespace halfspace::proof
