// certify --pairs and --one-against-rest: which classes are separable from which.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/figures/html.h"
#include "report/pages/sections.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

struct Answer {
  std::string positive, negative, verdict;  // negative: empty for the rest
  double rows = 0, witness_rows = 0, margin = 0;
};

Answer answer_of(const View& json) {
  Answer answer{json.text("positive"), json.text("negative", ""), json.text("verdict")};
  answer.rows = json.number("rows");
  if (answer.verdict == "not separable") answer.witness_rows = json.number("witness_rows");
  if (answer.verdict == "separable") answer.margin = json["margin"].number("lower");
  return answer;
}

// The pairs as a matrix: margins of separable pairs, shaded by size, and rows of the witness of others.
class Matrix {
 public:
  static constexpr std::size_t most_classes = 40;

  explicit Matrix(const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
      add_class(answer.positive);
      if (answer.negative.empty()) continue;
      add_class(answer.negative);
      cells_[{answer.positive, answer.negative}] = cells_[{answer.negative, answer.positive}] = &answer;
      largest_ = std::max(largest_, answer.margin);
    }
  }
  // One pair alone is no matrix, and many classes do not fit.
  bool fits() const { return cells_.size() > 2 && classes_.size() <= most_classes; }

  std::string html() const {
    std::string text = "<div class=\"scroll\"><table class=\"confusion pairs\">\n<thead><tr><th scope=\"col\"></th>";
    for (const std::string& name : classes_) text += "<th scope=\"col\">" + escaped_short(name, 12) + "</th>";
    text += "</tr></thead>\n<tbody>\n";
    for (const std::string& a : classes_) {
      text += "<tr><th scope=\"row\">" + escaped_short(a, 24) + "</th>";
      for (const std::string& b : classes_) {
        const auto found = cells_.find({a, b});
        text += found == cells_.end() ? "<td></td>" : cell(*found->second);
      }
      text += "</tr>\n";
    }
    return text + "</tbody>\n</table></div>";
  }

 private:
  void add_class(const std::string& name) {
    if (std::find(classes_.begin(), classes_.end(), name) == classes_.end()) classes_.push_back(name);
  }
  std::string cell(const Answer& answer) const {
    const std::string title =
        fmt::format("{} against {}: {}, {} rows", answer.positive, answer.negative, answer.verdict, plain(answer.rows));
    if (answer.verdict == "not separable")
      return fmt::format(
          "<td class=\"wrong\" style=\"--share:0.600\" title=\"{}\">{}<i aria-hidden=\"true\">×</i></td>",
          escaped_short(title, 120), plain(answer.witness_rows));
    if (answer.verdict != "separable") return "<td title=\"" + escaped_short(title, 120) + "\">?</td>";
    const double share = largest_ > 0 ? answer.margin / largest_ : 0;
    return fmt::format("<td class=\"right\" style=\"--share:{:.3f}\" title=\"{}\">{}</td>", share,
                       escaped_short(title, 120), rounded_down(answer.margin, 3));
  }

  std::vector<std::string> classes_;
  std::map<std::pair<std::string, std::string>, const Answer*> cells_;
  double largest_ = 0;
};

std::string list_of(const std::vector<Answer>& answers) {
  std::vector<std::vector<std::string>> rows;
  for (const Answer& a : answers) {
    if (rows.size() == 1000) break;
    const bool no = a.verdict == "not separable", yes = a.verdict == "separable";
    rows.push_back({a.positive, a.negative.empty() ? "the rest" : a.negative, a.verdict, plain(a.rows),
                    no ? plain(a.witness_rows) : "", yes ? plain(a.margin) : ""});
  }
  return table_html({"class", "against", "verdict", "rows", "rows of the witness", "margin at least"}, rows);
}

}  // namespace

Section pairs_section(const View& run) {
  Section section;
  section.head.title = "Halfspace: which classes are separable?";
  section.head.finding = fmt::format("{} of {} questions decided, each by its own proof.", plain(run.number("decided")),
                                     plain(run.number("questions")));
  section.head.because = "Every certificate was checked in exact arithmetic before it was counted.";
  std::vector<Answer> answers, others;
  std::size_t yes = 0, no = 0;
  for (const View& json : run.list("answers")) {
    Answer answer = answer_of(json);
    yes += answer.verdict == "separable";
    no += answer.verdict == "not separable";
    answers.push_back(std::move(answer));
  }
  section.facts = {{"Questions", plain(run.number("questions")), ""},
                   {"Separable", grouped(yes), ""},
                   {"Not separable", grouped(no), ""}};
  const double open = run.number("questions") - run.number("decided");
  if (open > 0) section.facts.push_back({"Undecided", plain(open), ""});
  std::string pictures;
  const Matrix matrix(answers);
  for (const Answer& answer : answers)
    if (!matrix.fits() || answer.negative.empty()) others.push_back(answer);
  if (matrix.fits())
    pictures = figure("pairs-1", "Pairs of classes", matrix.html(),
                      "Separable pairs: the margin, at least; the larger, the darker. Others, with ×: the rows of the "
                      "witness that proves it. ?: undecided.",
                      true);
  section.body = group("Every pair", pictures);
  if (!others.empty())
    section.body += "<section>\n<h2>" + std::string(pictures.empty() ? "The answers" : "Each class against the rest") +
                    "</h2>\n" + list_of(others) + "\n</section>\n";
  return section;
}

}  // namespace halfspace::report
