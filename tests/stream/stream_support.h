// What the tests of this room share: temporary files, compression, rows as text that compares; and the headers that
// nearly all of them need.
#pragma once

#include <bzlib.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "support/test.h"

namespace halfspace::testing_stream {

using Folder = testing::TemporaryFolder;
using Names = std::vector<std::string>;
using Values = std::vector<std::pair<std::uint32_t, double>>;

inline std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// `window_bits`: of gzip, or -15 for the bare data. The header is gzip's.
inline std::string deflated(std::string_view text, int window_bits, gz_header* header = nullptr) {
  z_stream state{};
  if (deflateInit2(&state, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  if (header != nullptr) deflateSetHeader(&state, header);
  std::string out(deflateBound(&state, static_cast<uLong>(text.size())) + 1000, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

inline std::string gzip(std::string_view text) { return deflated(text, 15 + 16); }

inline std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

inline std::string xz(std::string_view text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()) != LZMA_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

inline std::string bzip2(std::string_view text) {
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  unsigned size = static_cast<unsigned>(out.size());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()), static_cast<unsigned>(text.size()), 9,
                               0, 0) != BZ_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

// Returns the parts of a text between marks.
inline std::vector<std::string> cut(std::string_view text, std::string_view mark) {
  std::vector<std::string> parts;
  for (std::size_t end; (end = text.find(mark)) != text.npos; text.remove_prefix(end + mark.size()))
    parts.emplace_back(text.substr(0, end));
  parts.emplace_back(text);
  return parts;
}

// Returns the error that this throws; there must be one.
template <class F>
Error error_from(F&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorKind::internal, "none"};
}

// Every bit of a block's rows; `row_numbers` may be left out to compare files of which lines were taken.
inline void dump(const Block& block, std::string& out, bool row_numbers = true) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    block.with_example(i, [&](const auto& x) {
      std::ostringstream line;
      line << std::hexfloat;
      if (row_numbers) line << x.row << ' ';
      line << x.label << ' ' << x.weight << ' ' << x.squared_norm;
      for (std::uint32_t k = 0; k < x.size; ++k) {
        line << ' ' << x.index[k] << ':';
        if constexpr (std::is_same_v<typename std::decay_t<decltype(x)>::value_type, One>) {
          line << 1.0;
        } else {
          line << static_cast<double>(x.value[k]);
        }
      }
      out += line.str() + "\n";
    });
  }
}

struct Reading {
  std::string rows;
  ReadReport report;
  Schema schema;
  bool failed = false;
  Error error{ErrorKind::internal, "none"};
};

inline Reading read_all(const ReadOptions& options, bool row_numbers = true) {
  Reading outcome;
  try {
    Reader reader(options);
    try {
      reader.read([&](const Block& block) {
        dump(block, outcome.rows, row_numbers);
        return true;
      });
    } catch (const Error& error) {
      outcome.failed = true;
      outcome.error = error;
    }
    outcome.report = reader.report();
    outcome.schema = reader.schema();
  } catch (const Error& error) {
    outcome.failed = true;
    outcome.error = error;
  }
  return outcome;
}

inline Reading read_text(std::string_view text, ReadOptions options = {}) {
  const Folder folder;
  options.path = folder.write("data", text);
  return read_all(options);
}

// Reads text that must be good.
inline Reading read_good(std::string_view text, const ReadOptions& options = {}) {
  const Reading outcome = read_text(text, options);
  EXPECT_FALSE(outcome.failed) << outcome.error.what();
  return outcome;
}

// Expects both to read the same rows and to end with the same schema; numbers of rows may differ.
inline void expect_read_alike(const ReadOptions& one, const ReadOptions& other) {
  const Reading a = read_all(one, false), b = read_all(other, false);
  ASSERT_FALSE(a.failed) << a.error.what();
  ASSERT_FALSE(b.failed) << b.error.what();
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.schema, b.schema);
}

// Expects the same of a text whatever the threads and the blocks, and when it is packed. Returns it.
inline Reading expect_read_alike_however_cut(const std::string& text, const std::string& packed, ReadOptions options) {
  const Reading expected = read_text(text, options);
  EXPECT_FALSE(expected.failed) << expected.error.what();
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{4000}, std::size_t{1} << 20}) {
      options.threads = threads;
      options.block_bytes = block_bytes;
      const Reading outcome = read_text(block_bytes == 4000 ? packed : text, options);
      EXPECT_FALSE(outcome.failed) << outcome.error.what();
      EXPECT_TRUE(outcome.rows == expected.rows) << threads << " " << block_bytes;
      EXPECT_EQ(outcome.schema, expected.schema);
      EXPECT_EQ(outcome.report.rejected, expected.report.rejected);
      EXPECT_EQ(outcome.report.fingerprint, expected.report.fingerprint);
    }
  }
  return expected;
}

