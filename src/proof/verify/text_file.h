// The decompressed text of a file, with its digest.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "halfspace/proof/verify/certificate.h"

namespace halfspace::proof {

class TextFile {
 public:
  // Throws Error(no_input).
  explicit TextFile(const std::string& path);
  ~TextFile();

  // Returns the next line with its line end, or empty at the end of the text. Valid until the next call.
  // Throws Error: input_output, data (broken compression, an endless line).
  std::string_view line();
  // Returns exactly `count` bytes, or fewer at the end.
  std::string_view bytes(std::size_t count);

  const std::string& path() const;
  // Describes the whole text after it was read to its end.
  DataFile description() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns the file of labels that belongs to a file of images: `labels-idx1` for `images-idx3` in its name. Throws
// Error(no_input).
std::string labels_beside(const std::string& images);

}  // namespace halfspace::proof
