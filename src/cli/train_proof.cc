// Proves the fewest errors on a run's rows, or the minimum that it reached.
#include "cli/train_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "halfspace/base/error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/evaluation_json.h"

namespace halfspace::cli {
namespace {

// Rejects options that no proof of the fewest errors covers: the proof is about all rows of the file, with the file's
// numbers. Scaling columns, or rows without a bias, changes no halfspace's errors; scaling rows with a bias does.
void refuse_what_no_proof_is_about(const TrainFlags& flags, const TrainOptions& options) {
  const auto refuse = [](const std::string& why, const std::string& fix) {
    throw Error(ErrorKind::usage, "--certify needs " + why).fix(fix);
  };
  if (flags.data.paths.size() > 1)
    refuse("one file, not several", "join them into one file, keeping only the first header");
  if (flags.data.paths.front() == "-")
    refuse("data that can be read again, not standard input", "save the data to a file first");
  if (flags.holdout != 0) refuse("all rows, so it excludes --holdout", "leave out --holdout or --certify");
  if (!flags.resume_from.empty())
    refuse("a new run on one file, not a resumed one", "run halfspace certify on the file");
  if (entry_of(options.composition.rule).support_vectors) refuse("a linear rule, not a kernel", "leave out --certify");
  if (options.read.on_error == OnError::skip)
    refuse("every row, so bad rows cannot be skipped", "correct the rows, or remove them from the file");
  if (options.read.single) refuse("the file's own numbers, not rounded ones", "leave out --single or --certify");
  if (options.read.row_normalised && options.composition.bias.position != Bias::none)
    refuse("unscaled rows: after dividing by norms, the bias differs between rows",
           "add --bias none, or use --normalize column");
}

}  // namespace

std::string size_words(const std::string& path) {
  std::error_code unknown;
  if (path.empty() || !std::filesystem::is_regular_file(path, unknown)) return "";
  const std::uint64_t size = std::filesystem::file_size(path, unknown);
  return unknown ? "" : byte_size(size);
}

void TrainProof::begin(TrainOptions& options) const {
  if (flags_.certify) refuse_what_no_proof_is_about(flags_, options);
  if (flags_.certify) options.logarithms = false;  // the proof is about the file's columns
  if (flags_.certificate.empty()) return;
  refuse_unprovable_minimum(options);
  options.objective->keep_dual_variables = true;
}

void TrainProof::prove(const TrainOptions& options, TrainResult& result, Progress& progress) {
  if (!flags_.certificate.empty()) write_certificate(options, result, progress);
  if (flags_.certify && result.model.ledger.stopped != Stopped::interrupted) certify_errors(options, result, progress);
}

// Writes the proof of the minimum, unless the run or the proof is interrupted.
void TrainProof::write_certificate(const TrainOptions& options, const TrainResult& result, Progress& progress) {
  certificate_note_ = "not written: the run was interrupted";
  if (result.model.ledger.stopped == Stopped::interrupted) return;
  if (progress.due()) progress.show("computing the certificate");
  std::optional<CertifiedMinimum> proof;
  try {
    proof = certify_minimum(options, result);
  } catch (const Error&) {
    progress.clear();
    if (!interrupted().load()) throw;
    return;
  }
  progress.clear();
  const std::string text = proof::encode_certificate(proof->certificate);
  write_atomically(flags_.certificate, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                   &interrupted());
  certificate_note_ = fmt::format("{}; gap at most {}, in rational arithmetic", size_words(flags_.certificate),
                                  rounded_up(proof->widest().gap, 3));
}

void TrainProof::certify_errors(const TrainOptions& options, TrainResult& result, Progress& progress) {
  CertifyOptions question;
  question.read = options.read;
  question.read.row_normalised = false;
  question.read.progress = nullptr;
  const BiasOptions& bias = options.composition.bias;
  question.bias = bias.position == Bias::none    ? proof::BiasPosition::none
                  : bias.position == Bias::first ? proof::BiasPosition::first
                                                 : proof::BiasPosition::last;
  question.bias_scale = fmt::format("{}", bias.scale);
  question.tie = options.composition.tie;
  question.memory = options.memory;
  question.interrupt = options.interrupt;
  question.on_progress = [&progress](const CertifyProgress& now) {
    if (progress.due()) progress.show(fmt::format("certify: {}, {}", now.stage, duration(now.seconds)));
  };
  if (result.model.classes() == 2 && result.model.weights.classes == 1) {
    question.weights = report::weights_on_own_values(result.model);
    question.weights_bias = bias.position == Bias::none ? 0 : result.model.weights.bias.at(0) * bias.scale;
  }
  certified_ = certify(question);
  progress.clear();
  if (!certified_->read_whole) {
    certified_.reset();
    why_no_proof_ = "the rows take more memory than --memory allows";
    return;
  }
  if (!options.normalize_columns && !options.standard_columns) take_what_was_proved(options, result);
}

// Novikoff's theorem holds for every separator, including the proof's, whose margin is nearly the largest. The run
// used doubles, so its norms may have grown by rounding.
void TrainProof::take_what_was_proved(const TrainOptions& options, TrainResult& result) const {
  const Composition& c = result.model.composition;
  if (certified_->verdict != proof::Verdict::separable || !entry_of(c.rule).ceiling_of_margins || c.start.small) return;
  if (certified_->margin_upper > 0 && result.margin_ceiling)
    result.margin_ceiling = std::min(*result.margin_ceiling, certified_->margin_upper);
  const bool weighted = !options.read.columns.weight.empty() || !options.read.labels.class_weights.empty();
  if (!(certified_->margin_lower > 0) || weighted) return;
  const Ledger& ledger = result.model.ledger;
  const double rounding =
      static_cast<double>(ledger.largest_row + 8) * static_cast<double>(ledger.updates + 1) * 0x1p-50;
  const double ratio = certified_->radius / certified_->margin_lower;
  const bool many = certified_->certificate.question == proof::Question::many_classes;
  const double value = (many ? 2 : 1) * ratio * ratio * (1 + 0x1p-40 + rounding);
  if (!std::isfinite(value) || (result.bound && result.bound->value <= value)) return;
  result.bound =
      MistakeBound{value, many ? "novikoff, kesler" : "novikoff", "proof", certified_->margin_lower, certified_->radius,
                   0,     ledger.mistakes > whole_mistakes(value)};
}

report::Json TrainProof::json() const {
  if (!flags_.certify) return nullptr;
  report::Json j = {{"separable", nullptr}, {"fewest_errors", nullptr}};
  if (!certified_) return j;
  if (certified_->verdict != proof::Verdict::undecided)
    j["separable"] = certified_->verdict == proof::Verdict::separable;
  j["fewest_errors"] = {{"lower", certified_->errors_lower}, {"upper", certified_->errors_upper}};
  if (certified_->errors_tie) j["fewest_errors"]["tie"] = name_of(*certified_->errors_tie);
  return j;
}

void TrainProof::add_to(report::LedgerNotes& notes, const TrainResult& result) const {
  notes.certificate = flags_.certificate;
  notes.certificate_note = certificate_note_;
  if (certified_) {
    notes.proved = {certified_->errors_lower, certified_->errors_upper, certified_->margin_upper,
                    certified_->verdict == proof::Verdict::undecided
                        ? "separable or not: undecided"
                        : std::string(name_of(certified_->verdict)) + ", proved"};
    const bool weighted = result.training_errors && result.training_rows != static_cast<double>(result.learned_rows);
    if (weighted) notes.proved->verdict += "; each row once, whatever its weight";
  } else if (flags_.certify) {
    notes.why_no_proof = why_no_proof_;
  }
}

}  // namespace halfspace::cli
