// How names share the table of hashed features.
#include "stream/schema/hash_use.h"

#include <algorithm>
#include <vector>

namespace halfspace {
namespace {

std::uint64_t sharing(std::vector<std::uint32_t> features) {
  std::sort(features.begin(), features.end());
  std::uint64_t count = 0;
  for (auto from = features.begin(); from != features.end();) {
    const auto to = std::upper_bound(from, features.end(), *from);
    if (to - from > 1) count += static_cast<std::uint64_t>(to - from);
    from = to;
  }
  return count;
}

}  // namespace

HashUse hash_use(const Schema& schema, const ReadReport& report) {
  HashUse use;
  use.bits = schema.hashed.bits;
  if (use.bits == 0) return use;
  use.in_use = report.hashed_in_use;
  use.kept = schema.hashed.features.size();
  use.shared = sharing(schema.hashed.features);
  if (use.in_use > 0)
    use.expected_sharing = static_cast<double>(use.in_use - 1) / static_cast<double>(use.features() - 1);
  return use;
}

}  // namespace halfspace
