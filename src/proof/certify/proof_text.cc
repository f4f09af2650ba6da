// Formats verdicts.
#include "proof/certify/proof_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/number_words.h"
#include "base/printable.h"
#include "base/text_table.h"
#include "proof/coefficients/certify_coefficients.h"

namespace halfspace::proof {
namespace {

class CertifyText {
 public:
  CertifyText(const CertifyResult& result, const CertifyNotes& notes, const TextStyle& style)
      : result_(result), notes_(notes), style_(style) {}

  // Prints the question, the rows, what the verdict means, then the verdict: the most important line is the last.
  std::string text() const {
    std::string lines = question();
    if (result_.separation) {
      lines += separation_text(*result_.separation, result_.rows, style_);
    } else if (notes_.coefficients) {
      lines += "  Which coefficients are infinite is undecided: more " + option("seconds") + " or " + option("memory") +
               " may decide it.\n";
    }
    if (result_.verdict == Verdict::separable && result_.one_class) {
      lines += fmt::format("  All {} are of one class, {}: there is nothing to separate.\n",
                           counted(result_.rows, "row"), the_class());
      lines +=
          "  " + style_.bold("One class only.") + " Some weights classify every row correctly, which proves little.\n";
    } else if (result_.verdict == Verdict::separable) {
      lines += fmt::format("  The largest margin is between {} and {}; the longest row is {}.\n",
                           rounded_down(result_.margin_lower, 6), at_most(result_.margin_upper), about(result_.radius));
      lines +=
          fmt::format("  The perceptron converges after at most {}, in any order of the rows.\n",
                      *result_.mistake_bound == "1" ? "1 update" : long_count(*result_.mistake_bound) + " updates");
      lines += infinite_hint();
      lines += "  " + style_.bold("Separable.") + " Proved, and the proof was checked in exact arithmetic.\n";
    } else if (result_.verdict == Verdict::not_separable) {
      lines += not_separable();
    } else {
      if (result_.read_whole) {
        lines += fmt::format("  No halfspace has a margin above {} ({} of the longest row, {}).\n",
                             at_most(result_.margin_upper), rounded_up(result_.margin_upper_share, 3),
                             about(result_.radius));
        lines += "  Proved, and the proof was checked in exact arithmetic.\n";
      }
      lines += "  It is unknown whether the perceptron converges.\n";
      lines += "  " + style_.bold("Undecided.") + " " + why_undecided() + "\n";
    }
    if (!notes_.output.empty() && !result_.certified) {
      lines += style_.dim("  no certificate: nothing is proved yet\n");
    } else if (!notes_.output.empty()) {
      lines += style_.dim(fmt::format("  certificate in {}; halfspace verify {} {} checks it\n",
                                      printable(notes_.output), printable(notes_.output), notes_.data));
    }
    return style_.rendered(lines);
  }

 private:
  std::string errors() const {
    const std::string at_zero = !result_.errors_tie
                                    ? ""
                                    : fmt::format(" (a score of 0 predicts the {} class)",
                                                  *result_.errors_tie == Tie::negative ? "negative" : "positive");
    const std::string bounds =
        result_.errors_lower == result_.errors_upper
            ? fmt::format("the best halfspace errs on {} of {}", grouped(result_.errors_lower),
                          counted(result_.rows, "row"))
            : fmt::format("every halfspace errs on at least {} of {}, the best one found on {}",
                          grouped(result_.errors_lower), counted(result_.rows, "row"), grouped(result_.errors_upper));
    return bounds + at_zero;
  }

  // Returns a line for those whom another program's logistic regression has sent here.
  std::string infinite_hint() const {
    if (!notes_.hints || notes_.coefficients || result_.certificate.question != Question::two_classes) return "";
    if (result_.certificate.data.features >= most_coefficients) return "";
    return style_.dim(fmt::format("  R's glm may warn of fitted probabilities 0 or 1: {} says more.",
                                  option("coefficients"))) +
           "\n";
  }

