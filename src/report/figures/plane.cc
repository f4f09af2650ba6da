// Draws the plane: one coordinate system a panel, marks for classes, regions by cutting with half-planes.
#include "report/figures/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "report/figures/html.h"
#include "report/figures/plane_check.h"
#include "report/figures/plane_data.h"
#include "report/figures/plane_geometry.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string frame_of(const Panel& view, const std::string& x_name, const std::string& y_name) {
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
  return svg +
         fmt::format("<text class=\"axis\" transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                     view.top + view.height / 2, escaped(clipped(y_name, axis_letters)));
}

// Draws a class's name in the middle of its region, if there is room.
std::string region_name(const DrawnPlane& plane, const Panel& view, const Polygon& region, std::size_t k) {
  if (plane.binary) return "";
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
  return fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x / (3 * area),
                     y / (3 * area) + 5, escaped(clipped(plane.name(k), 16)));
}

// Draws the direction of w, from the point of the boundary nearest to the centre of the picture.
std::string normal_of(const Panel& view, const Line& w) {
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

// Draws the weights' view of the plane: where each class is predicted, the boundary, the band, the weights'
// direction. In large pictures, fills `names` with the names to draw above the marks.
std::string regions_of(const DrawnPlane& plane, const Panel& view, const std::vector<Line>& w, std::string* names) {
  std::string svg;
  for (std::size_t k = 0; k < (plane.binary ? 1 : w.size()); ++k) {
    Polygon region = view.corners();
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (plane.binary)
        region = cut(region, w[0]);
      else if (j != k)
        region = cut(region, {w[k].w1 - w[j].w1, w[k].w2 - w[j].w2, w[k].k - w[j].k});
    }
    if (plane.binary && w[0].norm() == 0) continue;
    svg += fmt::format("<path class=\"region fill{}\" d=\"{}\"/>", plane.look(plane.binary ? 1 : k),
                       path(view, region, true));
    if (names != nullptr) *names += region_name(plane, view, region, k);
  }
  if (!plane.binary) return svg;
  if (names != nullptr) {
    const double band = plane.band_of(w[0]);
    if (band > 0) {
      const Polygon strip =
          cut(cut(view.corners(), {w[0].w1, w[0].w2, w[0].k + band}), {-w[0].w1, -w[0].w2, -w[0].k + band});
      svg += fmt::format("<path class=\"band\" d=\"{}\"/>", path(view, strip, true));
    }
  }
  svg += fmt::format("<path class=\"boundary\" d=\"{}\"/>", zero(view, w[0]));
  if (names != nullptr) *names += normal_of(view, w[0]);
  return svg;
}

std::string marks_of(const DrawnPlane& plane, const Panel& view, double r) {
  std::vector<std::string> of_class(std::max<std::size_t>(plane.names.size(), 2));
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    if (plane.label[i] < of_class.size())
      of_class[plane.label[i]] += mark(plane.mark_of(plane.label[i]), view.px(plane.x[i]), view.py(plane.y[i]), r);
  }
  std::string svg;
  for (std::size_t k = 0; k < of_class.size(); ++k) {
    if (!of_class[k].empty())
      svg += fmt::format("<path class=\"mark stroke{}\" d=\"{}\"/>", plane.look(k), of_class[k]);
  }
  return svg;
}

std::string rings_of(const DrawnPlane& plane) {
  std::string d;
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    if (plane.predicted[i] != static_cast<std::int64_t>(plane.label[i]))
      d += mark(0, plane.data.px(plane.x[i]), plane.data.py(plane.y[i]), plane.x.size() > 500 ? 6 : 9);
  }
  return fmt::format("<path class=\"ring{}\" d=\"{}\"/>", plane.x.size() > 500 ? " many" : "", d);
}

std::string data_panel(const DrawnPlane& plane) {
  std::string over;
  const std::string under = regions_of(plane, plane.data, plane.weights, &over);
  return fmt::format("<svg viewBox=\"0 0 560 470\" role=\"img\" aria-label=\"{}\" {}>", escaped(plane_summary(plane)),
                     plane.data.attributes()) +
         frame_of(plane.data, plane.axes[0], plane.axes[1]) + "<g class=\"regions\">" + under + "</g>" +
         marks_of(plane, plane.data, plane.x.size() > 500 ? 3.5 : 5) + "<g class=\"over\">" + rings_of(plane) + over +
         "</g></svg>";
}

std::string legend_key(const std::string& drawing, const std::string& text) {
  return "<span class=\"key\"><svg viewBox=\"0 0 26 18\" aria-hidden=\"true\">" + drawing + "</svg> " + text +
         "</span> ";
}

