// Load, decide, assemble, verify.
#include "halfspace/certify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/version.h"
#include "halfspace/verify.h"
#include "proof/assemble.h"
#include "proof/decide.h"
#include "proof/errors.h"
#include "proof/load.h"
#include "proof/verify/exact_reader.h"
#include "proof/weak.h"

namespace halfspace {
namespace {

using proof::Certificate;
using proof::Claim;
using proof::ClaimKind;
using proof::Deadline;
using proof::Problem;
using proof::Verdict;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// More time for extras than this share of what the verdict took would be felt.
Deadline extra(const Deadline& deadline, Clock::time_point begin, double share, double least) {
  Deadline part = deadline;
  const double seconds = std::max(least, share * seconds_since(begin));
  part.end = std::min(deadline.end, Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6)));
  return part;
}

class Certification {
 public:
  explicit Certification(const CertifyOptions& options) : options_(options) {}

  CertifyResult run() {
    const Clock::time_point begin = Clock::now();
    load();
    result_.seconds.read = seconds_since(begin);
    begin_ = Clock::now();
    deadline_.interrupt = options_.interrupt;
    if (options_.seconds > 0) deadline_.end = begin_ + std::chrono::microseconds(static_cast<std::int64_t>(std::min(options_.seconds, 1e9) * 1e6));
    const auto progress = [this](const char* stage, proof::Bracket bracket) {
      if (options_.on_progress) options_.on_progress({stage, bracket.lower, bracket.upper, seconds_since(begin_)});
    };
    proof::Decision decision = proof::decide(problem_, deadline_, progress);
    result_.radius = proof::root_up(proof::squared_radius(problem_));
    if (decision.separator) {
      separable(*decision.separator, progress);
    } else if (!decision.witness.empty()) {
      not_separable(decision.witness, progress);
    } else {
      undecided(decision);
    }
    result_.seconds.search = seconds_since(begin_);
    const Clock::time_point check = Clock::now();
    const proof::Verification verification = proof::verify(certificate(), {options_.read.path});
    if (!verification.valid) {
      throw Error(ErrorKind::internal, "a bug in Halfspace: its own certificate was refused: " + verification.reason);
    }
    result_.verdict = certificate().verdict;
    result_.seconds.verify = seconds_since(check);
    result_.seconds.total = seconds_since(begin);
    return std::move(result_);
  }

 private:
  Certificate& certificate() { return result_.certificate; }

  void load() {
    loaded_ = proof::load(options_.read, {options_.read.path}, options_.memory);
    proof::Data& data = loaded_.data;
    if (data.classes.size() > 2) {
      throw Error(ErrorKind::usage, "the data has " + std::to_string(data.classes.size()) + " classes, and separability is asked of two");
    }
    // A class nobody belongs to has no labels.
    for (proof::LabelGroup& group : data.classes) {
      if (group.rows == 0) group.labels.clear();
    }
    std::int32_t positive = 1;
    if (data.classes.size() < 2) {
      // One class: it is the positive one, unless its number says otherwise.
      const bool negative = !data.classes.empty() && !data.classes[0].labels.empty() && negative_number(data.classes[0].labels[0]);
      if (!negative) positive = 0;
      if (negative) {
        data.classes.emplace_back();
      } else {
        data.classes.insert(data.classes.begin(), 2 - data.classes.size(), proof::LabelGroup{});
      }
    }
    data.bias = options_.bias;
    const auto scale = proof::parse_decimal(options_.bias_scale);
    if (!scale || scale->value() <= 0 || std::abs(scale->exponent) > 1000) {
      throw Error(ErrorKind::usage, "the bias scale is a decimal above 0, not '" + options_.bias_scale + "'");
    }
    problem_.points = loaded_.points.get();
    problem_.biased = options_.bias != proof::BiasPlace::none;
    problem_.bias_scale = problem_.biased ? scale->value() : mpq_class(1);
    data.bias_scale = problem_.bias_scale.get_str();
    for (std::uint32_t i = 0; i < loaded_.points->size(); ++i) {
      problem_.members.push_back({i, static_cast<std::int8_t>(loaded_.points->klass(i) == positive ? 1 : -1)});
    }
    certificate().tool = std::string("halfspace ") + kVersion;
    certificate().data = data;
    result_.rows = loaded_.points->size();
    result_.features = data.features;
  }

