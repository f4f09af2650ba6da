// Passes over all rows of the data, as exact decimals, for a search that holds only some of them.
//
// What a pass finds is a value for each source; these come in the order of sources, so that a result depends neither on
// who read a source nor on how many did. LocalPasses reads them here, one after the other.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/stream/schema.h"
#include "proof/decide/load.h"
#include "proof/decide/posed.h"
#include "proof/large/row_scorer.h"
#include "proof/large/working_set.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

// How rows are read: a description without what scanning finds.
struct DescribedText {
  Data data;
  Labels labels;
};

// The first pass: completes the description, and draws rows.
struct SurveyOrder {
  std::uint64_t sample_bytes = 0, sample_rows = 0;  // of all sources together
  std::vector<RowPosition> wanted;                  // further rows, ascending
};
struct SourceSurvey {
  ScannedSource scanned;
  mpq_class largest_square;  // of the rows' lengths, without the bias
  std::vector<KeptRow> wanted, sample;
};

// A pass that evaluates a separator. Rows that it gets wrong, or that are nearer to its boundary than its `minimum`, are
// kept, the worst of them.
struct PriceOrder {
  Separator separator;
  Asked asked;
  std::uint64_t most_bytes = 0, most_rows = 0;
};
struct SourcePrices {
  FactsOfRows facts;
  std::vector<RatedRow> worst;
};

// Pass over one of `count` sources. Throw as scan() does; GaveUp when the budget is over. `rows_read` counts.
SourceSurvey survey_source(const DescribedText& text, const std::string& path, std::uint32_t source,
                           std::uint32_t count, const SurveyOrder& order, const Budget& budget,
                           std::uint64_t& rows_read);
SourcePrices price_source(const DescribedText& text, const std::string& path, std::uint32_t source,
                          const PriceOrder& order, const Budget& budget);

class RowPasses {
 public:
  virtual ~RowPasses() = default;
  // Pass over all sources. `take` gets the results in the order of sources. Throw as the functions above.
  virtual void survey(const SurveyOrder& order, const Budget& budget, std::uint64_t& rows_read,
                      const std::function<void(SourceSurvey)>& take) = 0;
  virtual void price(const PriceOrder& order, const Budget& budget, const std::function<void(SourcePrices)>& take) = 0;
};

class LocalPasses final : public RowPasses {
 public:
  LocalPasses(DescribedText text, std::vector<std::string> paths);
  void survey(const SurveyOrder& order, const Budget& budget, std::uint64_t& rows_read,
              const std::function<void(SourceSurvey)>& take) override;
  void price(const PriceOrder& order, const Budget& budget, const std::function<void(SourcePrices)>& take) override;

 private:
  DescribedText text_;
  std::vector<std::string> paths_;
};

// Data that others read: they describe them, pass over them and measure them for the check of a proof.
class RemoteData : public RowPasses {
 public:
  // Reads the data as training does, and describes them. Throws as load() does, GaveUp for time alone.
  virtual void describe(Loaded& loaded, const Budget& budget) = 0;
  // Called at least once a second during the search, for those who wait.
  virtual void sign_of_life() = 0;
  virtual Verification verify(const Certificate& certificate) = 0;
};

// Certifies by passes over remote data alone, without reading a row itself; `options` give the question and the limits.
// Coefficients, weights and a certificate to resume are not for it. Throws as halfspace::certify() does, and what the data
// throw.
CertifyResult certify_remote(const CertifyOptions& options, RemoteData& data);

}  // namespace halfspace::proof
