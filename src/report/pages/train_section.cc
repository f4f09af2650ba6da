// train: the model, the run, and the evidence.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/train_words.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

class TrainPage : PageOfRun {
 public:
  explicit TrainPage(const View& run) : PageOfRun(run) {}

  Section section() {
    head();
    facts();
    section_.body += group("The run", course());
    section_.body += group(shows_lemmas() ? "Why the bound holds" : "The weights", lemmas());
    section_.body += group("The model", result());
    section_.body += group("Evaluation", selection_figures(run_));
    if (!run_.has("figures")) section_.body += not_recorded();
    return std::move(section_);
  }

 private:
  bool figures() const { return run_.has("figures"); }
  bool is_minimum() const { return run_.has("minimum"); }
  // Returns the entry of the run's rule; an empty one for an unknown rule.
  RuleEntry rule() const {
    const auto known = rule_named(run_["composition"].text("rule", ""));
    return known ? entry_of(*known) : RuleEntry{};
  }

  std::string classes_words() const {
    const auto classes = run_.entries("classes");
    if (classes.size() == 2)
      return fmt::format("<em>{}</em> from <em>{}</em>", escaped_short(classes[1].first, 40),
                         escaped_short(classes[0].first, 40));
    return fmt::format("{} classes apart", grouped(classes.size()));
  }

  // The evidence on the learner's quality: errors on some rows.
  struct Finding {
    double errors = 0, rows = 0;
    std::string words;
  };
  Finding finding() const {
    const double rows = static_cast<double>(run_.count("rows"));
    if (run_.has("holdout") && run_["holdout"].number("rows") > 0) {
      const double held = run_["holdout"].number("rows"), errors = run_["holdout"].number("errors");
      const std::string seen = rows_counted(run_["holdout"].number("rows")) + " held out";
      return {errors, held,
              errors == 0 ? "right on all " + seen
                          : fmt::format("right on {} of the {}", share_of(held - errors, held), seen)};
    }
    if (run_.has("folds")) {
      const View folds = run_["folds"];
      const double validated = folds.number("rows"), accuracy = folds.number("accuracy");
      return {std::round((1 - accuracy) * validated), validated,
              fmt::format("right on {} of {}, each predicted by weights not trained on it", share_of(accuracy, 1.0),
                          counted(folds.count("rows"), "row", "rows"))};
    }
    if (run_.has("expected_error") && run_["expected_error"].text("of") == "folds") {
      const View folds = run_["expected_error"];  // of the default, which chose by them
      const double validated = folds.number("rows"), errors = folds.number("errors");
      return {errors, validated,
              fmt::format("right on {} of {}, each predicted by weights not trained on it",
                          share_of(validated - errors, validated), counted(folds.count("rows"), "row", "rows"))};
    }
    if (run_.has("training_errors") && run_.number("training_errors") == 0)
      return {0, rows, fmt::format("without an error on all {}", counted(run_.count("rows"), "row", "rows"))};
    if (run_.has("progressive") && run_["progressive"].count("rounds") > 0 && !plays_mistakes_only(run_)) {
      const View first = run_["progressive"];
      const double weight = first.number("weight"), errors = first.number("errors");
      return {
          errors, weight,
          fmt::format("right on {} of {}{}, each predicted before training on it", share_of(weight - errors, weight),
                      counted(first.count("rounds"), "row"), is_weighted(first) ? " by weight" : "")};
    }
    const double trained = run_.has("training_rows") ? run_.number("training_rows") : rows;
    const double errors = std::min(trained, run_.number("training_errors"));
    return {errors, trained,
            fmt::format("right on {} of the {} it was trained on", share_of(trained - errors, trained),
                        rows_counted(trained))};
  }

  // Returns the error rate of always predicting the most frequent class; nothing if rows have no classes.
  double error_of_a_guess() const {
    const auto expected = expected_error_of(run_);
    if (expected && run_.has("holdout") && run_["holdout"].has("constant_errors") &&
        static_cast<double>(expected->rows) == run_["holdout"].number("rows"))
      return run_["holdout"].number("constant_errors") / run_["holdout"].number("rows");
    if (run_.has("progressive") && is_weighted(run_["progressive"]))
      return run_["progressive"].number("constant_mistakes") / run_["progressive"].number("weight");
    double all = 0, most = 0;
    for (const auto& [name, count] : run_.entries("classes")) {
      const double rows = count.json().is_number() ? count.json().get<double>() : 0;
      all += rows;
      most = std::max(most, rows);
    }
    return all > 0 ? 1 - most / all : 0;
  }

