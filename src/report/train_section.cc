// train: what was learned, how it went, and why it can be believed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.h"
#include "report/html.h"
#include "report/sections.h"
#include "report/words.h"

namespace halfspace::report {
namespace {

// "perceptron × cyclic × average" in words.
std::string learner_words(const View& composition) {
  const std::string rule = composition.text("rule"), keep = composition.text("keep");
  const std::string kept = keep == "average"  ? "averaged "
                           : keep == "pocket" ? "pocket "
                           : keep == "vote"   ? "voted "
                                              : "";
  return kept + rule;
}

class TrainPage {
 public:
  explicit TrainPage(const View& run) : run_(run) {}

  Section section() {
    head();
    facts();
    section_.body += group("How it went", course());
    section_.body += group("Why the bound holds", lemmas());
    section_.body += group("What was learned", result());
    section_.body += group("", tables());
    if (!run_.has("figures"))
      section_.body +=
          missing_html("This run was not recorded for figures: run it with --report, or with --json --figures.");
    return std::move(section_);
  }

 private:
  bool figures() const { return run_.has("figures"); }

  std::string classes_words() const {
    const auto classes = run_.entries("classes");
    if (classes.size() == 2)
      return fmt::format("<em>{}</em> from <em>{}</em>", escaped_short(classes[1].first, 40),
                         escaped_short(classes[0].first, 40));
    return fmt::format("{} classes", grouped(classes.size()));
  }

  void head() {
    const std::string learner = run_.has("composition") ? learner_words(run_["composition"]) : "rule";
    const std::uint64_t rows = run_.count("rows");
    const bool vowel = std::string_view("aeiou").find(learner.front()) != std::string_view::npos;
    std::string how;
    if (run_.has("holdout") && run_["holdout"].count("rows") > 0) {
      const View held = run_["holdout"];
      const std::uint64_t errors = held.count("errors");
      how = errors == 0 ? fmt::format("right on all {} it had not seen", counted(held.count("rows"), "row", "rows"))
                        : fmt::format("right on {} of the {} it had not seen",
                                      percent(static_cast<double>(held.count("rows") - errors),
                                              static_cast<double>(held.count("rows"))),
                                      counted(held.count("rows"), "row", "rows"));
    } else if (run_.has("training_errors")) {
      const std::uint64_t errors = run_.count("training_errors");
      how = errors == 0
                ? fmt::format("without an error on all {}", counted(rows, "row", "rows"))
                : fmt::format("right on {} of the {} it learned from",
                              percent(static_cast<double>(rows - std::min(rows, errors)), static_cast<double>(rows)),
                              counted(rows, "row", "rows"));
    } else {
      const View first = run_["progressive"];
      how = fmt::format("right on {} of {} rows, each judged before it was learned",
                        percent(first.number("rounds") - first.number("mistakes"), first.number("rounds")),
                        grouped(first.count("rounds")));
    }
    section_.head.title = fmt::format("Halfspace: {} on {} rows", learner, grouped(rows));
    section_.head.finding =
        fmt::format("{} {} tells {}, {}.", vowel ? "An" : "A", escaped(learner), classes_words(), how);
    const std::uint64_t mistakes = run_.count("mistakes");
    const std::string made = fmt::format("It made {} in {}", counted(mistakes, "mistake", "mistakes"),
                                         counted(run_.count("rounds"), "round", "rounds"));
    if (run_.has("bound")) {
      const View bound = run_["bound"];
      section_.head.because =
          fmt::format("{}; the theorem allows at most <strong>{}</strong> ({}, computed from this run’s own data).",
                      made, plain(bound.number("value")), escaped(bound.text("theorem")));
    } else {
      section_.head.because = made + "; no theorem bounds this run.";
    }
    if (run_.has("composition")) {
      const View c = run_["composition"];
      section_.head.composition =
          fmt::format("{} × {} × {}", escaped(c.text("rule")), escaped(c.text("order")), escaped(c.text("keep")));
    }
  }

  void fact(std::string label, std::string value, std::string note = "") {
    section_.facts.push_back({std::move(label), std::move(value), std::move(note)});
  }

  void facts() {
    fact("Rows", grouped(run_.count("rows")),
         run_.has("rejected") && run_.count("rejected") > 0 ? grouped(run_.count("rejected")) + " bad rows set aside"
                                                            : "");
    fact("Features", grouped(run_.count("features")), counted(run_.count("nonzeros"), "nonzero", "nonzeros"));
    fact("Mistakes", grouped(run_.count("mistakes")),
         run_.has("bound") ? "of at most " + plain(run_["bound"].number("value")) : "no bound");
    if (run_.has("training_errors")) fact("Training errors", grouped(run_.count("training_errors")));
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
      fact("Held out", held.has("accuracy") ? percent(held.number("accuracy"), 1) + " right" : "–",
           counted(held.count("rows"), "row", "rows"));
    }
    if (run_.has("margin") && run_.number("margin") > 0)
      fact("Margin", short_number(run_.number("margin"), 4), "geometric; rounded down");
    if (run_.has("radius")) fact("Radius", short_number(run_.number("radius"), 4), "the longest row");
    fact("Stopped", run_.text("stopped"), counted(run_.count("passes"), "pass", "passes"));
  }

