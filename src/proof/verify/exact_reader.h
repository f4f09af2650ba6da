// Reads the data of a certificate as exact decimals, one row at a time.
//
// Has its own readers of LIBSVM, CSV and idx, by the grammar of docs/formats/certificate.md; they share no code with
// src/stream, so that an error there cannot hide itself here. Text that violates the grammar or the certificate's
// description of the data (columns, categories, features) is rejected with line and column.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/proof/verify/certificate.h"

namespace halfspace::proof {

// mantissa * 10^exponent; `big` replaces a mantissa of more than 18 digits.
struct Decimal {
  std::int64_t mantissa = 0;
  std::int64_t exponent = 0;
  std::optional<mpz_class> big;

  bool zero() const { return !big && mantissa == 0; }
  mpz_class whole_mantissa() const;
  mpq_class value() const;
};

// Returns nothing if the text is not a decimal, or if its exponent exceeds 100000 in magnitude.
std::optional<Decimal> parse_decimal(std::string_view text);

struct ExactRow {
  struct Entry {
    std::uint32_t coordinate;
    Decimal value;  // not 0
  };
  std::uint64_t number = 0;  // 1-based among the data rows of the source
  std::string label;
  std::vector<Entry> entries;  // coordinates are distinct
};

class ExactReader {
 public:
  // Opens one source of the data, which must outlive the reader. Throws Error: no_input, input_output, data.
  ExactReader(const Data& data, const std::string& path);
  ~ExactReader();

  // Reads the next row; returns false at the end. Throws Error(data) with line and column, Error(input_output).
  bool next(ExactRow& row);

  // Return, once `next` has returned false, the number of features that the rows name (LIBSVM: 1 + the largest
  // coordinate), and the files as read.
  std::uint32_t features() const;
  std::vector<DataFile> files() const;

  // Returns the texts of missing values so far.
  std::set<std::string> missing_met() const;

  struct Format;

 private:
  std::unique_ptr<Format> format_;
  std::uint64_t rows_ = 0;
};

}  // namespace halfspace::proof