  void head() {
    const std::string learner = is_minimum()              ? minimizer_words(run_["minimum"].text("objective"))
                                : run_.has("composition") ? learner_words(run_["composition"])
                                                          : "learner";
    const std::uint64_t rows = run_.count("rows");
    const Finding found = finding();
    const double guess = error_of_a_guess();
    section_.head.title = fmt::format("Halfspace: {} on {}", learner, counted(rows, "row"));
    const auto expected = expected_error_of(run_);
    const double errors = expected ? static_cast<double>(expected->errors) : found.errors;
    const double of = expected ? static_cast<double>(expected->rows) : found.rows;
    const bool tells = errors == 0 || guess == 0 || errors < guess * of;
    const std::string result = expected ? expected_headline(*expected) : found.words;
    section_.head.finding =
        tells ? fmt::format("{} tells {}{} {}.", escaped(with_article(learner)), classes_words(), expected ? ":" : ",",
                            result)
              : fmt::format("{} does not tell {}: {}, and always predicting the most frequent class is right on {}.",
                            escaped(with_article(learner)), classes_words(), result, share_of(1 - guess, 1));
    if (expected) section_.head.because = expected_html(*expected) + " It was " + found.words + ". ";
    section_.head.because += is_minimum() ? minimum_words() : mistakes_words();
    if (!expected && run_.has("no_expected_error"))
      section_.head.because += " The error on new rows is unknown: " + escaped(run_.text("no_expected_error")) + ".";
    section_.head.because += proved_words() + least_loss_words();
    if (is_minimum()) {
      section_.head.composition = fmt::format("{}, C = {}", escaped(run_["minimum"].text("objective")),
                                              short_number(run_["minimum"].number("C")));
    } else if (run_.has("composition")) {
      const View c = run_["composition"];
      section_.head.composition =
          fmt::format("{} × {} × {}", escaped(c.text("rule")), escaped(c.text("order")), escaped(c.text("keep")));
    }
  }

  // Of the minimum of an objective.
  std::string minimum_words() const {
    const View found = run_["minimum"];
    return fmt::format(
        "Its objective is at most <strong>{}</strong>, and no weights have less than <strong>{}</strong>: proved.",
        rounded_up(found.number("primal"), 8), rounded_down(found.number("dual"), 8));
  }

  std::string mistakes_words() const {
    const std::uint64_t mistakes = run_.count("mistakes");
    const std::string made = fmt::format("It made {} in {}", counted(mistakes, "mistake", "mistakes"),
                                         counted(run_.count("rounds"), "round", "rounds")) +
                             (plays_mistakes_only(run_) ? ", since its order trains on mistakes only" : "");
    if (run_.has("bound")) {
      const View bound = run_["bound"];
      return fmt::format("{}; the theorem allows at most <strong>{}</strong> ({}, computed from this run’s own data).",
                         made, count_at_most(bound.number("value")), escaped(theorem_words(bound.text("theorem"))));
    }
    if (rule().bounds == nullptr) {
      return run_.has("errors")
                 ? fmt::format("It predicted {} of {} rows wrong before learning from them.",
                               grouped_count(run_.number("errors")), grouped_count(run_.number("weight")))
                 : made + ".";
    }
    return made + "; no bound: " + run_.text("no_bound", "no theorem covers the run") + ".";
  }

  // Writes what --certify proved about the data, for any learner.
  std::string proved_words() const {
    if (!run_.has("fewest_errors")) return "";
    const double lower = run_["fewest_errors"].number("lower");
    if (lower == 0 && run_["fewest_errors"].number("upper") > 0) return "";
    if (lower == 0 && run_.has("separable") && !run_["separable"].boolean())
      return " Some halfspace is right on all of these rows, with rows on its boundary (proved).";
    return lower == 0
               ? " These rows are provably separable."
               : fmt::format(" No halfspace separates these rows: each provably errs on at least <strong>{}</strong>.",
                             plain(lower));
  }

  bool bounds_least_loss() const {
    return run_.has("least_loss") && run_["least_loss"].has("bound") && run_["least_loss"].has("mean");
  }
  std::string least_loss_words() const {
    if (!bounds_least_loss()) return "";
    const View least = run_["least_loss"];
    return fmt::format(
        " No linear model with ‖w‖ ≤ {}{} has a mean {} below <strong>{}</strong> on these rounds (proved); this "
        "run’s was {}.",
        short_number(least.number("norm")),
        run_.text("normalize", "none") == "none" ? "" : ", acting on normalised values,",
        escaped(loss_words(least.text("loss"))), at_least_number(least.number("bound")),
        short_number(least.number("mean"), 4));
  }

