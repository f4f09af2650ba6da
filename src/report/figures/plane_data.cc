// Reads the plane of a run's JSON, and explains it.
#include "report/figures/plane_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "report/figures/html.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::vector<double> reals(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) values.push_back(number_or_zero(value));
  return values;
}

std::string share_of_axis(const Json& part, std::size_t most) {
  return fmt::format("{} ({})", clipped(part[0].get<std::string>(), most),
                     shown(std::round(100 * number_or_zero(part[1])) / 100));
}

std::string axis_name(const Json& axis, std::size_t i, bool binary) {
  if (axis.contains("name")) {
    std::string text = axis["name"].get<std::string>();
    if (axis.contains("exponent")) text += fmt::format(" × 2^{}", axis["exponent"].get<int>());
    return text;
  }
  std::string text = i == 0   ? (binary ? "along the weights" : "1st direction")
                     : binary ? "across them"
                              : "2nd direction";
  // Shows the parts that fit on the axis; the heading lists all.
  std::size_t begun = 0;
  for (const Json& part : axis.at("mostly")) {
    const std::string more = (begun++ == 0 ? ": mostly " : ", ") + share_of_axis(part, 20);
    if (begun > 1 && letters(text + more) > axis_letters) break;
    text += more;
  }
  return text;
}

// Returns a sentence on what a direction is mostly made of; empty if the axis has room for it.
std::string made_of(const Json& axis, std::string_view begin) {
  if (axis.contains("name") || axis.at("mostly").empty()) return "";
  std::string text;
  for (const Json& part : axis.at("mostly")) text += (text.empty() ? "" : ", ") + share_of_axis(part, 60);
  return fmt::format("{} mostly {}.", begin, text);
}

// The largest magnitude in a list and its nested lists.
struct Reach {
  double largest = 0;
  bool known = true;  // false if some were null: JSON has no such number

  void look_at(const Json& json) {
    if (json.is_array()) {
      for (const Json& entry : json) look_at(entry);
    } else if (json.is_number()) {
      largest = std::max(largest, std::abs(json.get<double>()));
    } else {
      known = false;
    }
  }
  // Returns true if the products and quotients of such numbers in a drawing stay within the range of doubles.
  bool drawable() const { return known && largest <= 1e70 && (largest == 0 || largest >= 1e-70); }
};

}  // namespace

DrawnPlane::DrawnPlane(const Json& plane)
    : json(plane),
      constant(number_or_zero(plane.at("constant"))),
      names(plane.at("classes")),
      binary(plane.at("weights").size() == 3),
      exact(plane.at("kind").get<std::string>().starts_with("feature") || plane.at("kind") == "lifted") {
  const Json& points = plane.at("points");
  x = reals(points.at("x"));
  y = reals(points.at("y"));
  for (const Json& one : points.at("label")) label.push_back(one.get<std::size_t>());
  for (const Json& one : points.at("predicted")) predicted.push_back(one.get<std::int64_t>());
  weights = lines(plane.at("weights"));
  for (std::size_t i = 0; i < 2; ++i) axes.push_back(axis_name(plane.at("axes")[i], i, binary));
  std::vector<Point> all;
  if (plane.at("kind") == "lifted") all.push_back({0, 0});
  for (std::size_t i = 0; i < x.size(); ++i) all.push_back({x[i], y[i]});
  const Json& moments = plane.at("moments");
  for (std::size_t i = 0; i < moments.at("x").size(); ++i)
    all.push_back({number_or_zero(moments.at("x")[i]), number_or_zero(moments.at("y")[i])});
  data.fit(all, plane.at("kind") == "projection");
  std::vector<Point> tips{{0, 0}};
  const auto take = [&](const Json& of_weights) {
    for (const Line& w : lines(of_weights)) tips.push_back({w.w1, w.w2});
  };
  take(plane.at("weights"));
  for (const Json& w : moments.at("weights")) take(w);
  for (const Json& w : moments.at("before")) take(w);
  walk.fit(tips, false);
}

std::vector<Line> DrawnPlane::lines(const Json& of_weights) const {
  std::vector<Line> list;
  for (std::size_t k = 0; k + 2 < of_weights.size(); k += 3)
    list.push_back({number_or_zero(of_weights[k]), number_or_zero(of_weights[k + 1]),
                    number_or_zero(of_weights[k + 2]) * constant});
  return list;
}

