// Elimination modulo a prime, and Dixon's lifting on top of it.
#include "proof/exact/linear_system.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/whole.h"

namespace halfspace::proof {
namespace {

__extension__ using Wide = __int128;

constexpr std::uint32_t primes[] = {2147483647, 2147483629};  // the largest below 2^31

std::uint32_t residue(const mpz_class& x, std::uint32_t p) {
  return static_cast<std::uint32_t>(halfspace::residue(x, p));
}

std::uint32_t inverse(std::uint32_t x, std::uint32_t p) {
  std::uint64_t result = 1, power = x;
  for (std::uint32_t e = p - 2; e != 0; e >>= 1) {
    if ((e & 1) != 0) result = result * power % p;
    power = power * power % p;
  }
  return static_cast<std::uint32_t>(result);
}

// A sum of products of residues, modulo p. The halves are summed separately, so up to 2^32 terms do not overflow.
std::uint32_t dot(const std::uint32_t* a, const std::uint32_t* b, std::size_t size, std::uint32_t p) {
  std::uint64_t low = 0, high = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t product = std::uint64_t{a[i]} * b[i];
    low += product & 0xffffffff;
    high += product >> 32;
  }
  return static_cast<std::uint32_t>((low % p + (high % p << 32) % p) % p);
}

// Gaussian elimination modulo p, row by row: keeps the factors that solve systems in the independent rows.
class Elimination {
 public:
  Elimination(std::size_t columns, std::uint32_t p, const Budget& budget)
      : columns_(columns), p_(p), square_(std::uint64_t{p} * p), budget_(budget) {}

  // Returns true if the row is independent of those accepted before, and accepts it.
  bool accept(const std::vector<std::uint32_t>& row) {
    budget_.check();
    std::vector<std::uint64_t> rest(row.begin(), row.end());
    std::vector<std::uint32_t> factors(pivot_.size());
    for (std::size_t r = 0; r < pivot_.size(); ++r) {
      factors[r] = static_cast<std::uint32_t>(rest[pivot_[r]] % p_);
      if (factors[r] == 0) continue;
      const std::uint64_t minus = p_ - factors[r];
      const std::uint32_t* const reduced = reduced_[r].data();
      for (std::size_t j = 0; j < columns_; ++j) {
        const std::uint64_t sum = rest[j] + minus * reduced[j];  // both below p^2 < 2^62
        rest[j] = sum >= square_ ? sum - square_ : sum;
      }
    }
    std::vector<std::uint32_t> last(columns_);
    std::size_t pivot = columns_;
    for (std::size_t j = 0; j < columns_; ++j) {
      last[j] = static_cast<std::uint32_t>(rest[j] % p_);
      if (last[j] != 0 && pivot == columns_) pivot = j;
    }
    if (pivot == columns_) return false;
    const std::uint64_t by = inverse(last[pivot], p_);
    for (std::uint32_t& x : last) x = static_cast<std::uint32_t>(x * by % p_);
    pivot_.push_back(pivot);
    scale_.push_back(static_cast<std::uint32_t>(by));
    factors_.push_back(std::move(factors));
    reduced_.push_back(std::move(last));
    return true;
  }

  std::size_t rank() const { return pivot_.size(); }

  // Orders the columns by their pivots for solve(), once as many rows as columns are accepted.
  void finish() {
    std::vector<std::uint32_t> ordered(columns_);
    for (std::vector<std::uint32_t>& row : reduced_) {
      for (std::size_t r = 0; r < columns_; ++r) ordered[r] = row[pivot_[r]];
      row.swap(ordered);
    }
  }

  // Returns x with S x = right modulo p, where S is the accepted rows.
  void solve(const std::vector<std::uint32_t>& right, std::vector<std::uint32_t>& x) {
    budget_.check();
    const std::size_t n = columns_;
    y_.resize(n);
    for (std::size_t r = 0; r < n; ++r) {
      const std::uint64_t less = dot(factors_[r].data(), y_.data(), r, p_);
      y_[r] = static_cast<std::uint32_t>((right[r] + p_ - less) % p_ * scale_[r] % p_);
    }
    for (std::size_t r = n; r-- > 0;) {
      const std::uint64_t less = dot(reduced_[r].data() + r + 1, y_.data() + r + 1, n - r - 1, p_);
      y_[r] = static_cast<std::uint32_t>((y_[r] + p_ - less) % p_);
    }
    x.resize(n);
    for (std::size_t r = 0; r < n; ++r) x[pivot_[r]] = y_[r];
  }

