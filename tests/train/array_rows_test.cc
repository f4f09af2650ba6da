// Arrays of the caller against files that hold the same numbers: the same rows, models and verdicts, to the bit.
#include "halfspace/stream/array_rows.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/trainer.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

constexpr std::uint32_t width = 5;

// Numbers of which some are 0, and classes that nearly separate; three blocks of rows.
struct Numbers {
  explicit Numbers(std::uint64_t seed, std::size_t rows = 9000, bool floats = false) : count(rows) {
    Generator draws(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::uint32_t j = 0; j < width; ++j) {
        const double drawn = draws.next() < 0.3 ? 0 : gaussian(draws) * (1 + 10 * j);
        const double value = floats ? static_cast<double>(static_cast<float>(drawn)) : drawn;
        dense.push_back(value);
        narrow.push_back(static_cast<float>(value));
        sum += value;
        if (value == 0) continue;
        index.push_back(static_cast<std::int32_t>(j));
        stored.push_back(value);
      }
      offset.push_back(static_cast<std::int32_t>(index.size()));
      label.push_back(sum + gaussian(draws) > 0 ? 1 : 0);
    }
  }

  DenseArray array() const { return {.values = dense.data(), .rows = count, .columns = width}; }
  CsrArray sparse() const {
    return {.values = stored.data(),
            .indices = index.data(),
            .offsets = offset.data(),
            .stored = stored.size(),
            .rows = count,
            .columns = width};
  }
  ArrayLabels labels() const { return {.classes = label.data(), .names = {"no", "yes"}}; }

  std::string csv() const {
    std::string text = "a,b,c,d,e,y\n";
    char number[64];
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint32_t j = 0; j < width; ++j) {
        std::snprintf(number, sizeof number, "%.17g,", dense[i * width + j]);
        text += number;
      }
      text += label[i] == 1 ? "yes\n" : "no\n";
    }
    return text;
  }
  std::string libsvm() const {
    std::string text;
    char number[64];
    for (std::size_t i = 0; i < count; ++i) {
      text += label[i] == 1 ? "yes" : "no";
      for (auto k = static_cast<std::size_t>(offset[i]); k < static_cast<std::size_t>(offset[i + 1]); ++k) {
        std::snprintf(number, sizeof number, " %d:%.17g", index[k] + 1, stored[k]);
        text += number;
      }
      text += '\n';
    }
    return text;
  }

  std::size_t count;
  std::vector<double> dense, stored;
  std::vector<float> narrow;
  std::vector<std::int32_t> index, offset{0}, label;
};

const ArrayNames called{.columns = {"a", "b", "c", "d", "e"}};

// Without what says where the rows came from.
std::vector<std::uint8_t> encoded(Model model) {
  model.provenance.fingerprints.clear();
  model.position.source.clear();
  model.schema.format = DataFormat::automatic;
  return encode(model);
}

Model trained(const RowSource& rows, TrainSettings settings = {}) {
  settings.data.read.rows = &rows;
  return train(settings).model;
}
Model trained(const std::string& path, TrainSettings settings = {}) {
  settings.data.paths = {path};
  return train(settings).model;
}

TEST(ArrayRows, LearnWhatAFileLearns) {
  const Numbers numbers(1);
  const TemporaryFolder folder;
  const std::string csv = folder.write("d.csv", numbers.csv()), svm = folder.write("d.svm", numbers.libsvm());
  const ArrayRows dense(numbers.array(), numbers.labels(), called), sparse(numbers.sparse(), numbers.labels());
  const std::vector<std::function<void(TrainSettings&)>> ways = {[](TrainSettings&) {},
                                                                 [](TrainSettings& s) { s.until.passes = 1; },
                                                                 [](TrainSettings& s) {
                                                                   s.rule = "perceptron";
                                                                   s.order = "shuffled";
                                                                   s.until.passes = 3;
                                                                   s.keep = "average";
                                                                   s.normalize_columns = true;
                                                                 },
                                                                 [](TrainSettings& s) {
                                                                   s.rule = "pa1";
                                                                   s.data.read.row_normalised = true;
                                                                   s.holdout = 0.2;
                                                                   s.data.class_weights = {"yes=2"};
                                                                   s.data.read.labels.positive = "no";
                                                                 }};
  for (const auto& way : ways) {
    TrainSettings settings;
    way(settings);
    EXPECT_EQ(encoded(trained(dense, settings)), encoded(trained(csv, settings)));
    EXPECT_EQ(encoded(trained(sparse, settings)), encoded(trained(svm, settings)));
  }
}

