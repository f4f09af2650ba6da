// Several files as one stream: what is read of the parts of a table is what is read of the whole.
#include <sys/resource.h>
#include <sys/stat.h>

#include <thread>

#include "stream_support.h"

namespace halfspace::testing_stream {
namespace {

// A table: what stands before its rows, and these, each with its line end.
struct Table {
  std::string header;
  Names rows;
};

// The same table in parts, and as the one file that these stand for.
struct Parts {
  std::string whole;
  Names texts;
  struct Place {
    std::size_t file;
    std::uint64_t line;
  };
  std::vector<Place> of_line;  // of the whole, from 1; nowhere for lines of the header
};

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

Table random_csv(std::mt19937& random, int rows) {
  Table table{"n,id,\"colour, of it\",y\r\n", {}};
  for (int i = 0; i < rows; ++i) {
    const std::string n = std::to_string(i % 97) + "." + std::to_string(random() % 10);
    const std::string colour = random() % 3 == 0 ? "\"light\ngreen\"" : random() % 2 == 0 ? "red" : "c" + n;
    const std::string y = i < 3 || random() % 2 == 0 ? "a" : "b";
    const std::string end = random() % 4 == 0 ? "\r\n" : "\n";
    const auto kind = random() % 12;
    std::string row = n + ",id" + std::to_string(i) + "," + colour + "," + y + end;
    if (kind == 0) row = "x," + row;
    if (kind == 1) row = "1,2" + end;
    if (kind == 2) row = end;
    table.rows.push_back(row);
  }
  return table;
}

Table random_arff(std::mt19937& random, int rows) {
  Table table{
      "% said before\n@relation r\n@attribute n numeric\n\n@attribute c {red, 'light green'}\n@attribute y {a, "
      "b}\n@data\n",
      {}};
  for (int i = 0; i < rows; ++i) {
    const auto kind = random() % 10;
    table.rows.push_back(kind == 0   ? "1, blue, a\n"
                         : kind == 1 ? "% a comment\n"
                         : kind == 2
                             ? "{0 " + std::to_string(i) + ", 2 b}\n"
                             : std::to_string(i) + ", 'light green', " + (random() % 2 == 0 ? "a" : "b") + "\n");
  }
  return table;
}

Table random_libsvm(std::mt19937& random, int rows) {
  Table table;
  for (int i = 0; i < rows; ++i) {
    const std::string label = i > 2 && random() % 2 == 0 ? "+1" : "-1";
    const auto kind = random() % 10;
    table.rows.push_back(kind == 0 ? label + " 3:1 2:1\n"
                         : kind == 1
                             ? "# a comment\r\n"
                             : label + " 1:" + std::to_string(i) + " " + std::to_string(2 + random() % 50) + ":1\n");
  }
  return table;
}

Table random_vw(std::mt19937& random, int rows) {
  Table table;
  for (int i = 0; i < rows; ++i) {
    const std::string label = i > 2 && random() % 2 == 0 ? "1" : "-1";
    const auto kind = random() % 10;
    table.rows.push_back(kind == 0 ? label + " 1 2 |n x\n"
                         : kind == 1
                             ? "\n"
                             : label + " |n x:" + std::to_string(i) + " w" + std::to_string(random() % 40) + "\n");
  }
  return table;
}

Parts split(const Table& table, std::mt19937& random, std::size_t files) {
  std::vector<std::size_t> cuts(files - 1);
  for (std::size_t& cut : cuts) cut = random() % (table.rows.size() + 1);
  cuts.push_back(table.rows.size());
  // The first file is large enough to tell what it is.
  std::sort(cuts.begin(), cuts.end());
  cuts.front() = std::max(cuts.front(), std::size_t{20});
  Parts parts{table.header, {}, std::vector<Parts::Place>(1 + lines_in(table.header))};
  std::size_t row = 0;
  for (std::size_t f = 0; f < files; ++f) {
    std::string text = f > 0 && random() % 4 == 0 ? "\xef\xbb\xbf" : "";
    text += table.header;
    std::uint64_t line = lines_in(text);
    for (; row < cuts[f]; ++row) {
      for (std::uint64_t k = lines_in(table.rows[row]); k > 0; --k) parts.of_line.push_back({f, ++line});
      text += table.rows[row];
      parts.whole += table.rows[row];
    }
    const bool rows_in_it = text.size() > table.header.size() + 3 && line > lines_in(table.header);
    if (rows_in_it && random() % 2 == 0 && !text.ends_with("\n\n") && !text.ends_with("\n\r\n")) {
      const std::size_t end = text.ends_with("\r\n") ? 2 : 1;
      text.resize(text.size() - end);
      parts.whole.resize(parts.whole.size() - end);
      if (f + 1 < files) parts.whole += '\n';
    }
    parts.texts.push_back(std::move(text));
  }
  return parts;
}

std::string packed(const std::string& text, std::uint64_t how) {
  switch (how % 5) {
    case 0:
      return gzip(text);
    case 1:
      return zstd(text);
    case 2:
      return xz(text);
    case 3:
      return bzip2(text);
    default:
      return text;
  }
}

ReadOptions of_parts(const Parts& parts, const Folder& folder, std::mt19937& random) {
  ReadOptions options;
  for (std::size_t f = 0; f < parts.texts.size(); ++f) {
    const std::string path = folder.write("part" + std::to_string(f), packed(parts.texts[f], random()));
    if (f == 0) {
      options.path = path;
    } else {
      options.more.push_back(path);
    }
  }
  options.on_error = OnError::skip;
  options.rejects = folder.path("rejects");
  return options;
}

// The rejects of the whole, at the places in the parts.
std::string moved(const std::string& rejects, const std::string& whole, const Parts& parts, const Folder& folder) {
  std::string result;
  std::istringstream lines(rejects);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(whole + ",")) {
      const std::size_t end = line.find(',', whole.size() + 1);
      const Parts::Place place = parts.of_line.at(std::stoul(line.substr(whole.size() + 1)));
      line = folder.path("part" + std::to_string(place.file)) + "," + std::to_string(place.line) + line.substr(end);
    }
    result += line + "\n";
  }
  return result;
}

