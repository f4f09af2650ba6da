// Every kind of model against every kind of data: the same predictions where both are written alike, else a refusal that
// names both formats. No cell is wrong in silence.

#include "cli/run.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"
#include "stream/npy_support.h"

namespace halfspace::cli_tests {
namespace {

using namespace testing_stream;

enum class Kind { libsvm, csv, arff, vw, jsonl, npy, csr, idx };

// What messages call it: as what the model was learned from, and as what the data are.
struct Words {
  Kind kind;
  const char *learned_from, *given;
};
constexpr Words all_words[] = {{Kind::libsvm, "LIBSVM", "LIBSVM"},
                               {Kind::csv, "CSV", "CSV"},
                               {Kind::arff, "ARFF", "ARFF"},
                               {Kind::vw, "Vowpal Wabbit", "Vowpal Wabbit"},
                               {Kind::jsonl, "JSON Lines", "JSON Lines"},
                               {Kind::npy, "NumPy", "NumPy array"},
                               {Kind::csr, "SciPy's CSR", ".npz of a sparse matrix"},
                               {Kind::idx, "idx", "idx file"}};

const Words& words_of(Kind kind) { return all_words[static_cast<std::size_t>(kind)]; }

struct Written {
  std::string name;
  Kind kind;
  bool labelled = true;
  std::string given{};  // what messages call it, where that is not said of the kind

  std::string called() const { return given.empty() ? words_of(kind).given : given; }
};

class Matrix : public CommandTest {
 protected:
  static constexpr int rows = 40;
  static int a(int i) { return i * 7 % 10; }
  static int b(int i) { return i * 3 % 8 + 1; }
  static std::string label(int i) { return a(i) > b(i) ? "1" : "0"; }

  void SetUp() override {
    CommandTest::SetUp();
    write_texts(true, "");
    write_texts(false, "plain-");
    write_arrays();
    write_images();
    EXPECT_EQ(sh("\"$H\" convert rows.svm of-svm.cache && \"$H\" convert rows.csv of-csv.cache").code, 0);
    for (const std::string kind : {"csr", "npy"}) files_.push_back(kind == "csr" ? csr_ : npy_);
    files_.push_back({"of-svm.cache", Kind::libsvm, true, "made from LIBSVM"});
    files_.push_back({"of-csv.cache", Kind::csv, true, "made from CSV"});
  }

  void write_texts(bool labelled, const std::string& prefix) {
    std::string svm, csv, arff, vw, jsonl;
    csv = labelled ? "a,b,label\n" : "a,b\n";
    arff = std::string("@relation r\n@attribute a numeric\n@attribute b numeric\n") +
           (labelled ? "@attribute label {0,1}\n" : "") + "@data\n";
    for (int i = 0; i < rows; ++i) {
      const std::string x = std::to_string(a(i)), y = std::to_string(b(i)), of = label(i);
      svm += (labelled ? of + " " : "") + "1:" + x + " 2:" + y + "\n";
      csv += x + "," + y + (labelled ? "," + of : "") + "\n";
      arff += x + "," + y + (labelled ? "," + of : "") + "\n";
      vw += (labelled ? of + " " : "") + "|f a:" + x + " b:" + y + "\n";
      jsonl += "{\"a\": " + x + ", \"b\": " + y + (labelled ? ", \"label\": " + of : "") + "}\n";
    }
    const std::pair<const char*, Kind> kinds[] = {
        {"rows.svm", Kind::libsvm}, {"rows.csv", Kind::csv},     {"rows.arff", Kind::arff},
        {"rows.vw", Kind::vw},      {"rows.jsonl", Kind::jsonl},
    };
    const std::string* const texts[] = {&svm, &csv, &arff, &vw, &jsonl};
    for (std::size_t k = 0; k < 5; ++k) {
      write(prefix + kinds[k].first, *texts[k]);
      files_.push_back({prefix + kinds[k].first, kinds[k].second, labelled});
    }
  }

