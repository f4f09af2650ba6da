// serve: what the learner of a service has learned, and how often it errs.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/train_words.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

class ServicePage : PageOfRun {
 public:
  explicit ServicePage(const View& run) : PageOfRun(run), ledger_(run["ledger"]), served_(ledger_["served"]) {}

  Section section() {
    section_.head.title = "Halfspace serve";
    section_.head.finding = finding();
    section_.head.because = served_words();
    section_.head.composition = fmt::format("Model version {}, {}", plain(ledger_.number("version")),
                                            counted(ledger_.count("features"), "feature", "features"));
    facts();
    section_.body += group("The error", error_over_time() + selection_figures(ledger_));
    if (run_.has("figures") && run_["figures"].has("weights"))
      section_.body += group("The model", weights_figure(run_));
    return std::move(section_);
  }

 private:
  std::string finding() const {
    if (!ledger_["writable"].boolean())
      return "<strong>The disk failed.</strong> Predictions go on, learning does not: restart the service.";
    const double rows = progress("rounds", -1) - progress("rounds", 0);
    const std::vector<double> errors = run_["progress"].numbers("errors"), weight = run_["progress"].numbers("weight");
    if (!(rows > 0) || errors.empty() || weight.empty()) return "No row has been learned since the service started.";
    return fmt::format("<strong>{} wrong</strong> while learning, each of {} predicted before it was learned",
                       share_of(errors.back() - errors.front(), weight.back() - weight.front()),
                       counted(static_cast<std::uint64_t>(rows), "row", "rows"));
  }

  std::string served_words() const {
    if (served_.count("asked") == 0 || !served_.has("error_bounds")) return "";
    const View bounds = served_["error_bounds"];
    const auto share = [&](const char* key) { return std::clamp(bounds.number(key), 0.0, 1.0); };
    return fmt::format(
        "The mean error over {} asked rows is {}, with {} % confidence, whatever the labels of the {} that did not "
        "come.",
        plain(served_.number("asked")), error_range({share("lower"), share("upper")}), plain(100 * share("confidence")),
        plain(served_.number("waiting") + served_.number("missing")));
  }

  void facts() {
    const auto fact = [this](const char* name, double value, const char* note = "") {
      section_.facts.push_back({name, plain(value), note});
    };
    fact("Rows learned", ledger_.number("learned"));
    fact("Rows asked", served_.number("asked"), "their labels may come later");
    fact("Labels", served_.number("labels"), "of asked rows");
    fact("Waiting", served_.number("waiting"), "for their label");
    fact("Missing", served_.number("missing"), "gave way to later rows");
    fact("Forgotten", ledger_.number("forgotten"), "events");
    if (ledger_.has("set_aside") && ledger_.count("set_aside") > 0)
      fact("Set aside", ledger_.number("set_aside"),
           "rows that cannot be learned any more, since others were forgotten");
    if (ledger_.has("threshold"))
      fact("Threshold", ledger_.number("threshold"), "of the given model, also after rows were learned");
  }

  // Returns an entry of the recorded course; -1: the last one.
  double progress(const char* key, int at) const {
    const std::vector<double> values = run_["progress"].numbers(key);
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    return at < 0 ? values.back() : values[static_cast<std::size_t>(at)];
  }

  std::string error_over_time() const {
    const std::vector<double> rounds = run_["progress"].numbers("rounds"), errors = run_["progress"].numbers("errors"),
                              weight = run_["progress"].numbers("weight");
    if (rounds.size() < 2 || errors.size() != rounds.size() || weight.size() != rounds.size())
      return missing_html("A chart needs more rows.");
    std::vector<double> at, recent, overall;
    for (std::size_t i = 1; i < rounds.size(); ++i) {
      const double rows = weight[i] - weight[i - 1];
      if (!(rows > 0)) continue;
      at.push_back(rounds[i] - rounds[0]);
      recent.push_back((errors[i] - errors[i - 1]) / rows);
      overall.push_back((errors[i] - errors[0]) / (weight[i] - weight[0]));
    }
    Chart chart("The error as rows are learned", "rows learned since the service started", "share wrong");
    chart.hold_x(0).hold_y(0);
    chart.add({.name = "between two moments", .x = at, .y = recent, .look = 0});
    chart.add({.name = "overall", .x = at, .y = overall, .look = 1});
    return figure("error", "Error while learning", chart.svg(),
                  "Each row is predicted before it is learned. The moments are those at which a model was published, "
                  "thinned out evenly.");
  }

  View ledger_, served_;
};

}  // namespace

Section service_section(const View& run) { return ServicePage(run).section(); }

}  // namespace halfspace::report
