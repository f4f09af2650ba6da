// The weights of images as images: as JSON, and as SVG.
//
//   const ImageSize size = image_size("28x28");
//   const Json image = weight_image(model, size);  // the key figures.weights.image of docs/formats/json.md
//   image_svg("Weights of class 3", values, largest);
//
// A feature is a pixel; pixels go row by row from the upper left, as idx files and flattened arrays have them.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/train/model.h"
#include "report/results/json.h"

namespace halfspace::report {

struct ImageSize {
  std::uint32_t width = 0, height = 0;
};

inline constexpr std::uint32_t most_pixels = 4096, longest_side = 256;

// Parses "28x28", width and height. Throws Error(usage), also for more than most_pixels or a side above longest_side.
ImageSize image_size(const std::string& text);

// Returns the weights of each class, at most 12, as rows of pixels, and the largest magnitude of all. Throws Error(usage)
// unless the data have width times height features, and for a model without weights of features. LIBSVM text may lack
// less than a row of pixels at the end, which are 0 in every row of the data.
Json weight_image(const Model& model, ImageSize size);

// Draws values as pixels: positive ones in the first colour, negative ones in the second, in ten shades up to `largest`;
// values without a magnitude of half a shade are left out.
std::string image_svg(const std::string& title, const std::vector<std::vector<double>>& values, double largest);
// Draws the shades with their values: from -largest to largest.
std::string image_scale_svg(double largest);

}  // namespace halfspace::report