 private:
  std::size_t columns_;
  std::uint32_t p_;
  std::uint64_t square_;
  const Budget& budget_;
  // For each accepted row: the column of its pivot, the factor of its reduced form, the multiples of earlier reduced
  // rows subtracted from it, and the reduced form (1 at its pivot, 0 at the pivots before).
  std::vector<std::size_t> pivot_;
  std::vector<std::uint32_t> scale_, y_;
  std::vector<std::vector<std::uint32_t>> factors_, reduced_;
};

std::vector<std::uint32_t> row_residues(const IntegerMatrix& a, std::size_t r, std::uint32_t p) {
  std::vector<std::uint32_t> row(a.columns());
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = residue(a.at(r, c), p);
  return row;
}

// The remainder of the right side after the digits found so far, divided by the power of p they reach. Entries have at
// most 62 bits: a sum of n of them times a digit stays below 2^93 n.
class SmallRest {
 public:
  static bool fits(const IntegerMatrix& a, const std::vector<mpz_class>& right) {
    for (std::size_t r = 0; r < a.rows(); ++r) {
      if (mpz_sizeinbase(right[r].get_mpz_t(), 2) > 62) return false;
      for (std::size_t c = 0; c < a.columns(); ++c) {
        if (mpz_sizeinbase(a.at(r, c).get_mpz_t(), 2) > 62) return false;
      }
    }
    return true;
  }
  SmallRest(const IntegerMatrix& a, const std::vector<mpz_class>& right, std::uint32_t p)
      : n_(a.rows()), p_(p), a_(n_ * n_), rest_(n_) {
    for (std::size_t r = 0; r < n_; ++r) {
      rest_[r] = int64_of(right[r]);
      for (std::size_t c = 0; c < n_; ++c) a_[r * n_ + c] = int64_of(a.at(r, c));
    }
  }
  std::uint32_t residue(std::size_t r) const {
    const std::int64_t x = static_cast<std::int64_t>(rest_[r] % p_);
    return static_cast<std::uint32_t>(x < 0 ? x + p_ : x);
  }
  void take(const std::vector<std::uint32_t>& digit) {
    for (std::size_t r = 0; r < n_; ++r) {
      Wide sum = 0;  // |A x| < 2^62 2^31 n
      for (std::size_t c = 0; c < n_; ++c) sum += static_cast<Wide>(a_[r * n_ + c]) * digit[c];
      rest_[r] = (rest_[r] - sum) / static_cast<std::int64_t>(p_);
    }
  }

 private:
  std::size_t n_;
  std::uint32_t p_;
  std::vector<std::int64_t> a_;
  std::vector<Wide> rest_;
};

// The same remainder for entries of any size.
class LargeRest {
 public:
  LargeRest(const IntegerMatrix& a, const std::vector<mpz_class>& right, std::uint32_t p)
      : a_(a), p_(p), rest_(right) {}
  std::uint32_t residue(std::size_t r) const { return proof::residue(rest_[r], p_); }
  void take(const std::vector<std::uint32_t>& digit) {
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      for (std::size_t c = 0; c < digit.size(); ++c) {
        mpz_submul_ui(rest_[r].get_mpz_t(), a_.at(r, c).get_mpz_t(), digit[c]);
      }
      mpz_divexact_ui(rest_[r].get_mpz_t(), rest_[r].get_mpz_t(), p_);
    }
  }

 private:
  const IntegerMatrix& a_;
  std::uint32_t p_;
  std::vector<mpz_class> rest_;
};

// Returns x modulo p^digits, entry by entry.
template <class Rest>
std::vector<mpz_class> lift(Rest rest, Elimination& elimination, std::size_t n, std::size_t digits, std::uint32_t p) {
  std::vector<std::vector<std::uint32_t>> digit(digits);
  std::vector<std::uint32_t> right(n);
  for (std::size_t k = 0; k < digits; ++k) {
    for (std::size_t r = 0; r < n; ++r) right[r] = rest.residue(r);
    elimination.solve(right, digit[k]);
    rest.take(digit[k]);
  }
  std::vector<mpz_class> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = digits; k-- > 0;) {
      mpz_mul_ui(x[i].get_mpz_t(), x[i].get_mpz_t(), p);
      mpz_add_ui(x[i].get_mpz_t(), x[i].get_mpz_t(), digit[k][i]);
    }
  }
  return x;
}

// Hadamard's bound on |det A| and, with a column replaced by the right side, on every numerator of Cramer's rule.
mpz_class bound_of(const IntegerMatrix& a, const std::vector<mpz_class>& right) {
  mpz_class product = 1, length;
  const auto above_root = [](const mpz_class& square) {
    mpz_class root;
    mpz_sqrt(root.get_mpz_t(), square.get_mpz_t());
    return mpz_class(root + 1);
  };
  for (std::size_t c = 0; c < a.columns(); ++c) {
    length = 0;
    for (std::size_t r = 0; r < a.rows(); ++r) length += a.at(r, c) * a.at(r, c);
    product *= above_root(length);
  }
  length = 0;
  for (const mpz_class& x : right) length += x * x;
  return product * above_root(length);
}

