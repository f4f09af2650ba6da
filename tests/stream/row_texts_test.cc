// The texts beside the rows: every data row, good or bad, once and in order, however the file is cut and packed.

#include "stream_support.h"

namespace halfspace::testing_stream {
namespace {

struct Made {
  std::string text = "n,id,y\n";
  std::string expected;  // row, line, kept texts, whether it is bad
};

std::string told_row(std::uint64_t row, std::uint64_t line, const std::string& id, const std::string& y, bool bad) {
  return std::to_string(row) + '|' + std::to_string(line) + '|' + y + '|' + id + '|' + (bad ? "bad" : "") + '\n';
}

// A file with what records may have: quotes, line ends within them, blank lines, bad rows of several kinds.
Made random_file(unsigned seed, int rows) {
  std::mt19937 random(seed);
  Made made;
  std::uint64_t line = 2;
  for (int i = 1; i <= rows; ++i) {
    for (; random() % 8 == 0; ++line) made.text += random() % 2 == 0 ? "\n" : "  \r\n";
    const std::string number = std::to_string(i);
    const std::string ids[][2] = {{"id" + number, "id" + number},
                                  {"\"a\n" + number + "\"", "a\n" + number},
                                  {"\"x\"\"" + number + "\"", "x\"" + number},
                                  {" padded ", "padded"},
                                  {"", ""},
                                  {"\"1,2\"", "1,2"}};
    const auto& [written, kept] = ids[random() % std::size(ids)];
    const std::uint64_t lines = written.find('\n') == std::string::npos ? 1 : 2;
    const std::string y = random() % 3 == 0 ? "a" : "b";
    switch (random() % 6) {
      case 0:  // a value that is none
        made.text += "x," + written + "," + y + "\n";
        made.expected += told_row(static_cast<std::uint64_t>(i), line, kept, y, true);
        break;
      case 1:  // a field too few
        made.text += "1," + written + "\n";
        made.expected += told_row(static_cast<std::uint64_t>(i), line, kept, "", true);
        break;
      default:
        made.text += number + "," + written + "," + y + (random() % 2 == 0 ? "\n" : "\r\n");
        made.expected += told_row(static_cast<std::uint64_t>(i), line, kept, y, false);
    }
    line += lines;
  }
  return made;
}

ReadOptions keeping() {
  ReadOptions options{.on_error = OnError::skip,
                      .table = {.header = true},
                      .columns = {.identifier = "id", .numeric = {"n"}, .keep = {"y", "id", "3"}}};
  return options;
}

std::string rows_told(ReadOptions options) {
  std::string all;
  std::vector<std::uint64_t> good, told_good;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) {
      EXPECT_EQ(row.kept.size(), 2U) << "a column named twice is kept once";
      all += told_row(row.row, row.line, std::string(row.kept[1]), std::string(row.kept[0]), !row.reason.empty());
      if (row.reason.empty()) told_good.push_back(row.row);
    }
  };
  Reader reader(options);
  EXPECT_EQ(reader.kept(), (Names{"y", "id"}));
  reader.read([&](const Block& block) {
    EXPECT_EQ(good, told_good) << "the rows of a block are told before the next is consumed";
    good.insert(good.end(), block.row, block.row + block.rows);
    return true;
  });
  EXPECT_EQ(good, told_good);
  return all;
}

TEST(RowTexts, EveryRowOnceHoweverTheFileIsCutAndPacked) {
  const Folder folder;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Made made = random_file(seed, 120);
    ReadOptions options = keeping();
    for (const std::string& packed : {made.text, gzip(made.text), zstd(made.text)}) {
      options.path = folder.write("data", packed);
      for (const std::size_t block : {1U, 50U, 1000U, 1U << 18}) {
        for (const unsigned threads : {1U, 4U}) {
          options.block_bytes = block;
          options.threads = threads;
          ASSERT_EQ(rows_told(options), made.expected) << seed << ' ' << block << ' ' << threads << '\n' << made.text;
        }
      }
    }
  }
}