std::string DrawnPlane::name(std::size_t k) const {
  return k < names.size() ? names[k].get<std::string>() : std::string("no name");
}

double DrawnPlane::band_of(const Line& w) const {
  if (!(w.norm() > 0)) return 0;
  if (json.contains("margin")) return number_or_zero(json["margin"]);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) least = std::min(least, (label[i] == 0 ? -1 : 1) * w.at({x[i], y[i]}));
  return std::isfinite(least) ? std::max(0.0, least) : 0;
}

std::size_t DrawnPlane::wrong() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += predicted[i] != static_cast<std::int64_t>(label[i]);
  return count;
}

bool is_drawable(const Json& plane) {
  const Json &points = plane.at("points"), &moments = plane.at("moments");
  Reach x, y, weights, constant;
  for (const Json* list : {&points, &moments}) {
    x.look_at(list->at("x"));
    y.look_at(list->at("y"));
  }
  weights.look_at(plane.at("weights"));
  weights.look_at(moments.at("weights"));
  for (const Json& before : moments.at("before")) {
    if (!before.is_null()) weights.look_at(before);
  }
  constant.look_at(plane.at("constant"));
  return x.drawable() && y.drawable() && weights.drawable() && constant.drawable();
}

std::string plane_summary(const DrawnPlane& plane) {
  return fmt::format("{}, {} of them on the wrong side of the boundary. Across: {}. Up: {}.",
                     counted(plane.x.size(), "row"), grouped(plane.wrong()), plane.axes[0], plane.axes[1]);
}

std::string plane_explanation(const DrawnPlane& plane) {
  const std::string kind = plane.json.at("kind").get<std::string>();
  std::string text;
  if (kind == "features") {
    text =
        "Every row is at its two features, and the line is where the score is 0: nothing is omitted from "
        "this "
        "picture.";
  } else if (kind == "feature") {
    text =
        "Every row is at its one feature, each class on a line of its own, and the upright line is where the score "
        "is 0: nothing is omitted from this picture.";
  } else if (kind == "lifted") {
    text =
        "Every row is at its one feature, lifted from the line to the height of the constant whose weight is the bias: "
        "in the plane the line where the score is 0 goes through the origin, and w is at right angles to it. Nothing "
        "is omitted from this picture.";
  } else if (kind == "slice") {
    text =
        "Two features of several. The line is where the halfspace cuts the plane on which every other feature has "
        "its mean over the rows shown; a row may lie outside of that plane, so rings mark wrong predictions of the "
        "model, not of the line.";
  } else if (plane.binary) {
    text =
        "All features in projection: across is the distance along the returned weights, up the direction in which "
        "the rows differ most. For these weights the line is exact for every row. Earlier weights point out of the "
        "plane: their line is where they cut it, through the mean of the rows shown.";
  } else {
    text = "All features, seen on the plane in which the classes' weights differ most";
    text += plane.names.size() == 3
                ? ": for three classes the regions are exact for every row under the returned weights."
                : ", through the mean of the rows shown. A row may lie outside of that plane, so rings mark wrong "
                  "predictions of the model, not of the regions.";
  }
  if (kind == "projection")
    text += escaped(made_of(plane.json.at("axes")[0], " Across is") + made_of(plane.json.at("axes")[1], " Up is"));
  if (plane.json.contains("row_normalised")) text += " Rows are divided by their norms.";
  if (!plane.data.equal) text += " The two axes have different scales, so right angles are distorted.";
  const std::uint64_t rows = plane.json.at("rows").get<std::uint64_t>();
  if (rows > plane.x.size())
    text +=
        fmt::format(" Shown are {} of {} rows, evenly spread over the data.", grouped(plane.x.size()), grouped(rows));
  const std::size_t moments = plane.json.at("moments").at("update").size();
  const std::uint64_t updates = plane.json.at("updates").get<std::uint64_t>();
  if (updates > moments) {
    std::size_t one_by_one = 0;
    for (const Json& update : plane.json["moments"]["update"])
      one_by_one += update.get<std::uint64_t>() == one_by_one + 1;
    text +=
        fmt::format(" Of {} updates {} were recorded: the first {} one by one{}.", grouped(updates), grouped(moments),
                    grouped(one_by_one), one_by_one < moments ? ", later ones ever further apart" : "");
  }
  return text;
}

}  // namespace halfspace::report
