// Makes one pass over the text for the units of its columns (idx needs none), and one that measures every separator and
// combination; then checks the claims. The first failed check ends the verification with its reason.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "halfspace/proof/verify/verify.h"
#include "proof/verify/coefficients_check.h"
#include "proof/verify/measure.h"
#include "proof/verify/minimum_check.h"
#include "proof/verify/source_measures.h"
#include "proof/verify/text_file.h"

namespace halfspace::proof {
namespace {

// Makes GMP throw when memory runs out; by default it ends the process. Set before main(), so that a program may still
// set its own functions.
[[maybe_unused]] const bool kMemoryEndsInAnException = [] {
  static constexpr auto checked = [](void* memory) { return memory != nullptr ? memory : throw std::bad_alloc(); };
  mp_set_memory_functions(
      [](std::size_t size) { return checked(std::malloc(size)); },
      [](void* before, std::size_t, std::size_t size) { return checked(std::realloc(before, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
  return true;
}();

// Returns the number in canonical form, so that equal text means an equal number.
std::string spelled(const mpq_class& number) { return number.get_str(); }

// Returns a shortened text for messages. No check depends on it.
std::string shown(const std::string& number) {
  return number.size() <= 40 ? number
                             : number.substr(0, 18) + "…" + number.substr(number.size() - 18) + " (" +
                                   std::to_string(number.size()) + " characters)";
}

std::string short_list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 30;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text.empty() ? "no label" : text;
}

// Reports the roles of columns: another label, or a number read as a category, is another question.
void describe_table(const Data& data, std::vector<std::string>& sentences) {
  std::map<CsvColumn::Role, std::vector<std::string>> columns;
  for (const CsvColumn& column : data.columns) columns[column.role].push_back(column.name);
  const std::string delimiter = data.delimiter == '\t'  ? "tabs"
                                : data.delimiter == ' ' ? "blanks"
                                                        : std::string("'") + data.delimiter + "'";
  sentences.push_back(std::string(data.header ? "the first line names the columns"
                                              : "the first line is a row, and columns are numbered") +
                      "; " + delimiter + " between values" +
                      (data.decimal == ',' ? ", and a comma as the decimal point" : "") +
                      (data.quote == '\0'   ? "; quotes are ordinary text"
                       : data.quote == '\'' ? "; single quotes"
                                            : "") +
                      (data.thousands != '\0' ? std::string("; '") + data.thousands + "' between thousands" : "") +
                      (data.skip_lines > 0 ? "; lines before the table: " + std::to_string(data.skip_lines) : "") +
                      (data.comment.empty() ? "" : "; comments begin with one of " + data.comment));
  const auto list = [&](CsvColumn::Role role, const std::string& of_one, const std::string& of_many) {
    const std::vector<std::string>& names = columns[role];
    if (!names.empty()) sentences.push_back((names.size() == 1 ? of_one : of_many) + " " + short_list(names));
  };
  list(CsvColumn::Role::label, "the label is in the column", "the labels are in the columns");
  list(CsvColumn::Role::numeric, "numbers are in the column", "numbers are in the columns");
  list(CsvColumn::Role::categorical, "categories are in the column", "categories are in the columns");
  if (data.missing != default_missing_texts()) {
    sentences.push_back(data.missing.empty() ? "only an empty cell is a missing value"
                                             : "an empty cell or " + short_list(data.missing) + " is a missing value");
  }
  list(CsvColumn::Role::ignored, "the ignored column is", "the ignored columns are");
}

void describe_format(const Data& data, std::vector<std::string>& sentences) {
  switch (data.format) {
    case TextFormat::libsvm:
      return sentences.push_back(
          std::string("the text is read as LIBSVM: a label and then index:value, the first index ") +
          (data.zero_based ? "0" : "1"));
    case TextFormat::csv:
      sentences.emplace_back("the text is read as a table");
      return describe_table(data, sentences);
    case TextFormat::idx:
      return sentences.push_back("the bytes are read as idx: images, and their labels");
  }
}

// Describes the data and how they become points. `rows`: of each class.
std::vector<std::string> data_sentences(const Certificate& certificate, const std::vector<std::uint64_t>& rows,
                                        std::uint64_t excluded_rows, bool one_class) {
  const Data& data = certificate.data;
  std::vector<std::string> sentences;
  const auto note = [&](std::string sentence) { sentences.push_back(std::move(sentence)); };
  for (const DataSource& source : data.sources) {
    for (const DataFile& file : source.files) {
      note("the data are " + file.name + ": " + plain_count(file.bytes, "byte") + " of text, SHA-256 " + file.sha256);
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string name = certificate.question == Question::many_classes ? "of class " + std::to_string(k)
                             : k == 0                                       ? "negative"
                                                                            : "positive";
    note(plain_count(rows[k], "row") + " labelled " + short_list(data.classes[k].labels) + " are " + name);
  }
  if (one_class) note("all rows are of one class: there is nothing to separate");
  if (excluded_rows > 0)
    note(plain_count(excluded_rows, "row") + " labelled " + short_list(data.excluded.labels) + " are excluded");
  describe_format(data, sentences);
  note(data.bias == BiasPosition::none ? "points have " + plain_count(data.features, "coordinate") + " and no bias"
                                       : "points have " + plain_count(data.features, "coordinate") +
                                             " and the bias coordinate " + shown(data.bias_scale));
  note(data.format == TextFormat::idx   ? "values are the whole numbers of the bytes"
       : data.format == TextFormat::csv ? "numbers are exactly the decimals in the text; of a category's coordinates "
                                          "its own is 1, the others 0"
                                        : "values are exactly the decimals in the text");
  return sentences;
}

bool sums_to_zero(const Combination& combination) { return combination.squared_distance == "0"; }

bool has_negative_row(const Combination& combination) {
  const std::vector<Term>& terms = combination.terms;
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.klass == 0; });
}

using RowId = std::pair<std::uint32_t, std::uint64_t>;

// Returns how many errors the tree's witnesses force when the rows `gone` are not counted.
std::uint64_t forced_errors(const std::vector<Combination>& combinations, const ErrorTree& tree, ErrorRule tie,
                            std::set<RowId>& gone) {
  const auto expect_witness = [&](std::uint32_t i) {
    require(sums_to_zero(combinations[i]) && (tie == ErrorRule::b || has_negative_row(combinations[i])),
            "combination " + std::to_string(i) + " forces no error");
    for (const Term& term : combinations[i].terms) {
      require(!gone.contains({term.source, term.row}), "combination " + std::to_string(i) + " uses row " +
                                                           std::to_string(term.row) + ", which is not counted there");
    }
  };
  if (!tree.witness) {
    std::vector<RowId> added;
    for (const std::uint32_t i : tree.packing) {
      expect_witness(i);
      for (const Term& term : combinations[i].terms) {
        if (gone.emplace(term.source, term.row).second) added.emplace_back(term.source, term.row);
      }
    }
    for (const RowId& row_id : added) gone.erase(row_id);
    return tree.packing.size();
  }
  expect_witness(*tree.witness);
  const std::vector<Term>& terms = combinations[*tree.witness].terms;
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const RowId row_id{terms[i].source, terms[i].row};
    gone.insert(row_id);
    const std::uint64_t value = forced_errors(combinations, tree.then[i], tie, gone);
    gone.erase(row_id);
    if (i == 0 || value < least) least = value;
  }
  return least + 1;
}

std::string rule_name(const Claim& claim) { return claim.tie == ErrorRule::a ? "A" : "B"; }
std::string root_in_words(const mpq_class& square) {
  mpf_class length(square, 64);  // a square may be outside the range of doubles
  mpf_sqrt(length.get_mpf_t(), length.get_mpf_t());
  char text[48];
  gmp_snprintf(text, sizeof text, "%.6Fg", length.get_mpf_t());
  return "the root of " + shown(spelled(square)) + " (about " + text + ")";
}

class Verifier {
 public:
  Verifier(const Certificate& certificate, Measurer& measurer, std::vector<std::string>& checked)
      : certificate_(certificate), data_(certificate.data), measurer_(measurer), checked_(checked) {}

  bool one_class() const { return all_rows() > 0 && all_rows() == *std::max_element(rows_.begin(), rows_.end()); }

  void run() {
    read_data();
    for (std::string& sentence : data_sentences(certificate_, rows_, excluded_rows_, one_class()))
      note(std::move(sentence));
    check_separators();
    check_combinations();
    for (const Claim& claim : certificate_.claims) check_claim(claim);
    check_coefficients();
    check_minimum_bounds();
    check_verdict();
  }

  std::vector<MinimumValues> values_of_minima() {
    read_data();
    find_minima();
    return minima_;
  }

  std::vector<MinimumBounds> minima() const {
    std::vector<MinimumBounds> bounds;
    for (const MinimumValues& values : minima_) bounds.push_back(bounds_of(values));
    return bounds;
  }

 private:
  // ---- the data

  void read_data() {
    scale_.bias = data_.bias == BiasPosition::none ? mpq_class(0) : mpq_class(data_.bias_scale);
    find_units();
    measure();
  }

  // Takes the units of the columns, the least of all sources.
  void find_units() {
    std::uint32_t features = 0;
    measurer_.units([&](const SourceUnits& units) {
      features = std::max(features, units.features);
      if (scale_.exponent.size() < units.exponent.size())
        scale_.exponent.resize(units.exponent.size(), SourceUnits::none);
      for (std::size_t j = 0; j < units.exponent.size(); ++j)
        scale_.exponent[j] = std::min(scale_.exponent[j], units.exponent[j]);
    });
    if (data_.format != TextFormat::idx) check_features(features);
    for (std::int64_t& exponent : scale_.exponent) {
      if (exponent == SourceUnits::none) exponent = 0;
      scale_.least = std::min(scale_.least, exponent);
    }
    scale_.exponent.resize(data_.features);
  }

  void check_features(std::uint32_t features) const {
    require(features == data_.features, "the data have " + plain_count(features, "feature") +
                                            ", the certificate states " + std::to_string(data_.features));
  }

  void measure() {
    for (const Combination& combination : certificate_.combinations) {
      combination_meters_.emplace_back(certificate_.question, scale_);
      for (const Term& term : combination.terms)
        require(term.source < data_.sources.size(), "a combination uses a row that the data do not have");
    }
    if (certificate_.coefficients) coefficients_.emplace(certificate_);
    rows_.assign(data_.classes.size(), 0);
    RadiusMeter radius(scale_);
    std::uint32_t features = 0;
    measurer_.measures(scale_, coefficients_ ? &*coefficients_ : nullptr, [&](const SourceMeasures& found) {
      features = std::max(features, found.features);
      facts_.resize(found.facts.size());
      for (std::size_t i = 0; i < facts_.size(); ++i) {
        facts_[i].squared_norm = found.facts[i].squared_norm;
        facts_[i].add(found.facts[i]);
      }
      for (std::size_t i = 0; i < combination_meters_.size(); ++i) combination_meters_[i].add(found.sums[i]);
      sums_of_minima_.resize(found.minima.size());
      for (std::size_t i = 0; i < sums_of_minima_.size(); ++i) sums_of_minima_[i].add(found.minima[i]);
      if (found.longest) radius.raise(*found.longest);
      for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k] += found.rows[k];
      excluded_rows_ += found.excluded_rows;
    });
    check_features(features);
    squared_radius_ = radius.squared_radius();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      require(rows_[k] == data_.classes[k].rows, "class " + std::to_string(k) + " has " + plain_count(rows_[k], "row") +
                                                     ", the certificate states " +
                                                     std::to_string(data_.classes[k].rows));
    }
    require(all_rows() > 0 || excluded_rows_ == 0, "every row is excluded: the verdict is empty");
    require(excluded_rows_ == data_.excluded.rows, plain_count(excluded_rows_, "row") +
                                                       " are excluded, the certificate states " +
                                                       std::to_string(data_.excluded.rows));
  }

