// certify for many classes, asked two at a time: a table of verdicts, and a folder of certificates.
#pragma once

#include <string>

#include "cli/report_flags.h"
#include "halfspace/proof/certify_settings.h"

namespace halfspace::cli {

struct CertifyPairsFlags {
  const CertifySettings& settings;
  std::string folder;  // for the certificates; empty: none are written
  bool json = false;
  ReportFlags report;
};

// Returns exit code 0 when every question was settled, else 3.
int certify_pairs(const CertifyPairsFlags& flags);

}  // namespace halfspace::cli
