// halfspace certify: decides linear separability, with proof.
#include <fmt/format.h>

#include <memory>

#include "cli/certify_pairs.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify_settings.h"
#include "proof/certify_figures.h"
#include "proof/proof_json.h"
#include "proof/proof_text.h"
#include "report/json.h"

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
    CertifyOptions options = certify_options(flags_, &interrupted());
    attend(options.read);
    options.memory.folder = temporary_folder();
    Progress progress(true);
    options.record = flags_.report.wanted();
    options.on_progress = [this, &progress](const CertifyProgress& now) {
      if (flags_.report.wanted()) bracket_.add(now);
      if (!progress.due()) return;
      progress.show(now.upper > 0 ? fmt::format("{}: margin in [{}, {}], {}", now.stage, rounded_down(now.lower, 3),
                                                rounded_up(now.upper, 3), duration(now.seconds))
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
        flags_.json, flags_.report, [this] { return json(); },
        [this] {
          return proof::certify_text(result_,
                                     {.seconds = flags_.seconds,
                                      .coefficients = flags_.coefficients,
                                      .hints = flags_.data.paths.size() == 1,
                                      .output = flags_.output,
                                      .data = data_words(flags_.data)},
                                     style_of());
        });
    return result_.verdict == proof::Verdict::separable ? 0 : result_.verdict == proof::Verdict::not_separable ? 1 : 3;
  }

 private:
  report::Json json() const {
    report::Json j = run_json("certify", flags_.report);
    j.update(proof::certify_result(result_));
    if (flags_.report.wanted()) j["figures"] = proof::certify_figures(result_, bracket_);
    return j;
  }

  const CertifyFlags& flags_;
  CertifyResult result_;
  proof::BracketRecord bracket_;
};

}  // namespace

Command certify_command() {
  auto flags = std::make_shared<CertifyFlags>();
  Command command("certify", "decide linear separability, with proof",
                  {{"halfspace certify credit.csv -o credit.proof", "prints the verdict and writes its proof"},
                   {"halfspace certify part-1.svm part-2.svm -o parts.proof", "several files are one question"},
                   {"halfspace verify credit.proof credit.csv", "checks the proof against the data"},
                   {"halfspace certify digits.svm --pairs --one-against-rest -o proofs",
                    "a table of verdicts for every pair of classes"}});
  command.common = {"help", "output", "seconds", "label", "id", "pairs", "bias", "report"};
  command.exits = {{1, "not separable"}, {3, "undecided; with --pairs or --one-against-rest, in some questions"}};
  command.add(
      {required({"DATA", "",
                 "LIBSVM, CSV or idx, plain or compressed, as one set; no ARFF, VW, JSON Lines, .npy, .npz or cache",
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
