// Certifies in four steps: load, decide, assemble, verify.
#include "halfspace/proof/certify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/version.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/temporary_text.h"
#include "proof/coefficients/certify_coefficients.h"
#include "proof/coefficients/witness_columns.h"
#include "proof/decide/assemble.h"
#include "proof/decide/decide.h"
#include "proof/decide/errors.h"
#include "proof/decide/kesler.h"
#include "proof/decide/load.h"
#include "proof/decide/weak.h"
#include "proof/large/resume.h"
#include "proof/large/row_passes.h"
#include "proof/large/streamed.h"
#include "proof/verify/exact_reader.h"

namespace halfspace {
namespace {

using proof::Budget;
using proof::Certificate;
using proof::Claim;
using proof::ClaimKind;
using proof::Problem;
using proof::Verdict;

std::chrono::microseconds duration_of(double seconds) {
  return std::chrono::microseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1e6));
}

class Certification {
 public:
  // `remote`: null, or who reads the data.
  explicit Certification(const CertifyOptions& options, proof::RemoteData* remote = nullptr)
      : options_(options), remote_(remote) {
    paths_.push_back(options.read.path);
    paths_.insert(paths_.end(), options.read.more.begin(), options.read.more.end());
    budget_.interrupt = options_.interrupt;
    if (remote_ != nullptr) budget_.on_check = &sign_of_life_;
    if (options_.seconds > 0) budget_.end = whole_begin_ + duration_of(options_.seconds);
  }

  CertifyResult run() {
    try {
      read();
    } catch (const proof::GaveUp& why) {
      return unread(why);
    }
    result_.seconds.read = seconds_since(whole_begin_);
    if (options_.seconds > 0) budget_.end -= duration_of(passes_of_a_check * loaded_.exact_seconds);
    budget_.memory = streamed_ ? streamed_->memory_of_search()
                               : options_.memory.memory - std::min(options_.memory.memory, bytes_of_points());
    begin_ = Clock::now();
    if (options_.resume) proof::refuse_other_question(*options_.resume, certificate());
    if (streamed_) {
      search_streamed();
    } else {
      if (options_.resume) resume();
      search();
    }
    result_.seconds.search = seconds_since(begin_);
    result_.verdict = certificate().verdict;
    check();
    result_.seconds.total = seconds_since(whole_begin_);
    return std::move(result_);
  }

 private:
  // Leaves time for the verifier, which reads the data twice and measures every claim, and for the exact length of a
  // combination of many rows, which bounds the margin of an undecided question.
  static constexpr double passes_of_a_check = 3;

  Certificate& certificate() { return result_.certificate; }

  // Loads the rows, or prepares to pass over them.
  void read() {
    if (remote_ != nullptr) {
      remote_->describe(loaded_, budget_);
      return stream();
    }
    try {
      load();
    } catch (const proof::GaveUp& why) {
      if (!why.for_memory) throw;
      stream();
    }
  }

  std::uint64_t bytes_of_points() const { return loaded_.points->bytes() + (many_ ? many_->points->bytes() : 0); }

  void resume() {
    known_ = proof::known_of(*options_.resume, problem_, *loaded_.points, many_ ? &*many_ : nullptr);
    start_ = proof::start_of(*options_.resume, known_);
  }

  void search() {
    proof::Decision decision = proof::decide(problem_, budget_, progress_, start_);
    verdict_seconds_ = seconds_since(begin_);
    result_.seconds.decide = verdict_seconds_;
    squared_radius_ = proof::squared_radius(problem_);
    result_.radius = proof::root_up(squared_radius_);
    if (decision.separator) {
      separable(*decision.separator);
    } else if (!decision.witness.empty()) {
      not_separable(decision.witness);
    } else {
      undecided(decision);
    }
    if (options_.coefficients) coefficients(decision);
  }

