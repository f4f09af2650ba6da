// certify --coefficients: which coefficients are infinite.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string arrow_of(const std::string& estimate) {
  if (estimate == "+infinite") return "↑";
  if (estimate == "-infinite") return "↓";
  return estimate == "undetermined" || estimate == "undecided" ? "↕" : "";
}

std::string separation_caption(const View& separation, std::uint64_t rows) {
  const std::string kind = separation.text("kind");
  if (kind == "overlap") return "The rows overlap: the maximum-likelihood fit exists, and every coefficient is finite.";
  const std::string arrows =
      " ↑ every direction of separation that moves the coefficient raises it, ↓ lowers it, ↕ it may be finite or "
      "infinite of either sign, or that is not decided. Proved, and the proof was checked in exact arithmetic.";
  if (kind == "complete") return "A hyperplane separates all rows." + arrows;
  return fmt::format("A hyperplane separates {} of {}, and the others are on it.",
                     grouped(separation.count("separated_rows")), counted(rows, "row", "rows")) +
         arrows;
}

}  // namespace

std::string separation_figures(const View& run) {
  constexpr std::size_t most = 200;
  if (!run.has("separation")) return "";
  const View separation = run["separation"];
  const std::vector<View> all = separation.list("coefficients");
  std::vector<std::vector<std::string>> cells;
  std::size_t left_out = 0;
  for (const View& one : all) {
    const std::string estimate = one.text("estimate");
    if (cells.size() == most || (all.size() > most && estimate == "finite")) {
      ++left_out;
      continue;
    }
    cells.push_back({one.text("name"), arrow_of(estimate), estimate});
  }
  std::string caption = separation_caption(separation, run.count("rows"));
  if (separation.has("positive")) {
    caption += fmt::format(" Signs are for the class <em>{}</em>: a coefficient above 0 raises its probability.",
                           escaped_short(separation.text("positive"), 60));
  }
  if (separation.has("notes")) {
    for (const View& note : separation.list("notes")) caption += " " + escaped(note.text());
  }
  if (left_out > 0) caption += fmt::format(" {} more are not shown, finite ones first of all.", grouped(left_out));
  return group("Coefficients of a logistic regression",
               figure("coefficients", "Which coefficients are infinite",
                      table_html({"coefficient", "", "estimate"}, cells), caption));
}

}  // namespace halfspace::report