// However they lie in memory.
TEST(ArrayRows, AreTheSameInEveryLayout) {
  const Numbers numbers(2, 5000, true);
  const std::vector<std::uint8_t> want = encoded(trained(ArrayRows(numbers.array(), numbers.labels(), called)));
  const auto same = [&](const RowSource& rows, const char* what) { EXPECT_EQ(encoded(trained(rows)), want) << what; };
  DenseArray array = numbers.array();
  array.values = numbers.narrow.data();
  same(ArrayRows(array, numbers.labels(), called), "floats");

  std::vector<double> by_column(numbers.dense.size()), spaced(2 * numbers.dense.size()), backward(numbers.dense.size());
  for (std::size_t i = 0; i < numbers.count; ++i) {
    for (std::uint32_t j = 0; j < width; ++j) {
      const double value = numbers.dense[i * width + j];
      by_column[j * numbers.count + i] = value;
      spaced[(i * width + j) * 2] = value;
      backward[(numbers.count - 1 - i) * width + j] = value;
    }
  }
  const auto rows = static_cast<std::ptrdiff_t>(numbers.count);
  const std::ptrdiff_t step = width;
  same(ArrayRows({by_column.data(), numbers.count, width, 1, rows}, numbers.labels(), called), "by columns");
  same(ArrayRows({spaced.data(), numbers.count, width, 2 * step, 2}, numbers.labels(), called), "spaced");
  same(ArrayRows({backward.data() + (rows - 1) * step, numbers.count, width, -step, 1}, numbers.labels(), called),
       "backward");

  const std::vector<std::uint8_t> of_sparse = encoded(trained(ArrayRows(numbers.sparse(), numbers.labels())));
  const std::vector<std::int64_t> wide_index(numbers.index.begin(), numbers.index.end()),
      wide_offset(numbers.offset.begin(), numbers.offset.end());
  CsrArray sparse = numbers.sparse();
  sparse.indices = wide_index.data();
  sparse.offsets = wide_offset.data();
  EXPECT_EQ(encoded(trained(ArrayRows(sparse, numbers.labels()))), of_sparse) << "64 bits";
  std::vector<std::int32_t> index = numbers.index;
  std::vector<double> stored = numbers.stored;
  for (std::size_t i = 0; i < numbers.count; ++i) {
    std::reverse(index.begin() + numbers.offset[i], index.begin() + numbers.offset[i + 1]);
    std::reverse(stored.begin() + numbers.offset[i], stored.begin() + numbers.offset[i + 1]);
  }
  sparse = numbers.sparse();
  sparse.indices = index.data();
  sparse.values = stored.data();
  EXPECT_EQ(encoded(trained(ArrayRows(sparse, numbers.labels()))), of_sparse) << "any order";

  std::vector<std::int32_t> other(numbers.label);
  for (std::int32_t& label : other) label = 1 - label;
  same(ArrayRows(numbers.array(), {.classes = other.data(), .names = {"yes", "no"}}, called),
       "classes numbered otherwise");
}

TEST(ArrayRows, TrainerLearnsThemBlockByBlock) {
  const Numbers numbers(3);
  const TemporaryFolder folder;
  TrainOptions options;
  options.composition.rule = rule_named("pa1").value();
  options.composition.order = OrderName::stream;
  options.composition.tie = Tie::positive;
  const ArrayRows rows(numbers.array(), numbers.labels(), called);
  options.read.rows = &rows;
  const Model want = train(options).model;
  for (const std::size_t piece : {1UL, 7UL, 4096UL, 9000UL}) {
    Trainer trainer(options, rows.schema());
    for (std::size_t from = 0; from < numbers.count; from += piece) {
      DenseArray part = numbers.array();
      part.values = numbers.dense.data() + from * width;
      part.rows = std::min(piece, numbers.count - from);
      EXPECT_TRUE(
          trainer.learn(ArrayRows(part, {.classes = numbers.label.data() + from, .names = {"no", "yes"}}, called)));
    }
    EXPECT_EQ(encoded(trainer.result().model), encoded(want)) << piece;
  }
  options.stream_memory = 0;
  Trainer trainer(options, rows.schema());
  EXPECT_TRUE(trainer.learn(rows));
  const TrainResult result = trainer.result();
  EXPECT_EQ(result.model.weights.w, want.weights.w);
  EXPECT_FALSE(result.bound.has_value());
}

