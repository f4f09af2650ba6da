// The ledger as train prints it: a line each for what was learned from, how it went, what bounds it, and, last, what to
// expect of new rows.
//
// Thread-safety: a pure function but for the size of the file it names.
#pragma once

#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

// Notes of the ledger beside the result: where the model is, and what --certify has proved.
struct LedgerNotes {
  const std::string& output;                 // empty: the model is not kept
  const CertifyResult* certified = nullptr;  // null: nothing was proved
  std::string why_no_proof{};                // where one was asked for and there is none
  std::string label = {};                    // where it was taken from, if that goes not without saying
  std::string chosen = {};                   // how to learn, and why, where nobody said it
  bool details = false;                      // of all that is known, not of what matters alone
};

// Returns whom a rule of experts follows: "AROW 64 %, coin betting 21 %, others 15 %".
std::string followed_words(const std::vector<FollowedMember>& members, std::size_t most = 3);

std::string ledger_lines(const TrainResult& result, const LedgerNotes& notes);

}  // namespace halfspace::cli