  // ---- the proofs

  void check_separators() {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const Separator& stated = certificate_.separators[i];
      const Facts& facts = facts_[i];
      const std::string name = "separator " + std::to_string(i) + ": ";
      const auto same = [&](const char* what, const std::string& is, const std::string& claimed) {
        require(is == claimed, name + what + " is " + shown(is) + ", the certificate states " + shown(claimed));
      };
      same("the squared norm", spelled(facts.squared_norm), stated.squared_norm);
      same("the least agreement", facts.minimum ? spelled(*facts.minimum) : "none", stated.minimum);
      same("the number of wrong rows", std::to_string(facts.wrong), std::to_string(stated.wrong));
      same("the number of negative rows with score 0", std::to_string(facts.zero_negative),
           std::to_string(stated.zero_negative));
      same("the number of positive rows with score 0", std::to_string(facts.zero_positive),
           std::to_string(stated.zero_positive));
      note(name + "its least agreement is " + shown(stated.minimum) + ", its squared norm " +
           shown(stated.squared_norm) + "; " + plain_count(stated.wrong, "row") + " wrong, " +
           std::to_string(stated.zero_negative + stated.zero_positive) + " with score 0");
    }
  }

  void check_combinations() {
    std::size_t witnesses = 0;
    for (std::size_t i = 0; i < combination_meters_.size(); ++i) {
      const std::string& stated = certificate_.combinations[i].squared_distance;
      const std::string is = spelled(combination_meters_[i].squared_distance());
      require(is == stated, "combination " + std::to_string(i) + ": the squared distance from the origin is " +
                                shown(is) + ", the certificate states " + shown(stated));
      witnesses += stated == "0";
      if (stated != "0")
        note("combination " + std::to_string(i) + ": " +
             plain_count(certificate_.combinations[i].terms.size(), "point") + " at squared distance " + shown(stated));
    }
    if (witnesses > 0) note(plain_count(witnesses, "combination") + " with positive whole weights add up to exactly 0");
  }