// Of rows that are kept for several passes, only what no array holds.
TEST(ArrayRows, AreNotCopiedForMorePasses) {
  const Numbers numbers(4, 3 * Rows::block_rows);
  const ArrayRows rows(numbers.array(), numbers.labels(), called);
  Reader reader([&] {
    ReadOptions read;
    read.rows = &rows;
    return read;
  }());
  Rows kept({.folder = {}, .packed = true});
  kept.borrow(reader.mapping());
  for (int pass = 0; pass < 2; ++pass) {
    reader.read([&](const Block& block) {
      if (pass == 0) kept.append(block);
      return true;
    });
  }
  kept.seal();
  EXPECT_LE(kept.bytes(), numbers.count * 28 + 4096);
  EXPECT_EQ(kept.block(1).value, numbers.dense.data() + Rows::block_rows * width);
  UnpackBuffer room;
  for (std::uint64_t i = 0; i < numbers.count; ++i) {
    kept.with_row(i, room, [&](const auto& x) {
      ASSERT_EQ(x.size, width);
      ASSERT_EQ(x.label, numbers.label[i]);
      for (std::uint32_t j = 0; j < width; ++j) {
        ASSERT_EQ(x.index[j], j);
        ASSERT_EQ(x.value_at(j), numbers.dense[i * width + j]);
      }
    });
  }
  Rows copied;  // and not packed
  reader.read([&](const Block& block) {
    copied.append(block);
    copied.append(block, 3);
    return true;
  });
  copied.seal();
  copied.with_row(Rows::block_rows, [&](const auto& x) {
    EXPECT_EQ(x.row, 4U);
    EXPECT_EQ(x.value_at(2), numbers.dense[3 * width + 2]);
  });
}

// Whatever another thread writes into the arrays after a block was checked: what leads somewhere is a copy.
TEST(ArrayRows, CheckedNumbersAreThoseThatAreUsed) {
  for (const bool wide : {false, true}) {
    Numbers numbers(5, Rows::block_rows + 100);
    std::vector<std::int64_t> index(numbers.index.begin(), numbers.index.end());
    std::vector<double> weights(numbers.count, 2.0);
    CsrArray array = numbers.sparse();
    if (wide) array.indices = index.data();
    ArrayLabels labels = numbers.labels();
    labels.weights = weights.data();
    const ArrayRows sparse(array, labels), dense(numbers.array(), labels, called);
    for (const ArrayRows* rows : {&sparse, &dense}) {
      const Numbers before = numbers;
      SourceBuffer buffer;
      Rows kept({.folder = {}, .packed = true});
      kept.borrow(rows->mapping());
      for (std::size_t b = 0; b < rows->blocks(); ++b) kept.append(rows->block(b, buffer));
      kept.seal();
      const Block block = rows->block(0, buffer);
      std::fill(numbers.index.begin(), numbers.index.end(), 1 << 30);
      std::fill(index.begin(), index.end(), std::int64_t{1} << 40);
      std::fill(numbers.offset.begin() + 1, numbers.offset.end() - 1, -7);
      std::fill(numbers.label.begin(), numbers.label.end(), 1 << 30);
      std::fill(weights.begin(), weights.end(), -1.0);
      for (const Block& given : {block, kept.block(0), kept.block(1)}) {
        for (std::size_t r = 0; r < given.rows; ++r) {
          UnpackBuffer room;
          given.with_example(r, room, [&](const auto& x) {
            ASSERT_EQ(x.label, before.label[x.row - 1]);
            ASSERT_EQ(x.weight, 2.0);
            for (std::uint32_t k = 0; k < x.size; ++k) ASSERT_LT(x.index[k], width);
          });
        }
      }
      numbers.index = before.index;
      numbers.offset = before.offset;
      numbers.label = before.label;
      index.assign(numbers.index.begin(), numbers.index.end());
      weights.assign(numbers.count, 2.0);
    }
  }
}

