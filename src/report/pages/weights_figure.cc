// The weights of a model as bars, or as images.
#include <fmt/format.h>

#include "report/figures/chart.h"
#include "report/figures/html.h"
#include "report/figures/weight_image.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

std::string weight_bars(const View& weights, const std::string& title) {
  std::vector<Bar> list;
  for (const View& entry : weights.list("shown")) {
    const char* const key = entry.has("effect") ? "effect" : entry.has("scaled") ? "scaled" : "weight";
    const double value = entry.number(key);
    const std::string beside = entry.has("effect") ? short_number(entry.number("weight"), 4) : "";
    list.push_back({entry.text("feature"), value, short_number(value, 4), beside});
  }
  return bars_svg(title, list);
}

// Returns how the weights shown act on the data.
std::string acting(const View& run, bool scaled) {
  const std::string normalized = run.text("normalize", "");
  return scaled                ? "As they act on columns scaled to 1, for comparison."
         : normalized == "row" ? "As they act on rows divided by their norms."
         : normalized == "none" || normalized == "standard"
             ? "As they act on the data’s own values."
             : "As they act on the data’s own values, or on rows divided by their norms.";
}

// Returns what the bars are.
std::string bars_words(const View& run, const std::vector<View>& shown) {
  if (!shown.empty() && shown[0].has("effect"))
    return "Weight times standard deviation of the feature over the training rows: how far the feature moves the score "
           "from row to row, whatever its unit. Beside it the weight on the data’s own values.";
  return acting(run, !shown.empty() && shown[0].has("scaled"));
}

std::string weight_images(const View& run, const View& image) {
  const double largest = image.number("largest");
  std::string html;
  std::size_t shown = 0;
  for (const auto& [name, rows] : image.entries("classes")) {
    if (shown++ == 12) break;
    std::vector<std::vector<double>> values;
    for (const View& row : rows.items()) values.push_back(row.numbers());
    html += fmt::format("<div><h4>{}</h4>{}</div>\n", escaped_short(name, 40),
                        image_svg("The weights of class " + name, values, largest));
  }
  const bool scaled = run.text("normalize", "") == "column";
  const std::size_t classes = run["classes"].json().size();
  std::string caption =
      "Blue pixels raise the score of the class, orange ones lower it; the stronger the colour, the larger the "
      "weight, on one scale for all. " +
      acting(run, scaled);
  const double missing = image.number("width") * image.number("height") - image.number("features");
  if (missing > 0) caption += fmt::format(" The last {} pixels are 0 in every row of the data.", plain(missing));
  if (classes == 2 && shown == 1) caption += " Of the other class they are the opposite.";
  if (classes > 2 && classes > shown) caption += fmt::format(" The first {} of {} classes.", shown, classes);
  return figure("weights", "The weights as images",
                "<div class=\"images\">" + html + "</div><div>" + image_scale_svg(largest) + "</div>", caption, true);
}

}  // namespace

std::string weights_figure(const View& run) {
  const View weights = run["figures"]["weights"];
  if (weights.has("image")) return weight_images(run, weights["image"]);
  if (weights.has("classes")) {
    std::string html, words;
    std::size_t k = 0;
    for (const auto& [name, own] : weights.entries("classes")) {
      if (k == 0) words = bars_words(run, own.list("shown"));
      if (k == 12) break;
      html += fmt::format("<div><h4>{}</h4>{}</div>\n", escaped_short(name, 40),
                          weight_bars(own, "The largest weights of class " + name)),
          ++k;
    }
    return figure("weights", "The largest weights of each class", "<div class=\"multiples\">" + html + "</div>",
                  words + (run["classes"].json().size() > k
                               ? fmt::format(" The first {} of {} classes.", k, run["classes"].json().size())
                               : ""),
                  true);
  }
  const std::vector<View> shown = weights.list("shown");
  std::string caption = bars_words(run, shown);
  if (weights.count("nonzero") > shown.size())
    caption += fmt::format(" The {} largest of {} nonzero weights.", shown.size(), grouped(weights.count("nonzero")));
  const auto classes = run.entries("classes");
  if (classes.size() == 2)
    caption += fmt::format(" To the right they favour <em>{}</em>, to the left <em>{}</em>.",
                           escaped_short(classes[1].first, 40), escaped_short(classes[0].first, 40));
  return figure("weights", "Weights by feature", weight_bars(weights, "The largest weights"), caption);
}

}  // namespace halfspace::report
