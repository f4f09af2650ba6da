// A certificate: a verdict about the separability of data, or bounds on the minimum of an objective, and the proof.
//
// Proofs have two shapes. A *separator* is a weight vector with exact facts about it: the least y<w,x>, the number of
// rows it gets wrong. A *combination* is a set of rows with positive integer weights N, and the exact distance of ΣNz /
// ΣN from the origin, where z = y (x with its bias coordinate); distance 0 is a witness: no w has <w,z> > 0 on all of
// its rows (Gordan). *Claims* follow from them, and the verdict is one of the claims or "undecided".
//
// All numbers are exact and stored as decimal text in one canonical form: an integer is "0" or digits without a leading
// zero, perhaps after '-'; a rational is an integer, or "p/q" in lowest terms with q > 1. A certificate need not be
// true: `verify` (verify.h) checks it against the data. The grammar of the file is docs/formats/certificate.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/names.h"

namespace halfspace::proof {

// A file of the data, identified by its decompressed text.
struct DataFile {
  std::string name;         // for display: the last part of its path
  std::string sha256;       // of the text, 64 hex digits in lower case
  std::uint64_t bytes = 0;  // of the text
  bool operator==(const DataFile&) const = default;
};

// LIBSVM and CSV: one file. idx: two, the images and their labels.
struct DataSource {
  std::vector<DataFile> files;
  std::uint64_t rows = 0;  // data rows, including excluded ones
  bool operator==(const DataSource&) const = default;
};

enum class TextFormat : std::uint8_t { libsvm, csv, idx };
// Returns the format with this name in certificates; none if data of the format cannot be certified.
std::optional<TextFormat> text_format_named(std::string_view name);

// Returns the texts of a missing value if a certificate has no list: ? and NA.
std::vector<std::string> default_missing_texts();

// A column of a CSV file and its coordinates. A missing value (empty, or in Data::missing) sets `missing` to 1.
struct CsvColumn {
  enum class Role : std::uint8_t { label, numeric, categorical, ignored };

  std::string name;  // as in the header; without a header the 1-based position
  Role role = Role::ignored;
  std::optional<std::uint32_t> coordinate;  // numeric: gets the value
  std::optional<std::uint32_t> missing;     // numeric, categorical; none: no value may be missing
  std::vector<std::string> categories;      // categorical: the text categories[k] sets coordinates[k] to 1
  std::vector<std::uint32_t> coordinates;
  bool operator==(const CsvColumn&) const = default;
};

// Rows whose label is one of `labels`, which are the same text or, as decimals, the same number.
struct LabelGroup {
  std::vector<std::string> labels;
  std::uint64_t rows = 0;  // over all sources
  bool operator==(const LabelGroup&) const = default;
};

enum class BiasPosition : std::uint8_t { none, first, last };

// How text becomes points. Decimals are exact: 0.1 is 1/10; the pixels of idx are integers.
struct Data {
  TextFormat format = TextFormat::libsvm;
  std::vector<DataSource> sources;  // read one after the other
  // Coordinates 0 .. features-1, without the bias. LIBSVM: 1 + the largest in any row; CSV: the columns give each
  // exactly once; idx: the pixels.
  std::uint32_t features = 0;
  bool zero_based = false;       // LIBSVM: coordinate = index, instead of index - 1
  char delimiter = ',';          // CSV; a space: runs of blanks
  char decimal = '.';            // CSV: the mark in numbers, a point or a comma
  char thousands = '\0';         // CSV: separates groups of three digits; NUL: nothing does
  char quote = '"';              // CSV: opens a field: a double or a single quote; NUL: nothing does
  std::uint64_t skip_lines = 0;  // CSV: lines of each source before the table
  std::string comment;           // CSV: a line whose first byte after blanks is one of these is a comment; ascending
  bool header = true;            // CSV
  // CSV: the texts of a missing value, in addition to the empty one; ascending. As a label, - is not a value.
  std::vector<std::string> missing = default_missing_texts();
  std::vector<CsvColumn> columns;  // CSV: all of the file's, in order; none in two roles, no coordinate twice
  // Two classes: the negative (y = -1), then the positive one (y = +1). Many classes: at least two.
  std::vector<LabelGroup> classes;
  LabelGroup excluded;                     // rows left out of the question
  BiasPosition bias = BiasPosition::last;  // a coordinate that is bias_scale in every row
  std::string bias_scale = "1";            // rational, > 0