TEST(ArrayRows, SortedByClassAreShuffled) {
  const std::size_t count = 40000;
  std::vector<double> values(count);
  std::vector<std::int32_t> label(count);
  Generator draws(5);
  for (std::size_t i = 0; i < count; ++i) {
    label[i] = i >= count / 2;
    values[i] = gaussian(draws) + label[i];
  }
  const ArrayRows rows(DenseArray{.values = values.data(), .rows = count, .columns = 1},
                       {.classes = label.data(), .names = {"0", "1"}});
  TrainOptions options;
  options.read.rows = &rows;
  options.composition.order = OrderName::stream;
  options.shuffle_sorted = true;
  options.until.passes = 1;
  std::string notes;
  options.read.on_note = [&](const ReadNote& note) { notes += note.text; };
  EXPECT_EQ(train(options).model.composition.order, OrderName::shuffled);
  EXPECT_TRUE(has(notes, "rows are of one class"));
}

TEST(ArrayRows, AreEvaluatedAndPredictedWithTheModelOfAFile) {
  const Numbers numbers(6, 3000);
  const TemporaryFolder folder;
  const Model model = trained(folder.write("d.csv", numbers.csv()));
  EvaluateOptions file, memory;
  file.read.path = folder.path("d.csv");
  const ArrayRows rows(numbers.array(), numbers.labels(), called);
  memory.read.rows = &rows;
  EXPECT_EQ(evaluate(model, memory).confusion.counts(), evaluate(model, file).confusion.counts());

  const ArrayRows unlabelled(numbers.array(), {}, called);
  ReadOptions read;
  read.rows = &unlabelled;
  read.schema = &model.schema;
  read.grow = false;
  EXPECT_THROW(Reader{read}, Error) << "no labels";
  read.labels.ignore = true;
  std::uint64_t seen = 0;
  Reader(read).read([&](const Block& block) {
    EXPECT_EQ(block.label[0], -1);
    seen += block.rows;
    return true;
  });
  EXPECT_EQ(seen, numbers.count);

  const ArrayRows others(numbers.array(), {}, {.columns = {"a", "b", "c", "d", "f"}});
  read.rows = &others;
  try {
    Reader{read};
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(has(std::string(error.what()), "columns of the model are missing")) << error.what();
    EXPECT_TRUE(has(std::string(error.what()), "e"));
  }
}

// A model that has met fewer features than a matrix has columns leaves out the others.
TEST(ArrayRows, ColumnsThatTheModelHasNotMetAreLeftOut) {
  const Numbers numbers(7, 500);
  const ArrayRows rows(numbers.sparse(), numbers.labels());
  Model model = trained(rows);
  const std::vector<double> value{1, 1};
  const std::vector<std::int32_t> index{0, 7}, offset{0, 2};
  const ArrayRows wide(
      {.values = value.data(), .indices = index.data(), .offsets = offset.data(), .stored = 2, .rows = 1, .columns = 9},
      {});
  ReadOptions read;
  read.rows = &wide;
  read.schema = &model.schema;
  read.grow = false;
  read.labels.ignore = true;
  Reader reader(read);
  reader.read([&](const Block& block) {
    EXPECT_EQ(block.stored(), 1U);
    return true;
  });
  EXPECT_EQ(reader.report().unknown_features, 1U);

  const ArrayRows narrow(
      {.values = value.data(), .indices = index.data(), .offsets = offset.data(), .stored = 2, .rows = 1, .columns = 4},
      {});
  read.rows = &narrow;
  try {
    Reader{read};
    ADD_FAILURE() << "fewer columns than the model";
  } catch (const Error& error) {
    EXPECT_TRUE(has(std::string(error.what()), "the matrix has 4 columns")) << error.what();
  }
}

TEST(ArrayRows, AreCertifiedAsTheTextThatTheyAre) {
  const Numbers numbers(8, 60);
  const TemporaryFolder folder;
  for (const bool named : {true, false}) {
    const ArrayRows rows(numbers.array(), numbers.labels(), named ? called : ArrayNames{});
    CertifyOptions options;
    options.read.rows = &rows;
    options.memory.folder = folder.path("");
    const CertifyResult result = certify(options);
    ASSERT_NE(result.verdict, proof::Verdict::undecided);
    write_text(rows, folder.path("saved"));
    EXPECT_TRUE(proof::verify(result.certificate, {folder.path("saved")}).valid) << named;
    std::string first;
    std::getline(std::ifstream(folder.path("saved")), first);
    EXPECT_EQ(first.substr(0, 11) == "a,b,c,d,e,y", named) << first;
  }
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.what();
  }
  return "";
}

