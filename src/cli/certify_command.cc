// halfspace certify: decides linear separability, with proof.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "cli/certify_figures.h"
#include "cli/certify_pairs.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify_settings.h"
#include "proof/proof_json.h"
#include "report/json.h"
#include "report/words.h"

namespace halfspace::cli {
namespace {

struct CertifyFlags : CertifySettings {
  std::string output;
  bool json = false;
  ReportFlags report;
};

class CertifyCommand {
 public:
  explicit CertifyCommand(const CertifyFlags& flags) : flags_(flags) {}

  int run() {
    if (flags_.asks_many()) return certify_pairs({flags_, flags_.output, flags_.json, flags_.report});
    CertifyOptions options = certify_options(flags_);
    attend(options.read);
    options.memory.folder = temporary_folder();
    options.interrupt = &interrupted();
    Progress progress(true);
    options.record = flags_.report.wanted();
    options.on_progress = [this, &progress](const CertifyProgress& now) {
      if (flags_.report.wanted()) bracket_.add(now);
      if (!progress.due()) return;
      progress.show(now.upper > 0 ? fmt::format("{}: margin in [{}, {}], {}", now.stage, short_number(now.lower, 3),
                                                short_number(now.upper, 3), duration(now.seconds))
                                  : fmt::format("{}, {}", now.stage, duration(now.seconds)));
    };
    result_ = certify(options);
    progress.clear();
    if (!flags_.output.empty() && result_.certified) {
      const std::string text = proof::encode_certificate(result_.certificate);
      write_atomically(flags_.output, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                       &interrupted());
    }
    finish(
        flags_.json, flags_.report, [this] { return json(); }, [this] { return text(); });
    return result_.verdict == proof::Verdict::separable ? 0 : result_.verdict == proof::Verdict::not_separable ? 1 : 3;
  }

 private:
  report::Json json() const {
    report::Json j = run_json("certify", flags_.report);
    j.update(proof::certify_result(result_));
    if (flags_.report.wanted()) j["figures"] = certify_figures(result_, bracket_);
    return j;
  }

  // The margin may be outside the range of doubles.
  static std::string about(double number) {
    return std::isfinite(number) ? short_number(number) : "beyond the range of doubles (1.8e+308)";
  }
  static std::string at_most(double number) {
    return std::isfinite(number) ? report::rounded_up(number, 6) : about(number);
  }

  // Prints the rows, then what the verdict means, then the verdict: the most important line is the last.
  std::string text() const {
    std::string lines;
    const auto errors = [this] {
      return result_.errors_lower == result_.errors_upper
                 ? fmt::format("the best halfspace errs on {} of {}", grouped(result_.errors_lower),
                               counted(result_.rows, "row"))
                 : fmt::format("the best halfspace errs on {} to {} of {}", grouped(result_.errors_lower),
                               grouped(result_.errors_upper), counted(result_.rows, "row"));
    };
    if (result_.verdict == proof::Verdict::separable && result_.one_class) {
      lines += fmt::format("  All {} are of one class, {}: there is nothing to separate.\n",
                           counted(result_.rows, "row"), the_class());
      lines += "  " + bold("One class only.") + " Some weights classify every row correctly, which proves little.\n";
    } else if (result_.verdict == proof::Verdict::separable) {
      lines += fmt::format("  The largest margin is between {} and {}; the longest row is {}.\n",
                           report::rounded_down(result_.margin_lower, 6), at_most(result_.margin_upper),
                           about(result_.radius));
      lines +=
          fmt::format("  The perceptron stops after at most {}, in any order of the rows.\n",
                      *result_.mistake_bound == "1" ? "1 update" : long_count(*result_.mistake_bound) + " updates");
      lines += "  " + bold("Separable.") + " Proved, and the proof was checked in exact arithmetic.\n";
    } else if (result_.verdict == proof::Verdict::not_separable) {
      lines += rows();
      if (result_.rule_a == true) lines += "  It is separable if a score of 0 counts as positive.\n";
      if (result_.closed_half_space == true)
        lines += "  A closed half-space holds all rows, with these on its boundary: the largest margin is 0.\n";
      const bool many = result_.certificate.question == proof::Question::many_classes;
      lines += fmt::format("  The perceptron never stops; {}.\n",
                           many ? "for any weights, some row's own class does not score highest" : errors());
      lines += "  " + bold("Not separable.") + " Proved, and the proof was checked in exact arithmetic.\n";
    } else {
      if (result_.read_whole) {
        lines += fmt::format("  If there is a margin, it is at most {}; the longest row is {}.\n",
                             at_most(result_.margin_upper), about(result_.radius));
      }
      lines += "  It is unknown whether the perceptron stops.\n";
      lines += "  " + bold("Undecided.") + " " + why_undecided() + "\n";
    }
    if (!flags_.output.empty() && !result_.certified) {
      lines += dim("  no certificate: nothing is proved yet\n");
    } else if (!flags_.output.empty()) {
      lines += dim(fmt::format("  certificate in {}; halfspace verify {} {} checks it\n", printable(flags_.output),
                               printable(flags_.output), data_words(flags_.data)));
    }
    return lines;
  }

