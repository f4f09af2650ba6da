// Checks coefficients in the order of the format's description.
#include "proof/verify/coefficients_check.h"

#include <algorithm>
#include <utility>

#include "base/whole.h"

namespace halfspace::proof {
namespace {

constexpr std::uint64_t check_primes[] = {2305843009213693951, 2305843009213693921};  // the largest below 2^61

__extension__ using Unsigned = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(static_cast<Unsigned>(a) * b % p);
}

std::uint64_t inverse(std::uint64_t x, std::uint64_t p) {
  std::uint64_t result = 1;
  for (std::uint64_t e = p - 2; e != 0; e >>= 1) {
    if ((e & 1) != 0) result = times(result, x, p);
    x = times(x, x, p);
  }
  return result;
}

// Returns the rank modulo p, up to `enough`: at most the rank of the rows.
std::size_t rank_modulo(const std::vector<std::vector<mpz_class>>& rows, std::size_t enough, std::uint64_t p) {
  std::vector<std::vector<std::uint64_t>> reduced;  // each 1 at its pivot
  std::vector<std::size_t> pivots;
  for (const std::vector<mpz_class>& row : rows) {
    if (reduced.size() >= enough) break;
    std::vector<std::uint64_t> rest;
    for (const mpz_class& x : row) rest.push_back(residue(x, p));
    for (std::size_t r = 0; r < reduced.size(); ++r) {
      const std::uint64_t minus = p - rest[pivots[r]];
      if (minus == p) continue;
      for (std::size_t c = 0; c < rest.size(); ++c) rest[c] = (rest[c] + times(minus, reduced[r][c], p)) % p;
    }
    const auto pivot = std::find_if(rest.begin(), rest.end(), [](std::uint64_t x) { return x != 0; });
    if (pivot == rest.end()) continue;
    pivots.push_back(static_cast<std::size_t>(pivot - rest.begin()));
    const std::uint64_t by = inverse(*pivot, p);
    for (std::uint64_t& x : rest) x = times(x, by, p);
    reduced.push_back(std::move(rest));
  }
  return reduced.size();
}

bool has_rank(const std::vector<std::vector<mpz_class>>& rows, std::size_t rank) {
  return std::any_of(std::begin(check_primes), std::end(check_primes),
                     [&](std::uint64_t p) { return rank_modulo(rows, rank, p) >= rank; });
}

std::string at_coordinate(const std::string& what, Coordinate j) {
  return what + " at coordinate " + std::to_string(j);
}

}  // namespace

CoefficientsCheck::CoefficientsCheck(const Certificate& certificate)
    : certificate_(certificate),
      proof_(*certificate.coefficients),
      coordinates_(certificate.data.features + (certificate.data.bias == BiasPosition::none ? 0u : 1u)),
      aliased_(coordinates_),
      weights_(certificate.separators.size()) {
  for (const AliasedCoefficient& one : proof_.aliased) aliased_[one.coordinate] = true;
  for (Coordinate j = 0; j < coordinates_; ++j) {
    if (!aliased_[j]) kept_.push_back(j);
  }
  const auto read_weights = [&](std::uint32_t separator) {
    if (!weights_[separator].empty()) return;
    const WeightVector& vector = certificate.separators[separator].vectors.front();
    for (const std::string& text : vector.weights) weights_[separator].emplace_back(text);
    weights_[separator].emplace_back(vector.bias);
  };
  for (const AliasedCoefficient& one : proof_.aliased) read_weights(one.by);
  for (const std::uint32_t separator : proof_.null_space) read_weights(separator);
  if (proof_.direction) read_weights(*proof_.direction);
  for (const SignProof& sign : proof_.signs) {
    if (sign.sign == CoefficientSign::undetermined) read_weights(sign.by);
  }
  if (proof_.witness) {
    for (const Term& term : certificate.combinations[*proof_.witness].terms)
      witness_rows_.push_back({term.source, term.row});
  }
}

const mpz_class& CoefficientsCheck::weight(std::uint32_t separator, Coordinate j) const {
  return weights_[separator][j];
}

bool CoefficientsCheck::avoids_aliased(std::uint32_t separator, Coordinate except) const {
  return std::all_of(proof_.aliased.begin(), proof_.aliased.end(), [&](const AliasedCoefficient& one) {
    return one.coordinate == except || weight(separator, one.coordinate) == 0;
  });
}