  // Finds which coefficients are infinite, from the verdict's proof.
  void coefficients(const proof::Decision& decision) {
    if (!decision.separator && decision.witness.empty()) return;
    proof::CoefficientQuestion question;
    question.problem = &problem_;
    question.order = proof::order_of_columns(problem_, certificate().data);
    if (decision.separator) question.separator = *decision.separator;
    question.witness = decision.witness;
    question.memory = {budget_.memory, options_.memory.folder};
    try {
      const proof::CoefficientFindings findings =
          proof::find_coefficients(question, budget_, [&](const char* stage) { progress_(stage, {}); });
      proof::add_coefficients(problem_, findings, certificate());
      result_.separation =
          proof::describe_separation(problem_, findings, certificate(), loaded_.schema.feature_names());
      proof::describe_near_aliases(problem_, findings, question.order, loaded_.schema.feature_names(), question.memory,
                                   budget_, *result_.separation);
    } catch (const proof::GaveUp&) {
    }
  }

  // Throws Error(usage) unless the question is one of coefficients.
  void check_coefficients() const {
    if (!options_.coefficients) return;
    if (paths_.size() > 1) {
      throw Error(ErrorKind::usage, "coefficients are examined in one file, not in several")
          .fix("join the files into one, keeping only the first header");
    }
    if (asked_.many()) {
      throw Error(ErrorKind::usage,
                  "coefficients are those of two classes; the data have " + std::to_string(loaded_.data.classes.size()))
          .fix("give rows of two classes");
    }
    const std::uint32_t count = loaded_.data.features + (asked_.biased ? 1 : 0);
    if (count > proof::most_coefficients) {
      throw Error(ErrorKind::usage, std::to_string(count) + " coefficients are too many: at most " +
                                        std::to_string(proof::most_coefficients) + " are examined")
          .fix("give fewer columns");
    }
    if (result_.rows == 0) throw Error(ErrorKind::data, "there is no row").at(options_.read.path);
  }

  void check() {
    const Clock::time_point begin = Clock::now();
    const proof::Verification verification =
        remote_ != nullptr ? remote_->verify(certificate()) : proof::verify(certificate(), paths_);
    if (!verification.valid && options_.resume)
      throw Error(ErrorKind::data, "the certificate to resume is wrong: " + verification.reason);
    if (!verification.valid) {
      throw Error(ErrorKind::internal, "a bug in Halfspace: its own certificate was rejected: " + verification.reason);
    }
    result_.seconds.verify = seconds_since(begin);
  }

  // Returns the result if time or memory ended before the data were read.
  CertifyResult unread(const proof::GaveUp& why) {
    result_ = {};
    result_.certified = result_.read_whole = false;
    result_.for_memory = why.for_memory;
    result_.rows = loaded_.rows_read;
    result_.margin_upper = result_.margin_upper_share = result_.radius = std::numeric_limits<double>::infinity();
    result_.seconds.read = result_.seconds.total = seconds_since(whole_begin_);
    return std::move(result_);
  }

  void load() {
    proof::load(options_.read, paths_, options_.memory, budget_, loaded_);
    describe_question(loaded_.points->size());
    posed_ = proof::pose(*loaded_.points, asked_, options_.memory, budget_);
    if (options_.record) record();
  }

  // Prepares to read the rows by passes, as their points exceed the memory.
  void stream() {
    loaded_.points.reset();
    posed_.many.reset();
    if (remote_ == nullptr) local_.emplace(proof::DescribedText{loaded_.data, loaded_.schema.labels}, paths_);
    streamed_.emplace(loaded_, remote_ != nullptr ? static_cast<proof::RowPasses&>(*remote_) : *local_,
                      options_.memory);
    streamed_->survey(loaded_, options_.resume ? proof::rows_of(*options_.resume) : std::vector<proof::RowPosition>(),
                      budget_);
    describe_question(streamed_->rows());
    if (options_.record) result_.feature_names = loaded_.schema.feature_names();
  }

