// Decides whether data are linearly separable, with proof.
//
//   CertifyOptions options;
//   options.read.path = "credit.csv";
//   const CertifyResult result = certify(options);
//   write result.certificate with encode_certificate (certificate.h); anyone can check it with verify (verify.h)
//
// Two classes: is there a w with y<w,x> > 0 for every row? The answer is right or "undecided": a verdict is returned
// only after verify() has read the data again and accepted the certificate. "Undecided" means that time or memory ran
// out, never a lack of precision; if the data were read, it has a certificate, too: no halfspace has a margin above
// `margin_upper`. Rows of one class are separable by the bias, if any; the result then has `one_class`.
//
// Several files (read.more) are one question: each is a source of the certificate, and rows are numbered in each file.
// Tables have one header each, or none has one.
//
// More than two classes (Kesler): is there a vector for each class such that every row's own class scores highest? The
// margin is then that of one vector made of all of them, and the bound that of the multiclass perceptron. Two classes that
// no hyperplane separates decide the question, so they are looked for first, with half of the time.
//
// Numbers are exact: the decimal 0.1 is 1/10.
//
// Rows in memory (read.rows) are written as text (write_text(): CSV or LIBSVM) to a temporary file in memory.folder, and
// the certificate is about that text: verify accepts it with a file that write_text() made of the same rows.
//
// Throws Error: as Reader does, for bad data; usage for a path that is not a file, for a bad bias scale, or for a
// certificate to resume that is of other data, another question or another bias; data if it is wrong.
// Thread-safety: calls are independent of one another.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/proof/verify/certificate.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

struct CertifyProgress {
  const char* stage;  // the current method
  // Bounds on the largest margin so far: in the coordinates of the data once a separator is known ("the largest
  // margin"), before that in those of the search.
  double lower, upper;
  double seconds;  // since the search began
};

// What a logistic regression on the data would do, known exactly.
enum class SeparationKind : std::uint8_t { overlap, quasi_complete, complete };
enum class CoefficientEstimate : std::uint8_t {
  finite,
  plus_infinite,
  minus_infinite,
  undetermined,  // finite or infinite of either sign: directions move it both ways, and others leave it alone
  undecided,     // of one sign or undetermined: not decided in time
  aliased        // not identified: its column is a combination of those before it
};

}  // namespace halfspace

template <>
struct halfspace::NamesOf<halfspace::SeparationKind> {
  static constexpr Name<SeparationKind> table[] = {
      {SeparationKind::overlap, "overlap", "the maximum-likelihood fit exists: every coefficient is finite"},
      {SeparationKind::quasi_complete, "quasi-complete", "a hyperplane separates some rows, with the others on it"},
      {SeparationKind::complete, "complete", "a hyperplane separates all rows"}};
};

template <>
struct halfspace::NamesOf<halfspace::CoefficientEstimate> {
  static constexpr Name<CoefficientEstimate> table[] = {
      {CoefficientEstimate::finite, "finite", "no direction of separation moves it"},
      {CoefficientEstimate::plus_infinite, "+infinite", "every direction that moves it raises it"},
      {CoefficientEstimate::minus_infinite, "-infinite", "every direction that moves it lowers it"},
      {CoefficientEstimate::undetermined, "undetermined", "finite or infinite of either sign"},
      {CoefficientEstimate::undecided, "undecided", "infinite, or undetermined: more time may decide it"},
      {CoefficientEstimate::aliased, "aliased", "the columns before it determine its own: the data say nothing of it"}};
};