  std::string not_separable() const {
    std::string lines = rows();
    if (result_.rule_a == true) lines += "  It is separable if a score of 0 counts as positive.\n";
    if (result_.closed_half_space == true)
      lines += "  A closed half-space holds all rows, with these on its boundary: the largest margin is 0.\n" +
               infinite_hint();
    const bool many = result_.certificate.question == Question::many_classes;
    lines += fmt::format("  The perceptron never converges; {}.\n",
                         many ? "for any weights, some row's own class does not score highest" : errors());
    lines += "  " + style_.bold("Not separable.") + " Proved, and the proof was checked in exact arithmetic.\n";
    if (result_.rule_a != true)
      lines +=
          style_.dim("  Every linear model errs on some row, as is usual; halfspace train estimates how often.") + "\n";
    return lines;
  }

  // The margin may be outside the range of doubles.
  static std::string about(double number) {
    return std::isfinite(number) ? short_number(number) : "beyond the range of doubles (1.8e+308)";
  }
  static std::string at_most(double number) { return std::isfinite(number) ? rounded_up(number, 6) : about(number); }

  // Returns a line on the rows and the classes: a label taken from another column changes the question.
  std::string question() const {
    constexpr std::size_t most_classes = 6;
    if (!result_.read_whole) return "";
    const Data& data = result_.certificate.data;
    std::string classes;
    std::size_t count = 0;
    for (const LabelGroup& group : data.classes) {
      if (group.labels.empty()) continue;  // the opposite of the only class
      if (++count > most_classes) continue;
      classes +=
          fmt::format("{}{} {}", count == 1 ? "" : ", ", shortened(group.labels.front(), 24), grouped(group.rows));
    }
    if (count > most_classes) classes += fmt::format(" and {} more", count - most_classes);
    const auto label = std::find_if(data.columns.begin(), data.columns.end(),
                                    [](const CsvColumn& column) { return column.role == CsvColumn::Role::label; });
    if (label != data.columns.end()) classes += fmt::format(" (column '{}')", shortened(label->name, 40));
    return fmt::format("  {}, {}; {} {}\n", counted(result_.rows, "row"), counted(data.features, "feature"),
                       count == 1 ? "class" : "classes", classes);
  }

  // Returns the name of the only class: the first of its labels.
  std::string the_class() const {
    for (const LabelGroup& group : result_.certificate.data.classes) {
      if (group.rows > 0 && !group.labels.empty()) return "'" + shortened(group.labels.front(), 40) + "'";
    }
    return "without a name";
  }

  std::string why_undecided() const {
    // Without a limit only an interruption ends a search, or the reading, so early. A run that resumes does not ask about
    // pairs of classes.
    const bool may_resume = result_.certified && result_.certificate.question == Question::two_classes;
    if (notes_.seconds == 0 && !result_.for_memory)
      return fmt::format(
          "Interrupted after {}: {}.", duration(result_.seconds.total),
          may_resume ? option("resume") + " with this certificate goes on" : "a run to its end may decide it");
    const std::string more = "more " + option(result_.for_memory ? "memory" : "seconds") + " may decide it";
    if (!result_.read_whole && result_.for_memory)
      return fmt::format("The points exceed {}, with {} read: {}.", option("memory"), counted(result_.rows, "row"),
                         more);
    if (!result_.read_whole)
      return fmt::format("Time ran out after {} were read: {}.", counted(result_.rows, "row"), more);
    if (!result_.for_memory && notes_.seconds > 0 && result_.seconds.search * 2 < result_.seconds.read)
      return fmt::format("Reading took {} of the {}, and checking a proof takes as long: {}.",
                         duration(result_.seconds.read), duration(notes_.seconds), more);
    return fmt::format("The search {} after {}; {}.", result_.for_memory ? "ran out of memory" : "was stopped",
                       duration(result_.seconds.search), more);
  }

  static std::string long_count(const std::string& digits) {
    if (digits.size() <= 18) return grouped(std::stoull(digits));
    return fmt::format("{}.{}e{}", digits[0], digits.substr(1, 3), digits.size() - 1);
  }

