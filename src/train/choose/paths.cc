// Groups candidates by all but the price of their losses.
#include "train/choose/paths.h"

#include <algorithm>

namespace halfspace::training {
namespace {

bool on_one_path(const Candidate& a, const Candidate& b) {
  if (a.train || b.train || !a.objective || !b.objective) return false;
  return a.objective->loss == b.objective->loss && a.objective->l2.has_value() == b.objective->l2.has_value() &&
         a.objective->penalize_bias == b.objective->penalize_bias && a.objective->standard == b.objective->standard &&
         a.objective->jointly == b.objective->jointly && a.objective->gap == b.objective->gap &&
         a.composition == b.composition && a.until.passes == b.until.passes &&
         a.normalize_columns == b.normalize_columns && a.standard_columns == b.standard_columns &&
         a.logarithms == b.logarithms;
}

bool cheaper(const Objective& a, const Objective& b) { return a.l2 ? *a.l2 > *b.l2 : a.cost < b.cost; }

}  // namespace

std::vector<std::vector<std::size_t>> paths_of(std::span<const Candidate> candidates) {
  std::vector<std::vector<std::size_t>> paths;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const auto own = std::find_if(paths.begin(), paths.end(), [&](const std::vector<std::size_t>& path) {
      return on_one_path(candidates[path.front()], candidates[c]);
    });
    if (own == paths.end()) {
      paths.push_back({c});
    } else {
      own->push_back(c);
    }
  }
  for (std::vector<std::size_t>& path : paths) {
    std::stable_sort(path.begin(), path.end(), [&](std::size_t a, std::size_t b) {
      return cheaper(*candidates[a].objective, *candidates[b].objective);
    });
  }
  return paths;
}

}  // namespace halfspace::training
