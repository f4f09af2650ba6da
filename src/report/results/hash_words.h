// The use of the table of hashed names, in words and as JSON.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "report/results/json.h"
#include "stream/schema/hash_use.h"

namespace halfspace::report {

// Returns a line such as "to 2^18 features, 143,201 in use", without the use if no row was read.
std::string hashed_words(const HashUse& use);
// Returns what is known of names that share a feature: "of 1,000 names kept 4 share a feature; about 55 % of all are
// expected to".
std::string sharing_words(const HashUse& use);

// Returns the same as JSON; `rows`: rows were read.
Json hashed(const HashUse& use, bool rows);

}  // namespace halfspace::report
