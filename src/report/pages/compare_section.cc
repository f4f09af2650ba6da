// compare: the critical-difference diagram, scores with intervals, who beats whom, time, and learning curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr double picture_width = 460;
constexpr std::size_t most_competitors = 40, most_sets = 12, most_pairs = 60, most_lines = 8;

// Bounds a number that a picture scales.
double bounded(double value) { return std::clamp(value, -1e9, 1e9); }

// A competitor's position in a picture.
struct Placed {
  std::string name;
  double at = 0, low = NAN, high = NAN;
};

// Draws mean ranks on an axis, the best on the left, with names on both sides; a thick line connects competitors that do
// not differ significantly. `groups`: first and last position in `ranked`, which ascends.
std::string difference_diagram(const std::vector<Placed>& ranked, double critical,
                               const std::vector<std::pair<std::size_t, std::size_t>>& groups) {
  constexpr double from_x = 142, until_x = picture_width - 142, axis = 52, row = 18;
  const double k = static_cast<double>(ranked.size());
  const auto px = [&](double rank) { return from_x + (rank - 1) / std::max(1.0, k - 1) * (until_x - from_x); };
  const double names = axis + 14 + 7 * static_cast<double>(groups.size()) + 12;
  const double unit = (until_x - from_x) / std::max(1.0, k - 1);
  const double length = std::min(critical * unit, until_x - from_x);
  std::string svg = fmt::format(
      "<path class=\"axis\" d=\"M{:.1f} 18v6m0-3h{:.1f}m0-3v6\"/><text class=\"label\" x=\"{:.1f}\" y=\"11\">"
      "critical difference {:.2f}</text>",
      from_x, length, from_x, critical);
  svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", from_x, axis, until_x);
  const int step = ranked.size() > 12 ? 5 : 1;
  for (int rank = 1; rank <= static_cast<int>(ranked.size()); rank += step) {
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{:.1f} {:.1f}v-5\"/><text class=\"tick middle\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>",
        px(rank), axis, px(rank), axis - 9, rank);
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double y = axis + 11 + 7 * static_cast<double>(g);
    svg += fmt::format("<path class=\"bond\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", px(ranked[groups[g].first].at) - 3, y,
                       px(ranked[groups[g].second].at) + 3);
  }
  const std::size_t half = (ranked.size() + 1) / 2;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const bool on_left = i < half;
    const double y = names + row * static_cast<double>(on_left ? i : ranked.size() - 1 - i);
    const double end = on_left ? from_x - 6 : until_x + 6;
    svg += fmt::format(
        "<g><title>{}: mean rank {:.3f}</title><path class=\"s7\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>"
        "<text{} x=\"{:.1f}\" y=\"{:.1f}\">{} {:.2f}</text></g>",
        escaped_short(ranked[i].name, 200), ranked[i].at, px(ranked[i].at), axis, y, end,
        on_left ? " class=\"name\"" : "", on_left ? end - 4 : end + 4, y + 4, escaped_short(ranked[i].name, 16),
        ranked[i].at);
  }
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"Mean ranks and the "
      "critical difference\">{}</svg>",
      picture_width, names + row * static_cast<double>(half), svg);
}

// Draws each value as a circle in its interval, one line each.
std::string interval_diagram(const std::string& title, const std::vector<Placed>& placed) {
  constexpr double from_x = 140, until_x = picture_width - 76, row = 20;
  double low = INFINITY, high = -INFINITY;
  for (const Placed& one : placed) {
    low = std::min({low, one.at, std::isfinite(one.low) ? one.low : one.at});
    high = std::max({high, one.at, std::isfinite(one.high) ? one.high : one.at});
  }
  const Axis axis = Axis::over(100 * low, 100 * high, Scale::linear, 5);
  const auto px = [&](double value) { return from_x + axis.share(100 * value) * (until_x - from_x); };
  const double bottom = 6 + row * static_cast<double>(placed.size());
  std::string svg;
  for (const double tick : axis.ticks(5)) {
    const double x = px(tick / 100);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} 2V{:.1f}\"/><text class=\"tick middle\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>",
        x, bottom, x, bottom + 15, tick_label(tick));
  }
  double y = 14;
  for (const Placed& one : placed) {
    svg +=
        fmt::format("<g><title>{}: {}</title><text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                    escaped_short(one.name, 200), share_of(one.at, 1), from_x - 8, y + 4, escaped_short(one.name, 20));
    if (std::isfinite(one.low) && std::isfinite(one.high))
      svg += fmt::format("<path class=\"s0\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", px(one.low), y, px(one.high));
    svg += fmt::format(
        "<circle class=\"o m0 solid\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"/><text class=\"figure\" "
        "x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>",
        px(one.at), y, picture_width, y + 4, share_of(one.at, 1));
    y += row;
  }
  svg += fmt::format("<text class=\"label middle\" x=\"{:.1f}\" y=\"{:.1f}\">accuracy, %</text>",
                     (from_x + until_x) / 2, bottom + 31);
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">{}</svg>",
                     picture_width, bottom + 36, escaped(title), svg);
}

