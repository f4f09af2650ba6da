// Logarithms of numeric columns: features beside the columns' own, for values that are far apart.
//
//   ln(1 + (x - least) / unit), 0 below `least`; finite for every x.
//
// It is nearly linear within a unit of the least value, and a logarithm far from it. The unit is a power of two, so that a
// column times a power of two has the same logarithms. A missing value has none.
//
// Thread-safety: immutable once constructed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns the name of a column's logarithm.
std::string name_of_logarithm(const std::string& column);

// Returns the logarithm of a value.
double logarithm_of(double x, double least, double unit);

// Returns whether there is a logarithm of column `number`.
bool has_logarithm(const Schema& schema, std::uint32_t number);

// Adds the logarithms to a schema, after its columns, with the next features. Throws Error(usage) for a column that is
// not there, or not numeric.
void declare_logarithms(const std::vector<LogarithmOf>& of, Schema& schema);
// Adds them as the reader of a table has them: before the features that are numbered as rows appear. `feature` receives
// the new number of each feature.
void insert_logarithms(const std::vector<LogarithmOf>& of, Schema& schema, std::vector<std::uint32_t>& feature);

class Logarithms {
 public:
  Logarithms() = default;
  // `sparse`: features have their last numbers; a value is missing where the row has the indicator, and otherwise one that
  // the row lacks is 0. Without, one that the row lacks is missing.
  Logarithms(const Schema& schema, bool sparse);

  bool none() const noexcept { return columns_.empty(); }
  // Returns whether a feature is a logarithm.
  bool gives(std::uint32_t feature) const noexcept;
  // Adds the logarithms of the values in the buffer's open row.
  void add_to_row(BlockBuffer& rows) const;

 private:
  struct Of {
    std::uint32_t value, missing;  // features
    std::uint32_t logarithm;
    double least, unit;
  };
  bool sparse_ = false;
  std::vector<Of> columns_;
  std::vector<std::uint32_t> by_feature_;  // of the value: the position in columns_; no_feature: none
};

}  // namespace halfspace::stream
