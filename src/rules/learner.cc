// The edge between names and templates: validation and the choice of a rule family.
#include "halfspace/game/learner.h"

#include "halfspace/kernels/kernels.h"
#include "rules/make_learner.h"

namespace halfspace {

double Learner::squared_norm() const {
  const ClassWeightVector now = present();
  return kernels::squared_norm(now.w.data(), now.w.size()) + kernels::squared_norm(now.bias.data(), now.bias.size());
}

void Learner::find_updates(const Rows& rows, bool first_only, std::vector<std::uint32_t>& out,
                           std::uint64_t& mistakes) {
  std::vector<std::uint32_t> in_block;
  for (std::size_t b = 0; b < rows.blocks() && (!first_only || out.empty()); ++b) {
    in_block.clear();
    find_updates(rows.block(b), &in_block, mistakes, first_only);
    for (const std::uint32_t i : in_block) out.push_back(static_cast<std::uint32_t>(b * Rows::block_rows) + i);
  }
}

std::unique_ptr<Learner> make_learner(const Composition& composition, std::uint32_t classes, std::uint64_t memory) {
  validate(composition);
  switch (composition.rule) {
    case RuleName::perceptron:
    case RuleName::margin:
      return game::make_perceptron(composition);
    case RuleName::arow_diagonal:
    case RuleName::adagrad:
      return game::make_diagonal(composition);
    case RuleName::alma:
    case RuleName::projected:
      return game::make_scaled(composition);
    case RuleName::winnow1:
    case RuleName::winnow2:
      return game::make_winnow(composition);
    case RuleName::eg:
    case RuleName::minnow:
      return game::make_minnow(composition);
    case RuleName::multiclass:
      return game::make_multiclass(composition, classes);
    case RuleName::second_order:
    case RuleName::arow:
      return game::make_second_order(composition, memory);
    case RuleName::kernel:
      return game::make_kernel(composition);
    default:
      return game::make_passive_aggressive(composition);
  }
}

}  // namespace halfspace