namespace halfspace {

struct Coefficient {
  std::string name;  // of the feature; "(intercept)"
  CoefficientEstimate estimate = CoefficientEstimate::finite;
};

// A column that rounding alone tells from a combination of others: they agree in every row within one unit of the last
// digit of each value. Found in floating point, not proved.
struct NearlyAliased {
  std::string name;
  std::vector<std::pair<std::string, double>> terms;  // names and weights of the combination
  double difference = 0;                              // from it, at most
};

struct Separation {
  SeparationKind kind = SeparationKind::overlap;
  std::vector<Coefficient> coefficients;  // the intercept first, then column by column
  std::string positive;                   // the class whose probability a coefficient above 0 raises
  std::uint64_t separated_rows = 0;       // rows off the hyperplane
  // The rows (1-based) off the hyperplane, or on it, whichever are fewer; at most 1,000.
  std::vector<std::uint64_t> rows;
  bool rows_are_separated = true;
  std::vector<NearlyAliased> nearly_aliased;   // whose coefficients the separation moves
  std::optional<SeparationKind> kind_without;  // without these columns; nothing: not decided, or there are none
};

struct CertifyOptions {
  ReadOptions read;
  proof::BiasPosition bias = proof::BiasPosition::last;
  std::string bias_scale = "1";  // a decimal > 0
  // The limit for everything, from opening the data to checking the proof; 0: no limit. The verdict, or the bound of an
  // undecided question, is checked even if that takes longer: so it does if reading took most of the time.
  double seconds = 0;
  // The time for results after the verdict (the margin, fewest errors): this long, or as long as the verdict took if
  // that is more; 0: only the verdict and by-products.
  double extra_seconds = 0.4;
  // Weights on the data's own values, one for each feature (missing ones are 0), and the bias they add to every score:
  // the fewest errors are then at most theirs, counted exactly after rounding to 53 bits. Two classes only.
  std::vector<double> weights;
  double weights_bias = 0;
  // How predictions break ties, which changes the fewest errors without a bias: Tie::mistake predicts the positive class.
  Tie tie = Tie::positive;
  // A certificate of the same data, question and bias, as an earlier run left it: the search starts from its separator,
  // witness and combinations, and no bound of the result is worse. What it states is computed anew.
  std::optional<proof::Certificate> resume;
  // For the points and the search; further rows go to a temporary file. Rows whose positions alone exceed it are read by
  // passes: a working set is decided, and the rows that its separator gets wrong join.
  RowsOptions memory;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const CertifyProgress&)> on_progress;
  // Two classes: also proves which coefficients of a logistic regression are infinite, with which signs. Positive means
  // that the coefficient grows for the positive class. Of a categorical column the first category in alphabetical order
  // is the reference, if the column has a coordinate for each: aliased, as in R. At most 4,000 coordinates.
  bool coefficients = false;
  bool record = false;  // fills feature_names and plane of the result, for figures
};

// A row of a witness, or one that holds the margin, for display.
struct WitnessRow {
  std::uint64_t row = 0;                               // 1-based data row of its file
  std::string file;                                    // its name, where there are several
  std::string label, weight;                           // weight: share of the whole, rounded
  std::string rival;                                   // many classes: the class it is scored against
  std::vector<std::pair<std::string, double>> values;  // by feature name; zeros left out
  // Of a row that holds the margin: its own under the certificate's separator, as margin_lower, rounded down.
  double margin = 0;
};

// A column of a witness: the rows' shares times their signed values, which add up to exactly 0.
struct WitnessColumn {
  std::string name;           // of the feature; "bias"; of many classes with the class
  double positive = 0;        // what the positive parts add up to, and the negative ones with the opposite sign
  std::vector<double> parts;  // of each row of the witness
};

// A row of data, and its margin under the certificate's separator.
struct RowMargin {
  std::int32_t klass = 0;
  double margin = 0;
};

// A row of data with two features.
struct PlanePoint {
  std::int32_t klass = 0;
  double x = 0, y = 0;
};

struct CertifyResult {
  proof::Certificate certificate;  // verified, where `certified`
  bool certified = true;           // false without a certificate: the data were not read completely
  bool read_whole = true;          // false if they ran out before all data were read: `rows` were
  bool one_class = false;          // all rows are of one class
  proof::Verdict verdict = proof::Verdict::undecided;
  // Bounds on the largest margin, in the coordinates of the data with the bias, rounded outward.
  double margin_lower = 0, margin_upper = 0;
  double margin_upper_share = 0;             // the upper bound as a share of the longest row; rounded up
  bool for_memory = false;                   // undecided, because the remaining methods need more memory
  double radius = 0;                         // the longest row, with its bias; rounded up
  std::optional<std::string> mistake_bound;  // separable: the most updates of the perceptron
  std::vector<WitnessRow> witness;           // not separable
  std::vector<WitnessColumn> columns;        // recorded, not separable: at most 24, in which most rows have a value
  std::uint64_t witness_columns = 0;         // recorded: how many columns the witness has
  std::vector<WitnessRow> support;           // recorded, separable: the rows that bound the margin from above
  std::vector<RowMargin> margins;            // recorded, separable, two classes: at most 1,000 rows, evenly spread
  // Bounds on the fewest rows that predictions by any weights get wrong, with ties broken as the options say; many
  // classes: a trivial bracket, for any ties.
  std::uint64_t errors_lower = 0, errors_upper = 0;
  std::optional<Tie> errors_tie;  // without a bias: how ties were broken
  // Not separable: whether the data are separable if a score of 0 counts as positive, and whether a closed half-space
  // holds all z, not all on its boundary. Empty: unknown.
  std::optional<bool> rule_a, closed_half_space;
  std::optional<Separation> separation;  // with `coefficients`; none if time ran out
  std::uint64_t rows = 0;
  std::uint32_t features = 0;
  std::vector<std::string> feature_names;  // recorded
  std::vector<PlanePoint> plane;           // recorded, two features and two classes: at most 1,000 rows, evenly spread
  struct Seconds {
    double total = 0, read = 0, search = 0, verify = 0;
    double decide = 0;  // the part of the search until the verdict
  } seconds;
};

CertifyResult certify(const CertifyOptions& options);

}  // namespace halfspace
