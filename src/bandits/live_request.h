// A line of the live protocol (docs/formats/json.md): what is asked of a live bandit.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

struct LiveRequest {
  enum class Kind : std::uint8_t { none, ask, status, tell };

  static constexpr std::size_t longest_line = std::size_t{1} << 16;

  Kind kind = Kind::none;
  std::string echo = {};  // of an ask: its name or number as ASCII JSON, or empty
  std::uint64_t ticket = 0;
  double loss = 0;
};

// `line` is without its end; a blank one is no request. Throws Error(usage) with the reason. The bandit
// validates ticket and loss.
LiveRequest read_live_request(std::string_view line);

}  // namespace halfspace
