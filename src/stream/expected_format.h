// The format that data must have: the model's, or the one that the options name. What is of another is refused in words
// that name both.
//
// Thread-safety: immutable.
#pragma once

#include <string>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class ExpectedFormat {
 public:
  // `schema`: the model's, or an empty one. Throws Error(usage) where the options name another format than the model has.
  ExpectedFormat(const ReadOptions& options, const Schema& schema);

  DataFormat format() const noexcept { return format_; }  // automatic: any
  // Tells whether the format is the model's alone, so that a look at the text may tell that it is another.
  bool of_model() const noexcept { return of_model_; }

  // Throws Error(data): the data are something else, such as "is a NumPy array".
  [[noreturn]] void refuse(const std::string& file, const std::string& what) const;
  // Refuses text that is plainly of another format than the model's.
  void check_text(const std::string& file, std::string_view text) const;

 private:
  DataFormat format_;
  bool of_model_;
  char delimiter_;
  bool named_columns_;
};

}  // namespace halfspace::stream