  // ---- the claims

  void check_claim(const Claim& claim) {
    const std::string separator = "separator " + std::to_string(claim.by);
    const std::string combination = "combination " + std::to_string(claim.by);
    switch (claim.kind) {
      case ClaimKind::separable: {
        const Facts& facts = facts_[claim.by];
        require(!facts.minimum || *facts.minimum > 0, separator + " does not separate strictly");
        note("strictly separable: " + separator + " is right on every row" +
             (facts.minimum ? "; the largest margin is at least " +
                                  root_in_words(*facts.minimum * *facts.minimum / facts.squared_norm)
                            : "; there is no row"));
        return;
      }
      case ClaimKind::not_separable:
        require(sums_to_zero(certificate_.combinations[claim.by]), combination + " does not add up to 0");
        note("not strictly separable: no weights are right on all " +
             plain_count(certificate_.combinations[claim.by].terms.size(), "point") + " of " + combination);
        return;
      case ClaimKind::margin_at_most:
        require(!sums_to_zero(certificate_.combinations[claim.by]), combination + " adds up to 0: it bounds no margin");
        note("the largest margin is at most " +
             root_in_words(mpq_class(certificate_.combinations[claim.by].squared_distance)));
        return;
      case ClaimKind::mistakes_at_most:
        check_mistakes(claim);
        return;
      case ClaimKind::rule_a:
        require(facts_[claim.by].wrong == 0 && facts_[claim.by].zero_negative == 0,
                separator + " is wrong on a row by rule A");
        note("separable by rule A: score >= 0 on the positive rows, < 0 on the negative ones");
        return;
      case ClaimKind::not_rule_a:
        require(
            sums_to_zero(certificate_.combinations[claim.by]) && has_negative_row(certificate_.combinations[claim.by]),
            combination + " does not add up to 0, or has no negative row");
        note("not separable by rule A");
        return;
      case ClaimKind::closed_half_space: {
        const Facts& facts = facts_[claim.by];
        require(facts.wrong == 0 && facts.zero_negative + facts.zero_positive < all_rows(),
                separator + " has a wrong row, or all rows on its boundary");
        note("separable by a closed half-space: " + plain_count(facts.zero_negative + facts.zero_positive, "row") +
             " on its boundary, all others on the right side");
        return;
      }
      case ClaimKind::errors_at_most: {
        const Facts& facts = facts_[claim.by];
        const std::uint64_t errors =
            facts.wrong + facts.zero_negative + (claim.tie == ErrorRule::b ? facts.zero_positive : 0);
        require(std::to_string(errors) == claim.count, separator + " errs on " + plain_count(errors, "row") +
                                                           ", the certificate states " + shown(claim.count));
        note("errors by rule " + rule_name(claim) + ": some weights err on only " + claim.count + " rows");
        return;
      }
      case ClaimKind::errors_at_least: {
        std::set<RowId> gone;
        const std::uint64_t errors = forced_errors(certificate_.combinations, claim.tree, claim.tie, gone);
        require(std::to_string(errors) == claim.count, "the witnesses force " + plain_count(errors, "error") +
                                                           ", the certificate states " + shown(claim.count));
        note("errors by rule " + rule_name(claim) + ": all weights err on at least " + claim.count + " rows");
        return;
      }
    }
  }

