// The use of the table of hashed names.
#include "report/results/hash_words.h"

#include <fmt/format.h>

#include "report/results/words.h"

namespace halfspace::report {

std::string hashed_words(const HashUse& use) {
  std::string words = fmt::format("names to 2^{} features", use.bits);
  if (use.in_use > 0) words += fmt::format(", {} in use", grouped(use.in_use));
  return words;
}

std::string sharing_words(const HashUse& use) {
  std::string words;
  if (use.kept > 0)
    words = fmt::format("of {} kept {} {} a feature", counted(use.kept, "name"), grouped(use.shared),
                        use.shared == 1 ? "shares" : "share");
  if (use.in_use > 0) {
    const std::string share = percent(use.expected_sharing, 1);
    words += fmt::format("{}about {} of all names are expected to{}", words.empty() ? "" : "; ", share,
                         words.empty() ? " share a feature" : "");
  }
  return words;
}

Json hashed(const HashUse& use, bool rows) {
  Json j = {
      {"bits", use.bits}, {"features", use.features()}, {"names_kept", use.kept}, {"names_kept_sharing", use.shared}};
  if (!rows) return j;
  j["in_use"] = use.in_use;
  j["expected_sharing"] = use.expected_sharing;
  return j;
}

}  // namespace halfspace::report