TEST(ArrayRows, NameWhatIsWrong) {
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  std::vector<double> x{1, 2, 3, 4};
  std::vector<std::int32_t> y{0, 1};
  const auto dense = [&](ArrayLabels labels, ArrayNames names = {}) {
    const ArrayRows rows({.values = x.data(), .rows = 2, .columns = 2}, std::move(labels), names);
    SourceBuffer buffer;
    rows.block(0, buffer);
  };
  const ArrayLabels good{.classes = y.data(), .names = {"a", "b"}};
  EXPECT_EQ(refusal([&] { dense(good); }), "");
  const auto expect = [](const std::string& said, const std::string& wanted) { EXPECT_TRUE(has(said, wanted)); };
  x[3] = nan;
  expect(refusal([&] { dense(good); }), "row 2, column 2: NaN");
  x[3] = -infinite;
  expect(refusal([&] { dense(good); }), "row 2, column 2: an infinity");
  x[3] = 1e300;
  x[2] = 1e300;
  EXPECT_EQ(refusal([&] { dense(good); }), "") << "whose square is no double";
  y[1] = 2;
  expect(refusal([&] { dense(good); }), "the class of row 2 is 2");
  y[1] = -1;
  expect(refusal([&] { dense(good); }), "the class of row 2 is -1");
  y[1] = 1;
  const std::vector<double> weights{1, nan};
  expect(refusal([&] {
           dense({.classes = y.data(), .names = {"a", "b"}, .weights = weights.data()});
         }),
         "the weight of row 2");
  expect(refusal([&] { dense({.classes = y.data(), .names = {"a", "a"}}); }), "duplicate");
  expect(refusal([&] { dense({.classes = y.data(), .names = {"1", "1"}}); }), "duplicate");
  expect(refusal([&] { dense({.classes = y.data(), .names = {"a", "b\nc"}}); }), "has a line break");
  expect(refusal([&] { dense({.classes = y.data(), .names = {}}); }), "0 classes");
  expect(refusal([&] { dense(good, {.columns = {"u"}}); }), "1 names for 2 columns");
  expect(refusal([&] { dense(good, {.columns = {"u", "u"}}); }), "duplicate");
  expect(refusal([&] { dense(good, {.columns = {"u", "y"}}); }), "like the label");
  expect(refusal([&] { ArrayRows(DenseArray{.values = x.data(), .rows = 0, .columns = 2}, good); }), "no rows");
  expect(refusal([&] {
           ArrayRows(DenseArray{.values = static_cast<const double*>(nullptr), .rows = 1, .columns = 2}, good);
         }),
         "null");

  std::vector<std::int32_t> index{0, 1, 0}, offset{0, 2, 3};
  std::vector<double> v{1, 2, 3};
  const auto sparse = [&] {
    const ArrayRows rows(
        {.values = v.data(), .indices = index.data(), .offsets = offset.data(), .stored = 3, .rows = 2, .columns = 2},
        good);
    SourceBuffer buffer;
    rows.block(0, buffer);
  };
  EXPECT_EQ(refusal(sparse), "");
  index[1] = 2;
  expect(refusal(sparse), "row 1: a column number is not below the 2 columns");
  index[1] = -1;
  expect(refusal(sparse), "row 1: a column number");
  index[1] = 0;
  expect(refusal(sparse), "row 1: column 1 is duplicate");
  index[1] = 1;
  offset[1] = 4;
  expect(refusal(sparse), "row 1: its offsets");
  offset[1] = -1;
  expect(refusal(sparse), "row 1: its offsets");
  const std::vector<std::int32_t> falling{0, 3, 1, 3}, of_three{0, 1, 0};
  expect(refusal([&] {
           const ArrayRows rows({.values = v.data(),
                                 .indices = index.data(),
                                 .offsets = falling.data(),
                                 .stored = 3,
                                 .rows = 3,
                                 .columns = 2},
                                {.classes = of_three.data(), .names = {"a", "b"}});
           SourceBuffer buffer;
           rows.block(0, buffer);
         }),
         "row 2: its offsets");
  offset = {0, 2, 2};
  expect(refusal(sparse), "the offsets of the sparse matrix lead from 0 to 2");
  offset = {0, 2, 3};
  v[2] = nan;
  expect(refusal(sparse), "row 2, column 1: NaN");
}

}  // namespace
}  // namespace halfspace