  // Completes the description of the data by the classes and the bias.
  void describe_question(std::uint64_t rows) {
    proof::Data& data = loaded_.data;
    // A class without rows has no labels.
    for (proof::LabelGroup& group : data.classes) {
      if (group.rows == 0) group.labels.clear();
    }
    std::int32_t positive = 1;
    if (data.classes.size() < 2) {
      // One class: it is the positive one, unless its number is 0.
      const bool negative =
          !data.classes.empty() && !data.classes[0].labels.empty() && negative_number(data.classes[0].labels[0]);
      if (!negative) positive = 0;
      if (negative) {
        data.classes.emplace_back();
      } else {
        data.classes.insert(data.classes.begin(), 2 - data.classes.size(), proof::LabelGroup{});
      }
    }
    data.bias = options_.bias;
    if (options_.bias == proof::BiasPosition::none)
      result_.errors_tie = options_.tie == Tie::negative ? Tie::negative : Tie::positive;
    const auto scale = proof::parse_decimal(options_.bias_scale);
    if (!scale || scale->value() <= 0 || std::abs(scale->exponent) > 1000) {
      throw Error(ErrorKind::usage, "the bias scale must be a decimal above 0, not '" + options_.bias_scale + "'")
          .fix("1 is the default");
    }
    const bool biased = options_.bias != proof::BiasPosition::none;
    const mpq_class bias_scale = biased ? scale->value() : mpq_class(1);
    data.bias_scale = bias_scale.get_str();
    asked_ = {static_cast<std::uint32_t>(data.classes.size()), positive, biased, bias_scale};
    if (asked_.many()) certificate().question = proof::Question::many_classes;
    certificate().tool = std::string("halfspace ") + kVersion;
    certificate().data = data;
    result_.rows = rows;
    result_.features = data.features;
    result_.one_class = result_.rows > 0 && std::any_of(data.classes.begin(), data.classes.end(),
                                                        [&](const auto& group) { return group.rows == result_.rows; });
    check_coefficients();
  }

  void record() {
    result_.feature_names = loaded_.schema.feature_names();
    if (result_.features != 2 || many_) return;
    proof::Problem data;
    data.points = loaded_.points.get();
    for (const std::uint32_t i : spread_rows()) {
      PlanePoint point{loaded_.points->klass(i), 0, 0};
      loaded_.points->each(i, [&](std::uint32_t j, const mpz_class& value) {
        (loaded_.points->feature(j) == 0 ? point.x : point.y) = mpq_class(value * data.unit(j)).get_d();
      });
      result_.plane.push_back(point);
    }
  }

  proof::Separator shown(const std::vector<mpz_class>& v) const { return proof::shown_separator(posed_, v); }
  proof::Combination shown(const proof::WeightedMembers& weights) const {
    return proof::shown_combination(posed_, *loaded_.points, weights);
  }

  static bool negative_number(const std::string& label) {
    const auto number = proof::parse_decimal(label);
    return number && number->value() <= 0;
  }

  double extra_seconds() const {
    return options_.extra_seconds > 0 ? std::max(options_.extra_seconds, verdict_seconds_) : 0.0;
  }

  // Returns true if there is time for another step after the verdict.
  Budget extra() const {
    Budget part = budget_;
    part.end = std::min(budget_.end, Clock::now() + duration_of(extra_seconds()));
    return part;
  }

  std::uint32_t add(proof::Separator separator) {
    certificate().separators.push_back(std::move(separator));
    return static_cast<std::uint32_t>(certificate().separators.size() - 1);
  }
  std::uint32_t add(proof::Combination combination) {
    certificate().combinations.push_back(std::move(combination));
    return static_cast<std::uint32_t>(certificate().combinations.size() - 1);
  }
  void claim(ClaimKind kind, std::uint32_t by, std::string count = "0") {
    Claim claim;
    claim.kind = kind;
    claim.by = by;
    claim.count = std::move(count);
    certificate().claims.push_back(std::move(claim));
  }

  void separable(const std::vector<mpz_class>& found) {
    certificate().verdict = Verdict::separable;
    const proof::Margin margin =
        problem_.size() == 0 ? proof::Margin{found, {}} : proof::tighten(problem_, found, extra(), progress_, start_);
    if (problem_.size() == 0) {
      claim(ClaimKind::separable, add(shown(margin.separator)));
      result_.mistake_bound = "0";
      return;
    }
    claim_separator(shown(margin.separator));
    if (!margin.near.empty()) bound_margin({margin.near});
    if (options_.record) record_margins(margin);
  }