bool CoefficientsCheck::moved(Coordinate j) const { return proof_.direction && weight(*proof_.direction, j) != 0; }

std::string CoefficientsCheck::add(const ScaledRow& row, const RowPosition& at,
                                   const std::vector<SeparatorMeter>& meters) {
  const auto values = [&] {
    std::vector<mpz_class> all(coordinates_);
    for (const ScaledRow::Entry& entry : row.entries)
      all[entry.coordinate] = entry.big ? *entry.big : whole(entry.value);
    if (certificate_.data.bias != BiasPosition::none) all.back() = 1;
    std::vector<mpz_class> kept;
    for (const Coordinate j : kept_) kept.push_back(std::move(all[j]));
    return kept;
  };
  if (next_rank_ < proof_.rank_rows.size() && proof_.rank_rows[next_rank_] == at) {
    ++next_rank_;
    rank_values_.push_back(values());
  }
  if (next_witness_ < witness_rows_.size() && witness_rows_[next_witness_] == at) {
    ++next_witness_;
    witness_values_.push_back(values());
  }
  if (proof_.direction && meters[*proof_.direction].last_sign() != 0) return "";
  for (const std::uint32_t separator : proof_.null_space) {
    if (meters[separator].last_sign() != 0) {
      return "row " + std::to_string(at.row) + ", which is not separated, has a score other than 0 under separator " +
             std::to_string(separator) + " of the null space";
    }
  }
  return "";
}

std::string CoefficientsCheck::finish(const std::vector<Facts>& facts, const std::vector<CombinationMeter>& meters,
                                      std::uint64_t rows) {
  if (std::string wrong = check_shape(facts, rows); !wrong.empty()) return wrong;
  if (std::string wrong = check_ranks(); !wrong.empty()) return wrong;
  if (std::string wrong = check_finite(); !wrong.empty()) return wrong;
  for (const SignProof& sign : proof_.signs) {
    if (std::string wrong = check_sign(sign, facts, meters); !wrong.empty()) return wrong;
  }
  return "";
}

std::string CoefficientsCheck::check_shape(const std::vector<Facts>& facts, std::uint64_t rows) const {
  const auto zeros = [&](std::uint32_t i) { return facts[i].zero_negative + facts[i].zero_positive; };
  for (const AliasedCoefficient& one : proof_.aliased) {
    if (weight(one.by, one.coordinate) == 0 || !avoids_aliased(one.by, one.coordinate) || zeros(one.by) != rows)
      return at_coordinate("the column is not shown to depend on others", one.coordinate);
  }
  for (const std::uint32_t separator : proof_.null_space) {
    if (!avoids_aliased(separator, static_cast<Coordinate>(coordinates_)))
      return "separator " + std::to_string(separator) + " of the null space moves an aliased coefficient";
  }
  if (proof_.direction) {
    const std::uint32_t direction = *proof_.direction;
    if (facts[direction].wrong > 0 || zeros(direction) == rows) return "the direction does not separate";
    if (!avoids_aliased(direction, static_cast<Coordinate>(coordinates_)))
      return "the direction moves an aliased coefficient";
    if (!proof_.witness && zeros(direction) > 0) return "rows have score 0 under the direction, without a witness";
  } else if (!proof_.null_space.empty() || !proof_.signs.empty()) {
    return "an overlap has neither a null space nor signs";
  }
  if (!proof_.witness && (!proof_.direction || !proof_.null_space.empty()))
    return "without a witness there must be a direction and no null space";
  if (proof_.witness && certificate_.combinations[*proof_.witness].squared_distance != "0")
    return "the witness does not add up to 0";
  return "";
}

std::string CoefficientsCheck::check_ranks() const {
  if (proof_.rank_rows.size() != kept_.size() || rank_values_.size() != kept_.size())
    return "there are not as many rows in question as coefficients that are not aliased";
  if (!has_rank(rank_values_, kept_.size())) return "the columns that are not aliased are not shown to be independent";
  if (!proof_.witness) return "";
  std::vector<std::vector<mpz_class>> null_space;
  for (const std::uint32_t separator : proof_.null_space) {
    std::vector<mpz_class>& vector = null_space.emplace_back();
    for (const Coordinate j : kept_) vector.push_back(weight(separator, j));
  }
  if (null_space.size() > kept_.size() || !has_rank(null_space, null_space.size()))
    return "the null space is not independent";
  if (!has_rank(witness_values_, kept_.size() - null_space.size())) return "the null space is not whole";
  return "";
}