  void check_mistakes(const Claim& claim) {
    const Facts& facts = facts_[claim.by];
    require(facts.minimum && *facts.minimum > 0,
            "separator " + std::to_string(claim.by) + " does not separate strictly");
    mpq_class bound = squared_radius_ * facts.squared_norm / (*facts.minimum * *facts.minimum);
    if (certificate_.question == Question::many_classes) bound *= 2;
    const mpz_class floor = bound.get_num() / bound.get_den();
    require(floor.get_str() == claim.count, "the perceptron's mistakes are at most " + shown(floor.get_str()) +
                                                ", the certificate states " + shown(claim.count));
    note("from zero weights the perceptron makes at most " + shown(claim.count) + " updates, in any order of the rows");
  }

  void check_coefficients() {
    if (!coefficients_) return;
    const std::string wrong = coefficients_->finish(facts_, combination_meters_, all_rows());
    require(wrong.empty(), "coefficients: " + wrong);
    for (std::string& sentence : coefficients_->sentences(facts_, all_rows())) note(std::move(sentence));
  }

  void find_minima() { minima_ = minimum_values(certificate_, scale_, sums_of_minima_); }

  void check_minimum_bounds() {
    if (!certificate_.minimum) return;
    find_minima();
    require_nothing(check_minimum(certificate_, sums_of_minima_, minima_));
    for (std::string& sentence : minimum_sentences(certificate_, minima_)) note(std::move(sentence));
  }

