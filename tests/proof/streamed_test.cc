// Rows that exceed the memory: a working set priced by passes has the verdict of all rows in memory.

#include "base/json.h"
#include "certificate_support.h"
#include "halfspace/proof/certify.h"
#include "proof/large/row_passes.h"
#include "proof/large/working_set.h"
#include "support/test.h"
#include "support/world.h"

namespace halfspace::proof {
namespace {

// Rows with a gap between classes: some values in hundredths, some beyond 2^63; with noise not separable.
std::string many_rows_with_a_gap(testing::Chance& chance, int rows, int features, int classes, int noisy) {
  std::vector<std::vector<int>> plane(static_cast<std::size_t>(classes));
  for (auto& w : plane) {
    for (int j = 0; j < features; ++j) w.push_back(chance.between(-9, 9));
  }
  std::string text;
  for (int i = 0; i < rows;) {
    std::vector<int> score(plane.size(), 0);
    std::string values;
    for (int j = 0; j < features; ++j) {
      const int x = chance.between(-999, 999);
      for (std::size_t k = 0; k < plane.size(); ++k) score[k] += plane[k][static_cast<std::size_t>(j)] * x;
      const bool far = j == 0 && i % 97 == 0;
      values += " " + std::to_string(j + 1) + ":" + std::to_string(x) + (far ? ".00000000000000000001" : "e-2");
      if (far) values.replace(values.rfind('.'), std::string::npos, "000000000000000000001e-23");
    }
    std::vector<int> sorted = score;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() - sorted[sorted.size() - 2] < 60) continue;
    auto klass = std::max_element(score.begin(), score.end()) - score.begin();
    if (i < noisy) klass = (klass + 1) % classes;
    text += std::to_string(klass) + values + "\n";
    ++i;
  }
  return text;
}

void both_accept(const TemporaryFolder& folder, const CertifyResult& result, const std::vector<std::string>& data) {
  EXPECT_TRUE(verify(result.certificate, data).valid);
  const Outcome outcome = plain_check(folder.write("checked.json", encode_certificate(result.certificate)), data);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

// Deals lines to files: one line to each in turn, or first those of class 0.
std::vector<std::string> dealt(const TemporaryFolder& folder, const std::string& text, std::size_t count,
                               bool by_class) {
  std::vector<std::string> parts(count), paths;
  std::size_t at = 0, line = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at) + 1;
    parts[by_class ? (text[at] == '0' ? 0 : 1 + line % (count - 1)) : line % count] += text.substr(at, end - at);
    at = end;
    ++line;
  }
  for (std::size_t k = 0; k < count; ++k) paths.push_back(folder.write("part-" + std::to_string(k), parts[k]));
  return paths;
}

TEST(Streamed, HasTheVerdictOfAllRowsInMemory) {
  const TemporaryFolder folder;
  int verdicts[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    testing::Chance chance(seed);
    const int classes = seed % 4 == 0 ? 3 : 2;
    CertifyOptions options;
    options.read.path = folder.write("data", many_rows_with_a_gap(chance, classes == 2 ? 6000 : 2500, 5, classes,
                                                                  seed % 2 == 0 ? 0 : 1 + static_cast<int>(seed) / 4));
    options.bias = chance.one_in(3) ? BiasPosition::none : BiasPosition::last;
    options.bias_scale = chance.one_in(3) ? "0.5" : "1";
    const CertifyResult whole = certify(options);
    ASSERT_NE(whole.verdict, Verdict::undecided);
    ++verdicts[whole.verdict == Verdict::separable ? 1 : 0];
    options.memory = {1000, folder.path()};
    const CertifyResult streamed = certify(options);
    EXPECT_EQ(streamed.verdict, whole.verdict) << seed;
    EXPECT_EQ(streamed.rows, whole.rows);
    EXPECT_EQ(streamed.radius, whole.radius);
    EXPECT_LE(streamed.margin_lower, whole.margin_upper);
    EXPECT_GE(streamed.margin_upper, whole.margin_lower);
    EXPECT_LE(streamed.errors_lower, whole.errors_upper);
    EXPECT_GE(streamed.errors_upper, whole.errors_lower);
    EXPECT_EQ(streamed.one_class, whole.one_class);
    both_accept(folder, streamed, {options.read.path});
  }
  EXPECT_GT(verdicts[0], 2);
  EXPECT_GT(verdicts[1], 2);
}

