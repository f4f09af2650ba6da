// The format that data must have: the model's, or the one that the options name. Data of another format are rejected
// with an error that names both.
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
  // `schema`: the model's, or an empty one. Throws Error(usage) if the options name another format than the model's.
  ExpectedFormat(const ReadOptions& options, const Schema& schema);

  DataFormat format() const noexcept { return format_; }  // automatic: any
  // Returns whether only the model decides the format, so that the text itself may turn out to be of another.
  bool of_model() const noexcept { return of_model_; }

  // Returns the format that text must have: LIBSVM, too, numbers the features of a model of sparse matrices.
  DataFormat format_of_text() const noexcept {
    return of_model_ && format_ == DataFormat::csr ? DataFormat::libsvm : format_;
  }
  // Returns whether the data may have this format. Sparse matrices fit a model of LIBSVM text.
  bool allows(DataFormat format) const noexcept {
    return format_ == DataFormat::automatic || format_ == format ||
           (of_model_ && format_ == DataFormat::libsvm && format == DataFormat::csr);
  }

  // Throws Error(data): the data are something else, such as "is a NumPy array".
  [[noreturn]] void refuse(const std::string& file, const std::string& what) const;
  // Rejects text that is clearly of another format than the model's.
  void check_text(const std::string& file, std::string_view text) const;

 private:
  DataFormat format_;
  bool of_model_;
  char delimiter_;
  bool named_columns_;
};

}  // namespace halfspace::stream
