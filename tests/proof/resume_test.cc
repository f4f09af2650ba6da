// A run that resumes a certificate has the verdict of one that does not, and no bound of it is worse.

#include "certificate_support.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/certify_settings.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::proof {
namespace {

// Rows around a plane: with noise not separable.
std::string rows_around_a_plane(testing::Chance& chance, int rows, int features, int classes, bool noise) {
  std::string text;
  std::vector<std::vector<int>> plane(static_cast<std::size_t>(classes));
  for (auto& w : plane) {
    for (int j = 0; j < features; ++j) w.push_back(chance.between(-9, 9));
  }
  for (int i = 0; i < rows; ++i) {
    std::vector<int> x;
    for (int j = 0; j < features; ++j) x.push_back(chance.between(-99, 99));
    std::vector<int> score(plane.size(), 0);
    for (std::size_t k = 0; k < plane.size(); ++k) {
      for (std::size_t j = 0; j < x.size(); ++j) score[k] += plane[k][j] * x[j];
    }
    auto klass = std::max_element(score.begin(), score.end()) - score.begin();
    if (noise && chance.one_in(20)) klass = chance.between(0, classes - 1);
    text += std::to_string(klass);
    for (int j = 0; j < features; ++j)
      text += " " + std::to_string(j + 1) + ":" + std::to_string(x[static_cast<std::size_t>(j)]) + "e-1";
    text += "\n";
  }
  return text;
}

void plain_checker_accepts(const TemporaryFolder& folder, const Certificate& certificate, const std::string& data) {
  const std::string path = folder.write("checked.json", encode_certificate(certificate));
  const Outcome outcome = plain_check(path, {data});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

void no_bound_is_worse(const CertifyResult& before, const CertifyResult& after) {
  EXPECT_GE(after.margin_lower, before.margin_lower);
  EXPECT_LE(after.margin_upper, before.margin_upper);
  EXPECT_GE(after.errors_lower, before.errors_lower);
  EXPECT_LE(after.errors_upper, before.errors_upper);
  if (before.rule_a) {
    EXPECT_EQ(after.rule_a, before.rule_a);
  }
  if (before.closed_half_space == true) {
    EXPECT_EQ(after.closed_half_space, before.closed_half_space);
  }
  if (before.mistake_bound) {
    EXPECT_TRUE(mpz_class(*after.mistake_bound) <= mpz_class(*before.mistake_bound));
  }
}

// Interrupts a run at its `reports`-th report of progress.
CertifyResult interrupted_run(CertifyOptions options, int reports) {
  std::atomic<bool> interrupt{false};
  options.interrupt = &interrupt;
  options.on_progress = [&](const CertifyProgress&) { interrupt = --reports <= 0; };
  return certify(options);
}

TEST(Resume, InterruptedRunsReachTheVerdictOfOne) {
  const TemporaryFolder folder;
  int resumed = 0, verdicts[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    testing::Chance chance(seed);
    const int classes = seed % 4 == 0 ? 3 : 2;
    CertifyOptions options;
    options.read.path =
        folder.write("data", rows_around_a_plane(chance, classes == 2 ? 600 : 150, 14, classes, seed % 2 == 0));
    options.bias = chance.one_in(3) ? BiasPosition::none : BiasPosition::last;
    options.bias_scale = chance.one_in(3) ? "2.5" : "1";
    options.extra_seconds = 0;
    const CertifyResult whole = certify(options);
    ASSERT_NE(whole.verdict, Verdict::undecided);
    ++verdicts[whole.verdict == Verdict::separable ? 1 : 0];
    CertifyResult part = interrupted_run(options, 1);
    int runs = 1;
    for (; part.verdict == Verdict::undecided && runs < 60; ++runs) {
      ASSERT_TRUE(part.certified);
      options.resume = decode_certificate(encode_certificate(part.certificate), "resumed");
      const CertifyResult next = interrupted_run(options, 4 + runs / 5);
      no_bound_is_worse(part, next);
      part = next;
    }
    ASSERT_EQ(part.verdict, whole.verdict) << seed << " after " << runs;
    resumed += runs > 1 ? 1 : 0;
    plain_checker_accepts(folder, part.certificate, options.read.path);
  }
  EXPECT_GT(resumed, 8);
  EXPECT_GT(verdicts[0], 3);
  EXPECT_GT(verdicts[1], 3);
}

TEST(Resume, ASettledVerdictOnlyGetsTighter) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::Chance chance(seed);
    CertifyOptions options;
    options.read.path = folder.write("data", rows_around_a_plane(chance, 60, 3, seed % 5 == 0 ? 3 : 2, seed % 2 == 0));
    options.extra_seconds = seed % 3 == 0 ? 0 : 0.2;
    CertifyResult before = certify(options);
    for (const double extra : {0.0, 0.2}) {
      options.resume = before.certificate;
      options.extra_seconds = extra;
      const CertifyResult after = certify(options);
      EXPECT_EQ(after.verdict, before.verdict);
      no_bound_is_worse(before, after);
      plain_checker_accepts(folder, after.certificate, options.read.path);
      before = after;
    }
  }
}

