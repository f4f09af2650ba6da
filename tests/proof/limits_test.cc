// Limits of time and memory are those of the whole command; and what is said where there was nothing to decide.

#include "base/json.h"
#include "certificate_support.h"
#include "halfspace/proof/certify.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::proof {
namespace {

std::string halfspace_with(const std::string& arguments) {
  return std::string("'") + HALFSPACE_COMMAND + "' " + arguments;
}

std::string many_rows(testing::Chance& chance, int rows, int classes, bool separable, bool long_numbers = true) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const int klass = chance.between(0, classes - 1);
    text += std::to_string(klass);
    for (int j = 1; j <= 6; ++j) {
      const int centre = separable && j == klass + 1 ? 40 : 0;
      text += " " + std::to_string(j) + ":" + std::to_string(centre + chance.between(-9, 9)) + "." +
              std::to_string(chance.between(0, 99999)) +
              (chance.one_in(50) && long_numbers ? "00000000000000000017" : "");
    }
    text += "\n";
  }
  return text;
}

// Rows that do not fit are read by passes; whatever the memory, the verdict is the same, and where they fit, or a
// temporary file holds them, the certificate is, too.
TEST(Limits, AnyMemoryGivesTheSameVerdict) {
  const TemporaryFolder folder;
  int same = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    testing::Chance chance(seed);
    const int classes = seed % 3 == 0 ? 3 : 2;
    CertifyOptions options;
    options.read.path = folder.write("data", many_rows(chance, 1500, classes, seed % 2 == 0));
    options.extra_seconds = 0;
    const CertifyResult whole = certify(options);
    ASSERT_NE(whole.verdict, Verdict::undecided);
    for (const std::uint64_t memory : {std::uint64_t{1000}, std::uint64_t{200'000}, std::uint64_t{600'000},
                                       std::uint64_t{1'500'000}, std::uint64_t{8'000'000}}) {
      options.memory = {memory, folder.path()};
      const CertifyResult result = certify(options);
      EXPECT_EQ(result.verdict, whole.verdict) << memory;
      EXPECT_TRUE(result.read_whole && result.certified) << memory;
      same += encode_certificate(result.certificate) == encode_certificate(whole.certificate) ? 1 : 0;
    }
  }
  EXPECT_GT(same, 8);
}

// Where only the rows fit, not what is needed to scale them, they are read a second time: as numbers of a few digits, too.
TEST(Limits, RowsThatAreReadTwiceAreTheSame) {
  const TemporaryFolder folder;
  int same = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    testing::Chance chance(seed);
    CertifyOptions options;
    options.read.path = folder.write("data", many_rows(chance, 1500, 2, true, false));
    options.extra_seconds = 0;
    const std::string whole = encode_certificate(certify(options).certificate);
    options.memory = {280'000, folder.path()};
    same += encode_certificate(certify(options).certificate) == whole ? 1 : 0;
  }
  EXPECT_EQ(same, 6);
}

