// Formats prediction sets.
#include "report/results/sets_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "report/results/evaluation_json.h"
#include "report/results/words.h"

namespace halfspace::report {

std::string coverage_words(double coverage) { return fmt::format("{:.10g} %", 100 * coverage); }

ErrorBounds coverage_bounds(const SetCounts& counts, double confidence) {
  const ErrorBounds errors = kept_out_error(static_cast<std::uint64_t>(counts.rows),
                                            static_cast<std::uint64_t>(counts.rows - counts.covered), confidence);
  return {std::max(0.0, std::nextafter(1 - errors.upper, 0)), std::min(1.0, std::nextafter(1 - errors.lower, 2))};
}

std::string sets_words(const PredictionSets& sets, const std::vector<std::string>& names) {
  const std::string share = coverage_words(sets.coverage());
  const std::uint64_t fewest = fewest_rows(sets.coverage());
  if (sets.always().empty()) {
    return fmt::format(
        "a set has the true class with probability at least {}{}, if the row is exchangeable with the {} "
        "held out",
        share, sets.each_class() ? ", in each class" : "", grouped(sets.rows()));
  }
  if (!sets.each_class()) {
    return fmt::format("{} held out are too few for sets at {}: every set has all classes; at least {} are needed",
                       counted(sets.rows(), "row"), share, grouped(fewest));
  }
  std::string classes;
  for (std::size_t i = 0; i < sets.always().size() && i < 5; ++i) {
    const std::size_t k = sets.always()[i];
    classes += (i == 0 ? "" : ", ") + (k < names.size() ? shortened(names[k], 24) : "?");
  }
  if (sets.always().size() > 5) classes += fmt::format(" and {} more", sets.always().size() - 5);
  return fmt::format("every set has {}, of which too few rows are held out for sets at {}: at least {} are needed",
                     classes, share, grouped(fewest));
}

std::string issued_words(const IssuedSets& issued) {
  const AdaptiveSets& sets = issued.sets;
  const auto rows = static_cast<double>(sets.rows());
  const double wrong = 1 - sets.coverage(), bound = sets.bound();
  return fmt::format("{} without the truth; wanted {}, and within {} of it for any sequence",
                     percent(static_cast<double>(sets.errors()), rows), percent(wrong, 1),
                     bound >= 1 ? "100 %" : fixed_up(100 * bound, 2) + " %");
}

Json conformal(const ConformalScores& scores) { return {{"rows", scores.rows()}}; }

Json sets_evaluation(const SetsEvaluation& sets, const ModelEvaluation& evaluation) {
  const SetCounts& counts = sets.counts;
  const auto share = [](double part, double all) { return all == 0 ? Json(nullptr) : Json(part / all); };
  Json j = {{"wanted", sets.wanted},
            {"each_class", sets.each_class},
            {"held_out", sets.held_out},
            {"rows", rows_count(counts.rows)},
            {"covered", rows_count(counts.covered)},
            {"coverage", share(counts.covered, counts.rows)},
            {"mean_size", share(counts.sizes, counts.rows)},
            {"single", share(counts.singles, counts.rows)},
            {"empty", share(counts.empty, counts.rows)}};
  if (counts.rows > 0 && counts.counts_rows() && !evaluation.learned_from) {
    const ErrorBounds bounds = coverage_bounds(counts, evaluation.confidence);
    j["lower"] = bounds.lower;
    j["upper"] = bounds.upper;
  } else {
    j["lower"] = j["upper"] = nullptr;
  }
  j["classes"] = Json::object();
  for (std::size_t k = 0; k < sets.rows.size(); ++k)
    j["classes"][utf8(evaluation.classes[k])] = {{"rows", rows_count(sets.rows[k])},
                                                 {"covered", rows_count(sets.covered[k])}};
  return j;
}

Json issued_sets(const IssuedSets& issued, std::size_t classes) {
  const AdaptiveSets& sets = issued.sets;
  const SetCounts& counts = issued.counts;
  const auto rows = static_cast<double>(sets.rows());
  const auto size = [&](double sum) { return classes > 2 || sets.rows() == 0 ? Json(nullptr) : Json(sum / rows); };
  return {{"wanted", sets.coverage()},
          {"step", AdaptiveSets::step},
          {"window", AdaptiveSets::window},
          {"rows", sets.rows()},
          {"errors", sets.errors()},
          {"error", sets.rows() == 0 ? Json(nullptr) : Json(static_cast<double>(sets.errors()) / rows)},
          {"bound", sets.rows() == 0 ? Json(nullptr) : Json(sets.bound())},
          {"level", sets.level()},
          {"mean_size", size(counts.sizes)},
          {"single", size(counts.singles)},
          {"empty", size(counts.empty)}};
}

}  // namespace halfspace::report
