// Certifies in four steps: load, decide, assemble, verify.
#include "halfspace/proof/certify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/certify_record.h"
#include "proof/certify/question.h"
#include "proof/certify/temporary_text.h"
#include "proof/coefficients/certify_coefficients.h"
#include "proof/decide/assemble.h"
#include "proof/decide/claims.h"
#include "proof/decide/decide.h"
#include "proof/decide/errors.h"
#include "proof/decide/weak.h"
#include "proof/large/resume.h"

namespace halfspace {
namespace {

using proof::Budget;
using proof::Certificate;
using proof::ClaimKind;
using proof::Problem;
using proof::Verdict;

std::chrono::microseconds duration_of(double seconds) {
  return std::chrono::microseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1e6));
}

// Returns the result if time or memory ended before the data were read.
CertifyResult unread(const proof::GaveUp& why, std::uint64_t rows, double seconds) {
  CertifyResult result;
  result.certified = result.read_whole = false;
  result.for_memory = why.for_memory;
  result.rows = rows;
  result.margin_upper = result.margin_upper_share = result.radius = std::numeric_limits<double>::infinity();
  result.seconds.read = result.seconds.total = seconds;
  return result;
}

bool has_negative_row(const Problem& problem, const proof::WeightedMembers& witness) {
  return std::any_of(witness.begin(), witness.end(),
                     [&](const proof::WeightedMember& w) { return problem.members[w.member].sign < 0; });
}

// Returns whether predictions err on a row of a witness of many classes. Without a bias equal scores must not be able
// to save it, whichever of two classes they predict.
bool forces_error_of_many(const proof::QuestionData& question, const proof::WeightedMembers& witness) {
  if (question.asked.biased) return true;
  bool lower = false, higher = false;
  for (const proof::WeightedMember& w : witness) {
    const auto& origin = question.many()->origins[w.member];
    const bool below = static_cast<std::int64_t>(origin.rival) < question.many()->rows->klass(origin.row);
    (below ? lower : higher) = true;
  }
  return lower && higher;
}

// The rule by which the certificate counts errors. Errors that are forced where a score of 0 is negative are forced
// by rule B, too.
proof::ErrorRule rule_of_errors(bool biased, Tie tie) {
  return biased || tie == Tie::negative ? proof::ErrorRule::b : proof::ErrorRule::a;
}

// Returns the given weights in integer coordinates, with the same scores.
std::vector<mpz_class> given_weights(const CertifyOptions& options, const Problem& problem) {
  const auto finite = [](double weight) { return std::isfinite(weight); };
  if (options.weights.empty() || !std::isfinite(options.weights_bias) ||
      !std::all_of(options.weights.begin(), options.weights.end(), finite))
    return {};
  std::vector<double> w(problem.dimension(), 0.0);
  for (std::uint32_t j = 0; j < problem.points->features(); ++j) {
    const std::uint32_t feature = problem.points->feature(j);
    if (feature < options.weights.size()) w[j] = options.weights[feature] * problem.unit(j).get_d();
  }
  if (problem.biased) w.back() = options.weights_bias;
  return std::all_of(w.begin(), w.end(), finite) ? proof::round_weights(w, 53) : std::vector<mpz_class>();
}

// With a bias, weights of 0 are right on the larger class.
std::uint64_t most_errors(const proof::QuestionData& question, std::uint64_t rows) {
  if (question.asked.many() || !question.asked.biased) return rows;
  const std::vector<proof::LabelGroup>& classes = question.loaded.data.classes;
  return std::min(classes[0].rows, classes[1].rows);
}

// Finds which coefficients are infinite, from the verdict's proof.
void coefficients(const proof::Decision& decision, const proof::QuestionData& asked, const RowsOptions& memory,
                  const Budget& budget, const std::function<void(const char*, proof::Bracket)>& progress,
                  CertifyResult& result) {
  if (!decision.separator && decision.witness.empty()) return;
  const Problem& problem = asked.posed.problem;
  proof::CoefficientQuestion question;
  question.problem = &problem;
  question.order = proof::order_of_columns(problem, result.certificate.data);
  if (decision.separator) question.separator = *decision.separator;
  question.witness = decision.witness;
  question.memory = memory;
  try {
    const proof::CoefficientFindings findings =
        proof::find_coefficients(question, budget, [&](const char* stage) { progress(stage, {}); });
    const std::vector<std::string> names = asked.loaded.schema.feature_names();
    proof::add_coefficients(problem, findings, result.certificate);
    result.separation = proof::describe_separation(problem, findings, result.certificate, names);
    proof::describe_near_aliases(problem, findings, question.order, names, memory, budget, *result.separation);
  } catch (const proof::GaveUp&) {
  }
}

class Certification {
 public:
  // `remote`: null, or who reads the data.
  explicit Certification(const CertifyOptions& options, proof::RemoteData* remote = nullptr)
      : options_(options), question_(options.read, remote) {
    budget_.interrupt = options_.interrupt;
    if (remote != nullptr) budget_.on_check = &sign_of_life_;
    if (options_.seconds > 0) budget_.end = whole_begin_ + duration_of(options_.seconds);
  }

