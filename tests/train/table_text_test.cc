// Tables in memory against the files that are written of them, and Arrow's arrays against tables.
#include "halfspace/stream/table_text.h"

#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
#include "stream/arrays/arrow_table.h"
#include "support/test.h"

extern "C" {
// The layout of Arrow's C data interface.
struct ArrowSchema {
  const char *format, *name, *metadata;
  std::int64_t flags, n_children;
  ArrowSchema **children, *dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray **children, *dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace halfspace {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// Rows with every kind of column: some values are missing, some texts need quotes.
struct Data {
  explicit Data(std::size_t rows) {
    std::mt19937 draw(5);
    for (std::size_t i = 0; i < rows; ++i) {
      age.push_back(draw() % 9 == 0 ? gap : std::ldexp(static_cast<double>(draw()), -27));
      size.push_back(static_cast<float>(draw() % 7));
      colour.push_back(static_cast<std::int32_t>(draw() % 5) - 1);
      day.push_back(static_cast<std::int32_t>(draw() % 3) - 1);
      classes.push_back(!std::isnan(age.back()) && age.back() > 16 ? 1 : colour.back() == 1 ? 1 : 0);
      weights.push_back(static_cast<double>(draw() % 3) + 0.5);
    }
  }

  ArrayLabels labels(std::size_t first = 0) const {
    return {.classes = classes.data() + first, .names = names, .weights = weighed ? weights.data() + first : nullptr};
  }
  void add(TableText& table, std::size_t first, std::size_t count) const {
    std::vector<std::unique_ptr<TableColumn>> columns;
    columns.push_back(std::make_unique<NumberColumn<double>>(age.data() + first));
    columns.push_back(std::make_unique<CategoryColumn>(colour.data() + first, colours));
    columns.push_back(std::make_unique<NumberColumn<float>>(size.data() + first));
    columns.push_back(std::make_unique<CategoryColumn>(day.data() + first, days));
    table.add_rows(count, std::move(columns));
  }
  TableText table(std::size_t first, std::size_t count) const {
    TableText made(fields, labels(first));
    add(made, first, count);
    return made;
  }

  std::vector<double> age, weights;
  std::vector<float> size;
  std::vector<std::int32_t> colour, day, classes;
  std::vector<std::string> names{"no", "NA"}, colours{"red", "a, b", "the \"blue\"\nline", " "},
      days{"2024-02-29", "2025-12-31"};
  std::vector<TableText::Field> fields{{"age", ColumnUse::numeric},
                                       {"the, colour", ColumnUse::categorical},
                                       {"size", ColumnUse::numeric},
                                       {"day", ColumnUse::date}};
  bool weighed = false;
};

std::string text_of(const TableText& table) {
  std::string text;
  table.append_header(text);
  table.append_rows(0, std::string::npos, text);
  return text;
}

void expect_same(const Model& one, const Model& other) {
  EXPECT_EQ(one.weights.w, other.weights.w);
  EXPECT_EQ(one.weights.bias, other.weights.bias);
  EXPECT_EQ(one.schema, other.schema);
}

ReadOptions of_file(const TableText& table, const std::string& path) {
  write_text(table, path);
  ReadOptions read = table.read({});
  read.table_text = nullptr;
  read.path = path;
  return read;
}

TEST(TableText, LearnsTheBitsOfTheFile) {
  const testing::TemporaryFolder folder;
  Data data(3000);
  for (const bool weighed : {false, true}) {
    data.weighed = weighed;
    const TableText table = data.table(0, 3000);
    TrainOptions memory, file;
    memory.read = table.read({});
    file.read = of_file(table, folder.path("table.csv"));
    memory.composition.order = file.composition.order = OrderName::cyclic;
    memory.until.passes = file.until.passes = 3;
    const TrainResult result = train(memory);
    expect_same(result.model, train(file).model);
    EXPECT_EQ(result.model.schema.feature_names(), train(file).model.schema.feature_names());
    EXPECT_EQ(result.report.rows, 3000U);
    EXPECT_GT(result.model.schema.features, 12U);
    EvaluateOptions evaluated;
    evaluated.read = memory.read;
    EXPECT_EQ(evaluate(result.model, evaluated).report.rows, 3000U);
  }
}

TEST(TableText, LearnsTheSameInBlocks) {
  const Data data(2000);
  const TableText whole = data.table(0, 2000);
  const Schema schema = Reader(whole.read({})).schema();
  Trainer at_once({}, schema), by_blocks({}, schema);
  at_once.learn(whole);
  for (std::size_t first = 0; first < 2000;) {
    const std::size_t count = std::min<std::size_t>(first < 40 ? 1 : 653, 2000 - first);
    by_blocks.learn(data.table(first, count));
    first += count;
  }
  expect_same(at_once.model(), by_blocks.model());
  EXPECT_GT(at_once.model().schema.features, 12U);
}

TEST(TableText, AddsUpParts) {
  const Data data(50);
  TableText parts(data.fields, data.labels());
  data.add(parts, 0, 7);
  data.add(parts, 7, 0);
  data.add(parts, 7, 43);
  EXPECT_EQ(text_of(parts), text_of(data.table(0, 50)));
  std::string text;
  std::uint64_t row = 0;
  while (row < 50) row = parts.append_rows(row, text.size() + 1, text);
  std::string header;
  parts.append_header(header);
  EXPECT_EQ(header + text, text_of(parts));
}

// A line that would be blank is a row all the same.
TEST(TableText, KeepsRowsWithoutValues) {
  const double values[] = {gap, 1, gap, -1};
  const auto table_of_one = [&](const std::int32_t* classes) {
    TableText table({{"a", ColumnUse::numeric}}, {.classes = classes, .names = {"no", "yes"}});
    std::vector<std::unique_ptr<TableColumn>> columns;
    columns.push_back(std::make_unique<NumberColumn<double>>(values + 3, -1));
    table.add_rows(4, std::move(columns));
    return table;
  };
  const TableText table = table_of_one(nullptr);
  EXPECT_EQ(text_of(table), "a\n-1\n\"\"\n1\n\"\"\n");
  const std::int32_t classes[] = {0, 1, 0, 1};
  const TableText labelled = table_of_one(classes);
  const Schema schema = Reader(labelled.read({})).schema();
  ReadOptions read;
  read.labels.ignore = true;
  read.schema = &schema;
  std::size_t rows = 0;
  Reader(table.read(read)).read([&](const Block& block) {
    rows += block.rows;
    return true;
  });
  EXPECT_EQ(rows, 4U);
}

TEST(TableText, LeavesToTheOptionsWhatTheyName) {
  const Data data(300);
  const TableText table = data.table(0, 300);
  ReadOptions options;
  options.columns.drop = {"day"};
  options.columns.categorical = {"size"};
  options.columns.text = {"the, colour"};
  const std::vector<Column> columns = Reader(table.read(options)).schema().columns;
  ASSERT_EQ(columns.size(), 5U);
  EXPECT_EQ(columns[0].kind, Column::Kind::numeric);
  EXPECT_EQ(columns[1].kind, Column::Kind::text);
  EXPECT_EQ(columns[2].kind, Column::Kind::categorical);
  EXPECT_EQ(columns[3].kind, Column::Kind::dropped);
  EXPECT_EQ(columns[4].kind, Column::Kind::label);
}

TEST(TableText, IsCertified) {
  const testing::TemporaryFolder folder;
  Data data(40);
  data.names = {"no", "yes"};
  TableText table({data.fields.begin(), data.fields.begin() + 3}, data.labels());
  std::vector<std::unique_ptr<TableColumn>> columns;
  columns.push_back(std::make_unique<NumberColumn<double>>(data.age.data()));
  columns.push_back(std::make_unique<CategoryColumn>(data.colour.data(), data.colours));
  columns.push_back(std::make_unique<NumberColumn<float>>(data.size.data()));
  table.add_rows(40, std::move(columns));
  CertifyOptions options;
  options.read = table.read({});
  const CertifyResult result = certify(options);
  ASSERT_TRUE(result.certified);
  write_text(table, folder.path("rows.csv"));
  EXPECT_TRUE(proof::verify(result.certificate, {folder.path("rows.csv")}).valid);
}

template <class Act>
std::string error_of(Act&& act, ErrorKind kind) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(TableText, RejectsWhatNoTableIs) {
  Data data(10);
  const auto refused = [&](std::vector<TableText::Field> fields, ArrayLabels labels) {
    return error_of([&] { TableText(std::move(fields), std::move(labels)); }, ErrorKind::usage);
  };
  EXPECT_TRUE(has(refused({}, {}), "no columns"));
  EXPECT_TRUE(has(refused({{"a"}, {"a"}}, {}), "'a' is empty or duplicate"));
  EXPECT_TRUE(has(refused({{""}}, {}), "empty or duplicate"));
  EXPECT_TRUE(has(refused({{"y"}}, data.labels()), "like the label"));
  data.names[0] = "";
  EXPECT_TRUE(has(refused({{"a"}}, data.labels()), "no name"));
  data.names[0] = "n\ro";
  EXPECT_TRUE(has(error_of([&] { TableText({{"a"}}, data.labels()); }, ErrorKind::data), "has a line break"));
  data.names[0] = "no";
  const auto read = [&] { return error_of([&] { text_of(data.table(0, 10)); }, ErrorKind::data); };
  data.age[4] = -std::numeric_limits<double>::infinity();
  EXPECT_TRUE(has(read(), "row 5, column 'age'"));
  data.age[4] = 1;
  for (const std::int32_t code : {-2, 4, 1 << 30}) {
    data.colour[6] = code;
    EXPECT_TRUE(has(read(), "row 7, column 'the, colour'"));
  }
  data.colour[6] = 0;
  for (const std::int32_t number : {-1, 2}) {
    data.classes[9] = number;
    EXPECT_TRUE(has(read(), "the class of row 10"));
  }
}

// ---- Arrow ----

int released = 0;

// A stream of one batch with three columns, all with an offset of 1: 0.5, null, 2; "x", "y", null; dates.
struct Stream {
  const double numbers[4] = {9, 0.5, 7, 2};
  const std::uint8_t numbers_valid[1] = {0b1011}, texts_valid[1] = {0b0111};
  std::int32_t offsets[5] = {0, 1, 2, 4, 4};
  const std::int32_t days[4] = {0, 0, -1, 20'513};
  const char* const texts = "zxy,";
  const void *of_numbers[2] = {numbers_valid, numbers}, *of_texts[3] = {texts_valid, offsets, texts},
             *of_days[2] = {nullptr, days}, *of_batch[1] = {nullptr};
  ArrowArray columns[3] = {{3, 1, 1, 2, 0, of_numbers, nullptr, nullptr, nullptr, nullptr},
                           {3, 1, 1, 3, 0, of_texts, nullptr, nullptr, nullptr, nullptr},
                           {3, 0, 1, 2, 0, of_days, nullptr, nullptr, nullptr, nullptr}};
  ArrowArray* children[3] = {&columns[0], &columns[1], &columns[2]};
  ArrowSchema schemas[3] = {{"g", "n", nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr},
                            {"u", "t", nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr},
                            {"tdD", "d", nullptr, 2, 0, nullptr, nullptr, nullptr, nullptr}};
  ArrowSchema* fields[3] = {&schemas[0], &schemas[1], &schemas[2]};
  int batches = 0;

  ArrowArrayStream stream() {
    return {[](ArrowArrayStream* own, ArrowSchema* out) {
              auto& data = *static_cast<Stream*>(own->private_data);
              *out = {"+s",
                      "",
                      nullptr,
                      0,
                      3,
                      data.fields,
                      nullptr,
                      [](ArrowSchema* schema) {
                        ++released;
                        schema->release = nullptr;
                      },
                      nullptr};
              return 0;
            },
            [](ArrowArrayStream* own, ArrowArray* out) {
              auto& data = *static_cast<Stream*>(own->private_data);
              *out = {};
              if (data.batches++ == 2) return 0;
              *out = {3,
                      0,
                      0,
                      1,
                      3,
                      data.of_batch,
                      data.children,
                      nullptr,
                      [](ArrowArray* array) {
                        ++released;
                        array->release = nullptr;
                      },
                      nullptr};
              return 0;
            },
            [](ArrowArrayStream*) -> const char* { return "broken"; },
            [](ArrowArrayStream* own) {
              ++released;
              own->release = nullptr;
            },
            this};
  }
};

TEST(ArrowTable, ReadsCellsInPlaceAndReleasesThem) {
  Stream data;
  ArrowArrayStream stream = data.stream();
  released = 0;
  {
    const TableText table = arrow_table(&stream);
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(released, 2);  // the stream and its schema
    EXPECT_EQ(table.rows(), 6U);
    const std::string rows = "0.5,x,1970-01-01\n,\"y,\",1969-12-31\n2,,2026-03-01\n";
    EXPECT_EQ(text_of(table), "n,t,d\n" + rows + rows);
    EXPECT_EQ(table.fields()[1].use, ColumnUse::inferred);
    EXPECT_EQ(table.fields()[2].use, ColumnUse::date);
  }
  EXPECT_EQ(released, 4);
  EXPECT_TRUE(has(error_of([&] { arrow_table(&stream); }, ErrorKind::usage), "used up"));
  EXPECT_TRUE(has(error_of([&] { arrow_table(nullptr); }, ErrorKind::usage), "null"));
}

// By mistake, or since another thread writes into the producer's buffers.
TEST(ArrowTable, RefusesOffsetsThatLeadOutOfTheTexts) {
  for (const auto& [begin, end] : {std::pair{1, 1 << 30}, {-(1 << 30), 2}, {3, 2}, {5, 5}}) {
    Stream data;
    ArrowArrayStream stream = data.stream();
    const TableText table = arrow_table(&stream);
    data.offsets[1] = begin;
    data.offsets[2] = end;
    EXPECT_TRUE(has(error_of([&] { text_of(table); }, ErrorKind::data), "row 1, column 't'"));
  }
}

TEST(ArrowTable, NamesColumnsThatItCannotRead) {
  for (const char* format : {"+l", "n", "e", "z", "tDs", "d:5", "tsq", "w:4", "vz", ""}) {
    Stream data;
    data.schemas[1].format = format;
    ArrowArrayStream stream = data.stream();
    const std::string message = error_of([&] { arrow_table(&stream); }, ErrorKind::usage);
    EXPECT_TRUE(has(message, "column 't' has Arrow's type '" + std::string(format) + "'"));
  }
}

TEST(ArrowTable, ReportsAProducerThatFails) {
  Stream data;
  ArrowArrayStream stream = data.stream();
  stream.get_next = [](ArrowArrayStream*, ArrowArray*) { return 5; };
  released = 0;
  EXPECT_TRUE(has(error_of([&] { arrow_table(&stream); }, ErrorKind::data), "broken"));
  EXPECT_EQ(released, 2);
}

}  // namespace
}  // namespace halfspace
