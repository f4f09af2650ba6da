// The pipeline: the same rows and the same errors whatever the threads, the block sizes, the compression.
#define XXH_INLINE_ALL
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <thread>

#include "halfspace/detail/kernels/kernels.h"
#include "stream/formats/recognise.h"
#include "stream/pipeline/transform.h"
#include "stream_support.h"
#include "support/test_name.h"

namespace halfspace {
namespace {

using namespace testing_stream;

// Rows of all kinds; every 50th or so is bad when `with_bad`. `good` gets the text without the bad lines.
std::string sample(bool with_bad, int rows = 3000, std::string* good = nullptr) {
  std::mt19937_64 random(11);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    std::string line = random() % 2 == 0 ? "+1" : "-1";
    std::uint64_t index = 0;
    for (std::uint64_t k = random() % 12; k > 0; --k) {
      index += 1 + random() % (random() % 5 == 0 ? 100'000 : 10);
      line += " " + std::to_string(index) + ":";
      switch (random() % 5) {
        case 0:
          line += "1";
          break;
        case 1:
          line += "-0." + std::to_string(random() % 1'000'000);
          break;
        case 2:
          line += std::to_string(random()) + "e-" + std::to_string(random() % 30);
          break;
        case 3:
          line += "0";
          break;
        default:
          line += std::to_string(random() % 1000) + "." + std::to_string(random() % 100);
          break;
      }
    }
    if (random() % 10 == 0) line += " # comment";
    if (random() % 20 == 0) line = "";
    bool bad = false;
    if (with_bad && random() % 50 == 0) {
      bad = true;
      line += line.empty() ? "+1 0:1" : " 3";
      if (line.find('#') != std::string::npos) line = "what 1:1";
    }
    line += random() % 3 == 0 ? "\r\n" : "\n";
    text += line;
    if (good != nullptr && !bad) *good += line;
  }
  return text;
}

ReadOptions plain(std::size_t block_bytes, unsigned threads) {
  ReadOptions options{.threads = threads, .block_bytes = block_bytes, .inference_rows = 20};
  return options;
}

TEST(Reader, NothingDependsOnThreadsBlocksOrCompression) {
  const Folder folder;
  const std::string text = sample(true);
  const std::string path = folder.write("data", text);
  ReadOptions options = plain(1 << 20, 1);
  options.path = path;
  options.on_error = OnError::skip;
  options.rejects = folder.path("rejects");
  const Reading expected = read_all(options);
  ASSERT_FALSE(expected.failed) << expected.error.what();
  ASSERT_GT(expected.report.rows, 2000u);
  ASSERT_GT(expected.report.rejected, 20u);
  const std::string rejects = content(options.rejects);
  options.on_error = OnError::stop;
  const Reading stopped = read_all(options);
  ASSERT_TRUE(stopped.failed);

  for (const unsigned threads : {1u, 2u, 4u}) {
    for (const std::size_t block_bytes :
         {std::size_t{64}, std::size_t{1000}, std::size_t{1} << 14, std::size_t{1} << 20}) {
      ReadOptions other = options;
      other.threads = threads;
      other.block_bytes = block_bytes;
      other.on_error = OnError::skip;
      const Reading outcome = read_all(other);
      ASSERT_FALSE(outcome.failed) << outcome.error.what();
      EXPECT_TRUE(outcome.rows == expected.rows) << threads << " threads, blocks of " << block_bytes;
      EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
      EXPECT_EQ(outcome.report.bytes, text.size());
      EXPECT_EQ(outcome.report.rejected, expected.report.rejected);
      EXPECT_EQ(outcome.report.stored, expected.report.stored);
      EXPECT_EQ(outcome.report.nonzeros, expected.report.nonzeros);
      EXPECT_EQ(outcome.report.class_rows, expected.report.class_rows);
      EXPECT_EQ(outcome.schema, expected.schema);
      EXPECT_TRUE(content(options.rejects) == rejects);
      other.on_error = OnError::stop;
      const Reading failed = read_all(other);
      EXPECT_TRUE(failed.rows == stopped.rows);
      EXPECT_STREQ(failed.error.what(), stopped.error.what());
    }
  }
  for (const std::string& bytes : {gzip(text), zstd(text), gzip(text.substr(0, 1000)) + gzip(text.substr(1000))}) {
    ReadOptions other = options;
    other.path = folder.write("compressed", bytes);
    other.on_error = OnError::skip;
    const Reading outcome = read_all(other);
    EXPECT_TRUE(outcome.rows == expected.rows);
    EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
    EXPECT_NE(outcome.report.compression, "none");
  }
}

TEST(Reader, SkippedRowsAreAsIfTheyWereNotThere) {
  const Folder folder;
  std::string good;
  const std::string text = sample(true, 3000, &good);
  ReadOptions options = plain(512, 2);
  options.path = folder.write("all", text);
  options.on_error = OnError::skip;
  const Reading skipped = read_all(options, false);
  options.path = folder.write("good", good);
  options.on_error = OnError::stop;
  const Reading without = read_all(options, false);
  ASSERT_FALSE(without.failed) << without.error.what();
  ASSERT_GT(skipped.report.rejected, 20u);
  EXPECT_TRUE(skipped.rows == without.rows);
  EXPECT_EQ(skipped.schema, without.schema);
  EXPECT_EQ(skipped.report.class_rows, without.report.class_rows);
}

TEST(Reader, RowNumbersCountTheRowsSetAside) {
  ReadOptions options = plain(1, 1);
  options.on_error = OnError::skip;
  const Reading outcome = read_text("+1 1:1\n\n+1 1:x\n# c\n-1 1:1\n", options);
  EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+0 0:0x1p+0\n3 0 0x1p+0 0x1p+0 0:0x1p+0\n");
}

TEST(Reader, BlocksKeepTheirInvariants) {
  const Folder folder;
  ReadOptions options = plain(700, 2);
  options.path = folder.write("data", sample(false));
  Reader reader(options);
  std::uint64_t last = 0;
  reader.read([&](const Block& block) {
    EXPECT_GT(block.rows, 0u);
    for (std::size_t i = 0; i < block.rows; ++i) {
      EXPECT_EQ(block.row[i], ++last);
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          EXPECT_LT(x.index[k], block.features);
          if (k > 0) {
            EXPECT_LT(x.index[k - 1], x.index[k]);
          }
        }
      });
    }
    return true;
  });
  EXPECT_EQ(last, reader.report().rows);
}