void expect_as_the_whole(const Table& table, std::mt19937& random) {
  const Folder folder;
  const Parts parts = split(table, random, 2 + random() % 6);
  ReadOptions options = of_parts(parts, folder, random);
  ReadOptions one = options;
  one.path = folder.write("whole", parts.whole);
  one.more.clear();
  one.rejects = folder.path("rejects-of-the-whole");
  const Reading expected = read_all(one);
  ASSERT_FALSE(expected.failed) << expected.error.what();
  const std::string rejects = moved(content(one.rejects), one.path, parts, folder);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t block : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 18}) {
      options.threads = threads;
      options.block_bytes = block;
      const Reading outcome = read_all(options);
      ASSERT_FALSE(outcome.failed) << outcome.error.what();
      EXPECT_EQ(outcome.rows, expected.rows);
      EXPECT_EQ(outcome.schema, expected.schema);
      EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
      EXPECT_EQ(outcome.report.bytes, expected.report.bytes);
      EXPECT_EQ(outcome.report.rows, expected.report.rows);
      EXPECT_EQ(outcome.report.rejected, expected.report.rejected);
      EXPECT_EQ(outcome.report.class_rows, expected.report.class_rows);
      ASSERT_EQ(content(options.rejects), rejects);
    }
  }
  if (expected.report.rejected == 0) return;
  options.on_error = one.on_error = OnError::stop;
  options.rejects = one.rejects = "";
  const Reading stopped = read_all(options), stopped_in_one = read_all(one);
  ASSERT_TRUE(stopped.failed && stopped_in_one.failed);
  EXPECT_EQ(stopped.rows, stopped_in_one.rows);
  const Parts::Place place = parts.of_line.at(stopped_in_one.error.line());
  EXPECT_EQ(stopped.error.file(), folder.path("part" + std::to_string(place.file)));
  EXPECT_EQ(stopped.error.line(), place.line);
  EXPECT_EQ(stopped.error.column(), stopped_in_one.error.column());
  EXPECT_EQ(stopped.error.message(), stopped_in_one.error.message());
}

