// Formats the scores of candidates.
#include "report/results/choice_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text_table.h"
#include "report/results/evaluation_json.h"
#include "report/results/evaluation_text.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

// The metric that ranked, and its name.
struct Ranking {
  Metric metric = Metric::accuracy;

  std::string number(double value) const { return metric_number(metric, value); }
  std::string words() const { return metric_words(metric, {}); }
};

// What is proved of a candidate's minima on the folds.
struct MinimaOfFolds {
  double primal = 0;  // the mean
  double gap = 0;     // the widest
  std::uint64_t passes = 0;
};

std::optional<MinimaOfFolds> minima_of(const Validation& v) {
  MinimaOfFolds all;
  for (const FoldScore& fold : v.fold) {
    if (!fold.minimum) return std::nullopt;
    all.primal += fold.minimum->primal / static_cast<double>(v.fold.size());
    all.gap = std::max(all.gap, fold.minimum->gap);
    all.passes += fold.minimum->passes;
  }
  return all;
}

Json score(const Validation& v) {
  Json j = {{"accuracy", v.accuracy()}, {"spread", v.spread()}, {"standard_error", v.standard_error()}};
  if (v.metric != Metric::accuracy) j["metric"] = {{"name", name_of(v.metric)}, {"value", number(v.value())}};
  if (const auto minima = minima_of(v))
    j["minimum"] = {{"primal", number(minima->primal)}, {"gap", number(minima->gap)}, {"passes", minima->passes}};
  return j;
}

std::string table_of_candidates(const Choice& choice, const TextStyle& style) {
  const auto& [candidates, verdicts, winner, next, rows, by_folds, labels] = choice;
  const Ranking ranking{choice.verdict().metric};
  const bool minimizes = minima_of(choice.verdict()).has_value();
  std::vector<std::string> head;
  for (const auto& [name, value] : candidates[0].values) head.push_back(style.dim(name));
  head.push_back(style.dim(ranking.words()));
  if (by_folds) head.push_back(style.dim("spread"));
  head.push_back(style.dim("standard error"));
  if (minimizes) head.insert(head.end(), {style.dim("objective"), style.dim("gap at most"), style.dim("passes")});
  TextTable table(std::vector<bool>(head.size(), false));
  table.add(head);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Validation& v = verdicts[c];
    std::vector<std::string> cells;
    for (const auto& [name, value] : candidates[c].values) cells.push_back(short_number(value));
    cells.push_back(c == winner ? style.bold(ranking.number(v.value())) : ranking.number(v.value()));
    if (by_folds) cells.push_back(ranking.number(v.spread()));
    cells.push_back(ranking.number(v.standard_error()));
    if (const auto minima = minima_of(v); minima && minimizes)
      cells.insert(cells.end(), {short_number(minima->primal), rounded_up(minima->gap, 2), grouped(minima->passes)});
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::string choice_text(const Choice& choice, bool searched, const TextStyle& style) {
  const auto& [candidates, verdicts, winner, next, rows, by_folds, labels] = choice;
  const Validation& best = choice.verdict();
  const Ranking ranking{best.metric};
  const auto share_words = [&](double value) { return ranking.number(value); };
  std::string text;
  if (searched) {
    text += table_of_candidates(choice, style) + "\n";
    text += fmt::format("  {:<12} {}", "best", style.bold(candidates[winner].name()));
    if (const auto lead = choice.ahead()) {
      text += fmt::format(", ahead of {} by {} with standard error {}{}", candidates[next].name(),
                          share_words(lead->by), share_words(lead->standard_error),
                          lead->by > 2 * lead->standard_error ? "" : ": not statistically significant");
    }
    text += "\n";
  }
  if (by_folds) {
    std::string each;
    for (const FoldScore& fold : best.fold) each += (each.empty() ? "" : ", ") + share_words(fold.by(best.metric));
    text += fmt::format("  {:<12} {}\n", fmt::format("{} folds", best.fold.size()), each);
  }
  text +=
      fmt::format("  {:<12} {}   {}\n", ranking.words(), style.bold(share_words(best.value())),
                  style.dim(by_folds ? fmt::format("mean of the folds; spread {}, standard error {}",
                                                   share_words(best.spread()), share_words(best.standard_error()))
                                     : fmt::format("of {} held out; standard error {}", rows_counted(best.fold[0].rows),
                                                   share_words(best.standard_error()))));
  if (candidates.size() > 1)
    text += fmt::format("  {:<12} {}\n", "",
                        style.dim("the best of several on the rows that chose it: expect slightly less on new rows"));
  return text + "\n";
}

void add_choice(Json& result, const Choice& choice, bool searched) {
  const auto& [candidates, verdicts, winner, next, rows, by_folds, labels] = choice;
  const Validation& best = choice.verdict();
  if (by_folds) {
    Json folds = score(best);
    folds["rows"] = rows;
    folds["fold"] = Json::array();
    for (const FoldScore& fold : best.fold)
      folds["fold"].push_back(
          {{"rows", rows_count(fold.rows)}, {"errors", rows_count(fold.errors)}, {"accuracy", fold.accuracy()}});
    result["folds"] = folds;
  }
  if (!searched) return;
  const auto parameters = [&all = candidates](std::size_t c) {
    Json j = Json::object();
    for (const auto& [name, value] : all[c].values) j[name] = value;
    return j;
  };
  Json search = {{"judged_by", by_folds ? "folds" : "holdout"}};
  search["candidates"] = Json::array();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    Json one = {{"parameters", parameters(c)}};
    one.update(score(verdicts[c]));
    search["candidates"].push_back(one);
  }
  search["best"] = parameters(winner);
  search["lead"] = nullptr;
  if (const auto lead = choice.ahead())
    search["lead"] = {{"over", parameters(next)}, {"by", lead->by}, {"standard_error", lead->standard_error}};
  result["search"] = search;
}

void add_plan(Json& result, const std::string& words, const std::optional<Choice>& choice, const TextStyle& style) {
  Json chosen = {{"words", style.rendered(words)}};
  if (choice) {
    chosen["candidates"] = Json::array();
    for (std::size_t c = 0; c < choice->candidates.size(); ++c) {
      chosen["candidates"].push_back(
          {{"name", choice->candidates[c].name()}, {"accuracy", choice->verdicts[c].accuracy()}});
    }
    chosen["best"] = choice->winner().name();
  }
  result["chosen"] = chosen;
}

}  // namespace halfspace::report
