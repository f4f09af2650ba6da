// The data of certify's figures: the search's bounds over time, the witness, the separator, and the plane.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "halfspace/proof/certify.h"

namespace halfspace::proof {

// Bounds as the search reported them, stage by stage; at most `most_points` of each, thinned evenly.
class BracketRecord {
 public:
  static constexpr std::size_t most_points = 300;

  void add(const CertifyProgress& now);
  Json json() const;

 private:
  struct Stage {
    std::string name;
    std::vector<double> seconds, lower, upper;
    std::size_t seen = 0, stride = 1;
    CertifyProgress last{};
  };
  std::vector<Stage> stages_;
};

// Returns the key `figures` of certify --json (docs/formats/json.md).
Json certify_figures(const CertifyResult& result, const BracketRecord& bracket);

}  // namespace halfspace::proof