std::string CoefficientsCheck::check_finite() const {
  for (const Coordinate j : kept_) {
    if (moved(j)) continue;
    const bool fixed =
        proof_.witness && std::all_of(proof_.null_space.begin(), proof_.null_space.end(),
                                      [&](std::uint32_t separator) { return weight(separator, j) == 0; });
    if (!fixed) return at_coordinate("the coefficient is not shown to be finite", j);
  }
  return "";
}

std::string CoefficientsCheck::check_sign(const SignProof& sign, const std::vector<Facts>& facts,
                                          const std::vector<CombinationMeter>& meters) const {
  if (is_aliased(sign.coordinate) || !moved(sign.coordinate))
    return at_coordinate("there is a sign, but no infinite coefficient", sign.coordinate);
  if (sign.sign != CoefficientSign::undetermined) return check_positive_sum(sign, meters[sign.by]);
  const bool against = facts[sign.by].wrong == 0 && avoids_aliased(sign.by, static_cast<Coordinate>(coordinates_)) &&
                       sgn(weight(sign.by, sign.coordinate)) == -sgn(weight(*proof_.direction, sign.coordinate));
  return against ? "" : at_coordinate("no vector moves the coefficient against the direction", sign.coordinate);
}

// The sum acts on the null space as a positive multiple of the coordinate, or a negative one.
std::string CoefficientsCheck::check_positive_sum(const SignProof& sign, const CombinationMeter& sum) const {
  const int wanted = sign.sign == CoefficientSign::positive ? 1 : -1;
  const std::string wrong = at_coordinate("the sign is not shown", sign.coordinate);
  std::vector<mpq_class> values;
  for (Coordinate j = 0; j < coordinates_; ++j)
    values.push_back(j < certificate_.data.features ? sum.feature_sum(j) : sum.bias_sum());
  if (!proof_.witness) {
    const bool alone =
        std::all_of(kept_.begin(), kept_.end(), [&](Coordinate j) { return j == sign.coordinate || values[j] == 0; });
    return alone && sgn(values[sign.coordinate]) == wanted ? "" : wrong;
  }
  mpq_class factor;  // of the coordinate; 0: not known yet
  for (const std::uint32_t separator : proof_.null_space) {
    mpq_class product;
    for (const Coordinate j : kept_) {
      if (weight(separator, j) != 0) product += values[j] * weight(separator, j);
    }
    const mpz_class& own = weight(separator, sign.coordinate);
    if (own != 0 && factor == 0) factor = product / own;
    if (product != factor * own) return wrong;
  }
  return sgn(factor) == wanted ? "" : wrong;
}

std::vector<std::string> CoefficientsCheck::sentences(const std::vector<Facts>& facts, std::uint64_t rows) const {
  const std::uint64_t on =
      proof_.direction ? facts[*proof_.direction].zero_negative + facts[*proof_.direction].zero_positive : rows;
  std::vector<std::string> list;
  list.push_back(!proof_.direction ? "overlap: the maximum-likelihood fit exists, every coefficient is finite"
                 : !proof_.witness
                     ? "complete separation: a hyperplane separates all rows"
                     : "quasi-complete separation: a hyperplane separates " + std::to_string(rows - on) + " of " +
                           std::to_string(rows) + " rows, with the others on it; no other separates more");
  std::size_t moved_ones = 0, undetermined = 0;
  for (const Coordinate j : kept_) moved_ones += moved(j) ? 1 : 0;
  for (const SignProof& sign : proof_.signs) undetermined += sign.sign == CoefficientSign::undetermined ? 1 : 0;
  list.push_back("coefficients: " + std::to_string(kept_.size() - moved_ones) + " finite, " +
                 std::to_string(proof_.signs.size() - undetermined) + " infinite, " + std::to_string(undetermined) +
                 " undetermined, " + std::to_string(moved_ones - proof_.signs.size()) + " undecided, " +
                 std::to_string(proof_.aliased.size()) + " aliased");
  return list;
}

}  // namespace halfspace::proof
