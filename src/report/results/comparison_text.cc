// Formats a comparison.
#include "report/results/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text_table.h"
#include "report/results/comparison_words.h"
#include "report/results/evaluation_json.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t widest_name = 28;

std::string accuracy_words(double value) { return percent(value, 1); }

// Formats the time of one training, which may be microseconds.
std::string time_words(double seconds) {
  return seconds < 1 ? short_number(1000 * seconds, 2) + " ms" : duration(seconds);
}

std::string interval_words(const CompetitorResult& one, int digits = 1) {
  if (one.lower == 0 && one.upper == 1) return "-";
  return fmt::format("{} to {} %", fixed_down(100 * one.lower, digits), fixed_up(100 * one.upper, digits));
}

// The competitors by score, the best last: the eye ends there.
std::vector<std::size_t> ascending(const Comparison& found, const std::vector<double>& key, bool high_is_good) {
  std::vector<std::size_t> order = found.compared;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return high_is_good ? key[a] < key[b] : key[a] > key[b]; });
  return order;
}

std::string one_set(const Comparison& found, const SetResult& set, const TextStyle& style) {
  TextTable table({true, false, true, false, true});
  table.add({style.dim("competitor"), style.dim("accuracy"),
             style.dim(fmt::format("{} % interval", short_number(100 * found.confidence))), style.dim("time"),
             style.dim("significantly better than")});
  std::vector<double> scores;
  for (const CompetitorResult& one : set.results) scores.push_back(one.score);
  for (const std::size_t c : ascending(found, scores, true)) {
    const CompetitorResult& one = set.results[c];
    if (!one.why_not_run.empty()) continue;
    std::vector<std::size_t> beaten;
    for (const PairResult& pair : set.pairs) {
      if (pair.better == c && pair.significant) beaten.push_back(pair.worse);
    }
    const std::string mark = accuracy_words(one.score);
    table.add({shortened(found.names[c], widest_name), found.best == c ? style.bold(mark) : mark, interval_words(one),
               time_words(one.seconds), beaten.empty() ? "-" : names_words(found, beaten, 2)});
  }
  return table.text();
}

std::string many_sets(const Comparison& found, const TextStyle& style) {
  const std::vector<std::size_t> order = ascending(found, found.mean_ranks, false);
  std::vector<bool> aligned(order.size() + 1, false);
  aligned[0] = true;
  TextTable table(aligned);
  std::vector<std::string> head{style.dim("accuracy on")};
  for (const std::size_t c : order) head.push_back(style.dim(shortened(found.names[c], widest_name)));
  table.add(head);
  for (const SetResult& set : found.sets) {
    std::vector<std::string> cells{shortened(set.name, 32)};
    for (const std::size_t c : order) {
      const CompetitorResult& one = set.results[c];
      const std::string text = one.why_not_run.empty() ? accuracy_words(one.score) : "not run";
      cells.push_back(one.rank == 1 ? style.bold(text) : text);
    }
    table.add(cells);
  }
  if (!found.common.empty()) {
    std::vector<std::string> means{"mean"}, ranks{"mean rank"};
    for (const std::size_t c : order) {
      means.push_back(accuracy_words(found.mean_scores[c]));
      ranks.push_back(fmt::format("{:.2f}", found.mean_ranks[c]));
    }
    table.add(means);
    table.add(ranks);
  }
  return table.text();
}

std::string not_run_text(const Comparison& found, const TextStyle& style) {
  std::string text;
  for (std::size_t c = 0; c < found.names.size(); ++c) {
    for (const SetResult& set : found.sets) {
      if (set.results[c].why_not_run.empty()) continue;
      text += fmt::format("  {:<12} {}{}: {}\n", "not run", shortened(found.names[c], widest_name),
                          found.sets.size() > 1 ? " on " + shortened(set.name, 32) : std::string(),
                          style.rendered(set.results[c].why_not_run));
    }
  }
  return text;
}