  // Measures the margins of the rows that hold the margin, and of rows spread over the data.
  void record_margins(const proof::Margin& margin) {
    const proof::DataWeights weights = proof::in_data_coordinates(problem_, margin.separator);
    const mpq_class square = weights.factor * weights.factor / weights.squared_norm();
    const auto of = [&](std::uint32_t member) {
      mpz_class score = 0;
      problem_.each(member, [&](std::uint32_t j, const mpz_class& value) { score += value * margin.separator[j]; });
      return proof::root_down(mpq_class(score * score) * square);
    };
    result_.support = described(margin.near);
    for (std::size_t k = 0; k < margin.near.size(); ++k) result_.support[k].margin = of(margin.near[k].member);
    if (many_) return;
    for (const std::uint32_t i : spread_rows())
      result_.margins.push_back({loaded_.points->klass(problem_.members[i].row), of(i)});
  }

  // Returns at most 1,000 rows, evenly spread over the data.
  std::vector<std::uint32_t> spread_rows() const {
    constexpr std::uint64_t most = 1000;
    const std::uint64_t rows = result_.rows, kept = std::min(rows, most);
    std::vector<std::uint32_t> list;
    for (std::uint64_t k = 0; k < kept; ++k) list.push_back(static_cast<std::uint32_t>(k * rows / kept));
    return list;
  }

  // Claims the bounds of these combinations: none is above that of the resumed certificate.
  void bound_margin(std::vector<proof::WeightedMembers> near) {
    const std::size_t found = near.size();
    if (!start_.near.empty()) near.push_back(start_.near.front());
    std::vector<Bound> bounds;
    for (std::size_t k = 0; k < near.size(); ++k) {
      proof::Combination combination = shown(near[k]);
      const mpq_class square(combination.squared_distance);
      const auto covers = [&](const auto& bound) { return bound.first <= square; };
      if (square == 0 || (k >= found && std::any_of(bounds.begin(), bounds.end(), covers))) continue;
      bounds.emplace_back(square, std::move(combination));
    }
    claim_bounds(std::move(bounds));
  }

  // The square of a bound on the margin, and what proves it.
  using Bound = std::pair<mpq_class, proof::Combination>;

