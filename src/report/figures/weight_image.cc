// Writes and draws the weights of images.
#include "report/figures/weight_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "halfspace/base/error.h"
#include "report/figures/html.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr int shades = 10;

// Returns the shade of a value: -10 .. 10.
int shade_of(double value, double largest) {
  if (!std::isfinite(value) || !(largest > 0)) return 0;
  return static_cast<int>(std::lround(std::clamp(value / largest, -1.0, 1.0) * shades));
}

std::string shade_path(int shade, const std::string& path) {
  return fmt::format("<path class=\"{}\" stroke-opacity=\"{:.1f}\" d=\"{}\"/>", shade > 0 ? "more" : "less",
                     static_cast<double>(std::abs(shade)) / shades, path);
}

std::size_t features_of(const Model& model) {
  return model.weights.w.size() / std::max<std::uint32_t>(model.weights.classes, 1);
}

Json pixels(const Model& model, ImageSize size, std::uint32_t klass) {
  const std::size_t features = features_of(model);
  Json rows = Json::array();
  for (std::size_t y = 0; y < size.height; ++y) {
    Json row = Json::array();
    for (std::size_t x = 0; x < size.width; ++x) {
      const std::size_t f = y * size.width + x;
      row.push_back(f < features ? number(model.weights.w[f * model.weights.classes + klass]) : Json(0));
    }
    rows.push_back(row);
  }
  return rows;
}

// Returns the number of features of the data: idx files and tables name those that are 0 in every row, too.
std::size_t features_of_data(const Model& model) {
  std::size_t features = features_of(model);
  for (const Column& column : model.schema.columns) {
    if (column.kind == Column::Kind::numeric && column.feature != Column::no_feature)
      features = std::max(features, std::size_t{column.feature} + 1);
  }
  return features;
}

// Data without columns end with the last pixel that is not 0 in every row: less than a row of pixels may be missing.
bool fits(const Model& model, ImageSize size) {
  const std::size_t features = features_of_data(model), needed = std::size_t{size.width} * size.height;
  if (!model.schema.columns.empty()) return features == needed;
  return features <= needed && needed - features < size.width;
}

void check_size(const Model& model, ImageSize size) {
  const std::string given = option("image", fmt::format("{}x{}", size.width, size.height));
  if (model.weights.w.empty()) {
    throw Error(ErrorKind::usage, given + " draws the weights of features, which this model does not have")
        .fix("leave out " + option("image"));
  }
  if (fits(model, size)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} needs {} features, one a pixel; the data have {}", given,
                          grouped(std::uint64_t{size.width} * size.height), grouped(features_of_data(model))))
      .fix("give the width and height of the images in the data");
}

}  // namespace

ImageSize image_size(const std::string& text) {
  ImageSize size;
  const std::size_t cross = text.find('x');
  const auto side = [&](std::string_view digits) -> std::uint32_t {
    if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string_view::npos)
      return 0;
    return static_cast<std::uint32_t>(std::stoul(std::string(digits)));
  };
  if (cross != std::string::npos)
    size = {side(std::string_view(text).substr(0, cross)), side(std::string_view(text).substr(cross + 1))};
  if (size.width == 0 || size.height == 0) {
    throw Error(ErrorKind::usage, option("image") + " takes WIDTHxHEIGHT in pixels, not '" + text + "'")
        .fix("such as " + option("image", "28x28"));
  }
  if (size.width > longest_side || size.height > longest_side || size.width * size.height > most_pixels) {
    throw Error(ErrorKind::usage, fmt::format("{}: a page draws images of at most {} pixels, and {} on a side",
                                              option("image", text), grouped(most_pixels), longest_side))
        .fix("leave out " + option("image"));
  }
  return size;
}

Json weight_image(const Model& model, ImageSize size) {
  constexpr std::uint32_t most_classes = 12;
  check_size(model, size);
  const std::uint32_t vectors = std::max<std::uint32_t>(model.weights.classes, 1);
  const std::vector<std::string>& names = model.schema.labels.names;
  double largest = 0;
  for (const double w : model.weights.w) largest = std::isfinite(w) ? std::max(largest, std::abs(w)) : largest;
  Json classes = Json::object();
  for (std::uint32_t k = 0; k < vectors && k < most_classes; ++k) {
    // The one vector of two classes is that of the second.
    const std::size_t named = vectors == 1 ? 1 : k;
    classes[named < names.size() ? utf8(names[named]) : std::string()] = pixels(model, size, k);
  }
  return {{"width", size.width},
          {"height", size.height},
          {"features", features_of(model)},
          {"largest", largest},
          {"classes", classes}};
}

std::string image_svg(const std::string& title, const std::vector<std::vector<double>>& values, double largest) {
  std::map<int, std::string> paths;
  std::size_t width = 1;
  for (std::size_t y = 0; y < values.size(); ++y) {
    const std::vector<double>& row = values[y];
    width = std::max(width, row.size());
    for (std::size_t x = 0; x < row.size();) {
      const int shade = shade_of(row[x], largest);
      std::size_t end = x + 1;
      while (end < row.size() && shade_of(row[end], largest) == shade) ++end;
      if (shade != 0) paths[shade] += fmt::format("M{} {}.5h{}", x, y, end - x);
      x = end;
    }
  }
  std::string inside;
  for (const auto& [shade, path] : paths) inside += shade_path(shade, path);
  return fmt::format(
      "<svg class=\"image\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><rect class=\"ground\" width=\"{}\" "
      "height=\"{}\"/>{}</svg>",
      width, std::max<std::size_t>(1, values.size()), escaped(title), width, std::max<std::size_t>(1, values.size()),
      inside);
}

std::string image_scale_svg(double largest) {
  constexpr int step = 9, left = 60;
  std::string inside;
  for (int shade = -shades; shade <= shades; ++shade) {
    if (shade == 0) continue;
    inside += fmt::format("<path class=\"{}\" stroke-width=\"12\" stroke-opacity=\"{:.1f}\" d=\"M{} 8h{}\"/>",
                          shade > 0 ? "more" : "less", static_cast<double>(std::abs(shade)) / shades,
                          left + (shade + shades) * step, step);
  }
  const int end = left + (2 * shades + 1) * step;
  const std::string shown = short_number(largest, 3);
  return fmt::format(
      "<svg class=\"image-scale\" viewBox=\"0 0 {} 18\" role=\"img\" aria-label=\"The colours: from −{} to {}\">"
      "<text class=\"name\" x=\"{}\" y=\"12\">−{}</text>{}<rect class=\"ground\" x=\"{}\" y=\"2\" width=\"{}\" "
      "height=\"12\"/><text x=\"{}\" y=\"12\">{}</text></svg>",
      end + left, shown, shown, left - 6, shown, inside, left, end - left, end + 6, shown);
}

}  // namespace halfspace::report