  // Of more than two classes a witness has rows each against one other class, perhaps all of two classes.
  std::string witness_words() const {
    std::set<std::string> classes;
    for (const WitnessRow& row : result_.witness) {
      classes.insert(row.label);
      if (!row.rival.empty()) classes.insert(row.rival);
    }
    const bool several = result_.certificate.question == Question::many_classes;
    const std::string count = grouped(result_.witness.size());
    if (several && classes.size() > 2)
      return count + " comparisons of a row's class with another prove it: weighted, they cancel out";
    std::string who = count + " rows";
    if (several) who += fmt::format(" of {} and {}", shortened(*classes.begin(), 24), shortened(*classes.rbegin(), 24));
    if (result_.certificate.data.bias == BiasPosition::none)
      return who + " prove it: weighted, " +
             (classes.size() == 1 ? "they add up to 0" : "those of either class have the same sum");
    return who + " prove it: the convex hulls of " + (several ? "these" : "their") + " classes intersect";
  }

  std::string rows() const {
    constexpr std::size_t most_rows = 8, most_values = 5;
    std::string text = "  " + witness_words() + ".\n";
    if (result_.witness.size() == 1) text = "  1 row proves it: it is zero, so no halfspace contains it.\n";
    if (result_.witness.size() == 2) {
      const bool equal = result_.witness[0].values == result_.witness[1].values;
      text = fmt::format("  2 rows prove it: {}.\n",
                         equal ? "they are equal and their classes differ" : "one cancels the other");
    }
    for (std::size_t k = 0; k < result_.witness.size() && k < most_rows; ++k) {
      const WitnessRow& row = result_.witness[k];
      text += fmt::format("    row {}{} ({}{}):", row.row, row.file.empty() ? "" : " of " + shortened(row.file, 40),
                          shortened(row.label, 20), row.rival.empty() ? "" : " against " + shortened(row.rival, 20));
      for (std::size_t v = 0; v < row.values.size() && v < most_values; ++v) {
        text += fmt::format(" {}={}", shortened(row.values[v].first, 24), short_number(row.values[v].second));
      }
      if (row.values.size() > most_values) text += fmt::format(" … {} values", row.values.size());
      text += "\n";
    }
    if (result_.witness.size() > most_rows)
      text += style_.dim(fmt::format("    … and {} more\n", result_.witness.size() - most_rows));
    return text;
  }

  const CertifyResult& result_;
  const CertifyNotes& notes_;
  const TextStyle& style_;
};

std::string minimum_words(const Verification& result) {
  const auto widest = std::max_element(result.minima.begin(), result.minima.end(),
                                       [](const MinimumBounds& a, const MinimumBounds& b) { return a.gap < b.gap; });
  return fmt::format("the relative gap to the minimum is at most {}{}", rounded_up(widest->gap, 3),
                     result.minima.size() > 1 ? ", for each class" : "");
}

std::string verdict_words(const Certificate& certificate, const Verification& result) {
  if (!result.minima.empty()) return minimum_words(result);
  if (!result.one_class) return std::string(name_of(certificate.verdict));
  return certificate.verdict == Verdict::separable
             ? "one class only, nothing to separate"
             : fmt::format("{}, with rows of one class only", name_of(certificate.verdict));
}

}  // namespace

std::string certify_text(const CertifyResult& result, const CertifyNotes& notes, const TextStyle& style) {
  return CertifyText(result, notes, style).text();
}

namespace {

std::string arrow_of(CoefficientEstimate estimate) {
  switch (estimate) {
    case CoefficientEstimate::plus_infinite:
      return "↑";
    case CoefficientEstimate::minus_infinite:
      return "↓";
    case CoefficientEstimate::undetermined:
    case CoefficientEstimate::undecided:
      return "↕";
    case CoefficientEstimate::finite:
    case CoefficientEstimate::aliased:
      break;
  }
  return "";
}

std::string kind_sentence(const Separation& separation, std::uint64_t rows) {
  switch (separation.kind) {
    case SeparationKind::overlap:
      return "Overlap: the maximum-likelihood fit exists, and every coefficient is finite.";
    case SeparationKind::complete:
      return "Complete separation: a hyperplane separates all rows.";
    case SeparationKind::quasi_complete:
      break;
  }
  return fmt::format("Quasi-complete separation: a hyperplane separates {} of {}, and the others are on it.",
                     grouped(separation.separated_rows), counted(rows, "row"));
}

std::string combination_of(const NearlyAliased& column) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < column.terms.size() && k < most; ++k) {
    const auto& [name, weight] = column.terms[k];
    const std::string size = short_number(std::abs(weight)), shown = shortened(name, 40);
    text += k == 0 ? (weight < 0 ? "-" : "") : weight < 0 ? " - " : " + ";
    text += name == "(intercept)" ? size : size == "1" ? shown : size + " " + shown;
  }
  if (column.terms.size() > most) text += fmt::format(" + … ({} terms)", column.terms.size());
  return text.empty() ? "0" : text;
}

}  // namespace

