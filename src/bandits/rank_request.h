// A choice that is asked for, as JSON:
//
//   {"contextFeatures": [{"hour": 9, "device": "phone"}],
//    "actions": [{"id": "news", "features": [{"topic": "sport", "length": 1200}]}, {"id": "weather"}],
//    "excludedActions": ["weather"], "eventId": "visit-17", "deferActivation": false}
//
// Only `actions` is required; features are as feature_hash.h has them. An action without features has its id as its
// feature. Errors name the member: "actions[1].id". Members of other names are errors.
//
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bandits/feature_hash.h"

namespace halfspace::bandits {

struct RankRequest {
  static constexpr std::size_t most_actions = 1000;
  static constexpr std::size_t longest_id = 256;         // bytes, of an event or an action, without control characters
  static constexpr std::size_t most_values = 1'000'000;  // of all rows together

  std::string event;  // empty: none was given
  std::vector<std::string> names;
  std::vector<std::uint8_t> excluded;  // one an action
  bool deferred = false;
  Block rows;
};

class RankReader {
 public:
  explicit RankReader(unsigned bits, bool products = true);
  ~RankReader();
  RankReader(RankReader&&) noexcept;
  RankReader& operator=(RankReader&&) noexcept;

  // Valid until the next call. Throws Error(data).
  const RankRequest& read(std::string_view json);
  const RankRequest& last() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace halfspace::bandits