TEST(Reader, TheFingerprintIsXxh3OfTheText) {
  const std::string text = "\xef\xbb\xbf" + sample(false);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::array<char, 33> expected{};
  std::snprintf(expected.data(), expected.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  EXPECT_EQ(read_text(text, plain(100, 2)).report.fingerprint, expected.data());
  EXPECT_EQ(read_text(gzip(text), plain(100, 2)).report.fingerprint, expected.data());
  EXPECT_EQ(read_text(text, plain(100, 2)).report.bytes, text.size());
}

TEST(Reader, ASecondPassIsTheFirst) {
  const Folder folder;
  ReadOptions options = plain(300, 2);
  for (const std::string& bytes : {sample(false), gzip("\xef\xbb\xbf" + sample(false))}) {
    options.path = folder.write("data", bytes);
    Reader reader(options);
    EXPECT_TRUE(reader.rewindable());
    Names passes(3), fingerprints;
    for (std::string& pass : passes) {
      reader.read([&](const Block& block) {
        dump(block, pass);
        return true;
      });
      fingerprints.push_back(reader.report().fingerprint);
    }
    EXPECT_TRUE(passes[0] == passes[1] && passes[1] == passes[2]);
    EXPECT_EQ(fingerprints[0], fingerprints[2]);
    EXPECT_EQ(fingerprints[0].size(), 32u);
  }
}

TEST(Reader, ConsumeMayStopAndThrow) {
  const Folder folder;
  ReadOptions options = plain(300, 2);
  options.path = folder.write("data", sample(false));
  Reader reader(options);
  int calls = 0;
  reader.read([&](const Block&) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(reader.report().fingerprint, "");
  const std::uint64_t rows = reader.report().rows;
  EXPECT_GT(rows, 0u);
  EXPECT_LT(rows, 100u);
  EXPECT_THROW(reader.read([](const Block&) -> bool { throw std::out_of_range("mine"); }), std::out_of_range);
  calls = 0;
  reader.read([&](const Block&) { return ++calls != 0; });
  EXPECT_GT(reader.report().rows, 2000u);
}

TEST(Reader, APipeIsReadOnce) {
  const Folder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text = sample(false);
  ReadOptions options = plain(500, 2);
  options.path = path;
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  Reader reader(options);
  EXPECT_FALSE(reader.rewindable());
  std::string rows;
  reader.read([&](const Block& block) {
    dump(block, rows);
    return true;
  });
  writer.join();
  EXPECT_TRUE(rows == read_text(text, plain(500, 2)).rows);
  EXPECT_EQ(error_from([&] { reader.read([](const Block&) { return true; }); }).kind(), ErrorKind::usage);
}

Reading read_pipe(const std::string& text, ReadOptions options) {
  const Folder folder;
  options.path = folder.path("pipe");
  if (::mkfifo(options.path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
  std::signal(SIGPIPE, SIG_IGN);  // the reader may leave before all is written
  std::thread writer([&] { std::ofstream(options.path, std::ios::binary) << text; });
  Reading outcome = read_all(options);
  writer.join();
  return outcome;
}

TEST(Reader, APipeOfOneLabelNeedsToBeToldWhichItIs) {
  std::string spam, one;
  for (int i = 0; i < 200'000; ++i) {
    spam += "spam 1:1\n";
    one += "1 1:1\n";
  }
  ReadOptions options = plain(1 << 16, 1);
  const Reading refused = read_pipe(spam, options);
  EXPECT_EQ(refused.error.kind(), ErrorKind::data);
  EXPECT_TRUE(has(refused.error.hint(), option("positive", "NAME")));
  EXPECT_EQ(read_pipe(one + "0 1:1\n", options).schema.labels.names, (Names{"-1", "1"}));
  options.labels.positive = "spam";
  const Reading named = read_pipe(spam + "ham 1:1\n", options);
  EXPECT_FALSE(named.failed) << named.error.what();
  EXPECT_EQ(named.schema.labels.names, (Names{"ham", "spam"}));
  EXPECT_EQ(named.report.class_rows, (std::vector<std::uint64_t>{1, 200'000}));
}

TEST(Reader, EmptyDataIsRefused) {
  for (const char* text : {"", "\n\n", "# nothing\n", "\xef\xbb\xbf", "\xef\xbb\xbf\n"}) {
    const Reading outcome = read_text(text, plain(64, 1));
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data);
    EXPECT_TRUE(outcome.error.message().starts_with("no data rows")) << outcome.error.message();
  }
  ReadOptions options = plain(64, 1);
  options.on_error = OnError::skip;
  options.format = DataFormat::libsvm;
  const Reading outcome = read_text("1:1\n2:2\n", options);
  EXPECT_TRUE(outcome.error.message().starts_with("no row can be used; the first: ")) << outcome.error.message();
}

// Where no row is good no label is known, and that is not what is wrong with them.
TEST(Reader, TellsWhatIsWrongWhereNoRowIsGood) {
  for (const OnError on_error : {OnError::stop, OnError::skip}) {
    ReadOptions options = plain(64, 1);
    options.on_error = on_error;
    const Reading outcome = read_text("\n# rows\n+1 2:1 1:3\n-1 2:1 1:2\n", options);
    EXPECT_EQ(outcome.error.line(), 3U);
    EXPECT_EQ(outcome.error.column(), 8U);
    EXPECT_TRUE(has(outcome.error.message(), "index 1 after index 2"));
  }
}

// Every whole row before the damage is delivered, then the error; and that does not depend on the block size.
TEST(Reader, TruncatedCompressionIsReportedAfterTheRowsBefore) {
  const Folder folder;
  std::string text = sample(false, 20'000);
  const std::string bytes = gzip(text);
  ReadOptions options = plain(1 << 20, 2);
  options.path = folder.write("data", std::string_view(bytes).substr(0, bytes.size() * 3 / 4));
  const Reading expected = read_all(options);
  EXPECT_TRUE(expected.error.message().starts_with("the gzip data ends too early")) << expected.error.message();
  const Reading whole = read_text(text, options);
  EXPECT_GT(expected.rows.size(), whole.rows.size() / 2);
  EXPECT_TRUE(whole.rows.starts_with(expected.rows));
  options.block_bytes = 100;
  EXPECT_TRUE(read_all(options).rows == expected.rows);
  options.on_error = OnError::skip;
  EXPECT_TRUE(read_all(options).failed);
}

TEST(Reader, WeightsOfClasses) {
  ReadOptions options = plain(64, 1);
  options.labels.class_weights = {{"1.0", 2.5}, {"-1", 0.0}};
  EXPECT_EQ(read_text("+1 1:1\n-1 1:1\n", options).rows, "1 1 0x1.4p+1 0x1p+0 0:0x1p+0\n2 0 0x0p+0 0x1p+0 0:0x1p+0\n");
  options.labels.class_weights = {{"spam", 1.0}};
  EXPECT_EQ(read_text("+1 1:1\n-1 1:1\n", options).error.kind(), ErrorKind::usage);
  for (const double wrong : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.labels.class_weights = {{"-1", wrong}};
    EXPECT_EQ(read_text("+1 1:1\n-1 1:1\n", options).error.kind(), ErrorKind::usage);
  }
}

TEST(Reader, RowsDividedByTheirNorm) {
  ReadOptions options = plain(64, 1);
  options.row_normalised = true;
  const Reading outcome = read_text("+1 1:3 2:-4\n-1\n+1 5:0\n+1 1:3e200 2:4e200\n-1 1:3e-300 2:4e-300\n", options);
  EXPECT_TRUE(outcome.schema.row_normalised);
  std::istringstream lines(outcome.rows);
  std::string line;
  const auto values = [&] {
    std::getline(lines, line);
    std::vector<double> all;
    for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
      all.push_back(std::strtod(line.c_str() + at + 1, nullptr));
    }
    return all;
  };
  EXPECT_EQ(values(), (std::vector<double>{3.0 / 5.0, -4.0 / 5.0}));
  EXPECT_EQ(values(), (std::vector<double>{}));
  EXPECT_EQ(values(), (std::vector<double>{0.0}));
  for (int huge_then_tiny = 0; huge_then_tiny < 2; ++huge_then_tiny) {
    const std::vector<double> row = values();
    ASSERT_EQ(row.size(), 2u);
    EXPECT_DOUBLE_EQ(row[0], 0.6);
    EXPECT_DOUBLE_EQ(row[1], 0.8);
  }
}

TEST(Reader, SingleRoundsAndRefusesWhatDoesNotFit) {
  ReadOptions options = plain(1 << 20, 1);
  options.single = true;
  const Reading outcome = read_text("+1 1:0.1\n-1 1:1\n\n+1 1:1 7:1e39\n-1 1:1\n", options);
  EXPECT_EQ(outcome.error.line(), 4u);
  EXPECT_EQ(outcome.error.text(), "+1 1:1 7:1e39");
  EXPECT_EQ(outcome.error.message(),
            "the value 9.9999999999999994e+38 of feature 6 (counted from 0) is too large for a float");
  std::ostringstream tenth;
  tenth << std::hexfloat << static_cast<double>(0.1f);
  EXPECT_TRUE(has(outcome.rows, "0:" + tenth.str() + "\n"));
  EXPECT_EQ(std::count(outcome.rows.begin(), outcome.rows.end(), '\n'), 2);
  options.on_error = OnError::skip;
  const Reading skipped = read_text("+1 1:0.1\n-1 1:1\n\n+1 1:1 7:1e39\n-1 1:1\n+1 x\n", options);
  EXPECT_EQ(skipped.report.rows, 3u);
  EXPECT_EQ(skipped.report.rejected, 2u);
}

TEST(Reader, ColumnsScaledByPowersOfTwo) {
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"-1", "+1"};
  model.features = 3;
  model.exponents = {3, -1};
  ReadOptions options = plain(64, 1);
  options.schema = &model;
  EXPECT_EQ(read_text("+1 1:0.1 2:3 3:5\n", options).rows.substr(0, 12), "1 1 0x1p+0 0");
  const Reading outcome = read_text("+1 1:1 2:3 3:5\n", options);
  EXPECT_TRUE(has(outcome.rows, " 0:0x1p+3 1:0x1.8p+0 2:0x1.4p+2\n"));
  EXPECT_EQ(read_text("+1 1:1e308\n", options).error.line(), 1u);
}

TEST(Reader, TheModelsFormatIsExpected) {
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"-1", "+1"};
  ReadOptions options = plain(64, 1);
  options.schema = &model;
  options.zero_based = true;
  EXPECT_EQ(read_text("+1 1:1\n", options).error.kind(), ErrorKind::usage);
  options.zero_based = false;
  options.format = DataFormat::csv;
  EXPECT_EQ(read_text("+1 1:1\n", options).error.kind(), ErrorKind::usage);
  options.format = DataFormat::automatic;
  const Reading idx = read_text(std::string_view("\x00\x00\x08\x03\x00", 5), options);
  EXPECT_EQ(idx.error.kind(), ErrorKind::data);
  EXPECT_EQ(idx.error.message(), "is an idx file, and the model was learned from LIBSVM data");
  EXPECT_EQ(read_text("a,b,c\n", options).error.message(),
            "looks like CSV, and the model was learned from LIBSVM data");
  // Who names the format knows what it is.
  options.format = DataFormat::libsvm;
  EXPECT_EQ(read_text("a,b,c\n", options).error.message(), "'a,b,c' is not a label of this data");
  options.schema = nullptr;
  EXPECT_EQ(read_text(std::string_view("\x00\x00\x08\x03\x00", 5), options).error.message(),
            "is an idx file, where LIBSVM data is expected");
}

TEST(Reader, ProgressComesToTheEnd) {
  const Folder folder;
  ReadOptions options = plain(1000, 2);
  const std::string bytes = gzip(sample(false));
  options.path = folder.write("data", bytes);
  std::uint64_t last = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, bytes.size());
    last = done;
  };
  ASSERT_FALSE(read_all(options).failed);
  EXPECT_EQ(last, bytes.size());
}

TEST(Reader, RejectsMayNotReplaceTheData) {
  const Folder folder;
  ReadOptions options = plain(64, 1);
  options.on_error = OnError::skip;
  options.path = options.rejects = folder.write("data", "+1 1:1\n-1 1:1\n");
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::usage);
  EXPECT_EQ(content(options.path), "+1 1:1\n-1 1:1\n");
  options.rejects = "-";
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::usage);
  options.rejects = folder.path("no/such/folder");
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::input_output);
}

TEST(Reader, RejectsOnAFullDiskAreAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  ReadOptions options = plain(64, 1);
  options.on_error = OnError::skip;
  options.rejects = "/dev/full";
  EXPECT_EQ(read_text("+1 1:1\n-1 1:1\n+1 x\n", options).error.kind(), ErrorKind::input_output);
}

// With leave to begin again, a label that comes late in a file ends the pass, even one that sets bad rows aside.
TEST(Reader, LateLabelsMayEndThePass) {
  for (const bool csv : {false, true}) {
    std::string text = csv ? "x,label\n" : "";
    for (int i = 0; i < 100; ++i) {
      const std::string name = i == 70 ? "late" : i % 2 == 0 ? "a" : "b";
      text += csv ? std::to_string(i) + "," + name + "\n" : name + " 1:" + std::to_string(i) + "\n";
    }
    ReadOptions options = plain(1 << 16, 2);
    options.inference_rows = 10;
    options.on_error = OnError::skip;
    EXPECT_FALSE(read_text(text, options).failed);
    options.labels.stop_at_late = true;
    const Reading stopped = read_text(text, options);
    EXPECT_TRUE(has(stopped.error.message(), "'late'"));
    options.labels.scan_all = true;
    EXPECT_FALSE(read_text(text, options).failed);
  }
}

