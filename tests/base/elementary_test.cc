// Elementary functions against MPFR, in every rounding mode, and by digests of their bits: a SLEEF with other bits would
// change models and certificates. HALFSPACE_ARGUMENTS=10000000 tries as many of each (some minutes a function).
#include "halfspace/detail/base/elementary.h"

#include <mpfr.h>

#include <cfenv>

#include "halfspace/base/random.h"
#include "halfspace/detail/base/rounding.h"
#include "support/test.h"

namespace halfspace::testing {
namespace {

struct Function {
  const char* name;
  double (*one)(double);
  double (*two)(double, double);
  int (*exact_one)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  int (*exact_two)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  double ulps;       // of the header
  double low, high;  // of arguments
  std::uint64_t digest;
};

constexpr double huge = std::numeric_limits<double>::max();

Function of_one(const char* name, double (*f)(double), int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double low,
                double high, std::uint64_t digest, double ulps = 1) {
  return {name, f, nullptr, exact, nullptr, ulps, low, high, digest};
}
Function of_two(const char* name, double (*f)(double, double),
                int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double low, std::uint64_t digest,
                double ulps = 1) {
  return {name, nullptr, f, nullptr, exact, ulps, low, huge, digest};
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      of_one("exp", elementary::exp, mpfr_exp, -huge, huge, 0xff76cb875369cc0a),
      of_one("exp2", elementary::exp2, mpfr_exp2, -huge, huge, 0xa1b8bdcf17d6ebb0),
      of_one("expm1", elementary::expm1, mpfr_expm1, -huge, huge, 0x9334a15a54135e9e),
      of_one("log", elementary::log, mpfr_log, 0, huge, 0xfaa6ea04ac7dc523),
      of_one("log2", elementary::log2, mpfr_log2, 0, huge, 0x6ffa9353085f1b6a),
      of_one("log10", elementary::log10, mpfr_log10, 0, huge, 0xf1f74002850a079f),
      of_one("log1p", elementary::log1p, mpfr_log1p, -1, huge, 0xacbcfdbbfbae7fc1),
      of_one("sinh", elementary::sinh, mpfr_sinh, -709, 709, 0x7c9f970da4b2bff6),
      of_one("atan", elementary::atan, mpfr_atan, -huge, huge, 0x3d0ec06961a0fb6f),
      of_one("atanh", elementary::atanh, mpfr_atanh, -1, 1, 0x3d7824beaaf96837),
      of_one("sin", elementary::sin, mpfr_sin, -huge, huge, 0xb4ab0cd826a450c),
      of_one("cos", elementary::cos, mpfr_cos, -huge, huge, 0x1194b18918ca83d),
      of_one("erfc", elementary::erfc, mpfr_erfc, -huge, huge, 0xc279ebe19c676837, 2),
      of_two("pow", elementary::pow, mpfr_pow, 0, 0xbbd5f5ce78da398e),
      of_two("hypot", elementary::hypot, mpfr_hypot, -huge, 0xf6f57877d9a4c085),
  };
  return all;
}

// Arguments of every magnitude: near 0 and 1, of the size of losses, subnormal, huge.
class Arguments {
 public:
  explicit Arguments(const Function& of) : of_(of) {}
  double next() {
    for (;;) {
      const double x = any();
      if (x >= of_.low && x <= of_.high) return x;
    }
  }

 private:
  double any() {
    const double u = draws_.next(), sign = draws_.next() < 0.5 ? -1 : 1;
    switch (pick(draws_, 5)) {
      case 0:
        return sign * u;
      case 1:
        return sign * 40 * u;
      case 2:
        return sign * 800 * u;
      case 3:
        return 1 + sign * std::ldexp(u, -static_cast<int>(pick(draws_, 50)));
      default:
        return sign * std::ldexp(1 + u, static_cast<int>(pick(draws_, 2098)) - 1074);
    }
  }
  const Function& of_;
  Generator draws_;
};

// A value in 200 bits, and how far a double is from it in ulps of doubles near it.
class Exact {
 public:
  Exact() { mpfr_inits2(200, value_, x_, y_, nullptr); }
  ~Exact() { mpfr_clears(value_, x_, y_, nullptr); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  void evaluate(const Function& f, double x, double y) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    if (f.one) {
      f.exact_one(value_, x_, MPFR_RNDN);
    } else {
      f.exact_two(value_, x_, y_, MPFR_RNDN);
    }
  }
  double ulps(double found) {
    const double near = mpfr_get_d(value_, MPFR_RNDN);
    if (std::isnan(near) || std::isinf(near) || std::isnan(found) || std::isinf(found))
      return std::isnan(near) == std::isnan(found) && (std::isnan(near) || near == found || overflows(found))
                 ? 0
                 : kInfinity;
    const double ulp = std::max(0x1p-1074, std::ldexp(1.0, std::ilogb(near == 0 ? 0x1p-1074 : near) - 52));
    mpfr_d_sub(x_, found, value_, MPFR_RNDN);
    mpfr_div_d(x_, x_, ulp, MPFR_RNDN);
    return std::abs(mpfr_get_d(x_, MPFR_RNDN));
  }
  bool exceeds(double bound) const { return mpfr_cmp_d(value_, bound) > 0; }