std::string legend_of(const DrawnPlane& plane) {
  std::string html;
  for (std::size_t i = 0; i < plane.names.size(); ++i) {
    const std::size_t k = plane.names.size() <= 2 ? plane.names.size() - 1 - i : i;  // of two the positive one first
    html += legend_key(
        fmt::format("<path class=\"mark stroke{}\" d=\"{}\"/>", plane.look(k), mark(plane.mark_of(k), 13, 9, 5)),
        escaped(clipped(plane.name(k), 40)));
  }
  html += legend_key("<path class=\"ring\" d=\"" + mark(0, 13, 9, 8) + "\"/>",
                     fmt::format("wrong <span class=\"plane-wrong\">({} of {})</span>", grouped(plane.wrong()),
                                 grouped(plane.x.size())));
  if (plane.binary) {
    html += legend_key("<path class=\"boundary\" d=\"M1 9h24\"/>", "boundary");
    if (plane.band_of(plane.weights[0]) > 0)
      html +=
          legend_key("<path class=\"band\" d=\"M1 3h24v12h-24z\"/>",
                     plane.json.contains("margin") ? "scores below the rule's margin" : "margin, once no row is wrong");
  } else {
    html += legend_key("<path class=\"region fill0\" d=\"M1 3h24v12h-24z\"/>", "where a class is predicted");
  }
  return html;
}

// Draws a class's name beyond the tip of its weights.
std::string tip_name(const DrawnPlane& plane, const Line& w, std::size_t k) {
  const double dx = plane.walk.px(w.w1) - plane.walk.px(0), dy = plane.walk.py(w.w2) - plane.walk.py(0),
               length = elementary::hypot(dx, dy);
  if (!(length > 12)) return "";
  const double half = 3.5 * static_cast<double>(std::min<std::size_t>(plane.name(k).size(), 8));
  const double x = std::clamp(plane.walk.px(w.w1) + (9 + half) * dx / length, plane.walk.left + half,
                              plane.walk.left + plane.walk.width - half);
  return fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                     plane.walk.py(w.w2) + 12 * dy / length + 5, escaped(clipped(plane.name(k), 8)));
}

std::string weight_axis(const DrawnPlane& plane, std::size_t i) {
  const Json& axis = plane.json.at("axes")[i];
  if (axis.contains("name")) return "weight of " + plane.axes[i];
  return i == 0 ? "weights along the 1st direction" : "along the 2nd";
}

// Draws all (w1, w2) that, with this third weight, are right on every row shown.
std::string cone_of(const DrawnPlane& plane) {
  Polygon region = plane.walk.corners();
  for (std::size_t i = 0; i < plane.x.size() && !region.empty(); ++i) {
    const double sign = plane.label[i] == 0 ? -1 : 1;
    region = cut(region, {sign * plane.x[i], sign * plane.y[i], sign * plane.weights[0].k});
  }
  return region.empty() ? "" : fmt::format("<path class=\"cone\" d=\"{}\"/>", path(plane.walk, region, true));
}

std::string weights_panel(const DrawnPlane& plane) {
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 440 350\" role=\"img\" aria-label=\"The weights, from the first update "
      "to the returned weights\" {}>",
      plane.walk.attributes());
  svg += frame_of(plane.walk, weight_axis(plane, 0), weight_axis(plane, 1));
  svg += "<g class=\"regions\">" + (plane.binary ? cone_of(plane) : std::string()) + "</g>";
  const Json& moments = plane.json.at("moments");
  for (std::size_t k = 0; k < plane.weights.size(); ++k) {
    std::string d;
    Point last{NAN, NAN};
    const auto go = [&](const Json& weights, bool jump) {
      const Point p{number_or_zero(weights[3 * k]), number_or_zero(weights[3 * k + 1])};
      if (p.x == last.x && p.y == last.y && !jump) return;
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() || jump ? "M" : "L", plane.walk.px(p.x), plane.walk.py(p.y));
      last = p;
    };
    for (std::size_t i = 0; i < moments.at("weights").size(); ++i) {
      if (!moments.at("before")[i].is_null()) go(moments["before"][i], true);
      go(moments["weights"][i], false);
    }
    svg += fmt::format("<path class=\"walk stroke{}\" d=\"{}\"/>", plane.look(plane.binary ? 1 : k), d);
  }
  svg += "<g class=\"over\">";
  for (std::size_t k = 0; k < plane.weights.size(); ++k) {
    svg += arrow(plane.walk.px(0), plane.walk.py(0), plane.walk.px(plane.weights[k].w1),
                 plane.walk.py(plane.weights[k].w2), plane.binary ? "normal" : fmt::format("stroke{}", plane.look(k)));
    if (!plane.binary) svg += tip_name(plane, plane.weights[k], k);
  }
  return svg + "</g></svg>";
}

