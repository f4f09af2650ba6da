// The figures of a training run: how it went, why its bound holds, and what was learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/train_words.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

bool has_figure(const View& run, const char* name) { return run.has("figures") && run["figures"].has(name); }

// Omits the chart without a bound, as the error shows more, unless every round is a mistake.
std::string mistakes_figure(const View& run) {
  if (!run.has("bound") && !plays_mistakes_only(run)) return "";
  const View progress = run["figures"]["progress"];
  Chart chart("Cumulative mistakes under the bound", "rounds", "mistakes");
  chart.add(series_of("mistakes", progress, "rounds", "mistakes"));
  std::string caption;
  const double total = run.number("mistakes");
  if (run.has("bound")) {
    const double ceiling = run["bound"].number("value");
    chart.level(fmt::format("at most {}", count_at_most(ceiling)), ceiling, 1);
    const bool far = total > 0 && ceiling / total > 12;
    if (far) chart.y_scale(Scale::logarithmic);
    caption = fmt::format("The dashed line is the bound, {} ({}).{}", count_at_most(ceiling),
                          escaped(theorem_words(run["bound"].text("theorem"))),
                          far ? " Logarithmic, since the bound is far above." : "");
  }
  if (plays_mistakes_only(run)) caption += " The order trains on mistakes only: every round is a mistake.";
  return figure("mistakes", run.has("bound") ? "Mistakes under their bound" : "Mistakes", chart.svg(), caption);
}

// Draws the probabilities of a mixture over time, for members that ever counted.
std::string mixture_figure(const View& run) {
  const View followed = run["figures"]["followed"];
  constexpr double counts = 0.05;
  Chart chart("Members of the mixture", "rounds", "weight");
  chart.name_ends();
  int look = 0;
  for (const auto& [name, values] : followed["members"].entries()) {
    std::vector<double> shares = followed["members"].numbers(name.c_str());
    if (look == 8 || shares.empty() ||
        *std::max_element(shares.begin() + (shares.size() > 4 ? 4 : 0), shares.end()) < counts)
      continue;
    chart.add({.name = name,
               .x = followed.numbers("rounds"),
               .y = std::move(shares),
               .look = look++,
               .x_at = "/figures/followed/rounds",
               .y_at = "/figures/followed/members/" + name});
  }
  const std::vector<double> rounds = followed.numbers("rounds");
  if (rounds.size() > 1 && rounds.back() / rounds.front() > 50) chart.x_scale(Scale::logarithmic);
  chart.hold_y(0);
  std::string caption =
      "Several learners train on every row; each has a weight in the prediction that depends on its past loss.";
  if (run.has("regret")) {
    const View regret = run["regret"];
    caption += fmt::format(
        " The log loss of the mixture is at most {} a row above that of the best mixture in hindsight; the "
        "theorem allows {}.",
        rounded_up(regret.number("log_loss") / regret.number("weight")),
        rounded_up(regret.number("theorem") / regret.number("weight")));
  }
  return figure("followed", "Members of the mixture", chart.svg(), caption);
}

std::string error_figure(const View& run) {
  const View progress = run["figures"]["progress"];
  const std::vector<double> rounds = progress.numbers("rounds");
  Chart chart("Progressive error", "rounds", "error so far");
  const std::vector<double> weight = progress.numbers("weight");
  const auto rate = [&](std::vector<double> errors) {
    for (std::size_t i = 0; i < errors.size() && i < weight.size(); ++i) errors[i] /= weight[i];
    return errors;
  };
  const auto within = [&](std::vector<double> values, double last) {
    for (std::size_t i = 0; i < values.size() && i < rounds.size(); ++i)
      if (rounds[i] > last) values[i] = NAN;
    return values;
  };
  const double first_pass = run["progressive"].number("rounds");
  chart.add({.name = "this run", .x = rounds, .y = rate(progress.numbers("errors"))});
  const bool bounded = progress.has("expected_upper");
  if (bounded) {
    // After few rounds the bounds are too wide to show.
    constexpr double few = 100;
    for (const char* const key : {"expected_upper", "expected_lower"}) {
      std::vector<double> bounds = progress.numbers(key);
      for (std::size_t i = 0; i < bounds.size() && i < rounds.size(); ++i)
        if (rounds[i] < few) bounds[i] = NAN;
      const bool upper = key == std::string_view("expected_upper");
      chart.add({.name = upper ? "bounds for new rows" : "",
                 .x = rounds,
                 .y = std::move(bounds),
                 .look = 2,
                 .in_legend = upper});
    }
  }
  chart.add({.name = "always the most frequent class",
             .x = rounds,
             .y = within(rate(progress.numbers("constant_mistakes")), first_pass),
             .look = 1});
  chart.add({.name = "the label before",
             .x = rounds,
             .y = within(rate(progress.numbers("previous_mistakes")), first_pass),
             .look = 6});
  if (rounds.size() > 1 && rounds.back() / rounds.front() > 50) chart.x_scale(Scale::logarithmic);
  chart.hold_y(0);
  const bool again = !rounds.empty() && rounds.back() > first_pass;
  return figure(
      "error", "Progressive error", chart.svg(),
      std::string(
          "Each row is predicted before training on it: the rows predicted wrong so far, divided by all so far. ") +
          (bounded ? "The error on new rows lies between the bounds at every round. " : "") +
          "The two baselines need no training" +
          (again ? fmt::format(", and are measured on the first pass. After its {} rounds the rows are no longer new, "
                               "and the error is less informative about others.",
                               plain(first_pass))
                 : "."));
}