  void facts() {
    if (const auto expected = expected_error_of(run_)) section_.facts.push_back(expected_fact(*expected));
    fact("Rows", grouped(run_.count("rows")),
         run_.has("rejected") && run_.count("rejected") > 0 ? grouped(run_.count("rejected")) + " bad rows skipped"
                                                            : "");
    fact("Features", grouped(run_.count("features")), counted(run_.count("nonzeros"), "nonzero", "nonzeros"));
    if (is_minimum())
      fact("Gap", rounded_up(run_["minimum"].number("gap"), 3), "of the objective, at most; proved");
    else if (run_.has("bound") || rule().bounds != nullptr || !run_.has("errors"))
      fact("Mistakes", grouped(run_.count("mistakes")),
           run_.has("bound")          ? "of at most " + count_at_most(run_["bound"].number("value"))
           : rule().bounds != nullptr ? "no bound"
                                      : "");
    if (run_.has("training_errors")) {
      const double rows = run_.number("rows"), held = run_.has("holdout") ? run_["holdout"].number("rows") : 0;
      fact(
          "Training errors", grouped_count(run_.number("training_errors")),
          "of " + rows_counted(run_.has("training_rows") ? run_.number("training_rows") : rows - std::min(rows, held)));
    }
    if (run_.has("fewest_errors")) {
      const View fewest = run_["fewest_errors"];
      fact("Fewest errors possible",
           fewest.number("lower") == fewest.number("upper")
               ? plain(fewest.number("lower"))
               : plain(fewest.number("lower")) + " to " + plain(fewest.number("upper")),
           "of any halfspace, proved");
    }
    if (run_.has("holdout")) {
      const View held = run_["holdout"];
      fact("Held out", held.has("accuracy") ? share_of(held.number("accuracy"), 1) + " right" : "–",
           counted(held.count("rows"), "row", "rows"));
    }
    if (run_.has("margin") && run_.number("margin") > 0)
      fact("Margin", rounded_down(run_.number("margin"), 4), "geometric; rounded down");
    if (!is_minimum() && run_.has("radius") && !run_["radius"].json().is_null()) {
      const bool biased = run_["composition"].text("bias", "none") != "none";
      fact("Radius", plain(run_.number("radius")),
           std::string("the longest row") + (rule().support_vectors ? ", in the kernel’s space"
                                             : biased               ? ", with its bias"
                                                                    : ""));
    }
    if (bounds_least_loss())
      fact("Least loss", at_least_number(run_["least_loss"].number("bound")) + " or more",
           fmt::format("of any w with ‖w‖ ≤ {}, proved; this run’s {}", short_number(run_["least_loss"].number("norm")),
                       short_number(run_["least_loss"].number("mean"), 4)));
    else if (run_.has("least_loss"))
      fact("Least loss", "–", run_["least_loss"].text("no_bound", "no bound without the penalties"));
    if (run_.has("window"))
      fact("Recent error", share_of(run_["window"].number("error", NAN), 1),
           "the last " + counted(run_["window"].count("rounds"), "round", "rounds") + " of the first pass");
    if (run_.has("faded"))
      fact("Faded error", share_of(run_["faded"].number("error", NAN), 1),
           "the first pass, faded by " + short_number(run_["faded"].number("decay"), 6) + " a round");
    const StopWords stop = stop_words(run_);
    if (!is_minimum()) fact("Stopped", stop.reason, stop.after);
  }

  // ---- how it went ----

  std::string course() {
    std::string html;
    if (figures() && run_["figures"].has("progress"))
      html += mistakes() + (plays_mistakes_only(run_) ? "" : error()) + recent();
    if (figures() && run_["figures"].has("followed")) html += followed();
    html += passes();
    return html;
  }

