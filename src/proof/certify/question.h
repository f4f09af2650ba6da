// The question of a certification: its data, in memory or read by passes, and what is asked about them.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/decide/load.h"
#include "proof/decide/posed.h"
#include "proof/large/row_passes.h"
#include "proof/large/streamed.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct QuestionData {
  // `remote`: null, or who reads the data.
  QuestionData(const ReadOptions& read, RemoteData* remote);

  const Kesler* many() const { return posed.many ? &*posed.many : nullptr; }
  std::uint64_t bytes_of_points() const { return loaded.points->bytes() + (many() ? many()->points->bytes() : 0); }

  std::vector<std::string> paths;
  RemoteData* remote;
  Loaded loaded;
  std::optional<LocalPasses> local;
  std::optional<Streamed> streamed;  // the points exceed the memory: `loaded` has some of the rows
  Asked asked;
  Posed posed;
};

// Loads the rows, or prepares to pass over them, and describes the question in the result. Throws as load() does;
// Error(usage) for a bad bias scale, and for data whose coefficients are not examined.
void read_question(const CertifyOptions& options, const Budget& budget, QuestionData& question, CertifyResult& result);

}  // namespace halfspace::proof
