// Writes the sentences.
#include "report/results/comparison_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

double p_of(const PairResult& pair) { return pair.nemenyi_p.value_or(pair.adjusted_p); }

}  // namespace

std::string p_words(double p) { return p < 0.0001 ? "p < 0.0001" : fmt::format("p = {:.3g}", p); }

std::string names_words(const Comparison& found, const std::vector<std::size_t>& which, std::size_t most) {
  std::string text;
  const std::size_t shown = which.size() > most ? most : which.size();
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + printable(found.names[which[i]]);
  if (shown < which.size()) text += fmt::format(" and {} more", which.size() - shown);
  return text;
}

std::string rows_words(const Comparison& found) {
  std::string how = found.folds ? fmt::format("{} stratified folds, the same for all", *found.folds)
                                : std::string("the same test rows for all");
  if (found.sets.size() == 1) return how + fmt::format("; {}", counted(found.sets[0].rows, "row"));
  if (found.common.size() == found.sets.size()) return how + fmt::format("; {} data sets", found.sets.size());
  return how + fmt::format("; all ran on {} of {} data sets", found.common.size(), found.sets.size());
}

std::string test_words(const Comparison& found) {
  switch (found.test) {
    case ComparisonTest::none:
      return "none";
    case ComparisonTest::corrected_t:
      return "corrected resampled t, p adjusted by Holm";
    case ComparisonTest::mcnemar:
      return "McNemar's exact test, p adjusted by Holm";
    case ComparisonTest::wilcoxon:
      return "Wilcoxon's signed ranks over the data sets";
    case ComparisonTest::nemenyi:
      return fmt::format("Friedman F = {}, {}; critical difference of ranks {:.2f} (Nemenyi)",
                         short_number(found.friedman->f, 3), p_words(found.friedman->p_value),
                         *found.critical_difference);
  }
  return "";
}

std::string best_words(const Comparison& found) {
  if (!found.best) return found.compared.empty() ? "none: nothing ran" : "none: on no data set did all of them run";
  const std::size_t best = *found.best;
  const bool ranks = found.friedman.has_value();
  std::string text = printable(found.names[best]);
  text += ranks ? fmt::format(", mean rank {:.2f}", found.mean_ranks[best])
                : fmt::format(", {} right", percent(found.mean_scores[best], 1));
  if (found.compared.size() == 1) return text + ": there is no other";
  std::vector<std::size_t> untested;
  for (const PairResult& pair : found.pairs) {
    if (pair.better == best && !pair.why_not_tested.empty()) untested.push_back(pair.worse);
  }
  if (untested.size() == found.not_beaten.size() && !untested.empty() && found.beaten.empty())
    return text + ": not tested against " + (untested.size() == 1 ? names_words(found, untested) : "any other");
  if (found.beaten.empty()) {
    // The closest other is named with its p-value: the least of all.
    double least = 1;
    for (const PairResult& pair : found.pairs) {
      if (pair.better == best) least = std::min(least, p_of(pair));
    }
    return text + fmt::format(": not significantly better than {} ({})",
                              found.not_beaten.size() == 1 ? names_words(found, found.not_beaten) : "any other",
                              p_words(least));
  }
  double most = 0;
  for (const PairResult& pair : found.pairs) {
    if (pair.better == best && pair.significant) most = std::max(most, p_of(pair));
  }
  if (found.not_beaten.empty()) {
    return text + fmt::format(": significantly better than {} ({})",
                              found.beaten.size() == 1 ? names_words(found, found.beaten) : "all others",
                              p_words(most));
  }
  if (found.not_beaten.size() < found.beaten.size())
    return text + ": significantly better than all but " + names_words(found, found.not_beaten);
  return text + fmt::format(": significantly better than {}; not than {}", names_words(found, found.beaten, 2),
                            names_words(found, found.not_beaten, 2));
}

}  // namespace halfspace::report
