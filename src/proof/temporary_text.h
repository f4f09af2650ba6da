// Rows in memory as a temporary text file, removed with the object: a proof is about text that can be read again.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"

namespace halfspace::proof {

class TemporaryText {
 public:
  // Writes the rows (write_text) to a new file in the folder (empty: /tmp); keeps a reference to the source. Throws
  // Error(input_output).
  TemporaryText(const RowSource& source, const std::string& folder);
  ~TemporaryText();
  TemporaryText(const TemporaryText&) = delete;
  TemporaryText& operator=(const TemporaryText&) = delete;

  const std::string& path() const noexcept { return path_; }
  // Returns options that read this file instead of the rows.
  ReadOptions read(ReadOptions options) const;

 private:
  const RowSource& source_;
  std::string path_;
};

}  // namespace halfspace::proof
