// Results to lines.
#include "cli/ledger_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string_view>

#include "cli/kernel_flags.h"
#include "cli/terminal.h"
#include "cli/watch_flags.h"

namespace halfspace::cli {
namespace {

std::string reason(Stopped stopped) {
  switch (stopped) {
    case Stopped::clean:
      return "clean: nothing left to learn from";
    case Stopped::end:
      return "the data ended";
    case Stopped::passes:
      return "the passes asked for are done";
    case Stopped::updates:
      return "the updates asked for are done";
    case Stopped::time:
      return "the time was up";
    case Stopped::interrupted:
      return "interrupted";
    default:
      return "";
  }
}

}  // namespace

std::string ledger_lines(const TrainResult& result, const LedgerNotes& notes) {
  const Model& model = result.model;
  const Ledger& ledger = model.ledger;
  const Labels& labels = model.schema.labels;
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value, const std::string& note = "") {
    text += fmt::format("  {:<12} {}{}\n", key, value, note.empty() ? "" : "   " + dim(note));
  };
  const Composition& c = model.composition;
  std::string bias = std::string(name_of(c.bias.place));
  if (c.bias.place != Bias::none && c.bias.scale != 1) bias += " scaled " + short_number(c.bias.scale);
  const std::string rule = c.class_update == ClassUpdate::max_score
                               ? std::string(name_of(c.rule))
                               : fmt::format("{} {}", name_of(c.rule), name_of(c.class_update));
  line("composition", fmt::format("{} × {} × {}", rule, name_of(c.order), name_of(c.keep)),
       fmt::format("tie {}, bias {}", name_of(c.tie), bias));
  if (c.rule == RuleName::kernel) line("kernel", kernel_words(c.kernel.kernel), support_words(model));
  const std::string rejected =
      result.report.rejected > 0 ? grouped(result.report.rejected) + " bad rows set aside" : "";
  line("data",
       fmt::format("{} rows, {} features, {} nonzeros", grouped(result.report.rows), grouped(model.schema.features),
                   grouped(result.report.nonzeros)),
       rejected);
  std::string classes;
  for (std::size_t k = 0; k < labels.names.size() && k < 12; ++k) {
    const std::uint64_t rows = k < result.report.class_rows.size() ? result.report.class_rows[k] : 0;
    const char* role = labels.names.size() == 2 ? (k == 1 ? " (positive)" : " (negative)") : "";
    classes += fmt::format("{}{}{} {}", k > 0 ? ", " : "", shortened(labels.names[k], 24), role, grouped(rows));
  }
  if (labels.names.size() > 12) classes += fmt::format(" and {} more", labels.names.size() - 12);
  line("classes", classes);
  line("stopped", reason(ledger.stopped),
       fmt::format("after {} rounds, {} passes, {} updates", grouped(ledger.rounds), grouped(ledger.passes),
                   grouped(ledger.updates)));
  if (c.order != OrderName::first_mistake && c.order != OrderName::random_mistake) {
    line("first pass",
         percent(count(ledger.first_pass_mistakes), count(ledger.first_pass_rounds)) +
             " error, each row judged before it was learned",
         fmt::format("always the most frequent class: {}; the label before: {}",
                     percent(count(ledger.constant_mistakes), count(ledger.first_pass_rounds)),
                     percent(count(ledger.previous_mistakes), count(ledger.first_pass_rounds))));
  }
  if (ledger.watch) watch_lines(*ledger.watch, line);
  if (ledger.pass.size() > 1) {
    const PassRecord& last = ledger.pass.back();
    line("last pass", fmt::format("J₁ = {} mistakes, J = {}", grouped(last.mistakes), short_number(last.criterion)),
         fmt::format("first pass: J₁ = {}, J = {}", grouped(ledger.pass[0].mistakes),
                     short_number(ledger.pass[0].criterion)));
  }
  line("radius", short_number(std::sqrt(ledger.largest_squared_norm)),
       fmt::format("the longest row; weights have norm {}", short_number(result.weight_norm)));
  if (result.training_errors) {
    std::string note;
    if (result.evaluation) {
      note = result.evaluation->smallest_margin > 0
                 ? "every row on its side, geometric margin " + short_number(result.evaluation->margin())
                 : "these weights do not separate the rows";
    }
    line("training",
         fmt::format("{} of {} rows wrong ({})", grouped(*result.training_errors), grouped(result.learned_rows),
                     percent(count(*result.training_errors), count(result.learned_rows))),
         note);
  }
  if (notes.certified != nullptr) {
    const std::uint64_t lower = notes.certified->errors_lower, upper = notes.certified->errors_upper;
    line("certified",
         lower == upper
             ? fmt::format("fewest errors any halfspace makes: {}", grouped(lower))
             : fmt::format("fewest errors any halfspace makes: lower {}, upper {}", grouped(lower), grouped(upper)),
         notes.certified->verdict == proof::Verdict::separable       ? "separable, proved"
         : notes.certified->verdict == proof::Verdict::not_separable ? "not separable, proved"
                                                                     : "separable or not: undecided");
  } else if (notes.proof_interrupted) {
    line("certified", "nothing: the run was interrupted");
  }
  if (result.margin_ceiling)
    line("margin", "at most " + short_number(*result.margin_ceiling),
         "whatever the separator: |w| over the steps taken");
  if (result.holdout) {
    const Holdout& held = *result.holdout;
    line("held out", fmt::format("{} of {} rows right ({})", grouped(held.rows - held.errors), grouped(held.rows),
                                 percent(count(held.rows - held.errors), count(held.rows))));
  }
  if (const Calibration& fitted = model.calibration; fitted.method != CalibrationMethod::none)
    line("calibrated",
         fmt::format("{}, on {} rows that were not learned from", name_of(fitted.method), grouped(fitted.rows)));
  line("time", duration(result.seconds.total),
       fmt::format("learning {}, waiting for data {}", duration(result.seconds.learn), duration(result.seconds.read)));
  if (!notes.output.empty())
    line("model", notes.output,
         byte_size(std::filesystem::is_regular_file(notes.output) ? std::filesystem::file_size(notes.output) : 0));
  if (result.bound) {
    line("mistakes",
         bold(grouped(ledger.mistakes)) + " " + dim("of at most") + " " +
             bold(grouped(whole_mistakes(result.bound->value))),
         fmt::format("bound: {}, comparator {}", result.bound->theorem, result.bound->comparator));
  } else {
    line("mistakes", bold(grouped(ledger.mistakes)), "no theorem bounds this run");
  }
  return text;
}

}  // namespace halfspace::cli