TEST(Limits, NoTimeToReadIsUndecidedWithoutACertificate) {
  const TemporaryFolder folder;
  testing::Chance chance(1);
  CertifyOptions options;
  options.read.path = folder.write("data", many_rows(chance, 3000, 2, true));
  options.seconds = 1e-6;
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::undecided);
  EXPECT_FALSE(result.certified);
  EXPECT_FALSE(result.read_whole);
  EXPECT_FALSE(result.for_memory);
  EXPECT_TRUE(std::isinf(result.margin_upper));

  const std::string proof = folder.path() + "/proof";
  Outcome outcome = run(halfspace_with("certify " + options.read.path + " --seconds 0.000001 --json -o " + proof));
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  const Json j = Json::parse(outcome.output);
  EXPECT_EQ(j["verdict"], "undecided");
  EXPECT_EQ(j["verified"], false);
  EXPECT_TRUE(j["margin"]["upper"].is_null());
  EXPECT_TRUE(j["fewest_errors"]["upper"].is_null());
  EXPECT_FALSE(std::filesystem::exists(proof));
  outcome = run(halfspace_with("certify " + options.read.path + " --seconds 0.000001 -o " + proof + " --report " +
                               proof + ".html"));
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "Time ran out after", "no certificate"));
  outcome = run(halfspace_with("certify " + options.read.path + " --memory 1k"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

// Whatever the limit, data that were read have a bound that both checkers accept.
TEST(Limits, AnyTimeThatAllowsReadingGivesABound) {
  const TemporaryFolder folder;
  int read = 0, undecided = 0;
  for (int step = 0; step < 12; ++step) {
    testing::Chance chance(static_cast<std::uint64_t>(step));
    CertifyOptions options;
    options.read.path = folder.write("data", many_rows(chance, 4000, step % 4 == 0 ? 3 : 2, step % 2 == 0));
    options.seconds = 0.002 * std::pow(1.8, step);
    const CertifyResult result = certify(options);
    EXPECT_EQ(result.certified, result.read_whole);
    if (!result.read_whole) continue;
    ++read;
    undecided += result.verdict == Verdict::undecided ? 1 : 0;
    EXPECT_LE(result.margin_upper, result.radius);
    EXPECT_LE(result.margin_upper_share, 1);
    EXPECT_GE(result.margin_upper_share * result.radius, result.margin_upper);
    const std::string proof = folder.write("proof", encode_certificate(result.certificate));
    const Outcome outcome = plain_check(proof, {options.read.path});
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    if (result.verdict == Verdict::undecided) {
      EXPECT_TRUE(has(outcome.output, "margin at most"));
    }
  }
  EXPECT_GT(read, 3);
  EXPECT_GT(undecided, 0);
}

// Without a search the bound is that of the classes' means; a descent without end, as of random labels, pushes it down.
TEST(Limits, TheBoundOfADescentIsKept) {
  const TemporaryFolder folder;
  testing::Chance chance(6);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += chance.one_in(2) ? "1" : "0";
    for (int j = 1; j <= 40; ++j) text += " " + std::to_string(j) + ":" + std::to_string(chance.between(-99, 99));
    text += "\n";
  }
  CertifyOptions options;
  options.read.path = folder.write("data", text);
  double before = 1;
  for (const int last : {1, 3}) {  // interrupted before the descent, and after it
    std::atomic<bool> interrupt{false};
    int reports = 0;
    options.interrupt = &interrupt;
    options.on_progress = [&](const CertifyProgress&) { interrupt = ++reports >= last; };
    const CertifyResult result = certify(options);
    ASSERT_EQ(result.verdict, Verdict::undecided);
    EXPECT_LT(result.margin_upper_share, before / 3);
    before = result.margin_upper_share;
  }
}

// Of rows of one class nobody is told that they are separable, as if there were others.
TEST(Limits, OneClassIsNothingToSeparate) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.svm", "1 1:1\n1 1:-2\n"), proof = folder.path() + "/proof";
  Outcome outcome = run(halfspace_with("certify " + data + " -o " + proof + " --report " + proof + ".html"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "All 2 rows are of one class, '1': there is nothing to separate."));
  EXPECT_TRUE(lacks(outcome.output, "Separable."));
  EXPECT_EQ(Json::parse(run(halfspace_with("certify " + data + " --json")).output)["one_class"], true);
  const std::string words = "valid: one class only, nothing to separate\n";
  EXPECT_TRUE(run(halfspace_with("verify " + proof + " " + data)).output.ends_with(words));
  EXPECT_TRUE(plain_check(proof, {data}).output.ends_with(words));
  EXPECT_EQ(Json::parse(run(halfspace_with("verify " + proof + " " + data + " --json")).output)["one_class"], true);
  // Without a bias one class is a question: are its rows on one side of 0?
  outcome = run(halfspace_with("certify " + data + " --bias none -o " + proof));
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  for (const std::string& program : {halfspace_with("verify"), checker()})
    EXPECT_TRUE(
        run(program + " " + proof + " " + data).output.ends_with("valid: not separable, with rows of one class only\n"))
        << program;
  const std::string both = folder.write("both.svm", "1 1:1\n-1 1:-2\n");
  EXPECT_EQ(Json::parse(run(halfspace_with("certify " + both + " --json")).output)["one_class"], false);
}

// Another way to read a table is another question: both checkers say how they read it.
TEST(Limits, ThePlainCheckerSaysHowATableIsRead) {
  const TemporaryFolder folder;
  const std::string data = folder.write("t.csv", "id;colour;age;y\n1;red;2,5;good\n2;blue;1;bad\n3;red;n/a;good\n");
  const std::string proof = folder.path() + "/proof";
  Outcome outcome = run(halfspace_with("certify " + data + " --decimal comma --drop id --missing n/a -o " + proof));
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  outcome = plain_check(proof, {data});
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "read as a table, the first line names its columns",
                  "';' between values; a comma in decimals, which are exact", "the label is in 'y'",
                  "numbers are in 'age'", "categories are in 'colour'", "nothing is read from 'id'",
                  "positive: 2 rows labelled 'good'", "the bias coordinate is 1", "'n/a'"));
  outcome = run(halfspace_with("verify " + proof + " " + data));
  EXPECT_TRUE(has(outcome.output, "the text is read as a table"));
  const std::string rows = folder.write("d.svm", "1 1:1\n-1 1:-2\n");
  ASSERT_EQ(run(halfspace_with("certify " + rows + " -o " + proof)).status, 0);
  EXPECT_TRUE(has(plain_check(proof, {rows}).output, "read as LIBSVM"));
  EXPECT_TRUE(has(run(halfspace_with("verify " + proof + " " + rows)).output, "read as LIBSVM"));
}

}  // namespace
}  // namespace halfspace::proof