std::string signed_points(double lead) { return fmt::format("{}{:.2f}", lead < 0 ? "−" : "+", 100 * std::abs(lead)); }

std::string p_cell(double p) { return !std::isfinite(p) ? "–" : p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p); }

std::string p_equation(double p) { return p < 0.0001 ? p_cell(p) : "= " + p_cell(p); }

class ComparePage : PageOfRun {
 public:
  explicit ComparePage(const View& run) : PageOfRun(run), sets_(run.list("sets")) {}

  Section section() {
    head();
    facts();
    std::string result = ranks();
    if (sets_.size() == 1) {
      result += scores(0, true);
      result += time();
    } else {
      result += time();
    }
    section_.body += group("Who is best", result);
    section_.body += group("Who beats whom", pairs());
    if (sets_.size() > 1) {
      section_.body += group("Data sets", table());
      std::string each;
      for (std::size_t s = 0; s < sets_.size() && s < most_sets; ++s) each += scores(s, false);
      section_.body += group("Accuracy by data set", each);
      cut(sets_.size());
    }
    std::string curves;
    std::size_t drawn = 0;
    for (std::size_t s = 0; s < sets_.size() && drawn < most_sets; ++s) {
      const std::string one = curve(s);
      curves += one;
      drawn += !one.empty();
    }
    if (!curves.empty()) section_.body += group("Learning curves", curves);
    not_run();
    return std::move(section_);
  }

 private:
  void head() {
    const View words = run_["words"];
    const std::string best = words.text("best");
    section_.head.title = "Halfspace compare: " + best;
    section_.head.finding = "Best: " + escaped(best) + ".";
    section_.head.because = escaped(words.text("rows")) + ". Test: " + escaped(words.text("test")) + ".";
  }

  void facts() {
    section_.facts.push_back({"Competitors", grouped(run_["competitors"].json().size()), ""});
    section_.facts.push_back({"Data sets", grouped(sets_.size()), ""});
    double rows = 0;
    for (const View& set : sets_) rows += set.number("rows");
    section_.facts.push_back({"Rows", grouped(static_cast<std::uint64_t>(std::min(rows, 1e15))), ""});
    if (run_.has("folds")) section_.facts.push_back({"Folds", grouped(run_.count("folds")), "the same for all"});
    section_.facts.push_back({"Confidence", share_of(bounded(run_.number("confidence")), 1), ""});
    section_.facts.push_back({"Time", duration(bounded(run_["seconds"].number("total"))),
                              duration(bounded(run_["seconds"].number("trainings"))) + " of processor time"});
  }

  void cut(std::size_t sets) {
    if (sets > most_sets)
      section_.body += missing_html(fmt::format("Pictures of the first {} of {} data sets.", most_sets, sets));
  }

  // Returns the results that ran on a set, the best first.
  static std::vector<View> ran_on(const View& set) {
    std::vector<View> ran;
    for (const View& one : set.list("results")) {
      if (!one.has("not_run")) ran.push_back(one);
    }
    std::stable_sort(ran.begin(), ran.end(),
                     [](const View& a, const View& b) { return a.number("accuracy") > b.number("accuracy"); });
    if (ran.size() > most_competitors) ran.erase(ran.begin() + most_competitors, ran.end());
    return ran;
  }

