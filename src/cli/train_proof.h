// train --certify and --certificate: what is proved of a run's rows, or of its minimum.
#pragma once

#include <optional>
#include <string>

#include "cli/terminal.h"
#include "cli/train_flags.h"
#include "halfspace/proof/certify.h"
#include "report/results/json.h"
#include "report/results/ledger_text.h"

namespace halfspace::cli {

// Returns the size of a file; empty if it is not a file, such as /dev/stdout, or the system does not report it.
std::string size_words(const std::string& path);

class TrainProof {
 public:
  explicit TrainProof(const TrainFlags& flags) : flags_(flags) {}

  // Prepares options to be proved. Throws Error(usage) for those that no proof is about.
  void begin(TrainOptions& options) const;
  // Proves what the flags ask for, unless the run was interrupted; its bounds may improve those of the result.
  void prove(const TrainOptions& options, TrainResult& result, Progress& progress);

  // Returns the keys of the run's JSON; null without --certify.
  report::Json json() const;
  void add_to(report::LedgerNotes& notes, const TrainResult& result) const;

 private:
  void write_certificate(const TrainOptions& options, const TrainResult& result, Progress& progress);
  void certify_errors(const TrainOptions& options, TrainResult& result, Progress& progress);
  void take_what_was_proved(const TrainOptions& options, TrainResult& result) const;

  const TrainFlags& flags_;
  std::optional<CertifyResult> certified_;
  std::string why_no_proof_ = "the run was interrupted";
  std::string certificate_note_;
};

}  // namespace halfspace::cli
