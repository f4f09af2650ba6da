// What a verifier measures on the rows of one source: values that add up over the sources, so that others may read them.
//
// Thread-safety: functions of their arguments and of the files.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/verify/coefficients_check.h"
#include "proof/verify/measure.h"
#include "proof/verify/minimum_check.h"

namespace halfspace::proof {

// Thrown when a check fails.
struct NotValid {
  std::string reason;
};
void require(bool holds, const std::string& otherwise);
void require_nothing(const std::string& wrong);  // unless the text is empty

// Returns a count with its noun, for messages.
std::string plain_count(std::uint64_t count, const std::string& thing);

// The first pass: the units of the columns. idx needs none; only its first row is read.
struct SourceUnits {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

  std::uint32_t features = 0;
  std::vector<std::int64_t> exponent;  // the least of each coordinate; `none` where no row has a value
};

// The second pass.
struct SourceMeasures {
  std::uint32_t features = 0;
  std::vector<std::uint64_t> rows;  // by class
  std::uint64_t excluded_rows = 0;
  std::vector<Facts> facts;          // by separator
  std::vector<WeightedSum> sums;     // by combination
  std::vector<MinimumSums> minima;   // by vector of the minimum
  std::optional<mpz_class> longest;  // |x|², in the unit of RadiusMeter; only if a claim needs it
};

// Read a source, and check that its files, labels and rows are those of the certificate. `on_rows` is called now and
// then. Throw NotValid; Error as ExactReader does.
SourceUnits units_of(const Certificate& certificate, const std::string& path, std::uint32_t source,
                     const std::function<void()>& on_rows);
// `coefficients`: null, or gets every row; then the sources must come in order.
SourceMeasures measures_of(const Certificate& certificate, const std::string& path, std::uint32_t source,
                           const Scale& scale, CoefficientsCheck* coefficients, const std::function<void()>& on_rows);

// Returns why so many files cannot be those of the certificate; empty if they can.
std::string other_count(const Certificate& certificate, std::size_t files);
// Return why a source is not valid, once reading it threw Error(data): it is another file, or cannot be read as the
// certificate describes. Throws Error: no_input, input_output.
std::optional<std::string> other_file(const Certificate& certificate, const std::string& path, std::uint32_t source);
std::string unreadable(const Error& error);

// Who makes the passes over all sources. `take` gets what they find, in the order of sources.
class Measurer {
 public:
  virtual ~Measurer() = default;
  virtual void units(const std::function<void(const SourceUnits&)>& take) = 0;
  virtual void measures(const Scale& scale, CoefficientsCheck* coefficients,
                        const std::function<void(const SourceMeasures&)>& take) = 0;
};
// Makes the passes in this process, one source after the other. `on_rows` is called now and then.
class LocalMeasurer final : public Measurer {
 public:
  LocalMeasurer(
      const Certificate& certificate, const std::vector<std::string>& paths, std::function<void()> on_rows = [] {})
      : certificate_(certificate), paths_(paths), on_rows_(std::move(on_rows)) {}

  void units(const std::function<void(const SourceUnits&)>& take) override;
  void measures(const Scale& scale, CoefficientsCheck* coefficients,
                const std::function<void(const SourceMeasures&)>& take) override;

 private:
  const Certificate& certificate_;
  const std::vector<std::string>& paths_;
  std::function<void()> on_rows_;
};

// Returns the exact objectives of a certificate's minimum, whatever the certificate states. Throws what the measurer
// throws, but Error(data) for NotValid.
std::vector<MinimumValues> measured_minima(const Certificate& certificate, Measurer& measurer);

// Checks a certificate by what is measured. Throws what the measurer throws, but NotValid.
Verification verify(const Certificate& certificate, Measurer& measurer);

}  // namespace halfspace::proof