  static bool negative_number(const std::string& label) {
    const auto number = proof::parse_decimal(label);
    return number && number->value() <= 0;
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

  template <class Progress>
  void separable(const std::vector<mpz_class>& found, const Progress& progress) {
    certificate().verdict = Verdict::separable;
    const proof::Margin margin =
        problem_.size() == 0 ? proof::Margin{found, {}} : proof::tighten(problem_, found, extra(deadline_, begin_, 1, 0.3), progress);
    const std::uint32_t by = add(proof::certificate_separator(problem_, margin.separator));
    claim(ClaimKind::separable, by);
    const proof::Separator separator = certificate().separators[by];
    if (problem_.size() == 0) {
      result_.mistake_bound = "0";
      return;
    }
    result_.mistake_bound = proof::mistake_bound(problem_, separator).get_str();
    claim(ClaimKind::mistakes_at_most, by, *result_.mistake_bound);
    const mpq_class minimum(separator.minimum), norm(separator.squared_norm);
    result_.margin_lower = proof::root_down(minimum * minimum / norm);
    bound_margin(margin.near);
  }

  // An upper bound on the margin: this combination, or the shortest row where it is no better.
  void bound_margin(const proof::WeightedMembers& near) {
    if (near.empty()) {
      result_.margin_upper = result_.radius;
      return;
    }
    proof::Combination combination = proof::certificate_combination(problem_, near);
    const mpq_class square(combination.squared_distance);
    if (square == 0) return;
    result_.margin_upper = proof::root_up(square);
    claim(ClaimKind::margin_at_most, add(std::move(combination)));
  }

  template <class Progress>
  void not_separable(const proof::WeightedMembers& witness, const Progress& progress) {
    certificate().verdict = Verdict::not_separable;
    const std::uint32_t by = add(proof::certificate_combination(problem_, witness));
    claim(ClaimKind::not_separable, by);
    describe(witness);
    progress("what else can be said", {});
    weak(witness);
    errors(witness);
  }

  // Rule A and closed half-spaces: with rows of one sign only in the witness, they may hold.
  void weak(const proof::WeightedMembers& witness) {
    const bool negative = std::any_of(witness.begin(), witness.end(), [this](const auto& w) { return problem_.members[w.member].sign < 0; });
    const Deadline part = extra(deadline_, begin_, 1, 0.5);
    if (negative) {
      claim(ClaimKind::not_rule_a, 0);
      result_.rule_a = false;
    } else if (const auto answer = proof::decide_rule_a(problem_, witness, part)) {
      result_.rule_a = answer->witness.empty();
      if (answer->witness.empty()) {
        claim(ClaimKind::rule_a, add(proof::certificate_separator(problem_, answer->separator)));
      } else {
        claim(ClaimKind::not_rule_a, add(proof::certificate_combination(problem_, answer->witness)));
      }
    }
    const proof::ClosedHalfSpace closed = proof::decide_closed_half_space(problem_, witness, part);
    if (closed.known) result_.closed_half_space = closed.separator.has_value();
    if (closed.separator) claim(ClaimKind::closed_half_space, add(proof::certificate_separator(problem_, *closed.separator)));
  }

  void errors(const proof::WeightedMembers& witness) {
    const proof::FewestErrors fewest = proof::fewest_errors(problem_, witness, extra(deadline_, begin_, 1, 0.5));
    result_.errors_lower = fewest.lower;
    result_.errors_upper = fewest.upper;
    Claim lower;
    lower.kind = ClaimKind::errors_at_least;
    lower.count = std::to_string(fewest.lower);
    lower.tree = fewest.tree;
    std::vector<std::uint32_t> position;
    for (std::size_t k = 0; k < fewest.witnesses.size(); ++k) {
      position.push_back(add(proof::certificate_combination(problem_, fewest.witnesses[k])));
    }
    proof::renumber(lower.tree, position);
    if (fewest.lower > 0) certificate().claims.push_back(std::move(lower));
    Claim upper;
    upper.kind = ClaimKind::errors_at_most;
    upper.count = std::to_string(fewest.upper);
    upper.by = add(proof::certificate_separator(problem_, fewest.weights));
    certificate().claims.push_back(std::move(upper));
  }

  void describe(const proof::WeightedMembers& witness) {
    const std::vector<std::string> names = loaded_.schema.feature_names();
    mpz_class total = 0;
    for (const auto& w : witness) total += w.weight;
    for (const auto& [member, weight] : witness) {
      const std::uint32_t i = problem_.members[member].row;
      WitnessRow row;
      row.row = loaded_.points->row(i);
      const std::size_t klass = static_cast<std::size_t>(loaded_.points->klass(i));
      row.label = loaded_.schema.labels.names[klass];
      row.weight = std::to_string(mpq_class(weight, total).get_d());
      loaded_.points->each(i, [&](std::uint32_t j, const mpz_class& value) {
        row.values.emplace_back(j < names.size() ? names[j] : std::to_string(j + 1), mpq_class(value * problem_.unit(j)).get_d());
      });
      result_.witness.push_back(std::move(row));
    }
  }

  void undecided(const proof::Decision& decision) {
    certificate().verdict = Verdict::undecided;
    bound_margin(decision.near);
    result_.errors_upper = std::min<std::uint64_t>(certificate().data.classes[0].rows, certificate().data.classes[1].rows);
    if (!problem_.biased) result_.errors_upper = problem_.size();
  }

  const CertifyOptions& options_;
  proof::Loaded loaded_;
  Problem problem_;
  Deadline deadline_;
  Clock::time_point begin_;
  CertifyResult result_;
};

}  // namespace

CertifyResult certify(const CertifyOptions& options) { return Certification(options).run(); }

}  // namespace halfspace