void is_refused(const CertifyOptions& options, const std::string& words, ErrorKind kind = ErrorKind::usage) {
  try {
    certify(options);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_TRUE(has(std::string(error.what()), words)) << error.what();
    EXPECT_EQ(error.kind(), kind);
  }
}

TEST(Resume, RefusesWhatIsOfAnotherQuestion) {
  const TemporaryFolder folder;
  CertifyOptions options;
  options.read.path = folder.write("data.csv", "x,y,z\n1,a,a\n2,b,a\n3,b,b\n4,a,c\n");
  options.read.columns.label = "y";
  const Certificate certificate = certify(options).certificate;
  options.resume = certificate;
  EXPECT_EQ(certify(options).verdict, certificate.verdict);

  CertifyOptions other = options;
  other.read.path = folder.write("other.csv", "x,y,z\n1,a,a\n2,b,a\n3,b,b\n5,a,c\n");
  is_refused(other, "other data: their SHA-256 differs");
  other = options;
  other.read.columns.label = "z";
  is_refused(other, "another question");
  other = options;
  other.bias = BiasPosition::none;
  is_refused(other, "another bias");
  other = options;
  other.bias_scale = "3";
  is_refused(other, "another bias");
  other = options;
  other.read.labels.positive = "a";
  is_refused(other, "read in another way");

  other = options;
  ASSERT_FALSE(certificate.combinations.empty());
  other.resume->combinations[0].terms.back().row = 77;
  is_refused(other, "has a term of row 77", ErrorKind::data);
}

// What a certificate states is computed anew: a wrong one is no proof.
TEST(Resume, AWrongCertificateProvesNothing) {
  const TemporaryFolder folder;
  testing::Chance chance(3);
  CertifyOptions options;
  options.read.path = folder.write("data", rows_around_a_plane(chance, 80, 3, 2, false));
  const CertifyResult right = certify(options);
  ASSERT_EQ(right.verdict, Verdict::separable);
  options.resume = right.certificate;
  Combination wrong;
  for (const std::uint64_t row : {1, 2}) {
    Term term;
    term.row = row;
    wrong.terms.push_back(term);
  }
  options.resume->verdict = Verdict::not_separable;
  options.resume->separators.clear();
  options.resume->combinations = {wrong};
  options.resume->claims.resize(1);
  options.resume->claims[0].kind = ClaimKind::not_separable;
  options.resume->claims[0].by = 0;
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::separable);
  plain_checker_accepts(folder, result.certificate, options.read.path);
}

TEST(Resume, TheCommandReplacesTheCertificateItResumed) {
  const TemporaryFolder folder;
  testing::Chance chance(4);
  const std::string data = folder.write("data", rows_around_a_plane(chance, 200, 6, 2, true));
  const std::string proof = folder.path() + "/proof", certify = std::string("'") + HALFSPACE_COMMAND + "' certify ";
  ASSERT_EQ(run(certify + data + " -o " + proof).status, 1);
  Outcome outcome = run(certify + data + " --resume " + proof + " -o " + proof);
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_EQ(plain_check(proof, {data}).status, 0);
  outcome = run(certify + data + " --bias none --resume " + proof);
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "the certificate to resume is of another bias"));
  outcome = run(certify + data + " --resume " + data);
  EXPECT_EQ(outcome.status, 65) << outcome.output;
}

// Sets that short runs leave undecided.
TEST(Resume, RealSetsInManyShortRuns) {
  const char* named = std::getenv("HALFSPACE_DATA");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named) : std::filesystem::path(HALFSPACE_SOURCE_DIR) / "../shared/data";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no data sets here; set HALFSPACE_DATA to their folder";
  for (const char* file : {"german_credit/german_credit_numer.libsvm", "crx/crx.libsvm", "sonar/sonar.libsvm",
                           "digits/digits.libsvm", "heart_scale/heart_scale"}) {
    CertifyOptions options;
    options.read.path = (folder / file).string();
    options.extra_seconds = 0;
    const Verdict verdict = certify(options).verdict;
    CertifyResult part = interrupted_run(options, 1);
    for (int runs = 1; part.verdict == Verdict::undecided && runs < 80; ++runs) {
      options.resume = part.certificate;
      const CertifyResult next = interrupted_run(options, 5);
      no_bound_is_worse(part, next);
      part = next;
    }
    EXPECT_EQ(part.verdict, verdict) << file;
  }
}

}  // namespace
}  // namespace halfspace::proof
