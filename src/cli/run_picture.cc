// Draws a training run in the report and on the terminal.
#include "cli/run_picture.h"

#include <utility>

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
      needs("report", needs("save-run", needs("figures", {"--image", "WxH",
                                                          "the features are the pixels of images of this size, such as "
                                                          "28x28: draw the weights of the report as images",
                                                          &flags.image}))),
      {"--plot", "",
       "end with a small plot, even if stdout is not a terminal: of two features the rows and the border, else the "
       "mistakes or errors",
       &flags.plot}};
}

RunPicture::RunPicture(const PictureFlags& flags, const ReportFlags& report, bool json, bool quiet)
    : flags_(flags), plot_(flags.plot || (!json && !quiet && stdout_is_terminal())), reported_(report.wanted()) {
  if (flags.plot && json)
    throw Error(ErrorKind::usage, "--plot draws on stdout, where --json prints").fix("give one of the two");
  if (!flags.image.empty()) image_ = report::image_size(flags.image);
  if (plot_) rows_.emplace(report::PlaneLimits{.features = 2});
}

namespace {

report::PlotPoint point_of(const Ledger& ledger) {
  return {ledger.rounds, static_cast<double>(ledger.mistakes), ledger.errors()};
}

}  // namespace

std::optional<report::PlaneLimits> RunPicture::plane_limits() const {
  if (!reported_ || flags_.plane == "none") return std::nullopt;
  report::PlaneLimits limits;
  if (!flags_.plane.empty()) limits.features = UINT32_MAX;
  return limits;
}

report::PlaneChoice RunPicture::plane_choice() const {
  if (flags_.plane == "projection") return {.projection = true};
  return {.features = flags_.plane};
}

void RunPicture::watch(TrainOptions& options) {
  if (!plot_) return;
  options.on_rows = [this](const Block& block) { rows_->rows(block); };
  options.on_ledger_row = [this, next = std::move(options.on_ledger_row)](const Ledger& ledger) {
    curve_.push_back(point_of(ledger));
    next(ledger);
  };
}

report::Json RunPicture::image(const Model& model) const {
  return image_ ? report::weight_image(model, *image_) : report::Json();
}

std::string RunPicture::plot(const TrainResult& result) {
  if (!plot_) return "";
  const report::Json plane = rows_->picture(result, nullptr, {});
  if (!plane.is_null() && plane["kind"] == "features")
    return "\n" + report::scatter_plot(report::scatter_of(plane), terminal_width());
  const Ledger& ledger = result.model.ledger;
  std::vector<report::PlotPoint> curve = curve_;
  if (curve.empty() || curve.back().rounds < ledger.rounds) curve.push_back(point_of(ledger));
  std::optional<std::uint64_t> bound;
  if (result.bound) bound = whole_mistakes(result.bound->value);
  const std::string plot = report::mistakes_plot(curve, bound, terminal_width());
  return plot.empty() ? "" : "\n" + plot;
}

}  // namespace halfspace::cli
