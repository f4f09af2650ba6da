// Every golden case, and what becomes of it: a check, another test program that checks it, or the area whose algorithms
// are still to come. Pending cases show as skipped tests; a file that is not in the table fails.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>

#include "checks.h"
#include "support/test_name.h"

namespace halfspace::testing {
namespace {

struct Entry {
  const char* id;
  void (*check)(const Json& golden);  // null: pending
  const char* pending = "";
};

// Cases of separability are checked by the tests in tests/proof; here, that one of them names the case.
void check_in_proof_tests(const Json& golden) {
  const std::string id = golden.at("id");
  bool named = false;
  for (const auto& file : std::filesystem::directory_iterator(HALFSPACE_SOURCE_DIR "/tests/proof")) {
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    named = named || text.find(id) != std::string::npos;
  }
  EXPECT_TRUE(named) << "no test in tests/proof names this case";
}

void PrintTo(const Entry& entry, std::ostream* out) {
  *out << (entry.check == nullptr ? "pending: " : "") << (entry.check == nullptr ? entry.pending : entry.id);
}

const std::vector<Entry>& table() {
  static const std::vector<Entry> entries{
      {"B01-batch-B", check_cyclic_to_clean_pass},
      {"B03-pla-first", check_first_mistake},
      {"B04-pla-cyclic", check_cyclic_to_clean_cycle},
      {"B05-pla-permutations", check_permutations},
      {"B08-xor-batch", check_cyclic_to_clean_pass},
      {"B10-weak-only-A-loop", check_cyclic_to_clean_cycle},
      {"B12-weak-only-B", check_cyclic_to_clean_cycle},
      {"B15-empty-batch", check_cyclic_to_clean_pass},
      {"B17-zero-vector-batch", check_cyclic_to_clean_pass},
      {"B18-zero-vector-batch-A", check_cyclic_to_clean_pass},
      {"C01-separable-2d", check_in_proof_tests},
      {"C02-xor", check_in_proof_tests},
      {"C03-zero-vector", check_in_proof_tests},
      {"C04-conflict", check_in_proof_tests},
      {"C05-weak-only", check_in_proof_tests},
      {"C07-margin-1e-12", check_in_proof_tests},
      {"C09-denormal", check_in_proof_tests},
      {"C10-huge", check_in_proof_tests},
      {"C11-d-gt-n", check_in_proof_tests},
      {"C12-empty", check_in_proof_tests},
      {"C14-tenths", check_in_proof_tests},
      {"C15-tenths-sum", check_in_proof_tests},
      {"C16-rank-deficient", check_in_proof_tests},
      {"C17-all-positive-no-bias", check_in_proof_tests},
      {"C19-minerr-noisy", check_in_proof_tests},
      {"C19b-minerr-grid", check_in_proof_tests},
      {"C20-minerr-xor", check_in_proof_tests},
      {"C21-minerr-A-vs-B", check_in_proof_tests},
      {"C23-recover", check_in_proof_tests},
      {"E01-consistent-singletons", check_consistent},
      {"E02-halving-thresholds", check_halving},
      {"E03-soa-thresholds", check_soa},
      {"E04-ldim-table", check_littlestone},
      {"E06-halving-random", check_halving},
      {"E09-version-space-empties", check_halving},
      {"E11-halving-vs-soa", check_halving},
      {"E11c-ldim", check_littlestone},
      {"E12-wm-det", check_weighted_majority},
      {"E14-hedge", check_hedge},
      {"K01-pocket-noisy", check_pocket_ratchet},
      {"K02-pocket-xor", check_pocket_ratchet},
      {"K05-pocket-conflict", check_pocket_ratchet},
      {"K06-runlength", check_pocket_run_length},
      {"N01-novikoff", check_novikoff},
      {"N02-inf-norm", check_novikoff},
      {"N05-start", check_start_bound},
      {"N06-single-point", check_single_point},
      {"N07-single-point-gauss", check_single_point_gaussian},
      {"N08-formulas", check_regret_bounds},
      {"P01-analysts-A", check_online},
      {"P02-analysts-B", check_online},
      {"P04-analysts-bias-first", check_online},
      {"P05-analysts-bias-last", check_online},
      {"P06-ties-A", check_online},
      {"P06-ties-B", check_online},
      {"P06-ties-N", check_online},
      {"P07-zero-vectors-A", check_online},
      {"P08-zero-vectors-B", check_online},
      {"P11-eta-half-w0", check_online},
      {"P13-cancel-2^53", check_online},
      {"P14-overflow", check_online},
      {"P16-orthogonal-tight", check_online},
      {"P17-hadamard8-A", check_online},
      {"P18-hadamard2-A", check_online},
      {"P20-empty", check_online},
      {"P22-gauss-double", check_online},
      {"R01-averaged", check_averaged},
      {"R03-voted", check_voted},
      {"R07-pa2", check_passive_aggressive},
      {"R09-margin-perceptron", check_cyclic_to_clean_pass},
      {"R11-alma2", check_alma},
      {"R13-arow", check_arow},
      {"R14-kernel-xor", check_kernel},
      {"R18-adagrad", check_adagrad},
      {"W01-minnow", check_minnow},
      {"W02-minnow-seed-literal", check_wrong_minnow},
      {"W03-minnow-right-on-W02", check_minnow},
      {"W04-minnow-always-true", check_wrong_minnow},
      {"W08-winnow1", check_winnow1},
      {"W10-minnow-bounds", check_minnow_bounds},
      {"X01-exp3", check_exp3},
      {"X03-exp3-mix", check_exp3_mix},
      {"X04-exp3p", check_exp3p},
      {"X05-exp3p-short", check_exp3p},
      {"X07-exp3ix", check_exp3_ix},
      {"X10-exp3-draw-edges", check_exp3},
      {"X11-exp3-big-eta", check_exp3},
  };
  return entries;
}

class Golden : public ::testing::TestWithParam<Entry> {};

TEST_P(Golden, Case) {
  const Entry& entry = GetParam();
  if (entry.check == nullptr) GTEST_SKIP() << entry.id << " is pending: " << entry.pending;
  const Json golden = golden_case(entry.id);
  ASSERT_EQ(golden.at("id"), entry.id);
  entry.check(golden);
}

std::string name_of_entry(const ::testing::TestParamInfo<Entry>& info) {
  return (info.param.check == nullptr ? "pending_" : "") + test_name(info.param.id);
}

INSTANTIATE_TEST_SUITE_P(All, Golden, ::testing::ValuesIn(table()), name_of_entry);

TEST(GoldenTable, KnowsEveryFileAndEveryEntryIsAFile) {
  std::set<std::string> files, entries;
  for (const auto& file : std::filesystem::directory_iterator(golden_folder())) {
    if (file.path().extension() == ".json") files.insert(file.path().stem().string());
  }
  for (const Entry& entry : table()) entries.insert(entry.id);
  EXPECT_EQ(entries, files);
  EXPECT_EQ(entries.size(), table().size());
}

}  // namespace
}  // namespace halfspace::testing