std::vector<std::string> near_alias_notes(const Separation& separation) {
  std::vector<std::string> notes;
  std::string names;
  for (const NearlyAliased& one : separation.nearly_aliased) {
    notes.push_back(fmt::format("Only rounding tells {} from {}: they differ by {} at most.", shortened(one.name, 40),
                                combination_of(one), short_number(one.difference, 2)));
    names += (names.empty() ? "" : ", ") + shortened(one.name, 40);
  }
  if (!separation.kind_without) return notes;
  const bool overlap = *separation.kind_without == SeparationKind::overlap;
  notes.push_back(overlap ? fmt::format("Take {} for aliased and leave it out: the rows then overlap, and every "
                                        "coefficient is finite.",
                                        names)
                          : fmt::format("Take {} for aliased and leave it out: the separation is then {}.", names,
                                        name_of(*separation.kind_without)));
  return notes;
}

std::string separation_text(const Separation& separation, std::uint64_t rows, const TextStyle& style) {
  constexpr std::size_t most = 60;
  const std::vector<Coefficient>& all = separation.coefficients;
  const bool short_list = all.size() <= most;
  TextTable table({true, true, true});
  std::size_t shown = 0, left_out = 0;
  for (const Coefficient& one : all) {
    if (!short_list && (one.estimate == CoefficientEstimate::finite || shown == most)) {
      ++left_out;
      continue;
    }
    ++shown;
    std::string estimate(name_of(one.estimate));
    if (one.estimate == CoefficientEstimate::undetermined) estimate += fmt::format(": {}", help_of(one.estimate));
    table.add({shortened(one.name, 40), arrow_of(one.estimate),
               one.estimate == CoefficientEstimate::finite ? style.dim(estimate) : estimate});
  }
  std::string text = table.text(4);
  if (left_out > 0) {
    const auto finite = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const Coefficient& one) { return one.estimate == CoefficientEstimate::finite; }));
    text += style.dim(fmt::format("    … {} finite{}\n", counted(finite, "coefficient"),
                                  left_out > finite ? fmt::format(", {} more not shown", left_out - finite) : ""));
  }
  text += "  " + kind_sentence(separation, rows) + "\n";
  if (separation.kind != SeparationKind::overlap)
    text += style.dim(fmt::format("  R's glm may warn of fitted probabilities 0 or 1; {} may be silent.",
                                  separation.kind == SeparationKind::complete ? "scikit-learn" : "gretl")) +
            "\n";
  for (const std::string& note : near_alias_notes(separation)) text += "  " + note + "\n";
  return text + fmt::format("  Signs are for '{}': a coefficient above 0 raises the probability of that class.\n",
                            shortened(separation.positive, 40));
}

std::string verification_text(const Certificate& certificate, const Verification& result, const TextStyle& style) {
  std::string text;
  for (const std::string& sentence : result.checked) text += "  checked  " + printable(sentence) + "\n";
  if (!result.valid) text += "  wrong    " + printable(result.reason) + "\n";
  return text + "\n" + style.bold(result.valid ? "valid: " + verdict_words(certificate, result) : "not valid") + "\n";
}

}  // namespace halfspace::proof