  // ---- how it went ----

  std::string course() {
    std::string html;
    if (figures() && run_["figures"].has("progress")) html += mistakes() + error();
    html += passes();
    return html;
  }

  std::string mistakes() const {
    const View progress = run_["figures"]["progress"];
    const std::vector<double> rounds = progress.numbers("rounds"), made = progress.numbers("mistakes");
    Chart chart("Cumulative mistakes under the bound", "rounds", "mistakes");
    chart.add({.name = "mistakes",
               .x = rounds,
               .y = made,
               .x_at = "/figures/progress/rounds",
               .y_at = "/figures/progress/mistakes"});
    std::string caption;
    const double total = run_.number("mistakes");
    if (run_.has("bound")) {
      const double ceiling = run_["bound"].number("value");
      chart.level(fmt::format("at most {}", plain(ceiling)), ceiling, 1);
      const bool far = total > 0 && ceiling / total > 12;
      if (far) chart.y_scale(Scale::logarithmic);
      caption = fmt::format("The dashed line is the ceiling: {} by {}. {}", plain(ceiling),
                            escaped(run_["bound"].text("theorem")),
                            far ? "Logarithmic, since the ceiling is far above." : "");
    } else {
      caption = "No theorem bounds this run.";
    }
    return figure("mistakes", "Mistakes under their ceiling", chart.svg(), caption);
  }

  std::string error() const {
    const View progress = run_["figures"]["progress"];
    const std::vector<double> rounds = progress.numbers("rounds");
    Chart chart("Progressive error", "rounds", "error so far");
    const auto rate = [&](const char* key) {
      std::vector<double> rates = progress.numbers(key);
      for (std::size_t i = 0; i < rates.size() && i < rounds.size(); ++i) rates[i] /= rounds[i];
      return rates;
    };
    const auto within = [&](std::vector<double> values, double last) {
      for (std::size_t i = 0; i < values.size() && i < rounds.size(); ++i)
        if (rounds[i] > last) values[i] = NAN;
      return values;
    };
    const double first_pass = run_["progressive"].number("rounds");
    chart.add({.name = "this run", .x = rounds, .y = rate("mistakes")});
    chart.add({.name = "always the most frequent class",
               .x = rounds,
               .y = within(rate("constant_mistakes"), first_pass),
               .look = 1});
    chart.add({.name = "the label before", .x = rounds, .y = within(rate("previous_mistakes"), first_pass), .look = 6});
    if (rounds.size() > 1 && rounds.back() / rounds.front() > 50) chart.x_scale(Scale::logarithmic);
    chart.hold_y(0);
    return figure(
        "error", "Progressive error", chart.svg(),
        "Each row is judged before it is learned from: the mistakes so far, divided by the rounds so far. The two "
        "baselines learn nothing, and are judged on the first pass.");
  }

  std::string passes() const {
    const std::vector<View> list = run_.list("pass");
    if (list.size() < 2) return "";
    std::vector<double> number, mistakes, criterion;
    for (std::size_t i = 0; i < list.size(); ++i) {
      number.push_back(static_cast<double>(i + 1));
      mistakes.push_back(list[i].number("mistakes"));
      criterion.push_back(list[i].has("criterion") ? list[i].number("criterion") : NAN);
    }
    const bool many = list.size() > 60;
    Chart first("Mistakes of each pass", "pass", "J₁, mistakes");
    first.add({.name = "J₁", .x = number, .y = mistakes}).hold_y(0);
    if (!many)
      first.add({.name = "J₁", .x = number, .y = mistakes, .shape = Series::Shape::circles, .in_legend = false});
    Chart second("Perceptron criterion of each pass", "pass", "J, Σ −y⟨w,x⟩ over the mistakes");
    second.add({.name = "J", .x = number, .y = criterion, .look = 1}).hold_y(0);
    if (!many)
      second.add(
          {.name = "J", .x = number, .y = criterion, .shape = Series::Shape::crosses, .look = 1, .in_legend = false});
    if (many) first.x_scale(Scale::logarithmic), second.x_scale(Scale::logarithmic);
    return figure("passes-mistakes", "J₁: mistakes in each pass", first.svg(),
                  fmt::format("From {} in the first pass to {} in the last.", plain(mistakes.front()),
                              plain(mistakes.back()))) +
           figure("passes-criterion", "J: how far off the mistakes were", second.svg(),
                  "The sum of −y⟨w,x⟩ over the mistakes of each pass, at the weights of the moment.");
  }

  std::string lemmas() { return ""; }
  std::string result() { return ""; }
  std::string tables() { return ""; }

  const View& run_;
  Section section_;
};

}  // namespace

Section train_section(const View& run) {
  return TrainPage(run).section();
}

}  // namespace halfspace::report
