// The ledger as train prints it, one line each: the data, the run, its bounds, and last the expected error on new rows.
//
// Thread-safety: a pure function, except for the size of the file it names.
#pragma once

#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

// What the ledger prints besides the result: the model's file, and what --certify proved.
struct LedgerNotes {
  const std::string& output;                 // empty: no model is written
  const CertifyResult* certified = nullptr;  // null: nothing was proved
  std::string why_no_proof{};                // if a proof was requested and there is none
  std::string label = {};                    // the column of the label, if it is not obvious
  std::string chosen = {};                   // how the plan chose to learn, and why
  bool details = false;                      // prints everything known, not only what matters
};

// Returns the members of a mixture with their weights: "AROW 64 %, coin betting 21 %, others 15 %".
std::string followed_words(const std::vector<FollowedMember>& members, std::size_t most = 3);

std::string ledger_lines(const TrainResult& result, const LedgerNotes& notes);

}  // namespace halfspace::cli