  void write_arrays() {
    std::vector<double> values;
    std::vector<std::int32_t> columns, places{0};
    std::string labels;
    for (int i = 0; i < rows; ++i) {
      values.push_back(a(i));
      values.push_back(b(i));
      columns.push_back(0);
      columns.push_back(1);
      places.push_back(2 * (i + 1));
      labels += static_cast<char>(a(i) > b(i));
    }
    const auto list = [](const std::string& type, const std::string& bytes, std::size_t size) {
      return shaped(type, "(" + std::to_string(size) + ",)", bytes);
    };
    const std::string x = shaped("<f8", "(" + std::to_string(rows) + ", 2)", npy_bytes(values)),
                      y = list("|i1", labels, rows);
    write("X.npy", x);
    write("y.npy", y);
    write("both.npz", zip({{"X.npy", x}, {"y.npy", y}}));
    files_.push_back({"both.npz", Kind::npy, true, ".npz of arrays"});
    const std::string matrix = zip({{"indices.npy", list("<i4", npy_bytes(columns), columns.size())},
                                    {"indptr.npy", list("<i4", npy_bytes(places), places.size())},
                                    {"format.npy", shaped("|S3", "()", "csr")},
                                    {"shape.npy", list("<i8", npy_bytes<std::int64_t>({rows, 2}), 2)},
                                    {"data.npy", list("<f8", npy_bytes(values), values.size())},
                                    {"y.npy", y}});
    write("csr.npz", matrix);
  }

  void write_images() {
    std::string images("\0\0\x08\x03\0\0\0\x28\0\0\0\x01\0\0\0\x02", 16), labels("\0\0\x08\x01\0\0\0\x28", 8);
    for (int i = 0; i < rows; ++i) {
      images += static_cast<char>(a(i));
      images += static_cast<char>(b(i));
      labels += static_cast<char>(a(i) > b(i));
    }
    write("t-images-idx3-ubyte", images);
    write("t-labels-idx1-ubyte", labels);
    files_.push_back({"t-images-idx3-ubyte", Kind::idx});
  }

  static MemoryData in_memory() {
    MemoryData data;
    for (int i = 0; i < rows; ++i) {
      const double values[] = {static_cast<double>(a(i)), static_cast<double>(b(i))};
      data.add(label(i), values);
    }
    return data;
  }

  // Models of all that can be learned from, and of rows in memory.
  std::vector<Written> learn() {
    std::vector<Written> models;
    for (const Written& file : files_) {
      if (!file.labelled) continue;
      const std::string model = "model-of-" + file.name;
      const Output trained = halfspace("train " + file.name + " -q -o " + model);
      EXPECT_EQ(trained.code, 0) << file.name << trained.err;
      models.push_back({model, file.kind, true, file.name});
    }
    const MemoryData data = in_memory();
    TrainOptions options;
    options.read.rows = &data;
    save_model(train(options).model, path("model-of-memory"));
    models.push_back({"model-of-memory", Kind::libsvm, true, "rows.svm"});
    return models;
  }

  // A cell that must be right; `own` is what the model says of the data that it was learned from.
  void expect_right(const Written& model, const Written& data) {
    const std::string cell = model.name + " and " + data.name;
    const Output own = halfspace("predict " + model.name + " " + model.given);
    const Output predicted = halfspace("predict " + model.name + " " + data.name);
    EXPECT_EQ(predicted.code, 0) << cell << predicted.err;
    EXPECT_EQ(predicted.out, own.out) << cell;
    if (!data.labelled) return;
    const Output evaluated = halfspace("evaluate --json " + model.name + " " + data.name);
    ASSERT_EQ(evaluated.code, 0) << cell << evaluated.err;
    EXPECT_EQ(Json::parse(evaluated.out)["rows"], rows) << cell;
    const Output resumed = halfspace("train " + data.name + " -q --resume " + model.name + " -o resumed");
    EXPECT_EQ(resumed.code, 0) << cell << resumed.err;
    std::filesystem::remove(path("resumed"));
  }

  static bool is_cache(const Written& data) { return data.name.ends_with(".cache"); }

  void expect_refused(const std::string& line, const std::string& learned_from, const std::string& given) {
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 65) << line << output.err;
    EXPECT_EQ(output.out, "") << line;
    EXPECT_TRUE(has(output.err, learned_from)) << line;
    EXPECT_TRUE(has(output.err, given)) << line;
    EXPECT_TRUE(has(output.err, "fix: ")) << line;
  }

