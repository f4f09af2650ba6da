// Whether a model is what this program makes of these rows.
//
//   const AuditResult result = audit(model, settings);   // the settings that it was trained with
//   if (!result.equal()) print(result.differences[0].what);
//
// Idea. The same rows, settings and version give the same bits, on every machine and with any number of threads. So the
// model is trained again, and everything that it holds is compared: rows by their fingerprints, weights number by number.
// Guarantee. Equal means equal in every bit. A difference proves that rows, settings or version were others, or that the
// model was changed; it does not tell which of these.
// Cost. That of training.
//
// Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "halfspace/train/settings.h"

namespace halfspace {

// The first difference of a part of the model.
struct AuditDifference {
  std::string what;             // such as "weight of income"
  std::string of_model, again;  // as texts; both empty where the part has no short text
};

struct AuditResult {
  Model again;                               // the model trained now
  std::vector<AuditDifference> differences;  // the rows first, then settings, then what was learned
  bool equal() const noexcept { return differences.empty(); }
};

// Throws Error(usage) for a model that no settings repeat: of a run that a limit of time or a signal ended, of another
// stream than files read to their end, such as a service's, and with a watch; Error as train() does.
AuditResult audit(const Model& model, const TrainSettings& settings);

}  // namespace halfspace