// The same rows in several files: a class may be in one of them alone.
TEST(Streamed, SeveralFilesAreOneQuestion) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    testing::Chance chance(seed);
    const int classes = seed % 3 == 0 ? 3 : 2;
    const std::string text = many_rows_with_a_gap(chance, 2000, 4, classes, seed % 2 == 0 ? 0 : 5);
    CertifyOptions joined;
    joined.read.path = folder.write("data", text);
    const CertifyResult whole = certify(joined);
    const std::vector<std::string> paths = dealt(folder, text, 2 + seed % 3, chance.one_in(2));
    for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{1}}) {
      CertifyOptions options;
      options.read.path = paths.front();
      options.read.more.assign(paths.begin() + 1, paths.end());
      options.memory = {memory, folder.path()};
      const CertifyResult parts = certify(options);
      EXPECT_EQ(parts.verdict, whole.verdict) << seed;
      EXPECT_EQ(parts.rows, whole.rows);
      EXPECT_EQ(parts.radius, whole.radius);
      EXPECT_LE(parts.margin_lower, whole.margin_upper);
      EXPECT_GE(parts.margin_upper, whole.margin_lower);
      ASSERT_EQ(parts.certificate.data.sources.size(), paths.size());
      for (std::size_t k = 0; k < whole.certificate.data.classes.size(); ++k)
        EXPECT_EQ(parts.certificate.data.classes[k], whole.certificate.data.classes[k]);
      for (const WitnessRow& row : parts.witness) EXPECT_TRUE(row.file.starts_with("part-"));
      both_accept(folder, parts, paths);
      options.resume = parts.certificate;
      EXPECT_EQ(certify(options).verdict, whole.verdict);
    }
  }
}

// A pass over each part of the data finds what a pass over all of it finds.
TEST(Streamed, FactsOfPartsAddUp) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::Chance chance(seed);
    const int classes = chance.one_in(3) ? 3 : 2;
    const std::string text = many_rows_with_a_gap(chance, 150, 3, classes, 10);
    CertifyOptions options;
    options.read.path = folder.write("data", text);
    const std::vector<std::string> paths = dealt(folder, text, 2 + seed % 4, chance.one_in(2));
    Loaded loaded;
    load(options.read, {options.read.path}, {}, unlimited, loaded);
    const DescribedText described{loaded.data, loaded.schema.labels};
    PriceOrder order;
    order.asked.classes = static_cast<std::uint32_t>(classes);
    order.most_bytes = order.most_rows = 1'000'000;
    order.separator.vectors.resize(classes == 2 ? 1 : 3);
    for (WeightVector& vector : order.separator.vectors) {
      for (int j = 0; j < 3; ++j) vector.weights.push_back(std::to_string(chance.between(-2, 2)));
      vector.bias = std::to_string(chance.between(-1, 1));
    }
    FactsOfRows sum;
    std::size_t worst = 0;
    mpq_class square;
    std::vector<ScannedSource> scanned;
    for (std::uint32_t source = 0; source < paths.size(); ++source) {
      const SourcePrices found = price_source(described, paths[source], source, order, unlimited);
      sum.add(found.facts);
      worst += found.worst.size();
      for (const RatedRow& rated : found.worst) EXPECT_EQ(rated.row.position.source, source);
      std::uint64_t rows = 0;
      const auto count = static_cast<std::uint32_t>(paths.size());
      SourceSurvey survey = survey_source(described, paths[source], source, count, {}, unlimited, rows);
      EXPECT_EQ(rows, survey.scanned.source.rows);
      square = std::max(square, survey.largest_square);
      scanned.push_back(std::move(survey.scanned));
    }
    const SourcePrices whole = price_source(described, options.read.path, 0, order, unlimited);
    EXPECT_EQ(sum, whole.facts);
    EXPECT_EQ(worst, whole.worst.size());
    std::uint64_t rows = 0;
    EXPECT_TRUE(square == survey_source(described, options.read.path, 0, 1, {}, unlimited, rows).largest_square);
    Data of_parts = loaded.data;
    of_parts.sources.resize(paths.size());
    complete(of_parts, std::move(scanned));
    for (std::size_t k = 0; k < of_parts.classes.size(); ++k)
      EXPECT_EQ(of_parts.classes[k].rows, loaded.data.classes[k].rows);
  }
}

