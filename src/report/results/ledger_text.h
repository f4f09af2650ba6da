// The ledger as train prints it, one line each: the data, the run, its bounds, and last the expected error on new rows.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text_style.h"
#include "halfspace/train/train.h"

namespace halfspace::report {

// What a certificate of the training rows proves.
struct ProvedErrors {
  std::uint64_t errors_lower = 0, errors_upper = 0;  // the fewest errors of any halfspace
  double margin_upper = 0;
  std::string verdict;  // "separable, proved"
};

// What the ledger prints besides the result.
struct LedgerNotes {
  std::string output{}, output_size{};   // the model's file, empty: none is written; and its size, empty: unknown
  std::optional<ProvedErrors> proved{};  // empty: nothing was proved
  std::string why_no_proof{};            // if a proof was requested and there is none
  // The file with the proof of a minimum, empty: none was asked for; and its size, or why there is none.
  std::string certificate{}, certificate_note{};
  std::string label{};   // the column of the label, if it is not obvious
  std::string chosen{};  // how the plan chose to learn, and why
  bool details = false;  // prints everything known, not only what matters
};

// Returns the members of a mixture with their weights: "AROW 64 %, coin betting 21 %, others 15 %".
std::string followed_words(const std::vector<MixtureMember>& members, std::size_t most = 3);

std::string ledger_text(const TrainResult& result, const LedgerNotes& notes, const TextStyle& style = {});

}  // namespace halfspace::report