  CertifyResult run() {
    try {
      proof::read_question(options_, budget_, question_, result_);
      result_.seconds.read = seconds_since(whole_begin_);
      if (options_.seconds > 0) budget_.end -= duration_of(passes_of_a_check * question_.loaded.exact_seconds);
      if (options_.resume) proof::refuse_other_question(*options_.resume, certificate());
      begin_ = Clock::now();
      if (!question_.streamed) pose();
    } catch (const proof::GaveUp& why) {
      return unread(why, question_.loaded.rows_read, seconds_since(whole_begin_));
    }
    if (question_.streamed) {
      budget_.memory = question_.streamed->memory_of_search();
      search_streamed();
    } else {
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

  void leave_memory_of_points() {
    budget_.memory = options_.memory.memory - std::min(options_.memory.memory, question_.bytes_of_points());
  }

  void pose() {
    leave_memory_of_points();
    Budget whole = budget_;
    if (options_.seconds > 0) whole.end = whole_begin_ + duration_of(options_.seconds);
    proof::Opening opening = proof::pose_question(options_, budget_, whole, progress_, question_, result_);
    if (question_.streamed) return;
    leave_memory_of_points();
    start_.witness = std::move(opening.witness);
    near_pair_ = std::move(opening.near);
    if (options_.resume) resume();
  }

  void resume() {
    known_ = proof::known_of(*options_.resume, problem_, *question_.loaded.points, question_.many());
    start_ = proof::start_of(*options_.resume, known_);
  }

  void search() {
    proof::Decision decision;
    if (near_pair_.empty()) {
      decision = proof::decide(problem_, budget_, progress_, start_);
    } else {
      decision.near = {near_pair_};
    }
    verdict_seconds_ = seconds_since(begin_);
    result_.seconds.decide = verdict_seconds_;
    squared_radius_ = proof::squared_radius(*question_.loaded.points, question_.asked);
    result_.radius = proof::root_up(squared_radius_);
    if (decision.separator) {
      separable(*decision.separator);
    } else if (!decision.witness.empty()) {
      not_separable(decision.witness);
    } else {
      undecided(decision);
    }
    if (options_.coefficients)
      coefficients(decision, question_, {budget_.memory, options_.memory.folder}, budget_, progress_, result_);
  }

  void check() {
    const Clock::time_point begin = Clock::now();
    const proof::Verification verification = question_.remote != nullptr
                                                 ? question_.remote->verify(certificate())
                                                 : proof::verify(certificate(), question_.paths);
    if (!verification.valid && options_.resume)
      throw Error(ErrorKind::data, "the certificate to resume is wrong: " + verification.reason);
    if (!verification.valid) {
      throw Error(ErrorKind::internal, "a bug in Halfspace: its own certificate was rejected: " + verification.reason);
    }
    result_.seconds.verify = seconds_since(begin);
  }

  std::uint32_t add(proof::Separator separator) { return proof::add(certificate(), std::move(separator)); }
  std::uint32_t add(proof::Combination combination) { return proof::add(certificate(), std::move(combination)); }
  void claim(ClaimKind kind, std::uint32_t by) { proof::claim(certificate(), kind, by); }
  proof::Separator shown(const std::vector<mpz_class>& v) const { return proof::shown_separator(question_.posed, v); }
  proof::Combination shown(const proof::WeightedMembers& weights) const {
    return proof::shown_combination(question_.posed, *question_.loaded.points, weights);
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

  void separable(const std::vector<mpz_class>& found) {
    certificate().verdict = Verdict::separable;
    const proof::Margin margin =
        problem_.size() == 0 ? proof::Margin{found, {}} : proof::tighten(problem_, found, extra(), progress_, start_);
    if (problem_.size() == 0) {
      claim(ClaimKind::separable, add(shown(margin.separator)));
      result_.mistake_bound = "0";
      return;
    }
    proof::claim_separator(shown(margin.separator), proof::squared_length_of_points(squared_radius_, question_.asked),
                           result_);
    if (!margin.near.empty()) bound_margin({margin.near});
    if (options_.record) proof::record_margins(question_, margin, result_);
  }

  // Claims the bounds of these combinations: none is above that of the resumed certificate.
  void bound_margin(std::vector<proof::WeightedMembers> near) {
    const std::size_t found = near.size();
    if (!start_.near.empty()) near.push_back(start_.near.front());
    std::vector<proof::MarginBound> bounds;
    for (std::size_t k = 0; k < near.size(); ++k) {
      proof::Combination combination = shown(near[k]);
      const mpq_class square(combination.squared_distance);
      const auto covers = [&](const auto& bound) { return bound.first <= square; };
      if (square == 0 || (k >= found && std::any_of(bounds.begin(), bounds.end(), covers))) continue;
      bounds.emplace_back(square, std::move(combination));
    }
    proof::claim_margin_bounds(std::move(bounds), squared_radius_, result_);
  }

  void not_separable(const proof::WeightedMembers& witness) {
    certificate().verdict = Verdict::not_separable;
    const std::uint32_t by = add(shown(witness));
    claim(ClaimKind::not_separable, by);
    result_.witness = proof::described_rows(question_, witness);
    if (options_.record) proof::record_columns(question_, witness, result_);
    if (question_.posed.many) {
      result_.errors_lower = forces_error_of_many(question_, witness) ? 1 : 0;
      result_.errors_upper = result_.rows;
      return;
    }
    progress_("further results", {});
    weak(witness);
    errors(witness);
  }

  // Decides rule A and closed half-spaces, which may hold if the witness has rows of one sign only.
  void weak(const proof::WeightedMembers& witness) {
    const Budget part = extra();
    if (has_negative_row(problem_, witness)) {
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
    if (options_.resume && (question_.asked.biased || options_.tie != Tie::negative))
      proof::keep_lower_bound(*options_.resume, known_, rule_of_errors(question_.asked.biased, options_.tie), fewest);
    proof::claim_errors(problem_, options_.tie, rule_of_errors(question_.asked.biased, options_.tie), fewest,
                        proof::certificate_separator(problem_, fewest.weights), result_);
  }

  proof::KnownErrors known_errors() const {
    proof::KnownErrors known;
    if (options_.resume) known = proof::known_errors(*options_.resume, known_);
    const std::vector<mpz_class> given = given_weights(options_, problem_);
    if (!given.empty()) known.weights.push_back(given);
    if (!rule_a_weights_.empty()) known.weights.push_back(rule_a_weights_);
    return known;
  }

  void undecided(const proof::Decision& decision) {
    certificate().verdict = Verdict::undecided;
    result_.for_memory = decision.for_memory;
    bound_margin(decision.near);
    result_.errors_upper = most_errors(question_, result_.rows);
  }

  void search_streamed() {
    proof::StreamedDecision decision = question_.streamed->decide(
        question_.asked, options_.resume ? &*options_.resume : nullptr, options_.extra_seconds, budget_, progress_);
    verdict_seconds_ = result_.seconds.decide = decision.seconds;
    squared_radius_ = question_.streamed->squared_radius(question_.asked);
    result_.radius = proof::root_up(squared_radius_);
    question_.loaded.points = std::move(decision.points);
    question_.posed = std::move(decision.posed);
    if (decision.separator) {
      certificate().verdict = Verdict::separable;
      proof::claim_separator(*decision.separator, proof::squared_length_of_points(squared_radius_, question_.asked),
                             result_);
    } else if (!decision.witness.empty()) {
      not_separable_streamed(decision);
    } else {
      certificate().verdict = Verdict::undecided;
      result_.for_memory = decision.for_memory;
      result_.errors_upper = most_errors(question_, result_.rows);
    }
    std::vector<proof::MarginBound> bounds;
    if (decision.witness.empty()) {
      for (proof::Combination& near : decision.near)
        bounds.emplace_back(mpq_class(near.squared_distance), std::move(near));
    }
    proof::claim_margin_bounds(std::move(bounds), squared_radius_, result_);
  }

  // Claims what is known without more passes: one error at least, and at most those of a separator that was priced or of
  // the bias alone.
  void not_separable_streamed(const proof::StreamedDecision& decision) {
    certificate().verdict = Verdict::not_separable;
    claim(ClaimKind::not_separable, add(shown(decision.witness)));
    result_.witness = proof::described_rows(question_, decision.witness);
    if (options_.record) proof::record_columns(question_, decision.witness, result_);
    result_.errors_upper = most_errors(question_, result_.rows);
    result_.errors_lower = !question_.asked.many() || forces_error_of_many(question_, decision.witness) ? 1 : 0;
    if (question_.asked.many()) return;
    if (has_negative_row(problem_, decision.witness)) {
      claim(ClaimKind::not_rule_a, 0);
      result_.rule_a = false;
    }
    proof::FewestErrors fewest;
    if (proof::forces_error(problem_, options_.tie, decision.witness)) {
      fewest.lower = 1;
      fewest.witnesses = {decision.witness};
      fewest.tree.packing = {0};
    }
    proof::claim_errors(problem_, options_.tie, rule_of_errors(question_.asked.biased, options_.tie), fewest,
                        decision.fewest ? *decision.fewest : proof::bias_alone(certificate().data), result_);
  }

  const CertifyOptions& options_;
  proof::QuestionData question_;
  const std::function<void()> sign_of_life_ = [this] { question_.remote->sign_of_life(); };
  proof::Known known_;  // of the certificate to resume
  proof::Start start_;
  proof::WeightedMembers near_pair_;  // all that is known of a multiclass question, if time ended among its pairs
  mpq_class squared_radius_;
  const Problem& problem_ = question_.posed.problem;
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
