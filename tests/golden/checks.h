// The checks that golden cases are run through, one for each algorithm now there; golden_test.cc says which case takes
// which.
#pragma once

#include "golden_case.h"

namespace halfspace::testing {

// One pass, round by round.
void check_online(const Json& golden);
void check_passive_aggressive(const Json& golden);
void check_arow(const Json& golden);
void check_adagrad(const Json& golden);
void check_winnow1(const Json& golden);
void check_kernel(const Json& golden);
void check_minnow(const Json& golden);
void check_wrong_minnow(const Json& golden);  // the update rules of W02 and W04, as small rules of their own
// Many passes.
void check_alma(const Json& golden);
void check_cyclic_to_clean_pass(const Json& golden);
void check_first_mistake(const Json& golden);
void check_cyclic_to_clean_cycle(const Json& golden);
void check_permutations(const Json& golden);
void check_pocket_ratchet(const Json& golden);
void check_pocket_run_length(const Json& golden);
void check_averaged(const Json& golden);
void check_voted(const Json& golden);
// Formulas.
void check_novikoff(const Json& golden);
void check_start_bound(const Json& golden);
void check_single_point(const Json& golden);
void check_single_point_gaussian(const Json& golden);
void check_minnow_bounds(const Json& golden);
void check_regret_bounds(const Json& golden);
// Experts.
void check_consistent(const Json& golden);
void check_halving(const Json& golden);
void check_soa(const Json& golden);
void check_littlestone(const Json& golden);
void check_weighted_majority(const Json& golden);
void check_hedge(const Json& golden);
// Bandits, draws handed in.
void check_exp3(const Json& golden);
void check_exp3_mix(const Json& golden);
void check_exp3p(const Json& golden);
void check_exp3_ix(const Json& golden);

}  // namespace halfspace::testing