  // Returns whether labels that are one number are one label, however they are written; else labels are texts.
  bool labels_are_numbers() const { return format == TextFormat::libsvm; }
  bool operator==(const Data&) const = default;
};

enum class Verdict : std::uint8_t { separable, not_separable, undecided };

}  // namespace halfspace::proof

template <>
struct halfspace::NamesOf<halfspace::proof::Verdict> {
  static constexpr Name<proof::Verdict> table[] = {
      {proof::Verdict::separable, "separable", "a vector in the certificate classifies every row correctly"},
      {proof::Verdict::not_separable, "not separable", "no vector does, as rows in the certificate prove"},
      {proof::Verdict::undecided, "undecided", "the search was stopped"}};
};

namespace halfspace::proof {

// Two classes: <w,x> > 0 on the positive rows and < 0 on the negative ones. Many classes (Kesler): a vector for each,
// and that of a row's class scores higher than every other's.
enum class Question : std::uint8_t { two_classes, many_classes };

struct WeightVector {
  std::vector<std::string> weights;  // integers, one for each feature
  std::string bias = "0";            // integer: multiplies bias_scale; "0" where there is no bias
  bool operator==(const WeightVector&) const = default;
};

// Weights and their exact properties on the data. Score s = <w,x> + bias * bias_scale; y s is its agreement; for many
// classes the agreements of a row are its own class's score minus each other class's score.
struct Separator {
  std::vector<WeightVector> vectors;  // two classes: one; many: one for each class, in order
  std::string squared_norm = "0";     // rational: all weights, the bias weights among them, squared and added
  std::string minimum = "0";          // rational: the least agreement over all rows; "none" where there is no row
  std::uint64_t wrong = 0;            // rows with a negative agreement
  // Two classes: rows with score 0 in the negative and in the positive class. Many: rows whose least agreement is 0,
  // and 0.
  std::uint64_t zero_negative = 0, zero_positive = 0;
  bool operator==(const Separator&) const = default;
};

// A point y x, or for many classes x at the row's class and -x at the rival's, with multiplicity `weight`.
struct Term {
  std::uint32_t source = 0;  // position in Data::sources
  std::uint64_t row = 1;     // 1-based data row of that source
  std::uint32_t klass = 0;   // the row's class: position in Data::classes
  std::uint32_t rival = 0;   // many classes: another class; two classes: 0
  std::string weight = "1";  // integer > 0
  bool operator==(const Term&) const = default;
};

struct Combination {
  std::vector<Term> terms;             // at least one; no point twice; ascending (source, row, rival)
  std::string squared_distance = "0";  // rational: |ΣNz|² / (ΣN)²; "0": a witness
  bool operator==(const Combination&) const = default;
};

// A proof that every w errs on at least this many rows, when some rows are not counted. Either disjoint witnesses
// without these rows, each forcing one error; or one witness without them: w errs on one of its rows, which is one
// error plus the least value over its rows when that row is not counted either.
struct ErrorTree {
  std::vector<std::uint32_t> packing;    // positions in Certificate::combinations
  std::optional<std::uint32_t> witness;  // likewise; then `packing` is empty
  std::vector<ErrorTree> then;           // one for each term of the witness, in order
  bool operator==(const ErrorTree&) const = default;
};

// Rule A: a score of 0 is right on positive rows only. Rule B: on no row.
enum class ErrorRule : std::uint8_t { a, b };

// A claim that a proof supports. `by` is the position of the separator or the combination.
enum class ClaimKind : std::uint8_t {
  separable,       // separator with minimum > 0 (or "none"): hence the largest margin is >= minimum / norm
  not_separable,   // combination with distance 0
  margin_at_most,  // combination with distance > 0: the largest margin is at most that
  mistakes_at_most,  // separator with minimum > 0: `count` = floor(R² norm² / minimum²) updates of the perceptron; many
                     // classes 2R²
  rule_a,            // separator with wrong = 0 and zero_negative = 0; two classes
  not_rule_a,        // combination with distance 0 and a negative row; two classes
  closed_half_space,  // separator with wrong = 0 and a row whose score is not 0: the data lie on one side; two classes
  errors_at_most,     // separator: `count` rows are wrong under `tie`; two classes
  errors_at_least,  // `tree` (no `by`): every w errs on `count` rows under `tie`; two classes. Rule A: each witness has
                    // a negative row
};

struct Claim {
  ClaimKind kind = ClaimKind::separable;
  std::uint32_t by = 0;
  std::string count = "0";       // mistakes_at_most, errors_at_most, errors_at_least: an integer >= 0
  ErrorRule tie = ErrorRule::b;  // errors_at_most, errors_at_least
  ErrorTree tree;                // errors_at_least
  bool operator==(const Claim&) const = default;
};

// A coordinate of the data; the bias coordinate is the one after the features.
using Coordinate = std::uint32_t;

// A coefficient that the data do not identify: its column is a combination of columns that are not aliased.
struct AliasedCoefficient {
  Coordinate coordinate = 0;
  std::uint32_t by = 0;  // separator: weight not 0 here, 0 at the other aliased coordinates, score 0 on every row
  bool operator==(const AliasedCoefficient&) const = default;
};

enum class CoefficientSign : std::uint8_t { positive, negative, undetermined };

// The sign of an infinite coefficient. With z = y x and C the vectors v with <v,z> >= 0 on all rows: v_j >= 0 for all of
// C if a sum of rows with weights > 0 acts on the null space as a positive multiple of v_j (negative: v_j <= 0);
// undetermined: a separator in C, with the opposite sign of the direction's.
struct SignProof {
  Coordinate coordinate = 0;
  CoefficientSign sign = CoefficientSign::undetermined;
  std::uint32_t by = 0;  // combination; undetermined: separator
  bool operator==(const SignProof&) const = default;
};

struct RowPosition {
  std::uint32_t source = 0;  // position in Data::sources
  std::uint64_t row = 1;     // 1-based data row of that source
  bool operator==(const RowPosition&) const = default;
  auto operator<=>(const RowPosition&) const = default;
};

// Which coefficients of a logistic regression are infinite (Albert and Anderson 1984), for two classes. A coefficient is
// infinite if a vector of C moves it. The proof is one vector of the relative interior of C, the direction: all of C is
// 0 on the rows where the direction is 0, for a witness spans them, and a coefficient that the direction leaves alone is
// 0 on the null space of the witness.
struct CoefficientsProof {
  std::vector<AliasedCoefficient> aliased;  // ascending; the other coordinates are kept
  std::vector<RowPosition> rank_rows;       // ascending: as many as kept coordinates, independent on them
  std::optional<std::uint32_t> direction;   // separator without a wrong row; none: overlap
  std::optional<std::uint32_t> witness;     // combination at distance 0; none: complete separation
  // Separators, independent, 0 on the rows where the direction is 0; as many as the witness's rank lacks. None without a
  // witness.
  std::vector<std::uint32_t> null_space;
  std::vector<SignProof> signs;  // ascending; an infinite coefficient without one: its sign was not decided
  bool operator==(const CoefficientsProof&) const = default;
};

// The loss of a row with the margin m = y * score: max(0, 1 - m), its square, or ln(1 + e^-m). multinomial: of the scores
// of all classes, ln(sum of e^score) less the score of the row's own class.
enum class MinimumLoss : std::uint8_t { hinge, squared_hinge, logistic, multinomial };

// Dual variables of the rows of one source; those of the other rows are 0.
struct DualVariables {
  std::vector<std::uint64_t> rows;  // 1-based data rows, ascending
  std::vector<std::string> values;  // integers > 0, one for each of them
  bool operator==(const DualVariables&) const = default;
};

// Weights with the value P of their objective, and dual variables with the value D of theirs, which no weights are below.
// Of hinges both are exact, of logistic losses bounds. Here y is 1 on the rows of the vector's class and -1 on all
// others; of two classes the vector's is the positive one. Multinomial: the dual variables are those of the rows of other
// classes, what they have for the vector's class.
struct MinimumVector {
  WeightVector weights;                       // integers
  std::string weights_over = "1";             // integer > 0: the weights are the integers over this
  std::vector<DualVariables> dual_variables;  // one for each source
  std::string dual_variables_over = "1";      // integer > 0
  // Rationals: P and D; logistic: at least P, and at most D; multinomial: "0".
  std::string primal = "0", dual = "0";
  bool operator==(const MinimumVector&) const = default;
};

// How near weights are to the minimum of a regularized sum of losses. With the bias as a coordinate,
//   P(w) = |w|^2 / 2 + sum of c loss(y <w,x>)
//   D(a) = sum of a - |v|^2 / 2 (squared: sum of (a - a^2 / (4 c)) - |v|^2 / 2; logistic: sum of c H(a / c) - |v|^2 / 2)
// where v = sum of a y x, H(p) = -p ln p - (1 - p) ln(1 - p), a >= 0, and but for squared hinges a <= c. Weak duality:
// P(w) >= D(a) for all w and a. P is 1-strongly convex, so that w is at most the root of 2 (P(w) - D(a)) away from the
// minimum. A bias that is not penalized is part neither of |w|^2 nor of |v|^2, and D needs the sum of a y to be 0.
//
// Multinomial: there is one vector w_k a class k, and a_k >= 0 for each class but the row's own, which add up to c at most.
//   P(W) = sum of |w_k|^2 / 2 + sum of c loss
//   D(a) = sum of c H(p) - sum of |v_k|^2 / 2,   H(p) = -sum of p_k ln p_k,   p_k = a_k / c,   p_own = 1 - the others
// where v_k adds up (sum of a) x over the rows of the class, and -a_k x over the others. Where biases are not penalized the
// bias coordinate of each v_k must be 0.
struct MinimumProof {
  MinimumLoss loss = MinimumLoss::hinge;
  std::vector<std::string> costs;        // rationals > 0: c of the rows of each class
  bool penalize_bias = true;             // true also without a bias
  std::vector<MinimumVector> vectors;    // two classes: one; many: one for each class, against the rest or multinomial
  std::string primal = "0", dual = "0";  // multinomial: at least P, and at most D; else "0"
  bool operator==(const MinimumProof&) const = default;
};

// Verdict separable needs a claim `separable`, not_separable a claim `not_separable`; undecided allows neither.
struct Certificate {
  std::string tool;  // the program that wrote it: "halfspace 0.1.0"
  Question question = Question::two_classes;
  Verdict verdict = Verdict::undecided;
  Data data;
  std::vector<Separator> separators;
  std::vector<Combination> combinations;
  std::vector<Claim> claims;
  std::optional<CoefficientsProof> coefficients;  // two classes; version 2 of the file
  std::optional<MinimumProof> minimum;            // version 3; multinomial: 4
  bool operator==(const Certificate&) const = default;
};

// Returns the certificate as JSON with its checksum; the same certificate gives the same bytes. Throws Error(internal)
// for one that decode_certificate would reject.
std::string encode_certificate(const Certificate& certificate);

// Validates the checksum, every field, every number's form and every cross-reference, but not the proof itself
// (verify.h). `name` is the file's, for errors. Throws Error(data) that names the field.
Certificate decode_certificate(std::string_view text, const std::string& name);

}  // namespace halfspace::proof