// Returns the fraction numerator / denominator = x modulo m with both at most the bound, where 2 bound^2 < m.
bool reconstruct(const mpz_class& x, const mpz_class& m, const mpz_class& bound, mpz_class& numerator,
                 mpz_class& denominator) {
  mpz_class before = m, now = x, t_before = 0, t = 1, quotient, swap;
  while (now > bound) {
    mpz_fdiv_qr(quotient.get_mpz_t(), swap.get_mpz_t(), before.get_mpz_t(), now.get_mpz_t());
    mpz_swap(before.get_mpz_t(), now.get_mpz_t());
    mpz_swap(now.get_mpz_t(), swap.get_mpz_t());
    mpz_submul(t_before.get_mpz_t(), quotient.get_mpz_t(), t.get_mpz_t());
    mpz_swap(t_before.get_mpz_t(), t.get_mpz_t());
  }
  if (t == 0 || abs(t) > bound) return false;
  numerator = t < 0 ? mpz_class(-now) : now;
  denominator = abs(t);
  return true;
}

// Entries share most of their denominator: after multiplying by the known part, most need no reconstruction.
std::optional<Fractions> fractions(const std::vector<mpz_class>& x, const mpz_class& m, const mpz_class& bound,
                                   const Budget& budget) {
  Fractions result;
  result.denominator = 1;
  const mpz_class half = m / 2;
  mpz_class numerator, denominator;
  for (const mpz_class& entry : x) {
    budget.check();
    mpz_class scaled = entry * result.denominator % m;
    mpz_class symmetric = scaled > half ? mpz_class(scaled - m) : scaled;
    if (abs(symmetric) > bound) {
      if (!reconstruct(scaled, m, bound, numerator, denominator)) return std::nullopt;
      for (mpz_class& earlier : result.numerator) earlier *= denominator;
      result.denominator *= denominator;
      symmetric = numerator;
    }
    result.numerator.push_back(std::move(symmetric));
  }
  return result;
}

std::vector<std::size_t> independent_rows(const IntegerMatrix& a, std::uint32_t p, const Budget& budget) {
  Elimination elimination(a.columns(), p, budget);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < a.rows() && elimination.rank() < a.columns(); ++r) {
    if (elimination.accept(row_residues(a, r, p))) rows.push_back(r);
  }
  return rows;
}

std::optional<std::vector<Fractions>> solve_all(const IntegerMatrix& a,
                                                const std::vector<std::vector<mpz_class>>& rights, std::uint32_t p,
                                                const Budget& budget) {
  const std::size_t n = a.rows();
  Elimination elimination(n, p, budget);
  for (std::size_t r = 0; r < n; ++r) {
    if (!elimination.accept(row_residues(a, r, p))) return std::nullopt;
  }
  elimination.finish();
  std::vector<Fractions> solutions;
  for (const std::vector<mpz_class>& right : rights) {
    const mpz_class bound = bound_of(a, right);
    mpz_class m = 1;
    std::size_t digits = 0;
    const mpz_class enough = 2 * bound * bound;
    while (m <= enough) {
      m *= p;
      ++digits;
    }
    const std::vector<mpz_class> x = SmallRest::fits(a, right)
                                         ? lift(SmallRest(a, right, p), elimination, n, digits, p)
                                         : lift(LargeRest(a, right, p), elimination, n, digits, p);
    std::optional<Fractions> solution = fractions(x, m, bound, budget);
    if (!solution) return std::nullopt;
    solutions.push_back(std::move(*solution));
  }
  return solutions;
}

}  // namespace

IntegerMatrix IntegerMatrix::of_rows(const std::vector<std::size_t>& rows) const {
  IntegerMatrix result(rows.size(), columns_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns_; ++c) result.at(r, c) = at(rows[r], c);
  }
  return result;
}

std::vector<std::size_t> independent_rows(const IntegerMatrix& a, const Budget& budget) {
  std::vector<std::size_t> rows = independent_rows(a, primes[0], budget);
  if (rows.size() < std::min(a.rows(), a.columns())) {
    std::vector<std::size_t> more = independent_rows(a, primes[1], budget);
    if (more.size() > rows.size()) rows = std::move(more);
  }
  return rows;
}

std::optional<std::vector<Fractions>> solve_all(const IntegerMatrix& a,
                                                const std::vector<std::vector<mpz_class>>& rights,
                                                const Budget& budget) {
  for (const std::uint32_t p : primes) {
    if (auto all = solve_all(a, rights, p, budget)) return all;
  }
  return std::nullopt;
}

std::optional<Fractions> solve(const IntegerMatrix& a, const std::vector<mpz_class>& right, const Budget& budget) {
  auto all = solve_all(a, {right}, budget);
  return all ? std::optional(std::move(all->front())) : std::nullopt;
}

}  // namespace halfspace::proof
