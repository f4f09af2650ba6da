// explain: one row, why it has its label, how far that holds, and the cheapest change.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text_table.h"
#include "report/figures/html.h"
#include "report/figures/range_picture.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

constexpr std::size_t most_drawn = 30, most_cells = 200;  // of a picture, of a table

class ExplainPage : PageOfRun {
 public:
  explicit ExplainPage(const View& run) : PageOfRun(run), contributions_(run.list("contributions")) {}

  Section section() {
    head();
    facts();
    section_.body += group("Why", bars() + reasons());
    section_.body += group("What would change it", ranges() + change());
    section_.body += group("Every column", columns());
    return std::move(section_);
  }

 private:
  // Returns all digits: ends of ranges hold as they are printed.
  static std::string number_text(const View& value) {
    const std::string text = fmt::format("{}", value.number());
    return text.starts_with('-') ? "−" + text.substr(1) : text;
  }
  static std::string signed_short(double number) {
    return std::isfinite(number) ? (number > 0 ? "+" : number < 0 ? "−" : "") + short_number(std::abs(number), 4) : "–";
  }
  std::string label() const { return run_.text("label"); }
  std::string label_html() const { return "<em>" + escaped_short(label(), 40) + "</em>"; }
  std::string row() const { return run_.has("id") ? run_.text("id") : "row " + plain(run_.number("row")); }
  bool two_classes() const { return run_.has("positive"); }
  // Returns the class that contributions above 0 speak for.
  std::string favoured() const { return two_classes() ? run_.text("positive") : label(); }
  double probability() const {
    if (!run_.has("probabilities")) return NAN;
    for (const auto& [name, share] : run_.entries("probabilities")) {
      if (name == label()) return share.number();
    }
    return NAN;
  }

  void head() {
    section_.head.title = "Halfspace explain: " + row();
    std::string name = escaped_short(row(), 60);
    if (!run_.has("id")) name[0] = 'R';
    section_.head.finding = fmt::format("{} is predicted to be {}", name, label_html());
    if (std::isfinite(probability()))
      section_.head.finding += fmt::format(", with probability <strong>{:.4f}</strong>", probability());
    section_.head.finding += ".";
    if (run_.has("nearest")) section_.head.because = nearest_html(run_["nearest"]);
    section_.head.composition = "Contributions compare it with " + escaped_short(run_["reference"].text("of"), 100);
  }

  std::string nearest_html(const View& nearest) const {
    std::string words =
        fmt::format("Of the {} {} labelled otherwise.",
                    counted(nearest.count("rows"), "row") +
                        (two_classes() ? " with the nearest scores" : " with the nearest leads"),
                    nearest.count("otherwise") == 1 ? "1 is" : plain(nearest.number("otherwise")) + " are");
    if (nearest.has("learned_from") && nearest["learned_from"].boolean())
      words += " The model was trained on them: expect more among new rows.";
    return words;
  }

  void facts() {
    if (run_.has("id")) fact("Row", plain(run_.number("row")), "its number in the data");
    fact("Score", plain(run_.number("score")),
         two_classes() ? fmt::format("of {}; the threshold is {}", favoured(), plain(run_.number("threshold")))
                       : "ahead of " + run_.text("other"));
    if (std::isfinite(probability())) fact("Probability", fmt::format("{:.4f}", probability()), "of " + label());
    if (run_.has("nearest")) {
      const View nearest = run_["nearest"];
      fact("Labelled otherwise", share_of(nearest.number("otherwise"), nearest.number("rows")),
           fmt::format("of the {} nearest rows, within {} of its score", plain(nearest.number("rows")),
                       short_number(nearest.number("within"), 3)));
    }
  }

  static std::string value_of(const View& column) {
    if (column.has("missing")) return "(missing)";
    return column.has("unknown") ? "(not known)" : column.text("value", "");
  }

  std::string bars() const {
    if (contributions_.empty()) return missing_html("No column differs from the reference.");
    std::vector<Bar> all;
    for (const View& column : contributions_) {
      const double value = column.number("contribution");
      all.push_back({column.text("column"), value, signed_short(value), shortened(value_of(column), 18)});
    }
    // The largest of either sign, in the order of the list: those for the label first.
    std::vector<double> sizes;
    for (const Bar& bar : all) sizes.push_back(std::isfinite(bar.value) ? std::abs(bar.value) : 0);
    std::sort(sizes.rbegin(), sizes.rend());
    const double least = sizes[std::min(sizes.size(), most_drawn) - 1];
    std::vector<Bar> list;
    for (const Bar& bar : all) {
      if (list.size() < most_drawn && std::abs(bar.value) >= least) list.push_back(bar);
    }
    const View reference = run_["reference"];
    const double reference_score = reference.number("score");
    std::string caption = fmt::format(
        "What each column adds to the score of <em>{}</em>, and the row’s value. To the right they speak for it, to "
        "the left "
        "against it. They add up to {} − {}: the score, less that of {}.",
        escaped_short(favoured(), 40), plain(run_.number("score")),
        reference_score < 0 ? "(" + plain(reference_score) + ")" : plain(reference_score),
        escaped_short(reference.text("of"), 100));
    if (!two_classes())
      caption += fmt::format(" The score is the lead over <em>{}</em>.", escaped_short(run_.text("other"), 40));
    if (list.size() < all.size())
      caption += fmt::format(" The {} largest of {} columns.", list.size(), grouped(all.size()));
    return figure("contributions", "Contributions of the columns",
                  bars_svg("The contribution of each column, and its value", list), caption);
  }

