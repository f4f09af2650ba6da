// The flags that docs/how-to/from-vowpal-wabbit.md maps.
#include "cli/vw_flags.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace halfspace::cli {
namespace {

struct Mapping {
  std::string_view long_name, letter, instead;
};

constexpr Mapping mappings[] = {
    {"--data", "-d", "the data need no flag"},
    {"--final_regressor", "-f", "write -o MODEL"},
    {"--initial_regressor", "-i", "write --resume MODEL"},
    {"--testonly", "-t", "halfspace predict MODEL DATA, or halfspace evaluate MODEL DATA"},
    {"--predictions", "-p", "halfspace predict MODEL DATA -o FILE"},
    {"--loss_function", "", "write --rule ftrl --loss logistic, or --rule ftrl --loss hinge"},
    {"--learning_rate", "-l", "write --rule ftrl --alpha A, or --rule nag --rate R"},
    {"--bit_precision", "-b", "leave it out: features are not hashed"},
    {"--oaa", "", "leave it out: the labels name the classes"},
    {"--cache", "-c", "leave it out: --passes N keeps the rows itself"},
    {"--cache_file", "", "leave it out: --passes N keeps the rows itself"},
    {"--kill_cache", "-k", "leave it out: --passes N keeps the rows itself"},
    {"--holdout_off", "", "leave it out: only --holdout SHARE holds rows out"},
    {"--link", "", "write --calibrate platt --holdout 0.2, then predict --probability"},
    {"--invert_hash", "", "halfspace inspect MODEL --all prints the weights by name"},
    {"--readable_model", "", "halfspace inspect MODEL --all prints the weights by name"},
    {"--audit", "-a", "halfspace inspect MODEL --all prints the weights by name"},
};

}  // namespace

std::string_view instead_of_vw_flag(std::string_view flag) {
  for (const Mapping& mapping : mappings)
    if (flag == mapping.long_name || flag == mapping.letter) return mapping.instead;
  return "";
}

bool names_vw_pair(const std::string& word) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
  std::error_code problem;
  return word.size() == 2 && std::all_of(word.begin(), word.end(), letter) && !std::filesystem::exists(word, problem);
}

}  // namespace halfspace::cli