TEST(RowTexts, RowsOfALabelTooManyAreAmongThemWithTheirReason) {
  const Folder folder;
  ReadOptions options = keeping();
  options.path = folder.write("data", "n,id,y\n1,p,a\n2,q,b\n3,r,c\n4,s,a\n");
  options.inference_rows = 2;
  EXPECT_EQ(rows_told(options), "1|2|a|p|\n2|3|b|q|\n3|4|c|r|bad\n4|5|a|s|\n");
}

TEST(RowTexts, ARowThatStopsThePassIsNotAmongThem) {
  const Folder folder;
  ReadOptions options = keeping();
  options.on_error = OnError::stop;
  options.path = folder.write("data", "n,id,y\n1,p,a\n2,q,b\nx,r,a\n4,s,a\n");
  std::string all;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) all += row.kept[1];
  };
  Reader reader(options);
  EXPECT_THROW(reader.read([](const Block&) { return true; }), Error);
  EXPECT_EQ(all, "pq");
}

TEST(RowTexts, WhereNoRowIsGoodTheyAreToldAllTheSame) {
  const Folder folder;
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"-1", "+1"};
  model.features = 2;
  ReadOptions options{.path = folder.write("data", "1 1:x\n\n# nothing\n1 2:1 1:1\n"),
                      .on_error = OnError::skip,
                      .labels = {.ignore = true},
                      .schema = &model};
  std::string all;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) all += told_row(row.row, row.line, "", "", !row.reason.empty());
  };
  Reader reader(options);
  reader.read([](const Block&) { return true; });
  EXPECT_EQ(all, "1|1|||bad\n2|4|||bad\n");
  options.columns.keep = {"1"};
  EXPECT_THROW(Reader{options}, Error) << "LIBSVM has no columns";
}

std::string texts_told(std::string_view text, Names keep) {
  const Folder folder;
  ReadOptions options{.path = folder.write("data", text),
                      .block_bytes = 1,
                      .on_error = OnError::skip,
                      .columns = {.keep = std::move(keep)}};
  std::string all;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) {
      EXPECT_EQ(row.file, options.path);
      all += std::to_string(row.line) + (row.reason.empty() ? "" : "!");
      for (const std::string_view kept : row.kept) all += "|" + std::string(kept);
      all += '\n';
    }
  };
  Reader reader(options);
  reader.read([](const Block&) { return true; });
  return all;
}

TEST(RowTexts, OfArffWithoutItsQuotes) {
  const std::string head =
      "@relation r\n@attribute id string\n@attribute n numeric\n@attribute c {red, 'light green'}\n@attribute y {a, "
      "b}\n@data\n";
  EXPECT_EQ(
      texts_told(
          head +
              "'it\\'s', 1, red, a\r\n\nx, ?, 'light green', b\n{0 s, 3 b}\nlast, oops, red, a\n{0 t, 1 z}\nfew, 2\n",
          {"id", "c", "n", "1"}),
      "7|it's|red|1\n9|x|light green|?\n10|s|red|0\n11!|last|red|oops\n12!|t|red|z\n13!|few||2\n");
}

TEST(RowTexts, TheTagsOfVw) {
  EXPECT_EQ(texts_told("1 'first|n x:1\n-1 second|n x:2\n1 'third |n x\n\n-1 1.5 |n y\n-1 1 2 'bad|n x\n1 2 it's|n x\n",
                       {"tag"}),
            "1|first\n2|second\n3|third\n5|\n6!|bad\n7|it's\n");
  const Folder folder;
  ReadOptions options{.path = folder.write("data", "1 'first|n x:1\n-1 |n x\n"), .columns = {.keep = {"n"}}};
  EXPECT_THROW(Reader{options}, Error);
  options.columns.keep = {"tag"};
  options.columns.identifier = "other";
  EXPECT_THROW(Reader{options}, Error);
  options.path = folder.write("data", "1 1:1\n-1 1:2\n");
  options.columns.identifier.clear();
  EXPECT_THROW(Reader{options}, Error) << "LIBSVM has no tags";
}

}  // namespace
}  // namespace halfspace::testing_stream
