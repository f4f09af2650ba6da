// Draws the plane: one coordinate system a panel, marks for classes, regions by cutting with half-planes.
#include "report/figures/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "report/figures/html.h"
#include "report/figures/plane_check.h"
#include "report/figures/plane_geometry.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t axis_letters = 44;  // letters that fit along an axis, even in narrow windows

double real(const Json& value) { return value.is_number() ? value.get<double>() : 0.0; }
std::vector<double> reals(const Json& list) {
  std::vector<double> values;
  for (const Json& value : list) values.push_back(real(value));
  return values;
}

class Drawing {
 public:
  explicit Drawing(const Json& plane)
      : plane_(plane), constant_(real(plane.at("constant"))), names_(plane.at("classes")) {
    binary_ = plane.at("weights").size() == 3;
    const Json& points = plane.at("points");
    x_ = reals(points.at("x"));
    y_ = reals(points.at("y"));
    for (const Json& label : points.at("label")) label_.push_back(label.get<std::size_t>());
    for (const Json& label : points.at("predicted")) predicted_.push_back(label.get<std::int64_t>());
    const Json& kind = plane.at("kind");
    exact_ = kind.get<std::string>().starts_with("feature");
    weights_ = lines(plane.at("weights"));
    for (int i = 0; i < 2; ++i) axes_.push_back(axis_name(axes_.size()));
    std::vector<Point> all;
    for (std::size_t i = 0; i < x_.size(); ++i) all.push_back({x_[i], y_[i]});
    const Json& moments = plane.at("moments");
    for (std::size_t i = 0; i < moments.at("x").size(); ++i)
      all.push_back({real(moments.at("x")[i]), real(moments.at("y")[i])});
    data_.fit(all, kind == "projection");
    fit_walk();
  }

  std::string section() const {
    std::string html = "<section class=\"plane\" id=\"plane\" aria-labelledby=\"plane-title\">\n";
    html += "<h2 id=\"plane-title\">In the plane</h2>\n<p class=\"plane-about\">" + about() + "</p>\n";
    html += "<div class=\"plane-controls\" hidden></div>\n<p class=\"plane-live\" aria-live=\"polite\"></p>\n";
    html += "<div class=\"plane-panels\">\n<figure class=\"plane-data\">" + data_panel() + "<figcaption>" + legend() +
            "</figcaption></figure>\n";
    // The weight of one feature needs no plane of weights.
    const bool one = plane_.at("kind") == "feature";
    html += std::string("<div class=\"plane-side\"><figure class=\"plane-weights\"") + (one ? " hidden>" : ">") +
            weights_panel() + "<figcaption>" + weights_caption() + "</figcaption></figure>\n";
    html += "<figure class=\"plane-update\" hidden></figure></div>\n</div>\n";
    html += first_updates();
    return html + "</section>\n";
  }

 private:
  std::vector<Line> lines(const Json& weights) const {
    std::vector<Line> list;
    for (std::size_t k = 0; k + 2 < weights.size(); k += 3)
      list.push_back({real(weights[k]), real(weights[k + 1]), real(weights[k + 2]) * constant_});
    return list;
  }
  std::string name(std::size_t k) const {
    return k < names_.size() ? names_[k].get<std::string>() : std::string("no name");
  }
  // Returns the mark and colour of a class: o for the positive one of two.
  std::size_t mark_of(std::size_t k) const { return names_.size() <= 2 ? 1 - std::min<std::size_t>(k, 1) : k; }

  // Returns its colour; beyond eight classes, marks and colours pair differently.
  std::size_t look(std::size_t k) const { return (mark_of(k) + mark_of(k) / 8) % 8; }

