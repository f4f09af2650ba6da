// Defaults of optional operations.
#include "halfspace/game/learner.h"

#include "halfspace/base/error.h"
#include "halfspace/detail/linear/vote.h"

namespace halfspace {

double Learner::squared_norm() const { return halfspace::squared_norm(present()); }

void Learner::find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out, double& errors) {
  std::vector<std::uint32_t> in_block;
  for (std::size_t b = 0; b < rows.blocks() && (!first_only || out.empty()); ++b) {
    in_block.clear();
    find_updates(rows.block(b), &in_block, errors, first_only);
    for (const std::uint32_t i : in_block) out.push_back(static_cast<std::uint32_t>(b * Rows::block_rows) + i);
  }
}

void Learner::vote(const Block&, std::vector<double>&) const {
  throw Error(ErrorKind::usage, "the steps of this rule are not multiples of rows: it has no vectors to vote")
      .fix("use " + option("keep", "last") + ", average or pocket");
}

}  // namespace halfspace
