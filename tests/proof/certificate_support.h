// Certificates made by hand: points as rationals, the facts about them worked out by the plainest arithmetic.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "support/temporary_folder.h"

namespace halfspace::proof {

using testing::TemporaryFolder;
using Point = std::vector<mpq_class>;

// Points, their classes, and the certificate about them that is being made.
struct Case {
  std::string name;
  std::vector<std::vector<std::string>> values;  // decimals, as the file writes them
  std::vector<std::uint32_t> klass;
  Certificate certificate;

  Case(std::string case_name, std::vector<std::vector<std::string>> x, std::vector<std::uint32_t> classes,
       BiasPosition bias, std::string scale = "1", Question question = Question::two_classes);

  std::string libsvm() const;  // the labels of two classes are -1 and +1, else 0, 1, 2 ...
  std::string csv() const;     // columns x0, x1 ... and y
  // Names the file and writes the certificate's account of it.
  std::string write_data(const TemporaryFolder& folder, TextFormat format);

  Point point(std::size_t row) const;  // with the bias coordinate last

  // Proofs; each gives its position.
  std::uint32_t add_separator(const std::vector<Point>& vectors);  // scaled to integers
  std::uint32_t add_combination(const std::vector<std::pair<std::size_t, mpq_class>>& rows);
  void claim(ClaimKind kind, std::uint32_t by, const std::string& count = "0", ErrorRule tie = ErrorRule::b);
};

// The exact decimal of a double.
std::string exact_decimal(double value);
// A number of the golden cases, a double or a hex text of one, as the decimal that is exactly it.
std::string decimal(const Json& number);
// The certificate's text with a checksum that fits.
std::string sealed(std::string text);

// What a program printed, and its exit status.
struct Outcome {
  int status = -1;
  std::string output;
};
Outcome run(const std::string& command);
std::string checker();  // the Python checker
// What the Python checker prints and returns, asked in one process for all.
Outcome plain_check(const std::string& certificate, const std::vector<std::string>& data);
// The Python checker gives this exit status for a certificate's text.
void expect_plain(int status, const std::string& text, const std::vector<std::string>& data, const std::string& what);

// The exit status of `halfspace verify` for a certificate's text.
int status_of(const std::string& text, const std::vector<std::string>& data);

}  // namespace halfspace::proof
