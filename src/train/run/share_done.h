// How much of a training run is done. Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <optional>

#include "halfspace/train/train.h"

namespace halfspace {

// Returns the share that is done, from 0 to 1; empty if it is not known when the run ends. `read`: the share of the data
// that was read; empty for a pipe. A later pass counts by its rounds, as the first pass has shown how many there are.
inline std::optional<double> share_done(OrderName order, const Until& until, const Ledger& ledger,
                                        std::optional<double> read) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return std::min(1.0, static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(1, whole)));
  };
  if (until.by_default) return std::nullopt;
  if (until.updates) return share(ledger.updates, *until.updates);
  if (order == OrderName::stream) return read;
  if (!until.passes) return std::nullopt;
  const bool learns_while_reading = order == OrderName::cyclic;
  const double part = ledger.passes == 0 ? (learns_while_reading ? read.value_or(0) : 0)
                                         : share(ledger.pass.back().rounds, ledger.first_pass_rounds);
  return std::min(1.0, (static_cast<double>(ledger.passes) + part) / static_cast<double>(*until.passes));
}

}  // namespace halfspace