  // Omits the chart without a bound, as the error shows more, unless every round is a mistake.
  std::string mistakes() const {
    if (!run_.has("bound") && !plays_mistakes_only(run_)) return "";
    const View progress = run_["figures"]["progress"];
    Chart chart("Cumulative mistakes under the bound", "rounds", "mistakes");
    chart.add(series_of("mistakes", progress, "rounds", "mistakes"));
    std::string caption;
    const double total = run_.number("mistakes");
    if (run_.has("bound")) {
      const double ceiling = run_["bound"].number("value");
      chart.level(fmt::format("at most {}", count_at_most(ceiling)), ceiling, 1);
      const bool far = total > 0 && ceiling / total > 12;
      if (far) chart.y_scale(Scale::logarithmic);
      caption = fmt::format("The dashed line is the bound, {} ({}).{}", count_at_most(ceiling),
                            escaped(theorem_words(run_["bound"].text("theorem"))),
                            far ? " Logarithmic, since the bound is far above." : "");
    }
    if (plays_mistakes_only(run_)) caption += " The order trains on mistakes only: every round is a mistake.";
    return figure("mistakes", run_.has("bound") ? "Mistakes under their bound" : "Mistakes", chart.svg(), caption);
  }

  // Draws the probabilities of a mixture over time, for members that ever counted.
  std::string followed() const {
    const View followed = run_["figures"]["followed"];
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
    if (run_.has("regret")) {
      const View regret = run_["regret"];
      caption += fmt::format(
          " The log loss of the mixture is at most {} a row above that of the best mixture in hindsight; the "
          "theorem allows {}.",
          rounded_up(regret.number("log_loss") / regret.number("weight")),
          rounded_up(regret.number("theorem") / regret.number("weight")));
    }
    return figure("followed", "Members of the mixture", chart.svg(), caption);
  }