std::string untested_text(const Comparison& found) {
  std::string text;
  bool weights = false;
  for (std::size_t c = 0; c < found.names.size(); ++c) {
    for (const SetResult& set : found.sets) {
      for (const FoldScore& fold : set.results[c].fold) weights = weights || !fold.whole;
      if (!set.results[c].unfinished) continue;
      text += fmt::format(
          "  {:<12} {}{}: {} % of its objective are still unproved, so it is not tested; more passes "
          "or none given\n",
          "unfinished", shortened(found.names[c], widest_name),
          found.sets.size() > 1 ? " on " + shortened(set.name, 32) : std::string(),
          rounded_up(100 * *set.results[c].unfinished, 2));
    }
  }
  if (weights) text += fmt::format("  {:<12} no intervals: {}\n", "weights", weights_count_no_rows);
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

Json pair_json(const Comparison& found, const PairResult& pair) {
  Json j = {{"better", utf8(found.names[pair.better])},
            {"worse", utf8(found.names[pair.worse])},
            {"lead", pair.lead},
            {"statistic", pair.test.statistic},
            {"p", pair.test.p_value},
            {"holm_p", pair.adjusted_p}};
  if (pair.nemenyi_p) j["nemenyi_p"] = *pair.nemenyi_p;
  j["wins"] = rows_count(pair.wins);
  j["losses"] = rows_count(pair.losses);
  j["ties"] = rows_count(pair.ties);
  j["significant"] = pair.significant;
  if (!pair.why_not_tested.empty()) j["not_tested"] = utf8(pair.why_not_tested);
  return j;
}

Json pairs_json(const Comparison& found, const std::vector<PairResult>& pairs) {
  Json list = Json::array();
  for (const PairResult& pair : pairs) list.push_back(pair_json(found, pair));
  return list;
}

Json result_json(const Comparison& found, const CompetitorResult& one, const std::string& name,
                 const TextStyle& style) {
  Json j = {{"competitor", utf8(name)}};
  if (!one.why_not_run.empty()) {
    j["not_run"] = utf8(style.rendered(one.why_not_run));
    return j;
  }
  j["accuracy"] = one.score;
  j["lower"] = one.lower;
  j["upper"] = one.upper;
  j["rank"] = one.rank;
  j["seconds"] = one.seconds;
  if (one.unfinished) j["unfinished_gap"] = number(*one.unfinished);
  if (found.folds) {
    j["fold"] = Json::array();
    for (const FoldScore& fold : one.fold)
      j["fold"].push_back(
          {{"rows", rows_count(fold.rows)}, {"errors", rows_count(fold.errors)}, {"accuracy", comparison_score(fold)}});
  } else {
    j["rows"] = rows_count(one.fold[0].rows);
    j["errors"] = rows_count(one.fold[0].errors);
  }
  if (!one.curve.empty()) {
    Json rows = Json::array(), accuracy = Json::array();
    for (const LearningPoint& point : one.curve) {
      rows.push_back(static_cast<double>(point.rounds) / static_cast<double>(one.fold.size()));
      accuracy.push_back(point.accuracy());
    }
    j["curve"] = {{"rows", rows}, {"accuracy", accuracy}};
  }
  return j;
}

Json names_json(const Comparison& found, const std::vector<std::size_t>& which) {
  Json list = Json::array();
  for (const std::size_t c : which) list.push_back(utf8(found.names[c]));
  return list;
}

Json over_sets_json(const Comparison& found) {
  Json j = {{"sets", Json::array()}, {"competitors", Json::array()}};
  for (const std::size_t s : found.common) j["sets"].push_back(utf8(found.sets[s].name));
  for (const std::size_t c : found.compared) {
    j["competitors"].push_back(
        {{"name", utf8(found.names[c])}, {"mean_rank", found.mean_ranks[c]}, {"mean_accuracy", found.mean_scores[c]}});
  }
  if (found.friedman) {
    const FriedmanTest& test = *found.friedman;
    j["friedman"] = {
        {"chi_squared", test.chi_squared}, {"chi_squared_p", test.chi_squared_p}, {"f", test.f}, {"p", test.p_value}};
  }
  if (found.critical_difference) j["critical_difference"] = *found.critical_difference;
  j["pairs"] = pairs_json(found, found.pairs);
  return j;
}

}  // namespace

std::string comparison_text(const Comparison& found, const TextStyle& style) {
  std::string text;
  if (!found.compared.empty())
    text += (found.sets.size() == 1 ? one_set(found, found.sets[0], style) : many_sets(found, style)) + "\n";
  text += not_run_text(found, style) + untested_text(found);
  if (found.interrupted)
    text += fmt::format("  {:<12} after {}\n", "interrupted", counted(found.sets.size(), "data set"));
  text += fmt::format("  {:<12} {}\n", "rows", rows_words(found));
  if (found.test != ComparisonTest::none) text += fmt::format("  {:<12} {}\n", "test", test_words(found));
  text += fmt::format("  {:<12} {}; {} of processor time\n", "time", duration(found.seconds),
                      duration(found.trained_seconds));
  text += fmt::format("  {:<12} {}\n", "best", style.bold(best_words(found)));
  return text;
}

std::string comparison_csv(const Comparison& found) {
  std::string text = "data,competitor,accuracy,lower,upper,rank,seconds,not_run\n";
  for (const SetResult& set : found.sets) {
    for (std::size_t c = 0; c < found.names.size(); ++c) {
      const CompetitorResult& one = set.results[c];
      text += csv_cell(set.name) + "," + csv_cell(found.names[c]) + ",";
      text += one.why_not_run.empty()
                  ? fmt::format("{},{},{},{},{:.6g},\n", one.score, one.lower, one.upper, one.rank, one.seconds)
                  : ",,,,," + csv_cell(render_options(one.why_not_run)) + "\n";
    }
  }
  return text;
}

Json comparison_json(const Comparison& found, const TextStyle& style) {
  Json j = {{"competitors", Json::array()}};
  for (const std::string& name : found.names) j["competitors"].push_back(utf8(name));
  if (found.folds) j["folds"] = *found.folds;
  j["confidence"] = found.confidence;
  j["test"] = name_of(found.test);
  j["interrupted"] = found.interrupted;
  j["sets"] = Json::array();
  for (const SetResult& set : found.sets) {
    Json one = {{"data", utf8(set.name)},
                {"path", utf8(set.path)},
                {"rows", set.rows},
                {"classes", set.classes},
                {"results", Json::array()}};
    for (std::size_t c = 0; c < found.names.size(); ++c)
      one["results"].push_back(result_json(found, set.results[c], found.names[c], style));
    one["pairs"] = pairs_json(found, set.pairs);
    j["sets"].push_back(one);
  }
  if (found.common.size() > 1 && found.compared.size() > 1) j["over_sets"] = over_sets_json(found);
  if (found.best) {
    j["best"] = utf8(found.names[*found.best]);
    j["significantly_better_than"] = names_json(found, found.beaten);
    j["not_significantly_better_than"] = names_json(found, found.not_beaten);
  } else {
    j["best"] = nullptr;
  }
  j["words"] = {{"rows", rows_words(found)}, {"test", test_words(found)}, {"best", utf8(best_words(found))}};
  j["seconds"] = {{"total", found.seconds}, {"trainings", found.trained_seconds}};
  return j;
}

}  // namespace halfspace::report