// Returns the error of the window over the first pass. The cursor reads whole lists, so that it has no numbers where
// the run went on.
Series window_error(const View& run, const View& progress) {
  Series series{.name = "error of the last " + counted(run["window"].count("size"), "round", "rounds"),
                .x = progress.numbers("rounds"),
                .y = progress.numbers("window_error")};
  const double last = run["progressive"].number("rounds");
  const auto end = std::find_if(series.x.begin(), series.x.end(), [&](double round) { return round > last; });
  if (end == series.x.end()) {
    series.x_at = "/figures/progress/rounds";
    series.y_at = "/figures/progress/window_error";
  }
  series.x.erase(end, series.x.end());
  return series;
}

// Adds a line for each alarm, the latest ones if there are many.
std::string add_alarms(Chart& chart, const View& drift) {
  constexpr std::size_t most = 50;
  const std::vector<View> latest = drift.list("latest");
  const std::size_t first = latest.size() - std::min(latest.size(), most);
  for (std::size_t i = first; i < latest.size(); ++i)
    chart.upright(i == first ? "drift alarm" : "", latest[i].number("round"), 5);
  const std::uint64_t all = drift.count("alarms");
  if (all == 0) return "There was no drift alarm.";
  return fmt::format("{} at the upright {}{}.", counted(all, "drift alarm", "drift alarms"),
                     all == 1 ? "line" : "lines",
                     latest.size() - first < all ? fmt::format("; shown are the last {}", latest.size() - first) : "");
}

// Returns the error between moments of the first pass, in at most about 40 blocks.
Series error_in_blocks(const View& run, const View& progress) {
  const std::vector<double> rounds = progress.numbers("rounds"), weights = progress.numbers("weight"),
                            errors = progress.numbers("errors");
  const double last = run["progressive"].number("rounds");
  const std::size_t stride = rounds.size() / 40 + 1;
  Series series{.name = "error in blocks of rounds", .step = true};
  double round = 0, weight = 0, error = 0;
  for (std::size_t i = stride - 1; i < rounds.size() && i < errors.size() && i < weights.size() && rounds[i] <= last;
       i += stride) {
    series.x.insert(series.x.end(), {round, rounds[i]});
    series.y.insert(series.y.end(), 2, (errors[i] - error) / (weights[i] - weight));
    round = rounds[i];
    weight = weights[i];
    error = errors[i];
  }
  return series;
}

// Draws the error of the recent rounds, and the alarms of the drift detector on the same axis.
std::string recent_figure(const View& run) {
  const View progress = run["figures"]["progress"];
  const bool windowed = progress.has("window_error"), detects = run.has("drift");
  if (!windowed && !detects) return "";
  Chart chart("Error of recent rounds", "rounds", "error");
  std::string caption;
  if (windowed) {
    chart.add(window_error(run, progress));
    caption = "On the first pass, each row predicted before training on it.";
  } else {
    const Series blocks = error_in_blocks(run, progress);
    caption = fmt::format("On the first pass, the error in {} blocks of rounds.", blocks.x.size() / 2);
    chart.add(blocks);
  }
  if (detects) caption += " " + add_alarms(chart, run["drift"]);
  chart.hold_y(0);
  return figure("recent", detects ? "Recent error and drift alarms" : "Recent error", chart.svg(), caption);
}