  // Returns the name of the only class: the first of its labels.
  std::string the_class() const {
    for (const proof::LabelGroup& group : result_.certificate.data.classes) {
      if (group.rows > 0 && !group.labels.empty()) return "'" + shortened(group.labels.front(), 40) + "'";
    }
    return "without a name";
  }

  std::string why_undecided() const {
    const char* more = result_.for_memory ? "more --memory may decide it" : "more --seconds may decide it";
    if (!result_.read_whole && result_.for_memory)
      return fmt::format("The points exceed --memory, with {} read: {}.", counted(result_.rows, "row"), more);
    if (!result_.read_whole)
      return fmt::format("Time ran out after {} were read: {}.", counted(result_.rows, "row"), more);
    if (!result_.for_memory && flags_.seconds > 0 && result_.seconds.search * 2 < result_.seconds.read)
      return fmt::format("Reading took {} of the {}, and checking a proof takes as long: {}.",
                         duration(result_.seconds.read), duration(flags_.seconds), more);
    return fmt::format("The search {} after {}; {}.", result_.for_memory ? "ran out of memory" : "was stopped",
                       duration(result_.seconds.search), more);
  }

  static std::string long_count(const std::string& digits) {
    if (digits.size() <= 18) return grouped(std::stoull(digits));
    return fmt::format("{}.{}e{}", digits[0], digits.substr(1, 3), digits.size() - 1);
  }

  std::string rows() const {
    constexpr std::size_t most_rows = 8, most_values = 5;
    std::string text = fmt::format("  {} rows prove it: their convex hulls intersect.\n", result_.witness.size());
    if (result_.witness.size() == 1) text = "  1 row proves it: it is zero, so no halfspace contains it.\n";
    if (result_.witness.size() == 2) text = "  2 rows prove it: they cancel.\n";
    for (std::size_t k = 0; k < result_.witness.size() && k < most_rows; ++k) {
      const WitnessRow& row = result_.witness[k];
      text += fmt::format("    row {} ({}{}):", row.row, shortened(row.label, 20),
                          row.rival.empty() ? "" : " against " + shortened(row.rival, 20));
      for (std::size_t v = 0; v < row.values.size() && v < most_values; ++v) {
        text += fmt::format(" {}={}", shortened(row.values[v].first, 24), short_number(row.values[v].second));
      }
      if (row.values.size() > most_values) text += fmt::format(" … {} values", row.values.size());
      text += "\n";
    }
    if (result_.witness.size() > most_rows)
      text += dim(fmt::format("    … and {} more\n", result_.witness.size() - most_rows));
    return text;
  }

  const CertifyFlags& flags_;
  CertifyResult result_;
  BracketRecord bracket_;
};

}  // namespace

Command certify_command() {
  auto flags = std::make_shared<CertifyFlags>();
  Command command("certify", "decide linear separability, with proof",
                  {{"halfspace certify credit.csv -o credit.proof", "prints the verdict and writes its proof"},
                   {"halfspace verify credit.proof credit.csv", "checks the proof against the data"},
                   {"halfspace certify digits.svm --pairs --one-against-rest -o proofs",
                    "a table of verdicts for every pair of classes"}});
  command.exits = {{1, "not separable"}, {3, "undecided; with --pairs or --one-against-rest, in some questions"}};
  command.add(
      {required({"DATA", "",
                 "LIBSVM, CSV or idx, one file, plain or compressed; no ARFF, VW, JSON Lines, .npy, .npz or cache",
                 &flags->data.paths, data_files()}),
       {"-o,--output", "CERT", "write the certificate here; for many questions, into this folder", &flags->output,
        output_file_or_folder({"pairs", "one-against-rest"})}});
  command.add(question_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json)});
  command.add(kOutputGroup, report_rows(flags->report));
  add_data_flags(command, flags->data, true);
  command.run = [flags](const Given&) { return CertifyCommand(*flags).run(); };
  return command;
}

}  // namespace halfspace::cli
