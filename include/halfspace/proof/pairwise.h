// Separability of multiclass data two classes at a time: every pair, and every class against the rest.
//
// Reads the data once and decides questions in parallel, each with its own certificate, verified before it is reported.
//
// Rows in memory (read.rows) replace the path; the proof is about the text that write_text() makes of them.
//
// Throws Error as certify() does. Thread-safety: calls are independent of one another.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

struct PairwiseQuestion {
  std::string positive, negative;  // class names; an empty negative: the rest
};

struct PairwiseAnswer {
  PairwiseQuestion question;
  proof::Verdict verdict = proof::Verdict::undecided;
  proof::Certificate certificate;  // verified
  std::uint64_t rows = 0;
  double margin_lower = 0, margin_upper = 0;  // rounded outward
  double search_seconds = 0, verify_seconds = 0;
};

struct PairwiseOptions {
  ReadOptions read;
  double seconds = 0;    // for one question; 0: as long as it takes
  unsigned threads = 0;  // 0: as many as the process may run in parallel
  RowsOptions memory;
  const std::atomic<bool>* interrupt = nullptr;
  bool verify = true;
  // Called as each question is decided, in any order; never concurrently.
  std::function<void(const PairwiseAnswer&)> on_answer;
};

// Returns all pairs, then all classes against the rest.
std::vector<PairwiseQuestion> pairwise_questions(const std::vector<std::string>& classes);

// Answers the questions that `ask` chooses once the classes are known. Passes answers to on_answer without keeping
// them.
void pairwise(const PairwiseOptions& options,
              const std::function<std::vector<PairwiseQuestion>(const std::vector<std::string>& classes)>& ask);

}  // namespace halfspace