  std::string error() const {
    const View progress = run_["figures"]["progress"];
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
    const double first_pass = run_["progressive"].number("rounds");
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
            (again
                 ? fmt::format(", and are measured on the first pass. After its {} rounds the rows are no longer new, "
                               "and the error is less informative about others.",
                               plain(first_pass))
                 : "."));
  }

  // Draws the error of the recent rounds, and the alarms of the drift detector on the same axis.
  std::string recent() const {
    const View progress = run_["figures"]["progress"];
    const bool windowed = progress.has("window_error"), detects = run_.has("drift");
    if (!windowed && !detects) return "";
    Chart chart("Error of recent rounds", "rounds", "error");
    std::string caption;
    if (windowed) {
      chart.add(window_error(progress));
      caption = "On the first pass, each row predicted before training on it.";
    } else {
      const Series blocks = error_in_blocks(progress);
      caption = fmt::format("On the first pass, the error in {} blocks of rounds.", blocks.x.size() / 2);
      chart.add(blocks);
    }
    if (detects) caption += " " + alarms(chart, run_["drift"]);
    chart.hold_y(0);
    return figure("recent", detects ? "Recent error and drift alarms" : "Recent error", chart.svg(), caption);
  }

  // Returns the error of the window over the first pass. The cursor reads whole lists, so that it has no numbers where
  // the run went on.
  Series window_error(const View& progress) const {
    Series series{.name = "error of the last " + counted(run_["window"].count("size"), "round", "rounds"),
                  .x = progress.numbers("rounds"),
                  .y = progress.numbers("window_error")};
    const double last = run_["progressive"].number("rounds");
    const auto end = std::find_if(series.x.begin(), series.x.end(), [&](double round) { return round > last; });
    if (end == series.x.end()) {
      series.x_at = "/figures/progress/rounds";
      series.y_at = "/figures/progress/window_error";
    }
    series.x.erase(end, series.x.end());
    return series;
  }

  // Adds a line for each alarm, the latest ones if there are many.
  static std::string alarms(Chart& chart, const View& drift) {
    constexpr std::size_t most = 50;
    const std::vector<View> latest = drift.list("latest");
    const std::size_t first = latest.size() - std::min(latest.size(), most);
    for (std::size_t i = first; i < latest.size(); ++i)
      chart.upright(i == first ? "drift alarm" : "", latest[i].number("round"), 5);
    const std::uint64_t all = drift.count("alarms");
    if (all == 0) return "There was no drift alarm.";
    return fmt::format(
        "{} at the upright {}{}.", counted(all, "drift alarm", "drift alarms"), all == 1 ? "line" : "lines",
        latest.size() - first < all ? fmt::format("; shown are the last {}", latest.size() - first) : "");
  }

  // Returns the error between moments of the first pass, in at most about 40 blocks.
  Series error_in_blocks(const View& progress) const {
    const std::vector<double> rounds = progress.numbers("rounds"), weights = progress.numbers("weight"),
                              errors = progress.numbers("errors");
    const double last = run_["progressive"].number("rounds");
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

  std::string passes() const {
    const std::vector<View> list = run_.list("pass");
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
    const bool many = list.size() > 60, partial = begun > run_.number("passes");
    const bool classes = several_classes();
    Chart first("Mistakes of each pass", "pass", "J₁, mistakes");
    first.add({.name = "J₁", .x = number, .y = mistakes}).hold_y(0);
    if (!many)
      first.add({.name = "J₁", .x = number, .y = mistakes, .shape = Series::Shape::circles, .in_legend = false});
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
           figure(
               "passes-criterion", "J: the perceptron criterion", second.svg(),
               classes
                   ? "Over the mistakes of each pass, the best rival’s score minus that of the true class, under the "
                     "weights at that time."
                   : "The sum of −y⟨w,x⟩ over the mistakes of each pass, under the weights at that time.");
  }

  // ---- the two lemmas of the convergence proof, on this run ----

  bool several_classes() const { return run_["classes"].json().size() > 2; }
  bool shows_lemmas() const {
    return run_.has("bound") && figures() && run_["figures"].has("norms") && run_["figures"]["norms"].has("squares");
  }

  std::string lemmas() const {
    if (!figures() || !run_["figures"].has("norms")) return "";
    const View norms = run_["figures"]["norms"];
    const bool perceptron = norms.has("squares");
    Chart chart("The squared norm of the weights", "rounds", "‖w‖²");
    const std::vector<double> grown = norms.numbers("squared_norm");
    const bool classes = rule().several_classes;
    if (perceptron)
      chart.add(
          series_of(classes ? "2 Σ‖x‖² over the mistakes" : "Σ‖x‖² over the mistakes", norms, "rounds", "squares", 1));
    chart.add(series_of("‖w‖²", norms, "rounds", "squared_norm"));
    chart.hold_y(0);
    const std::string norm = figure(
        "norm", perceptron ? "Second lemma: the weights grow slowly" : "The norm of the weights", chart.svg(),
        perceptron ? fmt::format("On any data, a mistake adds at most {} to ‖w‖²: the whole line stays under the "
                                 "dashed one. It ends at {}, of at most {}.",
                                 classes ? "twice the square of its row" : "the square of its row", end_of(grown),
                                 end_of(norms.numbers("squares")))
                   : fmt::format("The squared norm of the weights as the rounds go. It ends at {}.", end_of(grown)));
    std::string html;
    if (run_["figures"].has("projection")) {
      const View projection = run_["figures"]["projection"];
      Chart second("The projection of the weights on a separator", "rounds", "⟨w,u⟩ / ‖u‖");
      second.add(series_of("⟨w,u⟩ / ‖u‖", projection, "rounds", "projection"));
      second.add(series_of("margin × steps", projection, "rounds", "floor", 1));
      second.hold_y(0);
      html += figure("projection", "First lemma: the weights grow towards the separator", second.svg(),
                     fmt::format("u are the {} weights of this run, which separate its rows with margin {}: every step "
                                 "moves w at least that much along u. Since ‖w‖ grows more slowly, mistakes must end.",
                                 escaped(projection.text("comparator")), plain(projection.number("margin"))));
    } else if (perceptron && run_.has("bound")) {
      html +=
          "<p class=\"missing\">The first lemma needs a separator, and this run found none: its bound sums "
          "hinge losses instead.</p>\n";
    }
    return html + norm;
  }

  static std::string end_of(const std::vector<double>& values) { return values.empty() ? "–" : plain(values.back()); }

  // ---- what was learned ----

  std::string result() const {
    if (!figures()) return "";
    std::string html;
    const View figures = run_["figures"];
    if (figures.has("weights")) html += weights_figure(run_);
    for (const char* of : {"training", "holdout"}) {
      if (figures.has(of) && figures[of].has("margins")) html += margins(figures[of], of);
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
        const Chart curve = roc_chart(roc.numbers("false_positive"), roc.numbers("true_positive"),
                                      at + "/false_positive", at + "/true_positive");
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
    return html;
  }

  std::string margin_words() const {
    if (several_classes()) return "margin, (score − best rival’s) / ‖w‖";
    return rule().support_vectors ? "margin, y f(x) / ‖f‖" : "margin, y⟨w,x⟩ / ‖w‖";
  }

  std::string margins(const View& rows, const std::string& of) const {
    const View margins = rows["margins"];
    const std::vector<double> edges = margins.numbers("edges"), right = margins.numbers("right"),
                              wrong = margins.numbers("wrong");
    if (edges.size() < 2) return "";
    Chart chart("Distances of rows from the boundary", margin_words(), "rows");
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
};

}  // namespace

Section train_section(const View& run) { return TrainPage(run).section(); }

}  // namespace halfspace::report
