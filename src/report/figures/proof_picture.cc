// Draws the strip of a margin and the columns of a witness.
#include "report/figures/proof_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/html.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr double proof_width = 460, names_right = 130, numbers_width = 68, letter_width = 6.6, row_height = 21;
constexpr double plot_left = names_right + 8, plot_right = proof_width - numbers_width,
                 plot_middle = (plot_left + plot_right) / 2;

std::string name_text(const std::string& name, double y) {
  return fmt::format("<text class=\"name\" x=\"{}\" y=\"{:.1f}\">{}</text>", names_right, y + 14,
                     escaped_short(name, 20));
}
std::string number_text(const std::string& shown, double y) {
  return fmt::format("<text class=\"figure\" x=\"{}\" y=\"{:.1f}\">{}</text>", proof_width, y + 14, shown);
}
std::string svg_of(const std::string& kind, const std::string& title, double height, const std::string& inside) {
  return fmt::format("<svg class=\"chart {}\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">{}</svg>", kind,
                     proof_width, height, escaped(title), inside);
}

// A row of the right class is a circle, of the left class a cross.
std::string row_mark(double x, double y, bool right, double radius) {
  if (right) return fmt::format("<circle class=\"o m0\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", x, y, radius);
  return fmt::format("<path class=\"x m1\" d=\"M{:.1f} {:.1f}l{} {}m0-{}l-{} {}\"/>", x - radius, y - radius,
                     2 * radius, 2 * radius, 2 * radius, 2 * radius, 2 * radius);
}

// Draws the rows spread over the data in a band of their own; those farther away than the picture reaches are left out.
std::string others_of(const Strip& strip, double y, double reach) {
  std::string text;
  for (std::size_t i = 0; i < strip.others.size(); ++i) {
    const double distance = strip.others[i];
    if (!(std::abs(distance) <= reach)) continue;
    const double x = plot_middle + distance / reach * (plot_right - plot_middle);
    text += row_mark(x, y + 6 + static_cast<double>(i * 7 % 25), distance > 0, 2.6);
  }
  return "<g class=\"faint\">" + text + "</g>";
}

// Draws the strip behind all lines, its two borders, and the hyperplane in its middle.
std::string strip_background(double margin, double reach, double top, double bottom) {
  const double half = margin / reach * (plot_right - plot_middle);
  std::string text = fmt::format("<rect class=\"strip\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                                 plot_middle - half, top, 2 * half, bottom - top);
  for (const double x : {plot_middle - half, plot_middle + half})
    text += fmt::format("<path class=\"s6\" d=\"M{:.1f} {}V{:.1f}\"/>", x, top, bottom);
  return text + fmt::format("<path class=\"s7\" d=\"M{:.1f} {}V{:.1f}\"/>", plot_middle, top, bottom);
}

std::string strip_axis(double margin, double reach, double y) {
  const double half = margin / reach * (plot_right - plot_middle);
  std::string text;
  for (const auto& [x, label] : {std::pair{plot_middle - half, "−" + short_number(margin, 4)},
                                 {plot_middle, std::string("0")},
                                 {plot_middle + half, short_number(margin, 4)}})
    text += fmt::format("<text class=\"tick middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x, y + 14, label);
  return text +
         fmt::format("<text class=\"label middle\" x=\"{:.1f}\" y=\"{:.1f}\">distance from the hyperplane</text>",
                     plot_middle, y + 32);
}

}  // namespace

double strip_reach(const Strip& strip) {
  double farthest = strip.margin;
  for (const Strip::Row& row : strip.rows) farthest = std::max(farthest, std::abs(row.distance));
  return 1.9 * farthest;
}

std::string strip_svg(const std::string& title, const Strip& strip) {
  const double reach = strip_reach(strip);
  if (!(reach > 0) || !std::isfinite(reach)) return "";
  constexpr double top = 24;
  double y = top + 4;
  std::string text;
  if (!strip.others.empty()) {
    text += name_text(strip.others_name, y + 8) + others_of(strip, y, reach);
    y += 40;
  }
  for (const Strip::Row& row : strip.rows) {
    const double x = plot_middle + row.distance / reach * (plot_right - plot_middle);
    text += "<g><title>" + escaped_short(row.name, 80) + ": " + escaped(row.shown) + "</title>" +
            name_text(row.name, y) + row_mark(x, y + 10, row.distance > 0, 4.5) + number_text(escaped(row.shown), y) +
            "</g>";
    y += row_height;
  }
  const std::string sides = fmt::format(
      "<text class=\"label\" x=\"{}\" y=\"14\">{}</text><text class=\"label name\" x=\"{}\" y=\"14\">{}</text>",
      plot_left, escaped_short(strip.left_class, 18), plot_right, escaped_short(strip.right_class, 18));
  return svg_of(
      "strips", title, y + 42,
      strip_background(strip.margin, reach, top, y + 2) + sides + text + strip_axis(strip.margin, reach, y + 2));
}

std::string columns_svg(const std::string& title, const std::vector<CancellingColumn>& columns) {
  std::string text;
  double y = 4;
  for (const CancellingColumn& column : columns) {
    const double unit = column.positive > 0 ? (plot_right - plot_middle) / column.positive : 0;
    double right = plot_middle, left = plot_middle;
    std::string bars;
    for (const CancellingColumn::Part& part : column.parts) {
      const double length = std::abs(part.value) * unit;
      if (!std::isfinite(length) || length < 0.05) continue;
      const double x = part.value > 0 ? right : left - length;
      (part.value > 0 ? right : left) += part.value > 0 ? length : -length;
      bars += fmt::format(
          "<g><title>{}</title><rect class=\"part c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
          "height=\"16\"/>{}</g>",
          escaped_short(part.title, 120), part.look, x, y + 2, length,
          length > letter_width * static_cast<double>(letters(part.name)) + 6
              ? fmt::format("<text class=\"inside\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + length / 2, y + 14,
                            escaped(part.name))
              : "");
    }
    text += name_text(column.name, y) + bars + number_text("±" + short_number(column.positive, 4), y);
    y += row_height + 2;
  }
  text += fmt::format("<path class=\"axis\" d=\"M{} 2V{:.1f}\"/>", plot_middle, y);
  return svg_of("columns", title, y + 6, text);
}

}  // namespace halfspace::report