// Classes that are named need not be there, nor early; what is none of them is a bad row, wherever it stands.
TEST(Labels, AreThoseNamed) {
  const std::string header = "@relation r\n@attribute x numeric\n@attribute class {a,b,c,e}\n@data\n";
  const auto row = [](std::string_view form, int i, const std::string& name) {
    const std::string number = std::to_string(i);
    if (form == "libsvm") return name + " 1:" + number + "\n";
    if (form == "vw") return name + " |n x:" + number + "\n";
    if (form == "json") return "{\"x\":" + number + ",\"label\":\"" + name + "\"}\n";
    return number + "," + name + "\n";
  };
  for (const std::string form : {"libsvm", "csv", "vw", "json", "arff"}) {
    SCOPED_TRACE(form);
    const auto text_with = [&](const std::string& other, int at = 70) {
      std::string text = form == "csv" ? "x,label\n" : form == "arff" ? header : "";
      for (int i = 0; i < 100; ++i) text += row(form, i, i == at ? other : i % 2 == 0 ? "a" : "b");
      return text;
    };
    ReadOptions options = plain(1 << 8, 2);
    options.inference_rows = 10;
    options.labels.stop_at_late = true;
    options.labels.classes = {"d", "c", "b", "a"};
    const Reading read = read_text(text_with("c"), options);
    ASSERT_FALSE(read.failed) << read.error.message();
    EXPECT_EQ(read.report.class_rows, (std::vector<std::uint64_t>{49, 50, 1, 0}));
    const Reading strange = read_text(text_with("e"), options);
    EXPECT_EQ(strange.error.message(), "'e' is not a label of this data");
    EXPECT_EQ(strange.error.hint(), "the labels are 'a', 'b', 'c', 'd'");
    options.on_error = OnError::skip;
    const Reading skipped = read_text(text_with("e"), options);
    ASSERT_FALSE(skipped.failed) << skipped.error.message();
    EXPECT_EQ(skipped.report.rejected, 1U);
    EXPECT_EQ(read_text(text_with("e", 0), options).report.class_rows, (std::vector<std::uint64_t>{49, 50, 0, 0}));
    options.labels.classes = {"a"};
    EXPECT_EQ(read_text(text_with("b"), options).error.kind(), ErrorKind::usage);
  }
}