  std::string reasons() const {
    if (!run_.has("reasons")) return "";
    std::string list;
    for (const View& one : run_.list("reasons")) {
      list += fmt::format("<li>{} <small>({})</small></li>\n", escaped_short(one.text("text"), 200),
                          escaped_short(one.text("code"), 40));
    }
    return figure("reasons", "The principal reasons", "<ol>\n" + list + "</ol>",
                  fmt::format("The columns that speak most for {}, in words; at most four.", label_html()));
  }

  std::string ranges() const {
    std::vector<Range> list;
    std::size_t count = 0;
    for (const View& column : contributions_) {
      if (!column.has("holds") || !column.has("value")) continue;
      const auto value = number_of(column.text("value"));
      if (!value || ++count > most_drawn) continue;
      const View holds = column["holds"];
      Range range{column.text("column"), *value};
      if (holds.has("least")) range.least = holds.number("least");
      if (holds.has("most")) range.most = holds.number("most");
      list.push_back(std::move(range));
    }
    if (list.empty()) return "";
    std::string caption = fmt::format(
        "The row stays {} while one number is within its bar and all else is as it is. The point is the row’s value; "
        "an "
        "arrow means that there is no end. Each column has its own scale, which includes 0 where there is one end.",
        label_html());
    if (count > list.size()) caption += fmt::format(" The first {} of {} columns.", list.size(), grouped(count));
    if (run_.has("radius") && run_["radius"].has("l1") && std::isfinite(run_["radius"].number("l1"))) {
      const View radius = run_["radius"];
      caption += fmt::format(
          " It also stays so while all numbers together move by less than {} (by Euclid {}), or each by less than {}.",
          number_text(radius["l1"]), number_text(radius["l2"]), number_text(radius["infinity"]));
    }
    return figure("ranges", "Where the label holds", ranges_svg("The range of each number, with the row's value", list),
                  caption);
  }

  // Reads a number as it was printed.
  static std::optional<double> number_of(const std::string& text) {
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
  }

  static std::string cell(const View& value) {
    if (!value.json().is_string()) return number_text(value);
    const std::string text = value.text();
    return text.empty() ? "none that is known" : text;
  }

  static std::string unmoved_html(const View& change) {
    std::string names;
    std::size_t count = 0;
    for (const View& name : change.list("unmoved")) {
      if (++count <= 5) names += (names.empty() ? "" : ", ") + escaped_short(name.text(), 40);
    }
    if (count > 5) names += fmt::format(" and {} more", count - 5);
    return names.empty() ? "" : " Not changed: " + names + ".";
  }

  std::string change() const {
    if (!run_.has("change"))
      return missing_html("No ranges and no change: " + escaped(run_.text("no_change", "unknown")) + ".");
    const View found = run_["change"];
    const bool proved = found["cheapest"].boolean();
    if (!found["found"].boolean()) {
      return figure(
          "change", "No change",
          proved ? fmt::format("<p>None of those allowed makes it another label: the lead stays at least {}.</p>",
                               number_text(found["least_margin"]))
                 : "<p>None was found that makes it another label.</p>",
          (proved ? "Proved." : "There may be one.") + unmoved_html(found));
    }
    std::string words;
    std::vector<std::vector<std::string>> cells;
    for (const View& one : found.list("changes")) {
      words +=
          fmt::format("{}{} = {} instead of {}", words.empty() ? "" : ", and ", escaped_short(one.text("column"), 40),
                      escaped_short(cell(one["to"]), 40), escaped_short(cell(one["from"]), 40));
      cells.push_back({one.text("column"), cell(one["from"]), cell(one["to"])});
    }
    const std::string sentence =
        fmt::format("<p>It would be <em>{}</em> with {}.</p>", escaped_short(found.text("label"), 40), words);
    return figure("change", proved ? "The cheapest change" : "A change",
                  sentence + table_html({"column", "from", "to"}, cells),
                  fmt::format("Cost {}: by default a standard deviation of a number costs 1, and so does another "
                              "category. {}{}",
                              short_number(found.number("cost"), 4),
                              proved ? "Proved: no cheaper one changes the label." : "There may be a cheaper one.",
                              unmoved_html(found)));
  }

  std::string columns() const {
    if (contributions_.empty()) return "";
    std::vector<std::vector<std::string>> cells;
    for (const View& column : contributions_) {
      if (cells.size() == most_cells) break;
      std::vector<std::string> line{column.text("column"), value_of(column),
                                    signed_short(column.number("contribution")), "", ""};
      if (column.has("holds")) {
        const View holds = column["holds"];
        line[3] = holds.has("least") ? number_text(holds["least"]) : "−∞";
        line[4] = holds.has("most") ? number_text(holds["most"]) : "∞";
      }
      cells.push_back(std::move(line));
    }
    return figure("columns", "Contributions and ranges",
                  table_html({"column", "value", "contribution", "label holds from", "to"}, cells),
                  cells.size() < contributions_.size()
                      ? fmt::format("The first {} of {} columns.", cells.size(), grouped(contributions_.size()))
                      : "First those that speak for the label, then those against it.",
                  true);
  }

  std::vector<View> contributions_;
};

}  // namespace

Section explain_section(const View& run) { return ExplainPage(run).section(); }

}  // namespace halfspace::report
