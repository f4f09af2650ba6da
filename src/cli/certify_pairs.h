// certify for multiclass data, two classes at a time: a table of verdicts, and a folder of certificates.
#pragma once

#include <string>

#include "cli/report_flags.h"
#include "halfspace/proof/certify_settings.h"

namespace halfspace::cli {

struct CertifyPairsFlags {
  const CertifySettings& settings;
  std::string folder;  // the folder of the certificates; empty: writes none
  bool json = false;
  ReportFlags report;
};

// Returns exit code 0 if every question was decided, else 3.
int certify_pairs(const CertifyPairsFlags& flags);

}  // namespace halfspace::cli