std::string pass_figures(const View& run) {
  const std::vector<View> list = run.list("pass");
  if (list.size() < 2) return "";
  std::vector<double> number, mistakes, criterion;
  double begun = 0;
  for (const View& pass : list) {
    const double passes = static_cast<double>(passes_of(pass));  // draws their mean
    begun += passes;
    number.push_back(begun);
    mistakes.push_back(pass.number("mistakes") / passes);
    criterion.push_back(pass.has("criterion") ? pass.number("criterion") / passes : NAN);
  }
  const bool many = list.size() > 60, partial = begun > run.number("passes");
  const bool classes = several_classes(run);
  Chart first("Mistakes of each pass", "pass", "J₁, mistakes");
  first.add({.name = "J₁", .x = number, .y = mistakes}).hold_y(0);
  if (!many) first.add({.name = "J₁", .x = number, .y = mistakes, .shape = Series::Shape::circles, .in_legend = false});
  Chart second("Perceptron criterion of each pass", "pass",
               classes ? "J, sum of the deficits of mistakes" : "J, Σ −y⟨w,x⟩ over the mistakes");
  second.add({.name = "J", .x = number, .y = criterion, .look = 1}).hold_y(0);
  if (!many)
    second.add(
        {.name = "J", .x = number, .y = criterion, .shape = Series::Shape::crosses, .look = 1, .in_legend = false});
  if (many) first.x_scale(Scale::logarithmic), second.x_scale(Scale::logarithmic);
  return figure("passes-mistakes", "J₁: mistakes in each pass", first.svg(),
                fmt::format("From {} in the first pass to {} in the last{}.", plain(mistakes.front()),
                            plain(mistakes.back()), partial ? ", which is unfinished" : "")) +
         figure("passes-criterion", "J: the perceptron criterion", second.svg(),
                classes
                    ? "Over the mistakes of each pass, the best rival’s score minus that of the true class, under the "
                      "weights at that time."
                    : "The sum of −y⟨w,x⟩ over the mistakes of each pass, under the weights at that time.");
}

std::string last_of(const std::vector<double>& values) { return values.empty() ? "–" : plain(values.back()); }

std::string margin_words(const View& run) {
  if (several_classes(run)) return "margin, (score − best rival’s) / ‖w‖";
  return rule_of(run).support_vectors ? "margin, y f(x) / ‖f‖" : "margin, y⟨w,x⟩ / ‖w‖";
}

std::string margins_figure(const View& run, const View& rows, const std::string& of) {
  const View margins = rows["margins"];
  const std::vector<double> edges = margins.numbers("edges"), right = margins.numbers("right"),
                            wrong = margins.numbers("wrong");
  if (edges.size() < 2) return "";
  Chart chart("Distances of rows from the boundary", margin_words(run), "rows");
  const std::vector<double> from(edges.begin(), edges.end() - 1), to(edges.begin() + 1, edges.end());
  std::vector<double> stacked = right;
  std::vector<std::string> titles, wrong_titles;
  for (std::size_t i = 0; i < from.size() && i < right.size() && i < wrong.size(); ++i) {
    stacked[i] += wrong[i];
    titles.push_back(fmt::format("{} to {}: {} right", plain(from[i]), plain(to[i]), plain(right[i])));
    wrong_titles.push_back(fmt::format("{} to {}: {} wrong", plain(from[i]), plain(to[i]), plain(wrong[i])));
  }
  chart.add({.name = "right",
             .x = from,
             .y = stacked,
             .shape = Series::Shape::columns,
             .look = 0,
             .to = to,
             .from = wrong,
             .titles = titles});
  double errors = 0;
  for (const double count : wrong) errors += count;
  if (errors > 0)
    chart.add({.name = "wrong",
               .x = from,
               .y = wrong,
               .shape = Series::Shape::hatched_columns,
               .look = 1,
               .to = to,
               .titles = wrong_titles});
  chart.upright("boundary", 0, 7);
  std::string caption = fmt::format("{} of {} rows {} are on the wrong side.", plain(errors),
                                    plain(rows.number("rows")), of == "holdout" ? "held out" : "used in training");
  const std::vector<View> worst = rows.list("worst");
  if (!worst.empty()) {
    caption += " Worst: ";
    for (std::size_t i = 0; i < worst.size() && i < 5; ++i)
      caption += fmt::format("{}row {} ({}, {})", i > 0 ? ", " : "", plain(worst[i].number("row")),
                             escaped_short(worst[i].text("label"), 24), plain(worst[i].number("margin"), 3));
    caption += ".";
  }
  return figure(of == "holdout" ? "margins-holdout" : "margins",
                of == "holdout" ? "Margins of the rows held out" : "Margins of the training rows", chart.svg(),
                caption);
}

}  // namespace

