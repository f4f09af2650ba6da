// The ledger as train prints it: a line each for what was learned from, how it went, and what bounds it.
//
// Thread-safety: a pure function but for the size of the file it names.
#pragma once

#include <string>

#include "halfspace/proof/certify.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

// Notes of the ledger beside the result: where the model is, and what --certify has proved.
struct LedgerNotes {
  const std::string& output;                 // empty: the model is not kept
  const CertifyResult* certified = nullptr;  // null: nothing was proved
  std::string why_no_proof{};                // where one was asked for and there is none
  std::string label = {};                    // where it was taken from, if that goes not without saying
};

std::string ledger_lines(const TrainResult& result, const LedgerNotes& notes);

}  // namespace halfspace::cli