// The few rows that decide are far into the file: a sample does not have them.
TEST(Streamed, FindsTheOnlyConflictOfManyRows) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const int x = i * 7919 % 1009 + 1, y = i * 104'729 % 1013;
    text += (i % 2 == 0 ? "+1 1:" : "-1 1:-") + std::to_string(x) + " 2:" + std::to_string(y) + "\n";
  }
  CertifyOptions options;
  options.memory = {1, folder.path()};
  options.read.path = folder.write("data", text);
  EXPECT_EQ(certify(options).verdict, Verdict::separable);
  options.read.path = folder.write("data", text + "-1 1:500 2:3\n+1 1:500 2:3\n");
  const CertifyResult result = certify(options);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  EXPECT_EQ(result.errors_lower, 1U);
  both_accept(folder, result, {options.read.path});
}

TEST(Streamed, InterruptedItHasABoundAndIsResumed) {
  const TemporaryFolder folder;
  int resumed = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    testing::Chance chance(seed);
    const int classes = seed % 4 == 0 ? 3 : 2;
    CertifyOptions options;
    options.read.path = folder.write("data", many_rows_with_a_gap(chance, 3000, 5, classes, seed % 2 == 0 ? 0 : 2));
    options.memory = {1, folder.path()};
    options.extra_seconds = 0;
    const Verdict verdict = certify(options).verdict;
    std::optional<CertifyResult> before;
    for (int runs = 1; runs < 40; ++runs) {
      std::atomic<bool> interrupt{false};
      int reports = runs;
      options.interrupt = &interrupt;
      options.on_progress = [&](const CertifyProgress&) { interrupt = --reports <= 0; };
      const CertifyResult part = certify(options);
      ASSERT_TRUE(part.certified);
      if (runs == 1 || part.verdict != Verdict::undecided) both_accept(folder, part, {options.read.path});
      if (before) {
        EXPECT_LE(part.margin_upper, before->margin_upper);
        EXPECT_GE(part.margin_lower, before->margin_lower);
        EXPECT_GE(part.errors_lower, before->errors_lower);
      }
      if (part.verdict != Verdict::undecided) {
        EXPECT_EQ(part.verdict, verdict);
        resumed += runs > 1 ? 1 : 0;
        before = part;
        break;
      }
      options.resume = part.certificate;
      before = part;
    }
    EXPECT_EQ(before->verdict, verdict);
  }
  EXPECT_GT(resumed, 4);
}

TEST(Streamed, RealSets) {
  const char* named = std::getenv("HALFSPACE_DATA");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named) : std::filesystem::path(HALFSPACE_SOURCE_DIR) / "../shared/data";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no data sets here; set HALFSPACE_DATA to their folder";
  const TemporaryFolder temporary;
  constexpr bool yes = true, no = false;
  const std::vector<std::tuple<const char*, bool, std::uint64_t>> sets = {
      {"a9a/a9a", no, 1},
      {"agaricus/agaricus.libsvm", yes, 1},
      {"banknote/banknote.libsvm", no, 1},
      {"electricity/electricity.libsvm.gz", no, 1},
      {"heart_scale/heart_scale", no, 1},
      {"iris/iris.libsvm", no, 1},
      {"spambase/spambase.libsvm", no, 1},
      {"w8a/w8a.libsvm.gz", no, 1},
      {"sms_spam/sms_spam.libsvm.gz", yes, 1},
      // The margin that decides which rows may leave is sought for a time: a busy machine needs more memory.
      {"reuters21578/reuters21578_earn.libsvm.gz", yes, 10'000'000}};
  for (const auto& [file, separable, memory] : sets) {
    CertifyOptions options;
    options.read.path = (folder / file).string();
    options.memory = {memory, temporary.path()};
    const CertifyResult result = certify(options);
    EXPECT_EQ(result.verdict, separable ? Verdict::separable : Verdict::not_separable) << file;
    if (std::string(file).starts_with("sms_spam")) both_accept(temporary, result, {options.read.path});
  }
}

ExactRow row_of(std::uint64_t number, const std::vector<std::string>& values) {
  ExactRow row;
  row.number = number;
  for (std::uint32_t j = 0; j < values.size(); ++j) {
    const auto value = parse_decimal(values[j]);
    if (!value->zero()) row.entries.push_back({j, *value});
  }
  return row;
}