TEST(Files, PartsOfATableAreReadAsTheWhole) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    const int rows = 30 + static_cast<int>(random() % 300);
    SCOPED_TRACE(i);
    expect_as_the_whole(random_csv(random, rows), random);
    expect_as_the_whole(random_arff(random, rows), random);
    expect_as_the_whole(random_libsvm(random, rows), random);
    expect_as_the_whole(random_vw(random, rows), random);
    if (HasFailure()) return;
  }
}

// Writes the texts, and reads them as one stream.
Reading read_files(const Folder& folder, const Names& texts, ReadOptions options = {}) {
  for (std::size_t f = 0; f < texts.size(); ++f) {
    const std::string path = folder.write(std::string(1, static_cast<char>('a' + f)) + ".csv", texts[f]);
    if (f == 0) {
      options.path = path;
    } else {
      options.more.push_back(path);
    }
  }
  return read_all(options);
}

void expect_error(const Reading& outcome, const std::string& file, std::uint64_t line, std::uint64_t column,
                  const std::string& words) {
  EXPECT_EQ(outcome.error.file(), file) << outcome.error.what();
  EXPECT_EQ(outcome.error.line(), line) << outcome.error.what();
  EXPECT_EQ(outcome.error.column(), column) << outcome.error.what();
  EXPECT_TRUE(has(outcome.error.what(), words));
}

TEST(Files, AnotherHeaderIsRefusedWhereItDiffers) {
  const Folder folder;
  const std::string first = "a,b,y\n1,2,p\n3,4,q\n", b = folder.path("b.csv");
  expect_error(read_files(folder, {first, "a,c,y\n1,2,p\n"}), b, 1, 3, "column 2 is 'c', and 'b' in");
  expect_error(read_files(folder, {first, "\nb,a,y\n1,2,p\n"}), b, 2, 1, "in another order: column 1 is 'b', and 'a'");
  expect_error(read_files(folder, {first, "a,b\n1,2\n"}), b, 1, 4, "column 3, 'y' in ");
  expect_error(read_files(folder, {first, "a,b,y,z\n1,2,p,3\n"}), b, 1, 7, "column 4, 'z', is one more than");
  expect_error(read_files(folder, {first, "5,6,p\n"}), b, 1, 1, "no-header");
  expect_error(read_files(folder, {first, "+1 1:2\n-1 1:3\n"}), b, 0, 0, "looks like LIBSVM");
  expect_error(read_files(folder, {"p,q,y\nr,s,y\nt,u,z\n", "p,q,y\nv,w,z\n"}), b, 1, 1, "no-header");
  expect_error(read_files(folder, {"d,2022,y\nr,1,p\nt,2,q\n", "d,2022,y\nv,3,p\n"}), b, 1, 1, "no-header");
  EXPECT_EQ(read_files(folder, {"0,1,1\n1,0,2\n", "0,1,1\n1,1,2\n"}).report.rows, 4U) << "numbers may come again";
  ReadOptions none{.table = {.header = false}};
  EXPECT_EQ(read_files(folder, {"p,q,y\nr,s,z\n", "p,q,y\nv,w,z\n"}, none).report.rows, 4U);
  EXPECT_EQ(read_files(folder, {first, "\"a\" , b,y\r\n1,2,p\n"}).report.rows, 3U)
      << "the same names, written otherwise";
  const std::string arff = "@relation r\n@attribute n numeric\n@attribute y {a,b}\n@data\n";
  expect_error(
      read_files(folder, {arff + "1,a\n2,b\n", "@relation r\n@attribute n numeric\n@attribute y {b,a}\n@data\n1,a\n"}),
      b, 3, 0, "another type or other values");
  expect_error(read_files(folder, {arff + "1,a\n2,b\n", "@relation r\n@attribute n numeric\n"}), b, 0, 0, "no @data");
  expect_error(read_files(folder, {arff + "1,a\n2,b\n", "1,a\n"}), b, 0, 0, "looks like CSV");
}

