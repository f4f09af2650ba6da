// Draws intervals and the values in them.
#include "report/figures/range_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/html.h"

namespace halfspace::report {
namespace {

constexpr double range_width = 460, range_row = 46;
constexpr double track_begin = 166, track_end = 452, track_inset = 34;  // finite ends are as far from the track's

std::string signed_number(double number) {
  const std::string text = fmt::format("{}", number);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

// Maps the numbers of one range to the picture.
class RangeTrack {
 public:
  explicit RangeTrack(const Range& range) {
    const bool two = range.least && range.most, none = !range.least && !range.most;
    low_ = high_ = range.value;
    for (const std::optional<double>& end : {range.least, range.most}) {
      if (!end) continue;
      low_ = std::min(low_, *end);
      high_ = std::max(high_, *end);
    }
    if (two || none) return;
    low_ = std::min(low_, 0.0);
    high_ = std::max(high_, 0.0);
  }
  double at(double number) const {
    const double share = (number / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
    const double begin = track_begin + track_inset, end = track_end - track_inset;
    return std::isfinite(share) ? begin + std::clamp(share, 0.0, 1.0) * (end - begin) : (begin + end) / 2;
  }

 private:
  double low_ = 0, high_ = 0;
};

// Writes a number below its end of the track, within the picture however long it is.
std::string end_label(double x, double y, double number) {
  const std::string text = signed_number(number);
  constexpr double width_of_letter = 6.6;
  const double half = width_of_letter * static_cast<double>(letters(text)) / 2;
  const double middle = std::clamp(x, std::min(track_begin + half, x), std::max(range_width - half, track_begin));
  return fmt::format("<text class=\"label middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", middle, y, escaped(text));
}

std::string interval_title(const Range& range) {
  std::string words = range.name + ": " + signed_number(range.value);
  if (!range.least && !range.most) return words + "; any value";
  words += range.least ? "; from " + signed_number(*range.least) : ";";
  if (range.most) words += (range.least ? " to " : " at most ") + signed_number(*range.most);
  return words + (range.least && !range.most ? " on" : "");
}

std::string range_svg(const Range& range, double top) {
  const RangeTrack track(range);
  const double y = top + 24;
  const double begin = range.least ? track.at(*range.least) : track_begin + 6;
  const double end = range.most ? track.at(*range.most) : track_end - 6;
  std::string text = fmt::format(
      "<g><title>{}</title><text class=\"name\" x=\"150\" y=\"{:.1f}\">{}</text><path class=\"axis\" d=\"M{} "
      "{:.1f}H{}\"/><rect class=\"c0 faint\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"8\"/>",
      escaped(interval_title(range)), y + 4, escaped_short(range.name, 24), track_begin, y, track_end, begin, y - 4,
      std::max(1.0, end - begin));
  if (!range.least) {
    text += fmt::format("<polygon class=\"c0\" points=\"{0:.1f},{1:.1f} {2:.1f},{3:.1f} {2:.1f},{4:.1f}\"/>",
                        track_begin, y, track_begin + 9, y - 6, y + 6);
  }
  if (!range.most) {
    text += fmt::format("<polygon class=\"c0\" points=\"{0:.1f},{1:.1f} {2:.1f},{3:.1f} {2:.1f},{4:.1f}\"/>", track_end,
                        y, track_end - 9, y - 6, y + 6);
  }
  for (const std::optional<double>& bound : {range.least, range.most}) {
    if (!bound) continue;
    text += fmt::format("<path class=\"s0\" d=\"M{:.1f} {:.1f}v14\"/>", track.at(*bound), y - 7) +
            end_label(track.at(*bound), y + 19, *bound);
  }
  const double at = track.at(range.value);
  return text + fmt::format("<circle class=\"c1\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4.5\"/>", at, y) +
         fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>", at, y - 10,
                     escaped(signed_number(range.value)));
}

}  // namespace

std::string ranges_svg(const std::string& title, const std::vector<Range>& ranges) {
  std::string text;
  double top = 0;
  for (const Range& range : ranges) {
    text += range_svg(range, top);
    top += range_row;
  }
  return fmt::format("<svg class=\"chart bars\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>",
                     range_width, top + 4, escaped(title), text);
}

}  // namespace halfspace::report