  // The least first.
  void claim_bounds(std::vector<Bound> bounds) {
    std::stable_sort(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (!bounds.empty()) {
      result_.margin_upper = proof::root_up(bounds.front().first);
      result_.margin_upper_share = proof::root_up(bounds.front().first / squared_radius_);
    }
    for (auto& [square, combination] : bounds) claim(ClaimKind::margin_at_most, add(std::move(combination)));
  }

  void not_separable(const proof::WeightedMembers& witness) {
    certificate().verdict = Verdict::not_separable;
    const std::uint32_t by = add(shown(witness));
    claim(ClaimKind::not_separable, by);
    result_.witness = described(witness);
    if (options_.record) record_columns(witness);
    if (many_) {
      result_.errors_lower = forces_error_of_many(witness) ? 1 : 0;
      result_.errors_upper = result_.rows;
      return;
    }
    progress_("further results", {});
    weak(witness);
    errors(witness);
  }

  // Returns whether predictions err on a row of a witness of many classes. Without a bias equal scores must not be able
  // to save it, whichever of two classes they predict.
  bool forces_error_of_many(const proof::WeightedMembers& witness) const {
    if (asked_.biased) return true;
    bool lower = false, higher = false;
    for (const proof::WeightedMember& w : witness) {
      const auto& origin = many_->origins[w.member];
      const bool below = static_cast<std::int64_t>(origin.rival) < many_->rows->klass(origin.row);
      (below ? lower : higher) = true;
    }
    return lower && higher;
  }

  // Decides rule A and closed half-spaces, which may hold if the witness has rows of one sign only.
  void weak(const proof::WeightedMembers& witness) {
    const bool negative = std::any_of(witness.begin(), witness.end(),
                                      [this](const auto& w) { return problem_.members[w.member].sign < 0; });
    const Budget part = extra();
    if (negative) {
      claim(ClaimKind::not_rule_a, 0);
      result_.rule_a = false;
    } else if (keep(ClaimKind::rule_a)) {
      result_.rule_a = true;
    } else if (keep(ClaimKind::not_rule_a)) {
      result_.rule_a = false;
    } else if (const auto answer = proof::decide_half_open(problem_, -1, witness, part)) {
      result_.rule_a = answer->witness.empty();
      if (answer->witness.empty()) {
        claim(ClaimKind::rule_a, add(proof::certificate_separator(problem_, answer->separator)));
        rule_a_weights_ = answer->separator;
      } else {
        claim(ClaimKind::not_rule_a, add(proof::certificate_combination(problem_, answer->witness)));
      }
    }
    if (keep(ClaimKind::closed_half_space)) {
      result_.closed_half_space = true;
      return;
    }
    const proof::ClosedHalfSpace closed = proof::decide_closed_half_space(problem_, witness, part);
    if (closed.known) result_.closed_half_space = closed.separator.has_value();
    if (closed.separator)
      claim(ClaimKind::closed_half_space, add(proof::certificate_separator(problem_, *closed.separator)));
  }

  // Repeats a claim of the resumed certificate, if it has it; the verifier checks it.
  bool keep(ClaimKind kind) {
    const auto by = options_.resume ? proof::claimed(*options_.resume, kind) : std::nullopt;
    if (!by) return false;
    claim(kind,
          kind == ClaimKind::not_rule_a ? add(shown(known_.combinations[*by])) : add(shown(known_.separators[*by])));
    return true;
  }

  void errors(const proof::WeightedMembers& witness) {
    proof::FewestErrors fewest = proof::fewest_errors(problem_, options_.tie, witness, extra(), known_errors());
    // A certificate states errors by tie rules A and B alone.
    if (options_.resume && (asked_.biased || options_.tie != Tie::negative))
      proof::keep_lower_bound(*options_.resume, known_, error_rule(), fewest);
    claim_errors(fewest, proof::certificate_separator(problem_, fewest.weights));
  }

  // The rule by which the certificate counts errors. Errors that are forced where a score of 0 is negative are forced
  // by rule B, too.
  proof::ErrorRule error_rule() const {
    return asked_.biased || options_.tie == Tie::negative ? proof::ErrorRule::b : proof::ErrorRule::a;
  }

  void claim_errors(const proof::FewestErrors& fewest, proof::Separator weights) {
    result_.errors_lower = fewest.lower;
    result_.errors_upper =
        proof::errors_of(problem_, options_.tie, weights.wrong, weights.zero_negative, weights.zero_positive);
    Claim lower;
    lower.kind = ClaimKind::errors_at_least;
    lower.tie = error_rule();
    lower.count = std::to_string(fewest.lower);
    lower.tree = fewest.tree;
    std::vector<std::uint32_t> position;
    for (const proof::WeightedMembers& found : fewest.witnesses)
      position.push_back(add(proof::certificate_combination(problem_, found)));
    proof::renumber(lower.tree, position);
    if (fewest.lower > 0) certificate().claims.push_back(std::move(lower));
    Claim upper;
    upper.kind = ClaimKind::errors_at_most;
    upper.tie = error_rule();
    upper.count = std::to_string(upper.tie == proof::ErrorRule::a
                                     ? result_.errors_upper
                                     : weights.wrong + weights.zero_negative + weights.zero_positive);
    upper.by = add(std::move(weights));
    certificate().claims.push_back(std::move(upper));
  }

  proof::KnownErrors known_errors() const {
    proof::KnownErrors known;
    if (options_.resume) known = proof::known_errors(*options_.resume, known_);
    const std::vector<mpz_class> given = known_weights();
    if (!given.empty()) known.weights.push_back(given);
    if (!rule_a_weights_.empty()) known.weights.push_back(rule_a_weights_);
    return known;
  }

  // Returns the given weights in integer coordinates, with the same scores.
  std::vector<mpz_class> known_weights() const {
    const auto finite = [](double weight) { return std::isfinite(weight); };
    if (options_.weights.empty() || !std::isfinite(options_.weights_bias) ||
        !std::all_of(options_.weights.begin(), options_.weights.end(), finite))
      return {};
    std::vector<double> w(problem_.dimension(), 0.0);
    for (std::uint32_t j = 0; j < problem_.points->features(); ++j) {
      const std::uint32_t feature = problem_.points->feature(j);
      if (feature < options_.weights.size()) w[j] = options_.weights[feature] * problem_.unit(j).get_d();
    }
    if (problem_.biased) w.back() = options_.weights_bias;
    return std::all_of(w.begin(), w.end(), finite) ? proof::round_weights(w, 53) : std::vector<mpz_class>();
  }

  void record_columns(const proof::WeightedMembers& witness) {
    constexpr std::size_t most = 24;
    const std::uint32_t width = loaded_.points->features() + (problem_.biased || (many_ && many_->biased) ? 1U : 0U);
    const auto name = [&](std::uint32_t j) {
      // The coordinates of many classes are those of the data, a copy for each class.
      const std::uint32_t coordinate = many_ ? problem_.points->feature(j) : j;
      const std::uint32_t own = coordinate % width;
      const std::string column = own == loaded_.points->features()
                                     ? "bias"
                                     : feature_name(loaded_.points->feature(own), result_.feature_names);
      return many_ ? column + " of " + loaded_.schema.labels.names[coordinate / width] : column;
    };
    result_.columns = proof::witness_columns(problem_, witness, most, name, result_.witness_columns);
  }

  static std::string feature_name(std::uint32_t feature, const std::vector<std::string>& names) {
    return feature < names.size() ? names[feature] : std::to_string(feature + 1);
  }

  std::vector<WitnessRow> described(const proof::WeightedMembers& witness) const {
    std::vector<WitnessRow> list;
    const std::vector<std::string> names = loaded_.schema.feature_names();
    mpz_class total = 0;
    for (const auto& w : witness) total += w.weight;
    for (const auto& [member, weight] : witness) {
      const std::uint32_t i = many_ ? many_->origins[member].row : problem_.members[member].row;
      WitnessRow row;
      row.row = loaded_.points->row(i);
      if (const std::vector<proof::DataSource>& sources = result_.certificate.data.sources; sources.size() > 1)
        row.file = sources[loaded_.points->source(i)].files.front().name;
      const std::size_t klass = static_cast<std::size_t>(loaded_.points->klass(i));
      row.label = loaded_.schema.labels.names[klass];
      if (many_) row.rival = loaded_.schema.labels.names[many_->origins[member].rival];
      row.weight = std::to_string(mpq_class(weight, total).get_d());
      loaded_.points->each(i, [&](std::uint32_t j, const mpz_class& value) {
        proof::Problem data;
        data.points = loaded_.points.get();
        row.values.emplace_back(feature_name(loaded_.points->feature(j), names),
                                mpq_class(value * data.unit(j)).get_d());
      });
      list.push_back(std::move(row));
    }
    return list;
  }

  void undecided(const proof::Decision& decision) {
    certificate().verdict = Verdict::undecided;
    result_.for_memory = decision.for_memory;
    bound_margin(decision.near);
    bound_errors_by_rows();
  }

  // With a bias, weights of 0 are right on the larger class.
  void bound_errors_by_rows() {
    result_.errors_upper = result_.rows;
    if (!asked_.many() && asked_.biased)
      result_.errors_upper = std::min(certificate().data.classes[0].rows, certificate().data.classes[1].rows);
  }

  void search_streamed() {
    proof::StreamedDecision decision = streamed_->decide(asked_, options_.resume ? &*options_.resume : nullptr,
                                                         options_.extra_seconds, budget_, progress_);
    verdict_seconds_ = result_.seconds.decide = decision.seconds;
    squared_radius_ = streamed_->squared_radius(asked_);
    result_.radius = proof::root_up(squared_radius_);
    loaded_.points = std::move(decision.points);
    posed_ = std::move(decision.posed);
    if (decision.separator) {
      certificate().verdict = Verdict::separable;
      claim_separator(*decision.separator);
    } else if (!decision.witness.empty()) {
      not_separable_streamed(decision);
    } else {
      certificate().verdict = Verdict::undecided;
      result_.for_memory = decision.for_memory;
      bound_errors_by_rows();
    }
    std::vector<Bound> bounds;
    if (decision.witness.empty()) {
      for (proof::Combination& near : decision.near)
        bounds.emplace_back(mpq_class(near.squared_distance), std::move(near));
    }
    claim_bounds(std::move(bounds));
  }

  // Claims a separator of all rows and what follows from it.
  void claim_separator(const proof::Separator& separator) {
    const std::uint32_t by = add(separator);
    claim(ClaimKind::separable, by);
    result_.mistake_bound = proof::mistake_bound(squared_radius_, separator).get_str();
    claim(ClaimKind::mistakes_at_most, by, *result_.mistake_bound);
    const mpq_class minimum(separator.minimum), norm(separator.squared_norm);
    result_.margin_lower = proof::root_down(minimum * minimum / norm);
  }

  // Claims what is known without more passes: one error at least, and at most those of a separator that was priced or of
  // the bias alone.
  void not_separable_streamed(const proof::StreamedDecision& decision) {
    certificate().verdict = Verdict::not_separable;
    claim(ClaimKind::not_separable, add(shown(decision.witness)));
    result_.witness = described(decision.witness);
    if (options_.record) record_columns(decision.witness);
    bound_errors_by_rows();
    result_.errors_lower = !asked_.many() || forces_error_of_many(decision.witness) ? 1 : 0;
    if (asked_.many()) return;
    const bool negative = std::any_of(decision.witness.begin(), decision.witness.end(),
                                      [this](const auto& w) { return problem_.members[w.member].sign < 0; });
    if (negative) {
      claim(ClaimKind::not_rule_a, 0);
      result_.rule_a = false;
    }
    proof::FewestErrors fewest;
    if (proof::forces_error(problem_, options_.tie, decision.witness)) {
      fewest.lower = 1;
      fewest.witnesses = {decision.witness};
      fewest.tree.packing = {0};
    }
    claim_errors(fewest, decision.fewest ? *decision.fewest : proof::bias_alone(certificate().data));
  }

  const CertifyOptions& options_;
  proof::RemoteData* const remote_;
  const std::function<void()> sign_of_life_ = [this] { remote_->sign_of_life(); };
  std::vector<std::string> paths_;
  proof::Loaded loaded_;
  proof::Known known_;  // of the certificate to resume
  proof::Start start_;
  mpq_class squared_radius_;
  std::optional<proof::LocalPasses> local_;
  std::optional<proof::Streamed> streamed_;  // the points exceed the memory: `loaded_` has some of the rows
  proof::Asked asked_;
  proof::Posed posed_;
  const std::optional<proof::Kesler>& many_ = posed_.many;
  const Problem& problem_ = posed_.problem;
  std::vector<mpz_class> rule_a_weights_;  // right on all rows if a score of 0 is positive
  Budget budget_;
  const Clock::time_point whole_begin_ = Clock::now();
  Clock::time_point begin_;  // start of the search
  const std::function<void(const char*, proof::Bracket)> progress_ = [this](const char* stage, proof::Bracket bracket) {
    if (options_.on_progress) options_.on_progress({stage, bracket.lower, bracket.upper, seconds_since(begin_)});
  };
  double verdict_seconds_ = 0;
  CertifyResult result_;
};

}  // namespace

CertifyResult proof::certify_remote(const CertifyOptions& options, RemoteData& data) {
  return Certification(options, &data).run();
}

CertifyResult certify(const CertifyOptions& options) {
  if (!proof::TemporaryText::needed(options.read)) return Certification(options).run();
  const proof::TemporaryText text(options.read, options.memory.folder);
  CertifyOptions of_file = options;
  of_file.read = text.read();
  return Certification(of_file).run();
}

}  // namespace halfspace