// Labels in a file of their own are named, and the line that the error gives joins them, whichever file has a header.
TEST(Files, LabelsInAFileOfTheirOwnAreJoined) {
  const Folder folder;
  for (const std::string head : {"", "a,b\n"}) {
    for (const std::string labels : {"p\nq\np\nq\n", "kind\np\nq\np\nq\n", "1\n0\n1\n1\n", "y\n1\n0\n1\n1\n"}) {
      SCOPED_TRACE(head + labels);
      const Reading outcome = read_files(folder, {head + "1,0\n2,2\n-1,-1\n3,1\n", labels});
      expect_error(outcome, folder.path("b.csv"), 0, 0, "are these the labels of its rows?");
      const std::string line = outcome.error.hint().substr(0, outcome.error.hint().find(" >NEW"));
      ASSERT_EQ(std::system((line + " >" + folder.path("new.csv")).c_str()), 0) << line;
      const Reading joined = read_all({.path = folder.path("new.csv")});
      EXPECT_EQ(joined.report.rows, 4U) << line;
      EXPECT_EQ(joined.schema.columns.size(), 3U) << line;
      EXPECT_EQ(joined.schema.labels.names.size(), 2U) << line;
    }
  }
}

TEST(Files, AnUnclosedQuoteEndsWithItsFile) {
  const Folder folder;
  ReadOptions options{.on_error = OnError::skip, .rejects = folder.path("rejects")};
  const Reading outcome = read_files(folder, {"a,y\n1,p\n2,q\n3,\"p\n", "a,y\n4,p\n5,\"q\"\n"}, options);
  ASSERT_FALSE(outcome.failed) << outcome.error.what();
  EXPECT_EQ(outcome.report.rows, 4U);
  EXPECT_EQ(outcome.report.rejected, 1U);
  EXPECT_TRUE(has(content(options.rejects), folder.path("a.csv") + ",4,"));
}

TEST(Files, DamageIsNamedWithItsFile) {
  const Folder folder;
  const std::string first = "a,y\n1,p\n2,q\n";
  std::string many = "a,y\n";
  for (int i = 0; i < 20000; ++i) many += std::to_string(i) + (i % 2 == 0 ? ",p\n" : ",q\n");
  const std::string cut = gzip(many).substr(0, 20000);
  expect_error(read_files(folder, {first, cut}), folder.path("b.csv"), 0, 0, "ends too early");
  std::filesystem::remove(folder.path("b.csv"));
  ReadOptions options{.path = folder.write("a.csv", first),
                      .more = {folder.path("b.csv"), folder.write("c.csv", first)}};
  expect_error(read_all(options), folder.path("b.csv"), 0, 0, "cannot open");
  options.more = {folder.path("."), folder.path("c.csv")};
  expect_error(read_all(options), folder.path("."), 0, 0, "is a folder");
}

TEST(Files, WhatIsReadAloneIsRefusedByName) {
  const Folder folder;
  const std::string idx(std::string("\0\0\x08\x03\0\0\0\x01\0\0\0\x01\0\0\0\x01", 16) + "x");
  const std::string first = "a,y\n1,p\n2,q\n";
  expect_error(read_files(folder, {first, idx}), folder.path("b.csv"), 0, 0,
               "an idx file, which cannot be combined with other files");
  expect_error(read_files(folder, {idx, first}), folder.path("a.csv"), 0, 0,
               "an idx file, which cannot be combined with other files");
  expect_error(read_files(folder, {first, "%PDF-1.4\n"}), folder.path("b.csv"), 0, 0, "PDF");
}

TEST(Files, EmptyFilesAndThoseNamedTwiceAreNoted) {
  const Folder folder;
  Names notes;
  ReadOptions options{.on_note = [&](const ReadNote& note) { notes.push_back(note.text); }};
  const std::string first = "a,y\n1,p\n2,q\n";
  EXPECT_EQ(read_files(folder, {"", first, "", first}, options).report.rows, 4U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "2 files are empty, and were skipped; the first: " + folder.path("a.csv"));
  notes.clear();
  EXPECT_EQ(read_files(folder, {first, "a,y\n", gzip("")}, options).report.rows, 2U)
      << "a header alone, and nothing packed";
  EXPECT_TRUE(notes.empty());
  options.path = folder.path("a.csv");
  options.more = {folder.path("a.csv")};
  EXPECT_EQ(read_all(options).report.rows, 4U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "1 file is named twice, and its rows count twice: " + folder.path("a.csv"));
  const Reading nothing = read_files(folder, {"", ""});
  expect_error(nothing, folder.path("a.csv"), 0, 0, "the file is empty");
}

