// How names share the table of hashed features (HashedNames): what was seen, and what is to be expected.
#pragma once

#include <cstdint>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

struct HashUse {
  std::uint32_t bits = 0;    // 0: names are not hashed
  std::uint64_t in_use = 0;  // features of the table that the rows have
  std::uint64_t kept = 0;    // names that are kept
  std::uint64_t shared = 0;  // of these, names whose feature is that of another kept name, too
  // The share of all names whose feature is another name's as well, estimated from in_use. If n names fall on m
  // features at random, (in_use - 1) / (m - 1) has that share as its mean, whatever n.
  double expected_sharing = 0;

  std::uint64_t features() const noexcept { return bits == 0 ? 0 : std::uint64_t{1} << bits; }
};

// Returns the use of a schema's table by the rows of a pass.
HashUse hash_use(const Schema& schema, const ReadReport& report);

}  // namespace halfspace
