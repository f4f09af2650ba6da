// Which options of reading are set, and errors for those that a format does not support.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Topics of options; combined by addition.
inline constexpr unsigned about_header = 1;         // whether there is one
inline constexpr unsigned about_marks = 2;          // how lines are split into values
inline constexpr unsigned about_missing = 4;        // texts of missing values
inline constexpr unsigned about_columns = 8;        // what columns are for
inline constexpr unsigned about_names = 16;         // the column with row names
inline constexpr unsigned about_keeping = 32;       // texts kept along with the rows
inline constexpr unsigned about_dates = 64;         // features of the parts of dates,
inline constexpr unsigned about_products = 128;     // of two columns at once,
inline constexpr unsigned about_texts = 256;        // of the words in columns
inline constexpr unsigned about_indices = 512;      // how features are numbered
inline constexpr unsigned about_one_format = 1024;  // what it has alone: ReadOptions::of_format
inline constexpr unsigned about_namespaces = 2048;  // which of them have features
inline constexpr unsigned about_hashing = 4096;     // whether names share a table of features
inline constexpr unsigned about_everything = ~0U;

// Returns the names of the options on these topics that are set.
std::vector<std::string_view> given_options(const ReadOptions& options, unsigned about);

// Returns text such as "leave out --drop and --label": how to continue without them.
std::string leave_out(const std::vector<std::string_view>& names);

struct FormatEntry;

// Rejects options that have no meaning in the format instead of ignoring them. Throws Error(usage).
void refuse_options(const ReadOptions& options, const FormatEntry& found);

// The format that data must have: the model's, or the one that the options name. Data of another format are rejected
// with an error that names both.
//
// Thread-safety: immutable.
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