TEST(Files, PipesAreReadOnceAmongOthers) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ReadOptions options{.path = folder.write("a", "-1 1:1\n+1 2:1\n-1 3:1"),
                      .more = {pipe, folder.write("c", "+1 2:7\n")}};
  std::thread writer([&] { std::ofstream(pipe) << "+1 1:3\n-1 4:1"; });
  Reader reader(options);
  EXPECT_FALSE(reader.rewindable());
  std::string rows;
  reader.read([&](const Block& block) {
    dump(block, rows);
    return true;
  });
  writer.join();
  EXPECT_EQ(reader.report().rows, 6U);
  EXPECT_THROW(reader.read([](const Block&) { return true; }), Error);
  options.more = {pipe, pipe};
  expect_error(read_all(options), pipe, 0, 0, "named twice");
}

// Each pass opens the files again: they must be there, and the same.
TEST(Files, FilesThatChangeBetweenPassesAreNamed) {
  const Folder folder;
  const std::string first = "a,y\n1,p\n2,q\n";
  ReadOptions options{.path = folder.write("a.csv", first),
                      .more = {folder.write("b.csv", first), folder.write("c.csv", first)}};
  std::string before, after;
  const auto into = [](std::string& rows) {
    return [&rows](const Block& block) {
      dump(block, rows);
      return true;
    };
  };
  Reader reader(options);
  reader.read(into(before));
  const std::string fingerprint = reader.report().fingerprint;
  reader.read(into(after));
  EXPECT_EQ(after, before);
  EXPECT_EQ(reader.report().fingerprint, fingerprint);
  const auto error_of_a_pass = [&] {
    try {
      reader.read([](const Block&) { return true; });
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string other = folder.write("d.csv", first);
  std::filesystem::remove(options.more[0]);
  EXPECT_TRUE(has(error_of_a_pass(), options.more[0] + ": cannot open"));
  std::filesystem::rename(other, options.more[0]);
  EXPECT_TRUE(has(error_of_a_pass(), options.more[0] + ": has changed"));
}

TEST(Files, OneDescriptorIsEnoughForManyFiles) {
  const Folder folder;
  ReadOptions options;
  for (int i = 0; i < 300; ++i) {
    const std::string path =
        folder.write("f" + std::to_string(i), i % 3 == 0 ? gzip("-1 1:1\n+1 2:1") : "-1 1:1\n+1 2:1");
    if (i == 0) {
      options.path = path;
    } else {
      options.more.push_back(path);
    }
  }
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 32;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const Reading outcome = read_all(options);
  ::setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(outcome.failed) << outcome.error.what();
  EXPECT_EQ(outcome.report.rows, 600U);
  EXPECT_EQ(outcome.report.compression, "mixed");
}

TEST(Files, ProgressCountsAllBytes) {
  const Folder folder;
  ReadOptions options;
  std::uint64_t last = 0, all = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    all = total;
  };
  const std::string packed_text = gzip("a,y\n1,p\n2,q\n");
  ASSERT_FALSE(read_files(folder, {"a,y\n1,p\n2,q\n", packed_text, "a,y\n1,p\n2,q"}, options).failed);
  EXPECT_EQ(all, 12 + packed_text.size() + 11);
  EXPECT_EQ(last, all);
}

// A label that only a later file has.
TEST(Files, LabelsOfLaterFilesAreFoundAndTheirFilesNamed) {
  const Folder folder;
  ReadOptions options{.inference_rows = 2};
  const Names texts = {"a,y\n1,p\n2,q\n", "a,y\n1,p\n2,r\n"};
  expect_error(read_files(folder, texts, options), folder.path("b.csv"), 3, 3, "'r'");
  options.labels.stop_at_late = true;
  expect_error(read_files(folder, texts, options), folder.path("b.csv"), 0, 0, "'r'");
  options.labels.scan_all = true;
  EXPECT_EQ(read_files(folder, texts, options).schema.labels.names, (Names{"p", "q", "r"}));
  expect_error(read_files(folder, {"@relation r\n@attribute n numeric\n@attribute y {a}\n@data\n",
                                   "@relation r\n@attribute n numeric\n@attribute y {a}\n@data\n\nx,a\n"}),
               folder.path("b.csv"), 6, 1, "'x'");
}

}  // namespace
}  // namespace halfspace::testing_stream