  std::string ranks() const {
    if (!run_.has("over_sets") || !run_["over_sets"].has("critical_difference")) return "";
    const View over = run_["over_sets"];
    std::vector<Placed> ranked;
    for (const View& one : over.list("competitors"))
      ranked.push_back({one.text("name"), std::clamp(one.number("mean_rank"), 1.0, 1e6)});
    std::stable_sort(ranked.begin(), ranked.end(), [](const Placed& a, const Placed& b) { return a.at < b.at; });
    if (ranked.size() > most_competitors) ranked.resize(most_competitors);
    std::map<std::string, std::size_t> position;
    for (std::size_t i = 0; i < ranked.size(); ++i) position[ranked[i].name] = i;
    std::vector<std::vector<bool>> differ(ranked.size(), std::vector<bool>(ranked.size(), false));
    for (const View& pair : over.list("pairs")) {
      const auto a = position.find(pair.text("better")), b = position.find(pair.text("worse"));
      if (a != position.end() && b != position.end() && pair["significant"].boolean())
        differ[std::min(a->second, b->second)][std::max(a->second, b->second)] = true;
    }
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      std::size_t last = i;
      while (last + 1 < ranked.size() && !differ[i][last + 1]) ++last;
      if (last > i && (groups.empty() || groups.back().second < last)) groups.emplace_back(i, last);
    }
    const std::string friedman =
        over.has("friedman")
            ? fmt::format("Friedman’s test that all are equal: F = {}, p {}. ",
                          over["friedman"].has("f") ? short_number(over["friedman"].number("f"), 3) : "∞",
                          p_equation(over["friedman"].number("p", NAN)))
            : "";
    return figure(
        "ranks", "Mean ranks over the data sets",
        difference_diagram(ranked, bounded(over.number("critical_difference")), groups),
        "Rank 1 is the highest accuracy. A thick line connects competitors that do not differ significantly. " +
            friedman + "Nemenyi’s test, as in Demsar 2006.");
  }

  std::string scores(std::size_t s, bool alone) const {
    const View& set = sets_[s];
    std::vector<Placed> placed;
    for (const View& one : ran_on(set))
      placed.push_back({one.text("competitor"), bounded(one.number("accuracy")), bounded(one.number("lower", NAN)),
                        bounded(one.number("upper", NAN))});
    if (placed.empty()) return "";
    const std::string name = set.text("data");
    return figure(fmt::format("scores-{}", s + 1), alone ? "Accuracy" : name,
                  interval_diagram("Accuracy on " + name, placed),
                  fmt::format("{}{}, {}.{}", run_.has("folds") ? "Mean of the folds on " : "On ",
                              counted(set.count("rows"), "row"), counted(set.count("classes"), "class", "classes"),
                              alone ? fmt::format(" Lines: {} % intervals of the accuracy on new rows. Overlapping "
                                                  "lines do not decide a comparison; the test of pairs does.",
                                                  short_number(100 * bounded(run_.number("confidence"))))
                                    : std::string()));
  }

  // Draws accuracy against seconds: of one set, or the means over the sets on which a competitor ran.
  std::string time() const {
    struct Sum {
      double accuracy = 0, seconds = 0, sets = 0;
    };
    std::vector<std::pair<std::string, Sum>> sums;
    for (const View& name : run_.list("competitors")) sums.push_back({name.text(), {}});
    for (const View& set : sets_) {
      for (const View& one : set.list("results")) {
        if (one.has("not_run")) continue;
        const std::string name = one.text("competitor");
        const auto sum = std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.first == name; });
        if (sum == sums.end()) continue;
        sum->second.accuracy += bounded(one.number("accuracy"));
        sum->second.seconds += bounded(one.number("seconds"));
        sum->second.sets += 1;
      }
    }
    Chart chart("Accuracy against processor time", "seconds of processor time", "accuracy, %");
    chart.x_scale(Scale::logarithmic);
    std::size_t k = 0;
    for (const auto& [name, sum] : sums) {
      if (sum.sets == 0 || !(sum.seconds > 0)) continue;
      if (k == 2 * most_lines) break;
      const double seconds = sum.seconds / sum.sets, accuracy = sum.accuracy / sum.sets;
      chart.add({.name = name,
                 .x = {seconds},
                 .y = {100 * accuracy},
                 .shape = (k / 4) % 2 == 0 ? Series::Shape::circles : Series::Shape::crosses,
                 .look = static_cast<int>(k % 4),
                 .titles = {fmt::format("{}: {} in {}", name, share_of(accuracy, 1), duration(seconds))}});
      ++k;
    }
    if (k == 0) return "";
    return figure("time", "Accuracy against time", chart.svg(),
                  fmt::format("Processor time to train once and predict{}. Higher and further left is better.",
                              sets_.size() > 1 ? ", and accuracy: means over the data sets" : ""));
  }

  std::string pairs() const {
    const bool over = run_.has("over_sets");
    if (!over && sets_.size() != 1) return "";
    std::vector<View> all = (over ? run_["over_sets"] : sets_[0]).list("pairs");
    if (all.empty()) return "";
    const bool nemenyi = all[0].has("nemenyi_p");
    const char* const p = nemenyi ? "nemenyi_p" : "holm_p";
    std::stable_sort(all.begin(), all.end(),
                     [p](const View& a, const View& b) { return a.number(p, 1) < b.number(p, 1); });
    std::vector<std::vector<std::string>> rows;
    for (const View& pair : all) {
      if (rows.size() == most_pairs) break;
      std::vector<std::string> cells{
          pair.text("better"), pair["significant"].boolean() ? "beats" : "does not beat", pair.text("worse"),
          signed_points(bounded(pair.number("lead"))),
          fmt::format("{} : {} : {}", grouped_count(pair.number("wins")), grouped_count(pair.number("ties")),
                      grouped_count(pair.number("losses")))};
      if (nemenyi) cells.push_back(p_cell(pair.number("nemenyi_p")));
      cells.push_back(p_cell(pair.number("p", NAN)));
      cells.push_back(p_cell(pair.number("holm_p", NAN)));
      rows.push_back(std::move(cells));
    }
    std::vector<std::string> names{"competitor", "significantly", "other", "points",
                                   over ? "sets won : tied : lost" : "rows won : tied : lost"};
    if (nemenyi) names.emplace_back("p, Nemenyi");
    names.emplace_back(over ? "p, Wilcoxon" : "p");
    names.emplace_back("p, Holm");
    std::string caption = "Pairs by p-value. Points: the lead in accuracy, in percentage points. ";
    caption += over ? "Nemenyi’s p-values are adjusted for all pairs, Wilcoxon’s in the column Holm."
                    : "Holm’s p-values are adjusted for all pairs.";
    if (over && !nemenyi) caption = "Points: the lead in mean accuracy, in percentage points.";
    if (all.size() > rows.size()) caption += fmt::format(" The first {} of {} pairs.", rows.size(), all.size());
    return figure("pairs", "Pairs", table_html(names, rows), caption, true);
  }

  std::string table() const {
    std::vector<std::string> head{"data", "rows", "classes"};
    std::vector<std::string> names;
    for (const View& name : run_.list("competitors")) {
      if (names.size() == most_competitors) break;
      names.push_back(name.text());
      head.push_back(name.text());
    }
    std::vector<std::vector<std::string>> rows;
    for (const View& set : sets_) {
      if (rows.size() == 200) break;
      std::vector<std::string> cells{set.text("data"), grouped(set.count("rows")), grouped(set.count("classes"))};
      const auto results = set.list("results");
      for (std::size_t c = 0; c < names.size(); ++c) {
        const bool ran = c < results.size() && !results[c].has("not_run");
        cells.push_back(ran ? share_of(bounded(results[c].number("accuracy")), 1) : "not run");
      }
      rows.push_back(std::move(cells));
    }
    return figure("table", "Accuracy", table_html(head, rows), "", true);
  }

  std::string curve(std::size_t s) const {
    const View& set = sets_[s];
    Chart chart("Progressive accuracy on " + set.text("data"), "rows learned from", "accuracy so far, %");
    chart.x_scale(Scale::logarithmic);
    std::size_t k = 0;
    for (const View& one : ran_on(set)) {
      if (!one.has("curve") || k == most_lines) continue;
      std::vector<double> accuracy = one["curve"].numbers("accuracy");
      for (double& value : accuracy) value *= 100;
      if (accuracy.size() < 2) continue;
      chart.add({.name = one.text("competitor"),
                 .x = one["curve"].numbers("rows"),
                 .y = std::move(accuracy),
                 .look = static_cast<int>(k++)});
    }
    if (k == 0) return "";
    return figure(fmt::format("curve-{}", s + 1), set.text("data"), chart.svg(),
                  s > 0 ? std::string()
                        : fmt::format("The first pass: each row is predicted before it is learned from. After 1, 2, 4, "
                                      "8 … rows{}; competitors without a line learn in another way.",
                                      run_.has("folds") ? ", over all folds" : ""));
  }

  void not_run() {
    std::vector<std::vector<std::string>> rows;
    for (const View& set : sets_) {
      for (const View& one : set.list("results")) {
        if (one.has("not_run") && rows.size() < 100)
          rows.push_back({one.text("competitor"), set.text("data"), one.text("not_run")});
      }
    }
    if (!rows.empty())
      section_.body += group("Not run", figure("not-run", "", table_html({"competitor", "data", "reason"}, rows),
                                               "Tests use the data sets on which all competitors ran.", true));
  }

  std::vector<View> sets_;
};

}  // namespace

Section compare_section(const View& run) { return ComparePage(run).section(); }

}  // namespace halfspace::report