TEST(Recognise, TextByItsFirstLine) {
  using stream::recognise_text;
  for (const char* text : {"+1 1:0.5", "1", "\n# c\n spam 3:4\n", "1:2 3:4", "1 qid:1 1:1", "0 -3:1", "1 1:nan",
                           "1\t2:3", "+1 1:\r\n", "1 # , comment"}) {
    EXPECT_EQ(recognise_text(text), DataFormat::libsvm) << text;
  }
  for (const char* text :
       {"a,b,label", "a;b", "\"a b\"", "age colour", "1 2 3", "10:30,5", "1 10:30,5", "a\tb\tc", "x y:1"}) {
    EXPECT_EQ(recognise_text(text), DataFormat::csv) << text;
  }
}

// Counts of real data sets against what is known of them. Skipped, saying so, where the sets are not.

struct Known {
  const char* file;
  bool zero_based;
  std::uint64_t rows, nonzeros;
  std::uint32_t features;
  Names labels;
  std::vector<std::uint64_t> class_rows;
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.file; }

class RealData : public ::testing::TestWithParam<Known> {};

TEST_P(RealData, HasItsKnownCounts) {
  const Known& known = GetParam();
  ReadOptions options{.path = real_data(known.file)};
  if (options.path.empty()) GTEST_SKIP() << known.file << " is not here; set HALFSPACE_DATA to the folder of data sets";
  options.zero_based = known.zero_based;
  Reader reader(options);
  reader.read([](const Block&) { return true; });
  EXPECT_EQ(reader.report().rows, known.rows);
  EXPECT_EQ(reader.report().rejected, 0u);
  EXPECT_EQ(reader.report().nonzeros, known.nonzeros);
  EXPECT_EQ(reader.schema().features, known.features);
  EXPECT_EQ(reader.schema().labels.names, known.labels);
  EXPECT_EQ(reader.report().class_rows, known.class_rows);
}

INSTANTIATE_TEST_SUITE_P(
    Sets, RealData,
    ::testing::Values(Known{"a9a/a9a", false, 32561, 451592, 123, {"-1", "+1"}, {24720, 7841}},
                      Known{"agaricus/agaricus.txt.train", true, 6513, 143286, 127, {"0", "1"}, {3373, 3140}},
                      Known{"imdb/imdb.libsvm.gz", false, 25000, 3544197, 81056, {"-1", "+1"}, {12500, 12500}},
                      Known{"mnist/train-images-idx3-ubyte.gz",
                            false,
                            60000,
                            8994156,
                            784,
                            {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                            {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}}),
    [](const auto& known) { return testing::test_name(known.param.file); });

}  // namespace

}  // namespace halfspace
