// The report of a lab: the claim, one row for each experiment, and whether the claim held in all of them.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment.h"
#include "report/results/json.h"

namespace halfspace::lab {

class LabReport : public Experiment {
 public:
  // `columns`: names; the first is left-aligned.
  LabReport(const char* name, const char* claim, const char* source, std::vector<std::string> columns)
      : name_(name), claim_(claim), source_(source), columns_(std::move(columns)) {}

  // Adds a row of numbers or texts, one a column. `holds`: whether the row supports the claim.
  void add(std::vector<Json> row, bool holds) {
    rows_.push_back(std::move(row));
    holds_ = holds_ && holds;
  }
  // Adds a part of the claim that is about all rows.
  void require(bool holds) { holds_ = holds_ && holds; }
  // Sets the conclusion, which is printed last.
  void conclude(std::string text) { conclusion_ = std::move(text); }
  // Sets how a report draws the rows: columns over column `x`, the measured lines with the theorem's; one picture for
  // each value of column `by`, if given; both axes logarithmic or not.
  void draw(const std::string& x, const std::vector<std::string>& lines, const std::vector<std::string>& bounds,
            const std::string& by = "", bool logarithmic = true);
  // Adds more keys for the JSON.
  void attach(const std::string& key, Json value) { extra_[key] = std::move(value); }

  // Sets the picture that its text begins with, and what its page is drawn from in place of its JSON: both of lab plane.
  void picture(std::string text, Json page) {
    picture_ = std::move(text);
    page_ = std::move(page);
  }
  std::size_t rows() const noexcept { return rows_.size(); }

  // Sets how it is shown. Throws Error(usage) for a plot of nothing.
  void show(const LabSettings& settings);
  Json json(Json head) const override;
  Json page(Json head) const override;
  std::string text() const override;
  bool holds() const override { return holds_; }

 private:
  std::string plot() const;

  std::string name_, claim_, source_, conclusion_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Json>> rows_;
  Json extra_ = Json::object(), figure_, page_;
  std::string picture_;
  LabSettings settings_;
  bool holds_ = true;
};

}  // namespace halfspace::lab