  std::string axis_name(std::size_t i) const {
    const Json& axis = plane_.at("axes")[i];
    if (axis.contains("name")) {
      std::string text = axis["name"].get<std::string>();
      if (axis.contains("exponent")) text += fmt::format(" × 2^{}", axis["exponent"].get<int>());
      return text;
    }
    std::string text = i == 0    ? (binary_ ? "along the weights" : "1st direction")
                       : binary_ ? "across them"
                                 : "2nd direction";
    // Shows the parts that fit on the axis; the heading lists all.
    std::size_t begun = 0;
    for (const Json& part : axis.at("mostly")) {
      const std::string more = (begun++ == 0 ? ": mostly " : ", ") + part_of(part, 20);
      if (begun > 1 && letters(text + more) > axis_letters) break;
      text += more;
    }
    return text;
  }

  static std::string part_of(const Json& part, std::size_t most) {
    return fmt::format("{} ({})", clipped(part[0].get<std::string>(), most),
                       shown(std::round(100 * real(part[1])) / 100));
  }

  // Returns a sentence on what a direction is mostly made of; empty if the axis has room for it.
  std::string made_of(std::size_t i, std::string_view begin) const {
    const Json& axis = plane_.at("axes")[i];
    if (axis.contains("name") || axis.at("mostly").empty()) return "";
    std::string text;
    for (const Json& part : axis.at("mostly")) text += (text.empty() ? "" : ", ") + part_of(part, 60);
    return fmt::format("{} mostly {}.", begin, text);
  }

