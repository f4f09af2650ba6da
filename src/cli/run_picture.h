// --plane, --image and --plot: the pictures of a training run, in its report and on the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/report_flags.h"
#include "halfspace/train/train.h"
#include "report/figures/plot.h"
#include "report/figures/weight_image.h"
#include "report/results/plane_record.h"

namespace halfspace::cli {

struct PictureFlags {
  std::string plane, image;
  bool plot = false;
};
std::vector<Row> picture_rows(PictureFlags& flags);

class RunPicture {
 public:
  // Throws Error(usage) for flags that would draw nothing.
  RunPicture(const PictureFlags& flags, const ReportFlags& report, bool json, bool quiet);

  // Returns what a report's record is to draw, and how.
  std::optional<report::PlaneLimits> plane_limits() const;
  report::PlaneChoice plane_choice() const;
  // Keeps rows and the curve for the plot, if there is one.
  void watch(TrainOptions& options);

  // Returns the weights as an image, or null. Throws Error(usage) if the features are not its pixels.
  report::Json image(const Model& model) const;
  // Returns the plot for the end of the ledger, or empty: the rows with the border between the classes if there are two
  // features, else the mistakes or errors.
  std::string plot(const TrainResult& result);

 private:
  const PictureFlags& flags_;
  bool plot_, reported_;
  std::optional<report::ImageSize> image_;
  std::optional<report::PlaneRecord> rows_;  // of two features, for the plot
  std::vector<report::PlotPoint> curve_;     // after 1, 2, 4, 8 ... rounds
};

}  // namespace halfspace::cli
