// Edit distance between words, for "did you mean".
#include "base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace halfspace {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Computes the optimal string alignment distance with three rows of the table. May return limit + 1 for anything above
// `limit`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (*std::min_element(row.begin(), row.end()) > limit + 1) return limit + 1;
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t most = 3;
  std::size_t best = std::clamp<std::size_t>(word.size() / 3, 1, 3);
  std::vector<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate.empty()) continue;
    const std::size_t apart = distance(word, candidate, best);
    if (apart > best) continue;
    if (apart < best) found.clear();
    best = apart;
    if (found.size() < most) found.push_back(candidate);
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string> found = nearest(word, candidates);
  if (found.empty()) return {};
  std::string question = "did you mean ";
  for (std::size_t i = 0; i < found.size(); ++i) question += (i == 0 ? "'" : " or '") + found[i] + "'";
  return question + "?";
}

}  // namespace halfspace