  std::string frame(const Panel& view, const std::string& x_name, const std::string& y_name) const {
    std::string svg = fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", view.left,
                                  view.top, view.width, view.height);
    for (const double at : ticks(view.x0, view.x1)) {
      svg += fmt::format(
          "<path class=\"grid{}\" d=\"M{:.1f} {}v{}\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{}\" "
          "text-anchor=\"middle\">{}</text>",
          at == 0 ? " origin" : "", view.px(at), view.top, view.height, view.px(at), view.top + view.height + 17,
          shown(at));
    }
    for (const double at : ticks(view.y0, view.y1)) {
      svg += fmt::format(
          "<path class=\"grid{}\" d=\"M{} {:.1f}h{}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1f}\" "
          "text-anchor=\"end\">{}</text>",
          at == 0 ? " origin" : "", view.left, view.py(at), view.width, view.left - 6, view.py(at) + 5, shown(at));
    }
    svg += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       view.left + view.width / 2, view.top + view.height + 38, escaped(clipped(x_name, axis_letters)));
    return svg + fmt::format(
                     "<text class=\"axis\" transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                     view.top + view.height / 2, escaped(clipped(y_name, axis_letters)));
  }

  // Draws the weights' view of the plane: where each class is predicted, the boundary, the band, the weights'
  // direction. In large pictures, fills `names` with the names to draw above the marks.
  std::string regions(const Panel& view, const std::vector<Line>& w, std::string* names) const {
    std::string svg;
    for (std::size_t k = 0; k < (binary_ ? 1 : w.size()); ++k) {
      Polygon region = view.corners();
      for (std::size_t j = 0; j < w.size(); ++j) {
        if (binary_)
          region = cut(region, w[0]);
        else if (j != k)
          region = cut(region, {w[k].w1 - w[j].w1, w[k].w2 - w[j].w2, w[k].k - w[j].k});
      }
      if (binary_ && w[0].norm() == 0) continue;
      svg += fmt::format("<path class=\"region fill{}\" d=\"{}\"/>", look(binary_ ? 1 : k), path(view, region, true));
      if (names != nullptr) *names += region_name(view, region, k);
    }
    if (!binary_) return svg;
    if (names != nullptr) {
      const double band = band_of(w[0]);
      if (band > 0) {
        const Polygon strip =
            cut(cut(view.corners(), {w[0].w1, w[0].w2, w[0].k + band}), {-w[0].w1, -w[0].w2, -w[0].k + band});
        svg += fmt::format("<path class=\"band\" d=\"{}\"/>", path(view, strip, true));
      }
    }
    svg += fmt::format("<path class=\"boundary\" d=\"{}\"/>", zero(view, w[0]));
    if (names != nullptr) *names += normal(view, w[0]);
    return svg;
  }

  // Draws a class's name in the middle of its region, if there is room.
  std::string region_name(const Panel& view, const Polygon& region, std::size_t k) const {
    if (binary_) return "";
    double area = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const Point a = region[i], b = region[(i + 1) % region.size()];
      const double ax = view.px(a.x), ay = view.py(a.y), bx = view.px(b.x), by = view.py(b.y);
      const double twice = ax * by - bx * ay;
      area += twice;
      x += (ax + bx) * twice;
      y += (ay + by) * twice;
    }
    if (!(std::abs(area) > 6000)) return "";
    return fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                       x / (3 * area), y / (3 * area) + 5, escaped(clipped(name(k), 16)));
  }

  // Returns half the width of the band, as a score: the functional margin of a rule that has one, else the smallest
  // score of a row if every row shown is classified correctly; 0: no band.
  double band_of(const Line& w) const {
    if (!(w.norm() > 0)) return 0;
    if (plane_.contains("margin")) return real(plane_["margin"]);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x_.size(); ++i)
      least = std::min(least, (label_[i] == 0 ? -1 : 1) * w.at({x_[i], y_[i]}));
    return std::isfinite(least) ? std::max(0.0, least) : 0;
  }

  // Draws the direction of w, from the point of the boundary nearest to the centre of the picture.
  static std::string normal(const Panel& view, const Line& w) {
    const double norm = w.norm();
    if (!(norm > 0)) return "";
    const Point middle{(view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2};
    const double off = w.at(middle) / (norm * norm);
    const Point foot{middle.x - off * w.w1, middle.y - off * w.w2};
    if (!view.holds(foot)) return "";
    double dx = w.w1 / (view.x1 - view.x0) * view.width, dy = -w.w2 / (view.y1 - view.y0) * view.height;
    const double scale = 62 / elementary::hypot(dx, dy);
    if (!std::isfinite(scale)) return "";
    dx *= scale;
    dy *= scale;
    const double x = view.px(foot.x), y = view.py(foot.y);
    const double tip_x = x + 1.4 * dx - view.left, tip_y = y + 1.4 * dy - view.top;
    if (tip_x < 0 || tip_x > view.width || tip_y < 0 || tip_y > view.height) return "";
    return arrow(x, y, x + dx, y + dy, "normal") +
           fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">w</text>", x + 1.24 * dx,
                       y + 1.24 * dy + 5);
  }

  std::string marks(const Panel& view, double r) const {
    std::vector<std::string> of_class(std::max<std::size_t>(names_.size(), 2));
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (label_[i] < of_class.size())
        of_class[label_[i]] += mark(mark_of(label_[i]), view.px(x_[i]), view.py(y_[i]), r);
    }
    std::string svg;
    for (std::size_t k = 0; k < of_class.size(); ++k) {
      if (!of_class[k].empty()) svg += fmt::format("<path class=\"mark stroke{}\" d=\"{}\"/>", look(k), of_class[k]);
    }
    return svg;
  }

  std::string rings() const {
    std::string d;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (predicted_[i] != static_cast<std::int64_t>(label_[i]))
        d += mark(0, data_.px(x_[i]), data_.py(y_[i]), x_.size() > 500 ? 6 : 9);
    }
    return fmt::format("<path class=\"ring{}\" d=\"{}\"/>", x_.size() > 500 ? " many" : "", d);
  }

  std::string data_panel() const {
    std::string over;
    const std::string under = regions(data_, weights_, &over);
    return fmt::format("<svg viewBox=\"0 0 560 470\" role=\"img\" aria-label=\"{}\" {}>", escaped(summary()),
                       data_.attributes()) +
           frame(data_, axes_[0], axes_[1]) + "<g class=\"regions\">" + under + "</g>" +
           marks(data_, x_.size() > 500 ? 3.5 : 5) + "<g class=\"over\">" + rings() + over + "</g></svg>";
  }

  std::size_t wrong() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) count += predicted_[i] != static_cast<std::int64_t>(label_[i]);
    return count;
  }

  std::string summary() const {
    return fmt::format("{}, {} of them on the wrong side of the boundary. Across: {}. Up: {}.",
                       counted(x_.size(), "row"), grouped(wrong()), axes_[0], axes_[1]);
  }

  std::string about() const {
    const std::string kind = plane_.at("kind").get<std::string>();
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
    } else if (kind == "slice") {
      text =
          "Two features of several. The line is where the halfspace cuts the plane on which every other feature has "
          "its mean over the rows shown; a row may lie outside of that plane, so rings mark wrong predictions of the "
          "model, not of the line.";
    } else if (binary_) {
      text =
          "All features in projection: across is the distance along the returned weights, up the direction in which "
          "the rows differ most. For these weights the line is exact for every row. Earlier weights point out of the "
          "plane: their line is where they cut it, through the mean of the rows shown.";
    } else {
      text = "All features, seen on the plane in which the classes' weights differ most";
      text += names_.size() == 3
                  ? ": for three classes the regions are exact for every row under the returned weights."
                  : ", through the mean of the rows shown. A row may lie outside of that plane, so rings mark wrong "
                    "predictions of the model, not of the regions.";
    }
    if (kind == "projection") text += escaped(made_of(0, " Across is") + made_of(1, " Up is"));
    if (plane_.contains("row_normalised")) text += " Rows are divided by their norms.";
    if (!data_.equal) text += " The two axes have different scales, so right angles are distorted.";
    const std::uint64_t rows = plane_.at("rows").get<std::uint64_t>();
    if (rows > x_.size())
      text += fmt::format(" Shown are {} of {} rows, evenly spread over the data.", grouped(x_.size()), grouped(rows));
    const std::size_t moments = plane_.at("moments").at("update").size();
    const std::uint64_t updates = plane_.at("updates").get<std::uint64_t>();
    if (updates > moments) {
      std::size_t one_by_one = 0;
      for (const Json& update : plane_["moments"]["update"])
        one_by_one += update.get<std::uint64_t>() == one_by_one + 1;
      text +=
          fmt::format(" Of {} updates {} were recorded: the first {} one by one{}.", grouped(updates), grouped(moments),
                      grouped(one_by_one), one_by_one < moments ? ", later ones ever further apart" : "");
    }
    return text;
  }

  static std::string key(const std::string& drawing, const std::string& text, const std::string& name = "") {
    return "<span class=\"key" + name + "\"><svg viewBox=\"0 0 26 18\" aria-hidden=\"true\">" + drawing + "</svg> " +
           text + "</span> ";
  }

  std::string legend() const {
    std::string html;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t k = names_.size() <= 2 ? names_.size() - 1 - i : i;  // of two the positive one first
      html += key(fmt::format("<path class=\"mark stroke{}\" d=\"{}\"/>", look(k), mark(mark_of(k), 13, 9, 5)),
                  escaped(clipped(name(k), 40)));
    }
    html +=
        key("<path class=\"ring\" d=\"" + mark(0, 13, 9, 8) + "\"/>",
            fmt::format("wrong <span class=\"plane-wrong\">({} of {})</span>", grouped(wrong()), grouped(x_.size())));
    if (binary_) {
      html += key("<path class=\"boundary\" d=\"M1 9h24\"/>", "boundary");
      if (band_of(weights_[0]) > 0)
        html += key("<path class=\"band\" d=\"M1 3h24v12h-24z\"/>",
                    plane_.contains("margin") ? "scores below the rule's margin" : "margin, once no row is wrong");
    } else {
      html += key("<path class=\"region fill0\" d=\"M1 3h24v12h-24z\"/>", "where a class is predicted");
    }
    return html;
  }

  // ---- weights ----

  void fit_walk() {
    std::vector<Point> all{{0, 0}};
    const auto take = [&](const Json& weights) {
      for (const Line& w : lines(weights)) all.push_back({w.w1, w.w2});
    };
    take(plane_.at("weights"));
    for (const Json& w : plane_.at("moments").at("weights")) take(w);
    for (const Json& w : plane_.at("moments").at("before")) take(w);
    walk_.fit(all, false);
  }

  std::string weights_panel() const {
    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 440 350\" role=\"img\" aria-label=\"The weights, from the first update "
        "to the returned weights\" {}>",
        walk_.attributes());
    svg += frame(walk_, weight_name(0), weight_name(1));
    svg += "<g class=\"regions\">" + (binary_ ? cone(walk_, weights_[0].k) : std::string()) + "</g>";
    const Json& moments = plane_.at("moments");
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      std::string d;
      Point last{NAN, NAN};
      const auto go = [&](const Json& weights, bool jump) {
        const Point p{real(weights[3 * k]), real(weights[3 * k + 1])};
        if (p.x == last.x && p.y == last.y && !jump) return;
        d += fmt::format("{}{:.1f} {:.1f}", d.empty() || jump ? "M" : "L", walk_.px(p.x), walk_.py(p.y));
        last = p;
      };
      for (std::size_t i = 0; i < moments.at("weights").size(); ++i) {
        if (!moments.at("before")[i].is_null()) go(moments["before"][i], true);
        go(moments["weights"][i], false);
      }
      svg += fmt::format("<path class=\"walk stroke{}\" d=\"{}\"/>", look(binary_ ? 1 : k), d);
    }
    svg += "<g class=\"over\">";
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      svg += arrow(walk_.px(0), walk_.py(0), walk_.px(weights_[k].w1), walk_.py(weights_[k].w2),
                   binary_ ? "normal" : fmt::format("stroke{}", look(k)));
      if (!binary_) svg += tip_name(weights_[k], k);
    }
    return svg + "</g></svg>";
  }

  // Draws a class's name beyond the tip of its weights.
  std::string tip_name(const Line& w, std::size_t k) const {
    const double dx = walk_.px(w.w1) - walk_.px(0), dy = walk_.py(w.w2) - walk_.py(0),
                 length = elementary::hypot(dx, dy);
    if (!(length > 12)) return "";
    const double half = 3.5 * static_cast<double>(std::min<std::size_t>(name(k).size(), 8));
    const double x =
        std::clamp(walk_.px(w.w1) + (9 + half) * dx / length, walk_.left + half, walk_.left + walk_.width - half);
    return fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                       walk_.py(w.w2) + 12 * dy / length + 5, escaped(clipped(name(k), 8)));
  }

  std::string weight_name(std::size_t i) const {
    const Json& axis = plane_.at("axes")[i];
    if (axis.contains("name")) return "weight of " + axis_name(i);
    return i == 0 ? "weights along the 1st direction" : "along the 2nd";
  }

  // Draws all (w1, w2) that, with this third weight, are right on every row shown.
  std::string cone(const Panel& view, double constant) const {
    Polygon region = view.corners();
    for (std::size_t i = 0; i < x_.size() && !region.empty(); ++i) {
      const double sign = label_[i] == 0 ? -1 : 1;
      region = cut(region, {sign * x_[i], sign * y_[i], sign * constant});
    }
    return region.empty() ? "" : fmt::format("<path class=\"cone\" d=\"{}\"/>", path(view, region, true));
  }

  std::string weights_caption() const {
    if (!binary_)
      return "The same run in the space of weights: every class has its own, and an update raises one and lowers "
             "another.";
    std::string text = "The same run in the space of weights: w moves with every update.";
    const bool biased = !(exact_ && plane_.at("bias") == "none");
    if (biased)
      text += exact_ ? " There is a third weight, the bias; shown is the slice at its present value: "
                     : " A third number, the rest of the score, is held at its present value: ";
    else
      text += " ";
    text += biased ? "shaded are" : "Shaded are";
    text += exact_ ? " the (w₁, w₂) that are right on every row shown"
                   : " the (w₁, w₂) that classify every row correctly, as drawn";
    if (biased && exact_) text += " with this bias";
    return text + (cone(walk_, weights_[0].k).empty() ? "; for the returned weights there are none." : ".");
  }

  // ---- the first updates, side by side ----

  std::string first_updates() const {
    const Json& m = plane_.at("moments");
    const std::size_t count = std::min<std::size_t>(6, m.at("update").size());
    if (count == 0) return "";
    std::string html = "<h3>The first updates</h3>\n<ol class=\"plane-first\">\n";
    for (std::size_t i = 0; i < count; ++i) {
      Panel view = data_;
      view.left = view.top = 2;
      view.width = 176;
      view.height = 176 * data_.height / data_.width;
      const std::vector<Line> after = lines(m.at("weights")[i]);
      const Json& before_json = m.at("before")[i].is_null() ? m["weights"][i - 1] : m["before"][i];
      const std::vector<Line> before = lines(before_json);
      const auto label = m.at("label")[i].get<std::size_t>();
      const double x = view.px(real(m.at("x")[i])), y = view.py(real(m.at("y")[i]));
      html += fmt::format(
          "<li><a href=\"#moment={}\"><svg viewBox=\"0 0 180 {:.0f}\" role=\"img\" aria-label=\"{}\">"
          "<rect class=\"frame\" x=\"2\" y=\"2\" width=\"176\" height=\"{:.1f}\"/>",
          i + 1, view.height + 4, escaped("Update " + std::to_string(i + 1) + " in the plane"), view.height);
      html += "<g class=\"regions\">" + regions(view, after, nullptr) + "</g>";
      if (binary_) html += fmt::format("<path class=\"boundary before\" d=\"{}\"/>", zero(view, before[0]));
      html += "<g class=\"faint\">" + marks(view, 2) + "</g>";
      html += fmt::format("<path class=\"mark strong stroke{}\" d=\"{}\"/><path class=\"ring\" d=\"{}\"/></svg>",
                          look(label), mark(mark_of(label), x, y, 5), mark(0, x, y, 9));
      html += fmt::format("<span>{}. row {}, {}: score {}</span></a></li>\n", i + 1,
                          grouped(m.at("row")[i].get<std::uint64_t>()), escaped(clipped(name(label), 20)),
                          m.at("score")[i].is_null() ? "beyond the range of doubles" : shown(real(m["score"][i])));
    }
    return html + "</ol>\n<p class=\"plane-note\">" +
           (binary_ ? "Ringed: the row that moved the weights. Dashed: the boundary before; solid: after."
                    : "Ringed: the row that moved the weights; the regions are those after the update.") +
           "</p>\n";
  }

  const Json& plane_;
  double constant_;
  const Json& names_;
  bool binary_, exact_;
  std::vector<double> x_, y_;
  std::vector<std::size_t> label_;
  std::vector<std::int64_t> predicted_;
  std::vector<Line> weights_;
  std::vector<std::string> axes_;
  Panel data_{.left = 62, .top = 8, .width = 490, .height = 410};
  Panel walk_{.left = 62, .top = 8, .width = 370, .height = 290};
};

}  // namespace

namespace {

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

bool drawable(const Json& plane) {
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

}  // namespace

std::string plane_section(const Json& plane) {
  check_plane(plane);
  if (drawable(plane)) return Drawing(plane).section();
  return missing_html(
      "No picture in the plane: the values or the weights are too large or too small to compute one. Multiply "
      "values by a power of ten.");
}

}  // namespace halfspace::report
