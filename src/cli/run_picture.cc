// Draws a training run in the report and on the terminal.
#include "cli/run_picture.h"

#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"

namespace halfspace::cli {

std::vector<Row> picture_rows(PictureFlags& flags) {
  return {
      usually("none",
              needs("report", needs("save-run",
                                    needs("figures", {"--plane", "PLANE",
                                                      "the plane to draw in the report. A,B: two features; projection: "
                                                      "of all features; none. Default: the two features if there are "
                                                      "only two, else the projection",
                                                      &flags.plane})))),
      {"--plot", "", "end with a small plot, even if stdout is not a terminal", &flags.plot}};
}

RunPicture::RunPicture(const PictureFlags& flags, const ReportFlags& report, bool json, bool quiet)
    : flags_(flags), plot_(flags.plot || (!json && !quiet && stdout_is_terminal())) {
  if (flags.plot && json)
    throw Error(ErrorKind::usage, "--plot draws on stdout, where --json prints").fix("give one of the two");
  if (!report.wanted() || flags.plane == "none") return;
  report::PlaneLimits limits;
  if (!flags.plane.empty()) limits.features = UINT32_MAX;
  record_.emplace(limits);
}

void RunPicture::watch(TrainOptions& options, const std::function<void(const RoundView&)>& trace) {
  if (record_) options.on_rows = [this](const Block& block) { record_->rows(block); };
  if (record_ && trace) {
    options.observer = [this, trace](const RoundView& round) {
      record_->round(round);
      trace(round);
    };
  } else if (record_) {
    options.observer = [this](const RoundView& round) { record_->round(round); };
  } else {
    options.observer = trace;
  }
}

report::Json RunPicture::plane(const TrainResult& result, const Model* resume) {
  if (!record_) return nullptr;
  if (flags_.plane == "projection") return record_->picture(result, resume, {.projection = true});
  return record_->picture(result, resume, {.features = flags_.plane});
}

std::string RunPicture::plot(const TrainResult& result) const {
  if (!plot_) return "";
  const Ledger& ledger = result.model.ledger;
  std::vector<PlotPoint> curve = curve_;
  if (curve.empty() || curve.back().rounds < ledger.rounds) curve.push_back({ledger.rounds, ledger.mistakes});
  std::optional<std::uint64_t> bound;
  if (result.bound) bound = whole_mistakes(result.bound->value);
  const std::string plot = mistakes_plot(curve, bound, terminal_width());
  return plot.empty() ? "" : "\n" + plot;
}

}  // namespace halfspace::cli
