// Finds the weights of classes by name.
#include "stream/class_factors.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "stream/text/text.h"

namespace halfspace::stream {

std::vector<double> class_factors(const ReadOptions& options, const Labels& labels) {
  std::vector<double> factors;
  for (const auto& [name, factor] : options.labels.class_weights) {
    const auto label = labels.find(name);
    if (!label) {
      std::string known;
      for (const std::string& other : labels.names) known += (known.empty() ? "" : ", ") + quote(other);
      throw Error(ErrorKind::usage, "a weight is given for the class " + quote(name) + ", which the data does not have")
          .fix("its classes are " + known);
    }
    if (!is_weight(factor)) {
      throw Error(ErrorKind::usage, "the weight of the class " + quote(name) + " is not a number from 0 to 1e100")
          .fix("1 leaves the class as it is, and 0 leaves it out");
    }
    factors.resize(std::max(labels.names.size(), factors.size()), 1.0);
    factors[static_cast<std::size_t>(*label)] = factor;
  }
  return factors;
}

}  // namespace halfspace::stream