 private:
  // Within an ulp of the largest double, infinity is right.
  bool overflows(double found) const {
    return mpfr_cmpabs_ui(value_, 0) > 0 && std::isinf(found) && std::abs(mpfr_get_d(value_, MPFR_RNDZ)) > huge / 2;
  }
  mpfr_t value_, x_, y_;
};

double applied(const Function& f, double x, double y) { return f.one ? f.one(x) : f.two(x, y); }

TEST(Elementary, IsAsAccurateAsStatedAndBoundedByAbove) {
  const char* const wanted = std::getenv("HALFSPACE_ARGUMENTS");
  const std::uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 20'000;
  Exact exact;
  for (const Function& f : functions()) {
    Arguments arguments(f);
    double worst = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double x = arguments.next(), y = arguments.next(), value = applied(f, x, y);
      exact.evaluate(f, x, y);
      const double ulps = exact.ulps(value);
      ASSERT_LE(ulps, f.ulps) << f.name << "(" << x << ", " << y << ") = " << value;
      worst = std::max(worst, ulps);
      const double upper = rounding_up([&] { return above(applied(f, x, y)); });
      const double lower = rounding_up([&] { return -above(-applied(f, x, y)); });
      if (value == 0 || (f.one == elementary::erfc && std::fpclassify(value) == FP_SUBNORMAL)) continue;
      ASSERT_FALSE(exact.exceeds(upper)) << f.name << "(" << x << ", " << y << ")";
      ASSERT_TRUE(!std::isfinite(value) || exact.exceeds(std::nextafter(lower, -kInfinity)))
          << f.name << "(" << x << ", " << y << ")";
    }
    if (wanted) std::printf("%s: %.4f ulp at most in %llu\n", f.name, worst, static_cast<unsigned long long>(count));
  }
}

TEST(Elementary, HasTheSameBitsInEveryRoundingMode) {
  for (const Function& f : functions()) {
    Arguments arguments(f);
    for (int i = 0; i < 2'000; ++i) {
      const double x = arguments.next(), y = arguments.next();
      const auto usual = std::bit_cast<std::uint64_t>(applied(f, x, y));
      for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const auto bits = std::bit_cast<std::uint64_t>(applied(f, x, y));
        const int after = std::fegetround();
        std::fesetround(FE_TONEAREST);
        ASSERT_EQ(after, mode);
        ASSERT_EQ(bits, usual) << f.name << "(" << x << ", " << y << ")";
      }
    }
  }
}

TEST(Elementary, HasTheBitsOfEveryOtherMachine) {
  for (const Function& f : functions()) {
    Arguments arguments(f);
    std::uint64_t digest = 14'695'981'039'346'656'037u;  // FNV-1a
    for (int i = 0; i < 100'000; ++i) {
      const double x = arguments.next(), y = arguments.next(), value = applied(f, x, y);
      digest = (digest ^ (std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value))) * 1'099'511'628'211u;
    }
    EXPECT_EQ(digest, f.digest) << f.name << ", 0x" << std::hex << digest;
  }
}

TEST(Elementary, HasExactPowersOfTen) {
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) {
    EXPECT_EQ(elementary::power_of_ten(k), power);
    EXPECT_EQ(elementary::power_of_ten(-k), 1 / power);
  }
  EXPECT_EQ(elementary::power_of_ten(0.5), elementary::pow(10, 0.5));
  EXPECT_NEAR(elementary::power_of_ten(300) / 1e300, 1, 0x1p-51);
}

TEST(Elementary, KeepsZerosInfinitiesAndNan) {
  EXPECT_EQ(elementary::exp(-kInfinity), 0);
  EXPECT_EQ(elementary::exp(kInfinity), kInfinity);
  EXPECT_EQ(elementary::log(0), -kInfinity);
  EXPECT_EQ(elementary::log1p(-1), -kInfinity);
  EXPECT_EQ(elementary::log1p(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(elementary::log(-1)));
  EXPECT_TRUE(std::signbit(elementary::log1p(-0.0)));
  EXPECT_TRUE(std::signbit(elementary::expm1(-0.0)));
  EXPECT_EQ(elementary::pow(0, 0), 1);
  EXPECT_EQ(elementary::pow(-2, 3), -8);
  EXPECT_EQ(elementary::hypot(-kInfinity, std::nan("")), kInfinity);
}

}  // namespace
}  // namespace halfspace::testing