  std::vector<Written> files_;
  const Written npy_{"X.npy", Kind::npy}, csr_{"csr.npz", Kind::csr};
};

// Features that are numbers: LIBSVM text and sparse matrices are one another's data.
bool numbers_features(Kind kind) { return kind == Kind::libsvm || kind == Kind::csr; }

TEST_F(Matrix, IsRightOrNamesBothFormats) {
  for (const Written& model : learn()) {
    for (const Written& data : files_) {
      if (model.kind == data.kind || (numbers_features(model.kind) && numbers_features(data.kind) && !is_cache(data))) {
        expect_right(model, data);
        continue;
      }
      const std::string learned_from = words_of(model.kind).learned_from, given = data.called();
      expect_refused("predict " + model.name + " " + data.name, learned_from, given);
      if (!data.labelled) continue;
      expect_refused("evaluate " + model.name + " " + data.name, learned_from, given);
      expect_refused("train " + data.name + " -q --resume " + model.name + " -o resumed", learned_from, given);
      EXPECT_FALSE(std::filesystem::exists(path("resumed"))) << model.name << data.name;
    }
  }
}

TEST_F(Matrix, IsTheSameForRowsInMemory) {
  const MemoryData data = in_memory();
  for (const Written& model : learn()) {
    const Model learned = load_model(path(model.name));
    EvaluateOptions options;
    options.read.rows = &data;
    if (numbers_features(model.kind)) {
      EXPECT_EQ(evaluate(learned, options).confusion.rows(), std::uint64_t{rows}) << model.name;
      continue;
    }
    try {
      evaluate(learned, options);
      ADD_FAILURE() << model.name;
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_TRUE(has(what, words_of(model.kind).learned_from, "rows in memory", "Predictor"));
    }
  }
}

// What is none of the formats, or a table that is none of the model's.
TEST_F(Matrix, HasNoPredictionOfWhatIsNoData) {
  write("words", "hello\nworld\n");
  write("numbers", "3\n7\n5\n");
  write("other.csv", "p,q\n1,2\n3,4\n");
  write("headless", "1.5,2\n3,4\n");
  write("blanks", "1.5 2 7 8\n3 4 7 8\n");
  write("page", "<!DOCTYPE html>\n<p>404</p>\n");
  write("late", "1 1:3\nhello\n1 2:1\n");
  for (const Written& model : learn()) {
    for (const std::string data : {"words", "numbers", "other.csv", "headless", "blanks", "page", "late"}) {
      if (model.kind == Kind::csv && data == "headless") continue;  // two columns, as the model has
      const Output output = halfspace("predict " + model.name + " " + data);
      EXPECT_EQ(output.code, 65) << model.name << data << output.err;
      EXPECT_TRUE(output.out.empty() || data == "late") << model.name << data << output.out;
      if (model.kind != Kind::csv && data != "page") {
        // A model of sparse matrices takes text of LIBSVM, and says so of text that is none.
        const bool named = output.err.find(words_of(model.kind).learned_from) != std::string::npos ||
                           (model.kind == Kind::csr && output.err.find("LIBSVM") != std::string::npos);
        EXPECT_TRUE(named || (model.kind == Kind::csr && data == "late")) << output.err;
      }
    }
  }
  // Rows of LIBSVM may have no feature, where data are sparse.
  write("sparse", "1\n0 1:3\n0\n1:3\n");
  EXPECT_EQ(halfspace("predict model-of-rows.svm sparse").out.size(), 8U);
  write("empty", "1\n0\n");
  EXPECT_EQ(halfspace("predict model-of-rows.svm empty").code, 0);
}

TEST_F(Matrix, NeedsFeaturesToLearn) {
  for (const char* text : {"3.0\npython\n2.0\n", ":20:STARTUMS\n:25:7606\n?21KREF+2025\n-\n"}) {
    write("words", text);
    for (const char* line : {"train words -o m", "check words", "train words --on-error skip -o m"}) {
      const Output output = halfspace(line);
      EXPECT_EQ(output.code, 65) << line;
      EXPECT_TRUE(has(output.err, "no row has a feature")) << line;
      EXPECT_FALSE(std::filesystem::exists(path("m")));
    }
  }
}

TEST_F(Matrix, IsExportedFromAnyKind) {
  for (const Written& model : learn()) {
    const Output output = halfspace("export " + model.name + " --format onnx -o exported");
    EXPECT_EQ(output.code, 0) << model.name << output.err;
  }
}

}  // namespace
}  // namespace halfspace::cli_tests
