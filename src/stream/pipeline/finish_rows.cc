// Bad rows are taken out, and the others become a block.
#include "stream/pipeline/finish_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace halfspace::stream {
namespace {

void remove_bad_rows(bool stop_at_bad, ParsedChunk& parsed) {
  std::vector<BadRow>& bad = parsed.bad;
  if (bad.empty()) return;
  std::stable_sort(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row < b.row; });
  bad.erase(std::unique(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row == b.row; }),
            bad.end());
  if (stop_at_bad) bad.resize(1);
  std::vector<std::size_t> removed;
  const std::span<const std::uint64_t> rows = parsed.rows.row_numbers();
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (next < bad.size() && bad[next].row < rows[i]) ++next;
    const bool named = next < bad.size() && bad[next].row == rows[i];
    if (named || (stop_at_bad && rows[i] > bad.front().row)) removed.push_back(i);
  }
  parsed.rows.remove_rows(removed);
}

}  // namespace

Block finish_rows(const Transforms& transforms, const std::vector<double>& class_factors, bool stop_at_bad,
                  ParsedChunk& parsed) {
  if (transforms.any()) transform_rows(transforms, parsed);
  remove_bad_rows(stop_at_bad, parsed);
  if (!class_factors.empty()) {
    const std::span<const std::int32_t> labels = parsed.rows.labels();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::size_t label = static_cast<std::size_t>(labels[i]);
      if (labels[i] >= 0 && label < class_factors.size()) parsed.rows.scale_weight(i, class_factors[label]);
    }
  }
  return parsed.rows.finish();
}

}  // namespace halfspace::stream
