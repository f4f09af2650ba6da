// Rows in memory as a file of text, which goes with the object: what is proved is proved of a text that can be
// read again.
#pragma once

#include <string>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"

namespace halfspace::proof {

class TemporaryText {
 public:
  // Writes the rows (write_text) to a new file in the folder (empty: /tmp); keeps a reference to the source. Throws Error(input_output).
  TemporaryText(const RowSource& source, const std::string& folder);
  ~TemporaryText();
  TemporaryText(const TemporaryText&) = delete;
  TemporaryText& operator=(const TemporaryText&) = delete;

  const std::string& path() const noexcept { return path_; }
  // Returns the options that read this file where the rows were to be read.
  ReadOptions read(ReadOptions options) const;

 private:
  const RowSource& source_;
  std::string path_;
};

}  // namespace halfspace::proof
