// Rows in memory as data: given to a Reader, and so to train(), Folds, choose(), evaluate() and certify(), instead of a
// file.
//
//   MemoryData data;
//   data.add("yes", index, value);        // sparse: feature numbers from 0 on, ascending, and their values
//   data.add("no", dense);                // all features
//   TrainOptions options;
//   options.read.data = &data;
//
// The rows are held as LIBSVM text in which every number has the fewest digits that read back as the same double. So
// they are that text to all who read them: what is learned from them is, bit for bit, what is learned from a file of it,
// with the same fingerprint, and a certificate about them is one about that text: save it with write_libsvm(), and
// verify accepts it. A proof takes the decimals at their word: the double nearest to 0.1 is written 0.1, and is 1/10.
//
// Features are named by their number from 1 on, as in LIBSVM. Zeros of dense rows are left out. A model that was trained
// on CSV data has columns that such rows do not: predict for it with Predictor::predict of one row.
//
// Memory: the text, about 10 to 25 bytes a value. Cost: about 100 ns a value to write, and as much to read again.
//
// Thread-safety: one thread adds; then many may read. Ownership: copies what it is given.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace halfspace {

class MemoryData {
 public:
  // Adds a row. A label is a name or a number without blanks, colons or #: its rows' class, as Labels orders classes.
  // Throws Error(usage): for another label, as many values as indices, indices that do not ascend or exceed 2147483646,
  // values that are not finite. Then nothing was added.
  void add(std::string_view label, std::span<const std::uint32_t> index, std::span<const double> value);
  void add(std::string_view label, std::span<const double> dense);

  std::uint64_t rows() const noexcept { return rows_; }
  // Returns LIBSVM text, a line a row. Valid until a row is added.
  std::string_view text() const noexcept { return text_; }

 private:
  void begin(std::string_view label);
  void put(std::uint32_t index, double value);

  std::string text_;
  std::uint64_t rows_ = 0;
};

// Writes the text to a file, whole or not at all. Throws Error(input_output).
void write_libsvm(const MemoryData& data, const std::string& path);

}  // namespace halfspace
