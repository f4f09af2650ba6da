// Verdicts about pairs of classes, and classes against the rest, as a triangle.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/proof/pairwise.h"

namespace halfspace::cli {

// Returns the number of rows of the witness; 0 without a witness.
std::size_t witness_rows(const PairwiseAnswer& answer);
// Writes the answer's certificate to a file, atomically.
void write_certificate(const PairwiseAnswer& answer, const std::string& path);

struct PairTotals {
  std::size_t asked = 0, decided = 0;
  double search_seconds = 0, verify_seconds = 0, seconds = 0;
};
// Returns the last two lines of a table of verdicts.
std::string totals_text(const PairTotals& totals);

// A cell is "yes" for separable, the number of rows of the witness for not separable, "?" for undecided, empty for not
// asked.
class PairTable {
 public:
  void add(const PairwiseAnswer& answer);
  std::string text(const std::vector<std::string>& classes) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> cells_;  // an empty name stands for the rest
};

}  // namespace halfspace::cli
