// The question of a certification: its data, in memory or read by passes, and what is asked about them.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/decide/decide.h"
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

// What is known once a multiclass question is posed: a witness, or a combination near 0 if that is all. Members are those
// of the posed problem.
struct Opening {
  WeightedMembers witness, near;
};

// Poses the question about the rows in memory, or prepares to pass over them if its points exceed the memory. Of more than
// two classes, two that no hyperplane separates decide it: they are looked for first, with half of the time of `search`,
// unless a certificate is resumed; the question is then about the rows of their witness alone. If time ends before all
// points are made, it is about those of the last pair. `whole`: with the time of a check, too, as without points there is
// nothing to check. Throws GaveUp if time is over and nothing was found.
Opening pose_question(const CertifyOptions& options, const Budget& search, const Budget& whole,
                      const std::function<void(const char* stage, Bracket)>& progress, QuestionData& question,
                      CertifyResult& result);

}  // namespace halfspace::proof
