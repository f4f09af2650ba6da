// The parts shared by the sections of all commands.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {

std::string figure(std::string_view id, std::string_view title, const std::string& picture_html,
                   const std::string& caption_html, bool wide) {
  return fmt::format("<figure id=\"{}\"{}>\n<h3>{}</h3>\n{}\n<figcaption>{}</figcaption>\n</figure>\n", escaped(id),
                     wide ? " class=\"wide\"" : "", escaped(title), picture_html, caption_html);
}

std::string table_html(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  // A column with a word in it is left-aligned; numbers are aligned by their digits.
  const auto is_word = [](const std::string& cell) {
    return !cell.empty() && ((cell[0] >= 'a' && cell[0] <= 'z') || (cell[0] >= 'A' && cell[0] <= 'Z'));
  };
  std::vector<bool> words(head.size(), false), filled(head.size(), rows.empty());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < row.size() && c < head.size(); ++c) {
      words[c] = words[c] || is_word(row[c]);
      filled[c] = filled[c] || !row[c].empty();
    }
  }
  const auto look = [&words](std::size_t c) { return c > 0 && words[c] ? " class=\"text\"" : ""; };
  std::string text = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t c = 0; c < head.size(); ++c) {
    if (filled[c]) text += fmt::format("<th scope=\"col\"{}>{}</th>", look(c), escaped_short(head[c], 80));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size() && c < head.size(); ++c) {
      if (!filled[c]) continue;
      text += c == 0 ? "<th scope=\"row\">" + escaped_short(row[c], 80) + "</th>"
                     : fmt::format("<td{}>{}</td>", look(c), escaped_short(row[c], 80));
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>";
}

std::string group(std::string_view heading, const std::string& figures_html) {
  if (figures_html.empty()) return "";
  return fmt::format("<section>\n{}<div class=\"figures\">\n{}</div>\n</section>\n",
                     heading.empty() ? "" : "<h2>" + escaped(heading) + "</h2>\n", figures_html);
}

// The text is ours and may name options: nothing needs escaping.

std::string plain(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  // Formats whole numbers, and those with a negligible fraction, as counts.
  const std::string text = size < 1e15 && (size == std::floor(size) || size >= elementary::power_of_ten(digits - 1))
                               ? grouped(static_cast<std::uint64_t>(std::llround(size)))
                               : short_number(size, digits);
  return value < 0 ? "−" + text : text;
}

std::string share_of(double part, double whole) {
  if (!std::isfinite(100 * part / (whole == 0 ? 1 : whole))) return "–";
  std::string text = percent(part, whole);
  if (const std::size_t space = text.find(' '); space != std::string::npos) text.replace(space, 1, "\u00a0");
  return text;
}

std::string confusion_html(const View& confusion) {
  constexpr std::size_t most_classes = 40;
  const auto rows = confusion.entries();
  std::string text =
      "<div class=\"scroll\"><table class=\"confusion\">\n<thead><tr><th scope=\"col\">truth \\ predicted</th>";
  for (std::size_t k = 0; k < rows.size() && k < most_classes; ++k)
    text += "<th scope=\"col\">" + escaped_short(rows[k].first, 16) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t t = 0; t < rows.size() && t < most_classes; ++t) {
    const auto cells = rows[t].second.entries();
    double total = 0;
    for (const auto& [name, cell] : cells) total += cell.number();
    text += "<tr><th scope=\"row\">" + escaped_short(rows[t].first, 24) + "</th>";
    for (std::size_t p = 0; p < cells.size() && p < most_classes; ++p) {
      const double share = total > 0 ? cells[p].second.number() / total : 0;
      const bool right = cells[p].first == rows[t].first;
      text += fmt::format("<td class=\"{}\" style=\"--share:{:.3f}\">{}{}</td>", right ? "right" : "wrong", share,
                          plain(cells[p].second.number()), !right && share > 0 ? "<i aria-hidden=\"true\">×</i>" : "");
    }
    text += "</tr>\n";
  }
  text += "</tbody>\n</table></div>";
  if (rows.size() > most_classes)
    text += missing_html(fmt::format("The first {} of {} classes.", most_classes, rows.size()));
  return text;
}

std::string PageOfRun::not_recorded() {
  return missing_html("This run was not recorded for figures: run it with " + option("report") + " or " +
                      option("save-run") + ".");
}

Series series_of(std::string name, const View& of, const char* x, const char* y, int look) {
  return {.name = std::move(name),
          .x = of.numbers(x),
          .y = of.numbers(y),
          .look = look,
          .x_at = of.pointer(x),
          .y_at = of.pointer(y)};
}

Chart roc_chart(std::vector<double> false_positive, std::vector<double> true_positive, std::string x_at,
                std::string y_at) {
  Chart chart("True positive rate against false positive rate", "false positive rate", "true positive rate");
  chart.add({.name = "this model",
             .x = std::move(false_positive),
             .y = std::move(true_positive),
             .x_at = std::move(x_at),
             .y_at = std::move(y_at)});
  chart.add({.name = "by chance", .x = {0, 1}, .y = {0, 1}, .look = 7});
  return chart;
}

std::optional<ExpectedError> expected_error_of(const View& run) {
  if (!run.has("expected_error") || !run["expected_error"].json().is_object()) return std::nullopt;
  const View found = run["expected_error"];
  const auto from = value_named<ExpectedFrom>(found.text("of"));
  if (!from) return std::nullopt;
  return ExpectedError{{found.number("lower"), found.number("upper")},
                       found.number("confidence"),
                       *from,
                       found.count("rows"),
                       found.count("errors")};
}

std::string expected_headline(const ExpectedError& expected) {
  return fmt::format("expect <strong>{}</strong> of new rows to be wrong", expected_share(expected));
}

std::string expected_html(const ExpectedError& expected) {
  return fmt::format("The error on new rows is <strong>{}</strong> with {:.6g} % confidence, {}.",
                     error_range(expected.bounds), 100 * std::min(1.0, expected.confidence),
                     assumption_words(expected));
}

Fact expected_fact(const ExpectedError& expected) {
  return {
      "Wrong on new rows", expected_share(expected),
      fmt::format("{}, {:.6g} % confidence", error_range(expected.bounds), 100 * std::min(1.0, expected.confidence))};
}

}  // namespace halfspace::report
