// Formats what is proved of a minimum.
#include "report/results/minimum_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "report/results/json.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string loss_name(MarginLoss loss, bool together) {
  return together                            ? "multinomial logistic losses"
         : loss == MarginLoss::hinge         ? "hinge losses"
         : loss == MarginLoss::squared_hinge ? "squared hinge losses"
                                             : "logistic losses";
}

std::string objective_words(const MinimumReached& found, bool together) {
  std::string words = fmt::format("|w|^2 / 2 + C times the {}, C = {}", loss_name(found.objective.loss, together),
                                  short_number(found.cost));
  if (found.objective.l2) words += fmt::format(", of l2 {}", short_number(*found.objective.l2));
  return words;
}

// Returns the digits that the two bounds need to look different, and three more; each bound is rounded outward.
int digits_of(const ProvedMinimum& proved) {
  const double gap = std::max(proved.gap, 1e-16);
  return std::clamp(3 + static_cast<int>(std::ceil(-elementary::log10(gap))), 4, 17);
}

std::string digits_words(const MinimumReached& found) {
  std::uint64_t all = 0, some = 0;
  for (std::size_t digits = 0; digits < found.digits.size(); ++digits) {
    all += found.digits[digits];
    if (digits > 0) some += found.digits[digits];
  }
  if (some == 0)
    return fmt::format("no digit of the {} is certain{}", counted(all, "weight"),
                       found.widest().gap > 0 ? "; a smaller gap makes those of weights other than 0 so" : "");
  // The number of digits that half of those with any have.
  std::uint64_t above = 0;
  std::size_t middle = found.digits.size();
  while (middle > 1 && 2 * above < some) above += found.digits[--middle];
  return fmt::format("{} of {} have certain digits, half of them {} or more", grouped(some), counted(all, "weight"),
                     middle);
}

std::string why_stopped(const MinimumReached& found) {
  for (const ProvedMinimum& of : found.of_vector) {
    if (of.stopped == OptimumStop::gap) continue;
    constexpr double wide = 1e-9;  // doubles lead to less on columns of one scale
    const bool scale = of.stopped == OptimumStop::precision && of.gap > wide && !found.objective.standard;
    return std::string(help_of(of.stopped)) +
           (scale ? ": " + option("normalize", "standard") + " may help, which scales the columns" : "");
  }
  return "";
}

// Returns what the objective is about where columns are standardised.
std::string standard_words(const MinimumReached& found) {
  constexpr double far = 1e5;  // a bound of ten digits may then be off in the last
  if (found.largest_centre < far) return "of standardised columns; the weights are for the data's own values";
  return fmt::format(
      "of standardised columns; a column's mean is {} deviations from 0, and rounding the weights for "
      "its own values is not in the bounds: subtract a constant from it first",
      short_number(found.largest_centre));
}

}  // namespace

void minimum_lines(const TrainResult& result, const MinimumLine& line) {
  const MinimumReached& found = *result.minimum;
  const Model& model = result.model;
  const ProvedMinimum& widest = found.widest();
  const bool scaled = !model.schema.exponents.empty() || model.schema.row_normalised;
  line("minimized",
       objective_words(found, found.objective.jointly && model.classes() > 2) +
           (found.objective.penalize_bias ? "" : ", bias not penalised"),
       found.objective.standard ? standard_words(found)
       : scaled                 ? "of the normalised values"
                                : "");
  const int digits = digits_of(widest);
  std::uint64_t passes = 0;
  for (const ProvedMinimum& of : found.of_vector) passes += of.passes;
  const std::string classes = found.of_vector.size() == 1
                                  ? ""
                                  : fmt::format("each of {} against the rest; the widest gap: ",
                                                counted(found.of_vector.size(), "class", "classes"));
  line("objective",
       fmt::format("{}at most {}, and no weights have less than {}", classes, rounded_up(widest.primal, digits),
                   rounded_down(widest.dual, digits)),
       "proved");
  line("gap", fmt::format("at most {} of the objective", rounded_up(widest.gap, 3)),
       fmt::format("{}{}", counted(passes, "pass", "passes"),
                   why_stopped(found).empty() ? "" : "; stopped: " + why_stopped(found)));
  line("certain",
       fmt::format("every weight{} is within {} of the minimum's", found.objective.standard ? " of scaled columns" : "",
                   rounded_up(widest.radius, 3)),
       digits_words(found));
}

Json minimum(const TrainResult& result) {
  const MinimumReached& found = *result.minimum;
  const ProvedMinimum& widest = found.widest();
  Json j = {{"objective", objective_name(found.objective.loss)},
            {"C", number(found.cost)},
            {"l2", found.objective.l2 ? number(*found.objective.l2) : Json(nullptr)},
            {"penalize_bias", found.objective.penalize_bias},
            {"standard", found.objective.standard},
            {"jointly", found.objective.jointly && result.model.classes() > 2},
            {"primal", number(widest.primal)},
            {"dual", number(widest.dual)},
            {"gap", number(widest.gap)},
            {"radius", number(widest.radius)},
            {"stopped", name_of(widest.stopped)},
            {"digits", found.digits},
            {"seconds", found.seconds}};
  Json each = Json::array();
  for (std::size_t k = 0; k < found.of_vector.size(); ++k) {
    const ProvedMinimum& of = found.of_vector[k];
    each.push_back({{"primal", number(of.primal)},
                    {"dual", number(of.dual)},
                    {"gap", number(of.gap)},
                    {"radius", number(of.radius)},
                    {"passes", of.passes},
                    {"stopped", name_of(of.stopped)}});
    if (found.of_vector.size() > 1) each.back()["class"] = utf8(result.model.schema.labels.names[k]);
  }
  j["of_vector"] = each;
  return j;
}

}  // namespace halfspace::report