// What a reading says of every row: its features and label, or its line and all that is wrong with it.
inline std::string account_of(const std::string& text, ReadOptions options) {
  std::string account;
  options.on_error = OnError::skip;
  options.on_rows = [&](std::span<const RowText> rows) {
    for (const RowText& row : rows) {
      account += std::to_string(row.row) + " " + std::to_string(row.line) + ":" + std::to_string(row.column);
      account += row.reason;
      for (const std::string_view kept : row.kept) account += "|" + std::string(kept);
      account += "\n";
    }
  };
  const Reading outcome = read_text(text, options);
  EXPECT_FALSE(outcome.failed) << outcome.error.what();
  options.on_error = OnError::stop;
  options.on_rows = {};
  const Reading stopped = read_text(text, options);
  account += outcome.rows + stopped.rows + std::to_string(outcome.report.unknown_features);
  if (!stopped.failed) return account;
  return account + stopped.error.message() + stopped.error.text() + std::to_string(stopped.error.line()) + ":" +
         std::to_string(stopped.error.column());
}

// Expects the same account of every row, alone in its block or not.
inline void expect_account_whatever_the_blocks(const std::string& text, ReadOptions options, unsigned seed) {
  options.block_bytes = 1;
  const std::string alone = account_of(text, options);
  for (const std::size_t block_bytes : {std::size_t{300}, std::size_t{1} << 20}) {
    options.block_bytes = block_bytes;
    EXPECT_EQ(account_of(text, options), alone) << seed;
  }
}

// A bad row, and what is said of it.
struct RowFlaw {
  std::string line;
  std::uint64_t column;
  const char* reason;
};

// Expects the flaw to be placed by its line of the text, with that line.
inline void expect_placed(const Error& error, const RowFlaw& flaw, std::uint64_t line) {
  EXPECT_EQ(error.kind(), ErrorKind::data) << flaw.line;
  EXPECT_EQ(error.message(), flaw.reason) << flaw.line;
  EXPECT_EQ(error.line(), line) << flaw.line;
  EXPECT_EQ(error.column(), flaw.column) << flaw.line;
  EXPECT_EQ(error.text(), flaw.line);
  EXPECT_FALSE(error.hint().empty()) << flaw.line;
}

// Expects the row behind `before` to be bad, and the others to be read without it.
inline void expect_flaw(const RowFlaw& flaw, const std::string& before, const std::string& behind, ReadOptions options,
                        const std::function<void(const Reading&)>& skipped) {
  const std::string text = before + flaw.line + "\n" + behind;
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{9}, std::size_t{1} << 18}) {
    options.block_bytes = block_bytes;
    options.on_error = OnError::stop;
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    expect_placed(read_text(text, options).error, flaw, line);
    options.on_error = OnError::skip;
    const Reading rest = read_text(text, options);
    ASSERT_FALSE(rest.failed) << rest.error.what();
    EXPECT_EQ(rest.report.rejected, 1u) << flaw.line;
    skipped(rest);
  }
}

// The features of each row by their names.
using NamedRow = std::map<std::string, double>;
inline std::vector<NamedRow> named_rows(const ReadOptions& options, std::string_view text) {
  Reader reader(options, text);
  std::vector<NamedRow> rows;
  reader.read([&](const Block& block) {
    const Names names = reader.schema().feature_names();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        NamedRow& row = rows.emplace_back();
        for (std::uint32_t k = 0; k < x.size; ++k) row[names[x.index[k]]] = x.value_at(k);
      });
    }
    return true;
  });
  return rows;
}

// The shared real data sets; empty when they are not here.
inline std::string real_data(const std::string& name) {
  const char* const given = std::getenv("HALFSPACE_DATA");
  const std::filesystem::path base =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(HALFSPACE_SOURCE_DIR).parent_path() / "shared" / "data";
  const std::filesystem::path path = base / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

}  // namespace halfspace::testing_stream