  void check_verdict() {
    const auto claims = [&](ClaimKind kind) {
      return std::any_of(certificate_.claims.begin(), certificate_.claims.end(),
                         [kind](const Claim& claim) { return claim.kind == kind; });
    };
    const bool separable = claims(ClaimKind::separable), inseparable = claims(ClaimKind::not_separable);
    const Verdict follows = separable ? Verdict::separable : inseparable ? Verdict::not_separable : Verdict::undecided;
    require(certificate_.verdict == follows, "the verdict does not follow from the claims");
    if (follows == Verdict::undecided && !certificate_.minimum)
      note("undecided: neither separable nor not separable is claimed");
  }

  // ---- words

  void note(std::string sentence) { checked_.push_back(std::move(sentence)); }
  std::uint64_t all_rows() const {
    std::uint64_t all = 0;
    for (const std::uint64_t rows : rows_) all += rows;
    return all;
  }

  const Certificate& certificate_;
  const Data& data_;
  Measurer& measurer_;
  std::vector<std::string>& checked_;
  Scale scale_;
  std::vector<CombinationMeter> combination_meters_;
  std::optional<CoefficientsCheck> coefficients_;
  std::vector<Facts> facts_;
  std::vector<MinimumSums> sums_of_minima_;
  std::vector<MinimumValues> minima_;
  std::vector<std::uint64_t> rows_;
  std::uint64_t excluded_rows_ = 0;
  mpq_class squared_radius_;
};

}  // namespace

Verification verify(const Certificate& certificate, Measurer& measurer) {
  Verification result;
  try {
    Verifier verifier(certificate, measurer, result.checked);
    verifier.run();
    result.valid = true;
    result.one_class = verifier.one_class();
    result.minima = verifier.minima();
  } catch (const NotValid& wrong) {
    result.reason = wrong.reason;
  }
  return result;
}

std::vector<MinimumValues> measured_minima(const Certificate& certificate, Measurer& measurer) {
  std::vector<std::string> checked;
  try {
    return Verifier(certificate, measurer, checked).values_of_minima();
  } catch (const NotValid& wrong) {
    throw Error(ErrorKind::data, "the data have changed: " + wrong.reason).fix("train again");
  }
}

Verification verify(const Certificate& certificate, const std::vector<std::string>& paths) {
  Verification result;
  result.reason = other_count(certificate, paths.size());
  if (!result.reason.empty()) return result;
  LocalMeasurer measurer(certificate, paths);
  try {
    return verify(certificate, measurer);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    for (std::uint32_t s = 0; s < paths.size() && result.reason.empty(); ++s)
      result.reason = other_file(certificate, paths[s], s).value_or("");
    if (result.reason.empty()) result.reason = unreadable(error);
  }
  return result;
}

std::vector<DataFile> describe_files(TextFormat format, const std::string& path) {
  std::vector<std::string> names = {path};
  if (format == TextFormat::idx) names.push_back(labels_beside(path));
  std::vector<DataFile> files;
  for (const std::string& name : names) {
    TextFile file(name);
    while (!file.bytes(std::size_t{1} << 16).empty()) {
    }
    files.push_back(file.description());
  }
  return files;
}

}  // namespace halfspace::proof
