// Verdicts with proofs, and their check.
#include <memory>

#include "c/handles.h"
#include "c/progress.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/certify_figures.h"
#include "proof/certify/proof_json.h"
#include "proof/certify/proof_text.h"
#include "proof/certify/temporary_text.h"
#include "report/results/json.h"
#include "report/results/ledger_text.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

// The text that rows in memory are certified as has no weights.
void refuse_weights(const RowSource& rows) {
  SourceBuffer buffer;
  if (rows.blocks() == 0 || rows.block(0, buffer).weight == nullptr) return;
  throw Error(ErrorKind::usage, option("certificate") + " needs rows that all weigh the same")
      .fix("leave out the weights of rows and classes");
}

int32_t number_of(SeparationKind kind) {
  switch (kind) {
    case SeparationKind::overlap:
      return HALFSPACE_OVERLAP;
    case SeparationKind::quasi_complete:
      return HALFSPACE_QUASI_COMPLETE;
    case SeparationKind::complete:
      return HALFSPACE_COMPLETE;
  }
  return HALFSPACE_OVERLAP;
}

int32_t number_of(CoefficientEstimate estimate) {
  switch (estimate) {
    case CoefficientEstimate::finite:
      return HALFSPACE_FINITE;
    case CoefficientEstimate::plus_infinite:
      return HALFSPACE_PLUS_INFINITE;
    case CoefficientEstimate::minus_infinite:
      return HALFSPACE_MINUS_INFINITE;
    case CoefficientEstimate::undetermined:
      return HALFSPACE_UNDETERMINED;
    case CoefficientEstimate::undecided:
      return HALFSPACE_UNDECIDED_SIGN;
    case CoefficientEstimate::aliased:
      return HALFSPACE_ALIASED;
  }
  return HALFSPACE_UNDECIDED_SIGN;
}

// Keeps what was proved about coefficients, with a view of it for C.
void keep(halfspace_result& result, Separation found) {
  const Separation& kept = result.separation.emplace(std::move(found));
  for (const Coefficient& one : kept.coefficients)
    result.coefficients.push_back({one.name.c_str(), number_of(one.estimate)});
  result.view = {.kind = number_of(kept.kind),
                 .separated_rows = kept.separated_rows,
                 .rows = kept.rows.data(),
                 .rows_count = kept.rows.size(),
                 .rows_are_separated = kept.rows_are_separated,
                 .coefficients = result.coefficients.data(),
                 .coefficients_count = result.coefficients.size()};
}

}  // namespace

extern "C" {

halfspace_result* halfspace_certify(const halfspace_settings* settings, const halfspace_rows* rows,
                                    const halfspace_watch* watch, halfspace_error* error) {
  return made(error, [&] {
    CertifySettings own = settings_of<CertifySettings>(settings, "certify");
    attend(own.data.read, rows, watch);
    if (own.asks_many())
      throw Error(ErrorKind::usage, "several questions have several answers").fix("ask about two classes at a time");
    CertifyOptions options = certify_options(own);
    options.interrupt = options.read.interrupt;
    options.record = watch != nullptr && watch->figures != HALFSPACE_NO_FIGURES;
    proof::BracketRecord bracket;
    Progress progress(watch);
    progress.report({"reading"});
    options.on_progress = [&](const CertifyProgress& now) {
      if (options.record) bracket.add(now);
      progress.report({.stage = now.stage, .lower = now.lower, .upper = now.upper});
    };
    CertifyResult result = certify(options);
    auto made = std::make_unique<halfspace_result>();
    made->json = run_json("certify");
    made->json.update(proof::certify_result(result));
    if (options.record) made->json["figures"] = proof::certify_figures(result, bracket);
    made->text = proof::certify_text(result, {.seconds = own.seconds});
    if (result.certified) made->certificate = std::move(result.certificate);
    if (result.separation) keep(*made, std::move(*result.separation));
    return made.release();
  });
}

halfspace_result* halfspace_certify_minimum(const halfspace_settings* settings, const halfspace_rows* rows,
                                            const halfspace_watch* watch, halfspace_error* error) {
  return made(error, [&] {
    TrainSettings own = settings_of<TrainSettings>(settings, "train");
    attend(own.data.read, rows, watch);
    own.interrupt = own.data.read.interrupt;
    TrainOptions options = train_options(own);
    if (options.read.rows != nullptr) refuse_weights(*options.read.rows);
    std::optional<proof::TemporaryText> text;
    if (proof::TemporaryText::needed(options.read)) {
      text.emplace(options.read, options.memory.folder);
      options.read = text->read();
    }
    refuse_unprovable_minimum(options);
    options.objective->keep_dual_variables = true;
    const TrainResult trained = train(options);
    CertifiedMinimum proved = certify_minimum(options, trained);
    auto made = std::make_unique<halfspace_result>();
    made->json = run_json("train");
    made->json.update(report::train_result(trained));
    made->text = report::ledger_text(trained, {});
    made->certificate = std::move(proved.certificate);
    return made.release();
  });
}

const halfspace_separation* halfspace_result_separation(const halfspace_result* result) {
  return result == nullptr || !result->separation ? nullptr : &result->view;
}

halfspace_result* halfspace_verify(const char* certificate, const char* const* paths, size_t paths_count,
                                   halfspace_error* error) {
  return made(error, [&] {
    const proof::Certificate given = proof::decode_certificate(&checked(certificate, "certificate"), "certificate");
    std::vector<std::string> files;
    for (std::size_t i = 0; i < paths_count; ++i) files.emplace_back(&checked((&checked(paths, "paths"))[i], "a path"));
    const proof::Verification found = proof::verify(given, files);
    return new halfspace_result{proof::verification(given, found), proof::verification_text(given, found), {}};
  });
}

}  // extern "C"