std::string course_figures(const View& run) {
  std::string html;
  if (has_figure(run, "progress"))
    html += mistakes_figure(run) + (plays_mistakes_only(run) ? "" : error_figure(run)) + recent_figure(run);
  if (has_figure(run, "followed")) html += mixture_figure(run);
  return group("The run", html + pass_figures(run));
}

std::string norm_figures(const View& run) {
  if (!has_figure(run, "norms")) return "";
  const View norms = run["figures"]["norms"];
  const bool perceptron = norms.has("squares");
  Chart chart("The squared norm of the weights", "rounds", "‖w‖²");
  const std::vector<double> grown = norms.numbers("squared_norm");
  const bool classes = rule_of(run).several_classes;
  if (perceptron)
    chart.add(
        series_of(classes ? "2 Σ‖x‖² over the mistakes" : "Σ‖x‖² over the mistakes", norms, "rounds", "squares", 1));
  chart.add(series_of("‖w‖²", norms, "rounds", "squared_norm"));
  chart.hold_y(0);
  const std::string norm = figure(
      "norm", perceptron ? "Second lemma: the weights grow slowly" : "The norm of the weights", chart.svg(),
      perceptron ? fmt::format("On any data, a mistake adds at most {} to ‖w‖²: the whole line stays under the "
                               "dashed one. It ends at {}, of at most {}.",
                               classes ? "twice the square of its row" : "the square of its row", last_of(grown),
                               last_of(norms.numbers("squares")))
                 : fmt::format("The squared norm of the weights as the rounds go. It ends at {}.", last_of(grown)));
  std::string html;
  if (run["figures"].has("projection")) {
    const View projection = run["figures"]["projection"];
    Chart second("The projection of the weights on a separator", "rounds", "⟨w,u⟩ / ‖u‖");
    second.add(series_of("⟨w,u⟩ / ‖u‖", projection, "rounds", "projection"));
    second.add(series_of("margin × steps", projection, "rounds", "floor", 1));
    second.hold_y(0);
    html += figure("projection", "First lemma: the weights grow towards the separator", second.svg(),
                   fmt::format("u are the {} weights of this run, which separate its rows with margin {}: every step "
                               "moves w at least that much along u. Since ‖w‖ grows more slowly, mistakes must end.",
                               escaped(projection.text("comparator")), plain(projection.number("margin"))));
  } else if (perceptron && run.has("bound")) {
    html +=
        "<p class=\"missing\">The first lemma needs a separator, and this run found none: its bound sums "
        "hinge losses instead.</p>\n";
  }
  return group(perceptron && run.has("bound") ? "Why the bound holds" : "The weights", html + norm);
}

std::string model_figures(const View& run) {
  if (!run.has("figures")) return "";
  std::string html;
  const View figures = run["figures"];
  if (figures.has("weights")) html += weights_figure(run);
  for (const char* of : {"training", "holdout"}) {
    if (figures.has(of) && figures[of].has("margins")) html += margins_figure(run, figures[of], of);
  }
  const char* part = figures.has("holdout") ? "holdout" : "training";
  if (figures.has(part)) {
    const View rows = figures[part];
    const std::string on =
        std::string_view(part) == "holdout" ? "on the rows held out" : "on the training rows (none were held out)";
    if (rows.has("confusion"))
      html += figure("confusion", "Truth against prediction", confusion_html(rows["confusion"]),
                     fmt::format("Counted {}; shaded by the share of each true class.", on));
    if (rows.has("roc")) {
      const View roc = rows["roc"];
      const bool sampled = roc.number("rows") < rows.number("rows");
      const std::string at = fmt::format("/figures/{}/roc", part);
      const Chart curve = roc_chart(roc.numbers("false_positive"), roc.numbers("true_positive"), at + "/false_positive",
                                    at + "/true_positive");
      html += figure("roc", "ROC curve", curve.svg(),
                     fmt::format("ROC {}: area {:.4f}.{}", on, roc.number("area"),
                                 sampled ? fmt::format(" From {} of the {} rows, evenly spread.",
                                                       plain(roc.number("rows")), plain(rows.number("rows")))
                                         : ""));
    }
  }
  if (!figures.has("training") && !figures.has("holdout"))
    html += missing_html("Margins and confusions need a second pass over the rows: a long stream is not kept. " +
                         option("holdout") + " keeps a share of it.");
  return group("The model", html);
}

}  // namespace halfspace::report