// Facts of random separators against plain rationals: scores of 0, values far apart, weights that doubles do not hold.
TEST(RowScorer, AgreesWithRationals) {
  testing::Chance chance(9);
  const auto some_integer = [&] {
    mpz_class value = chance.between(-3, 3);
    if (chance.one_in(3)) value = value * mpz_class("100000000000000000000000000000") + chance.between(-2, 2);
    return value;
  };
  for (int round = 0; round < 400; ++round) {
    const std::size_t classes = chance.one_in(3) ? 3 : 1;
    Separator separator;
    separator.vectors.resize(classes);
    for (WeightVector& vector : separator.vectors) {
      for (int j = 0; j < 3; ++j) vector.weights.push_back(some_integer().get_str());
      vector.bias = some_integer().get_str();
    }
    const mpq_class scale(chance.between(1, 3), 2);
    RowScorer scorer(separator, scale, classes == 1 ? std::optional<std::int32_t>(1) : std::nullopt);
    std::optional<mpq_class> least;
    std::uint64_t wrong = 0, zero[2] = {0, 0};
    for (std::uint64_t i = 1; i <= 20; ++i) {
      std::vector<std::string> values;
      for (int j = 0; j < 3; ++j)
        values.push_back(std::to_string(chance.between(-3, 3)) +
                         (chance.one_in(4) ? "e" + std::to_string(chance.of({-400, -30, -1, 2, 25, 330})) : ""));
      const auto klass = static_cast<std::int32_t>(chance.between(0, classes == 1 ? 1 : 2));
      const ExactRow row = row_of(i, values);
      const auto score = [&](std::size_t k) {
        mpq_class sum = mpz_class(separator.vectors[k].bias) * scale;
        for (const ExactRow::Entry& entry : row.entries)
          sum += mpz_class(separator.vectors[k].weights[entry.coordinate]) * entry.value.value();
        return sum;
      };
      std::optional<mpq_class> agreement;
      if (classes == 1) {
        agreement = klass == 1 ? score(0) : mpq_class(-score(0));
      } else {
        for (std::size_t k = 0; k < 3; ++k) {
          if (k == static_cast<std::size_t>(klass)) continue;
          const mpq_class own = score(static_cast<std::size_t>(klass)) - score(k);
          if (!agreement || own < *agreement) agreement = own;
        }
      }
      if (!least || *agreement < *least) least = agreement;
      wrong += *agreement < 0 ? 1 : 0;
      if (*agreement == 0) ++zero[classes == 1 && klass == 1 ? 1 : 0];
      const double returned = scorer.add(row, klass);
      ASSERT_EQ(returned > 0, *agreement > 0);
      ASSERT_EQ(returned < 0, *agreement < 0);
    }
    scorer.facts().describe(separator);
    ASSERT_EQ(separator.minimum, least->get_str());
    ASSERT_EQ(separator.wrong, wrong);
    ASSERT_EQ(separator.zero_negative, zero[0]);
    ASSERT_EQ(separator.zero_positive, zero[1]);
  }
}

TEST(WorkingSet, KeepsTheWorstWithinItsBytes) {
  testing::Chance chance(2);
  const ExactRow one = row_of(1, {"1", "2"});
  const std::uint64_t bytes = bytes_in_search(KeptRow(one, 0, 0), 0);
  WorstRows worst(10 * bytes, 100, 0), few(1'000'000, 3, 0);
  for (std::uint64_t i = 1; i <= 500; ++i) {
    const ExactRow row = row_of(i, {"1", "2"});
    const double agreement = static_cast<double>(i * 7919 % 501);
    worst.offer(agreement, row, 0, 0);
    few.offer(agreement, row, 0, 0);
  }
  std::vector<KeptRow> rows;
  for (RatedRow& rated : worst.take()) rows.push_back(std::move(rated.row));
  EXPECT_EQ(rows.size(), 10U);
  for (const KeptRow& row : rows) EXPECT_LE(row.position.row * 7919 % 501, 10U);
  EXPECT_EQ(few.take().size(), 3U);
  WorkingSet set(0);
  set.add(std::move(rows));
  EXPECT_EQ(set.size(), 10U);
  set.keep({0, 9});
  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(set.bytes(), 2 * bytes);
}

}  // namespace
}  // namespace halfspace::proof
