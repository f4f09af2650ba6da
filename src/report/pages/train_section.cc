// train: the result in a sentence, its evidence, and the facts of the run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    section_.body += course_figures(run_) + norm_figures(run_) + model_figures(run_);
    section_.body += group("Evaluation", selection_figures(run_));
    if (!run_.has("figures")) section_.body += not_recorded();
    return std::move(section_);
  }

 private:
  bool is_minimum() const { return run_.has("minimum"); }

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
    if (rule_of(run_).bounds == nullptr) {
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
    else if (run_.has("bound") || rule_of(run_).bounds != nullptr || !run_.has("errors"))
      fact("Mistakes", grouped(run_.count("mistakes")),
           run_.has("bound")                 ? "of at most " + count_at_most(run_["bound"].number("value"))
           : rule_of(run_).bounds != nullptr ? "no bound"
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
           std::string("the longest row") + (rule_of(run_).support_vectors ? ", in the kernel’s space"
                                             : biased                      ? ", with its bias"
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
};

}  // namespace

Section train_section(const View& run) { return TrainPage(run).section(); }

}  // namespace halfspace::report