std::string weights_caption(const DrawnPlane& plane) {
  if (!plane.binary)
    return "The same run in the space of weights: every class has its own, and an update raises one and lowers "
           "another.";
  std::string text = "The same run in the space of weights: w moves with every update.";
  const bool biased = !(plane.exact && plane.json.at("bias") == "none");
  if (biased)
    text += plane.exact ? " There is a third weight, the bias; shown is the slice at its present value: "
                        : " A third number, the rest of the score, is held at its present value: ";
  else
    text += " ";
  text += biased ? "shaded are" : "Shaded are";
  text += plane.exact ? " the (w₁, w₂) that are right on every row shown"
                      : " the (w₁, w₂) that classify every row correctly, as drawn";
  if (biased && plane.exact) text += " with this bias";
  return text + (cone_of(plane).empty() ? "; for the returned weights there are none." : ".");
}

std::string first_updates(const DrawnPlane& plane) {
  const Json& m = plane.json.at("moments");
  const std::size_t count = std::min<std::size_t>(6, m.at("update").size());
  if (count == 0) return "";
  std::string html = "<h3>The first updates</h3>\n<ol class=\"plane-first\">\n";
  for (std::size_t i = 0; i < count; ++i) {
    Panel view = plane.data;
    view.left = view.top = 2;
    view.width = 176;
    view.height = 176 * plane.data.height / plane.data.width;
    const std::vector<Line> after = plane.lines(m.at("weights")[i]);
    const Json& before_json = m.at("before")[i].is_null() ? m["weights"][i - 1] : m["before"][i];
    const std::vector<Line> before = plane.lines(before_json);
    const auto label = m.at("label")[i].get<std::size_t>();
    const double x = view.px(number_or_zero(m.at("x")[i])), y = view.py(number_or_zero(m.at("y")[i]));
    html += fmt::format(
        "<li><a href=\"#moment={}\"><svg viewBox=\"0 0 180 {:.0f}\" role=\"img\" aria-label=\"{}\">"
        "<rect class=\"frame\" x=\"2\" y=\"2\" width=\"176\" height=\"{:.1f}\"/>",
        i + 1, view.height + 4, escaped("Update " + std::to_string(i + 1) + " in the plane"), view.height);
    html += "<g class=\"regions\">" + regions_of(plane, view, after, nullptr) + "</g>";
    if (plane.binary) html += fmt::format("<path class=\"boundary before\" d=\"{}\"/>", zero(view, before[0]));
    html += "<g class=\"faint\">" + marks_of(plane, view, 2) + "</g>";
    html += fmt::format("<path class=\"mark strong stroke{}\" d=\"{}\"/><path class=\"ring\" d=\"{}\"/></svg>",
                        plane.look(label), mark(plane.mark_of(label), x, y, 5), mark(0, x, y, 9));
    html +=
        fmt::format("<span>{}. row {}, {}: score {}</span></a></li>\n", i + 1,
                    grouped(m.at("row")[i].get<std::uint64_t>()), escaped(clipped(plane.name(label), 20)),
                    m.at("score")[i].is_null() ? "beyond the range of doubles" : shown(number_or_zero(m["score"][i])));
  }
  return html + "</ol>\n<p class=\"plane-note\">" +
         (plane.binary ? "Ringed: the row that moved the weights. Dashed: the boundary before; solid: after."
                       : "Ringed: the row that moved the weights; the regions are those after the update.") +
         "</p>\n";
}

std::string section_of_plane(const DrawnPlane& plane) {
  std::string html = "<section class=\"plane\" id=\"plane\" aria-labelledby=\"plane-title\">\n";
  html += "<h2 id=\"plane-title\">In the plane</h2>\n<p class=\"plane-about\">" + plane_explanation(plane) + "</p>\n";
  html += "<div class=\"plane-controls\" hidden></div>\n<p class=\"plane-live\" aria-live=\"polite\"></p>\n";
  html += "<div class=\"plane-panels\">\n<figure class=\"plane-data\">" + data_panel(plane) + "<figcaption>" +
          legend_of(plane) + "</figcaption></figure>\n";
  // The weight of one feature needs no plane of weights.
  const bool one = plane.json.at("kind") == "feature";
  html += std::string("<div class=\"plane-side\"><figure class=\"plane-weights\"") + (one ? " hidden>" : ">") +
          weights_panel(plane) + "<figcaption>" + weights_caption(plane) + "</figcaption></figure>\n";
  html += "<figure class=\"plane-update\" hidden></figure></div>\n</div>\n";
  html += first_updates(plane);
  return html + "</section>\n";
}

}  // namespace

std::string plane_section(const Json& plane) {
  check_plane(plane);
  if (is_drawable(plane)) return section_of_plane(DrawnPlane(plane));
  return missing_html(
      "No picture in the plane: the values or the weights are too large or too small to compute one. Multiply "
      "values by a power of ten.");
}

}  // namespace halfspace::report
