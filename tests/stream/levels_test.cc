// Rows, refusals and norms are the same at every vector level, on the text of files and on hostile text.

#include "base/simd.h"
#include "stream/stream_support.h"

namespace halfspace::testing_stream {
namespace {

// Row by row with all bits, and the rows set aside.
std::string read_with(const std::string& text, ReadOptions options, bool norms) {
  std::string out;
  options.on_error = OnError::skip;
  options.on_reject = [&](const Error& error) { out += std::string(error.what()) + "\n"; };
  const Folder folder;
  options.path = folder.write("data", text);
  try {
    Reader reader(options);
    reader.read([&](const Block& block) {
      std::string rows;
      dump(block, rows);
      if (norms) {
        out += rows;
        return true;
      }
      std::istringstream lines(rows);
      for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        for (int i = 0; words >> word; ++i) out += i == 3 ? "" : word + " ";
        out += "\n";
      }
      return true;
    });
  } catch (const Error& error) {
    out += error.what();
  }
  const std::string name = options.path;
  for (std::size_t at = 0; (at = out.find(name, at)) != std::string::npos;) out.replace(at, name.size(), "data");
  return out;
}

void expect_the_same_everywhere(const std::string& text, const ReadOptions& options) {
  const std::vector<std::size_t> levels = simd::runnable();
  simd::use(levels.front());
  const bool fuses = simd::fuses(levels.front());
  const std::string with_norms = read_with(text, options, true), without = read_with(text, options, false);
  for (const std::size_t level : levels) {
    simd::use(level);
    // A sum of squares is one only where multiply-add rounds once.
    const bool norms = fuses && simd::fuses(level);
    EXPECT_EQ(read_with(text, options, norms), norms ? with_norms : without) << simd::name_of(level) << "\n" << text;
  }
  simd::use();
}

std::string random_number(std::mt19937_64& random) {
  static const Names odd =
      cut("1e-5~-0~+2.5~.5~5.~1e400~nan~~?~NA~1.2.3~--1~0x1~1,5~\"1.5\"~ 2 ~12345678901234567890~"
          "0.12345678901234567~9007199254740993~-",
          "~");
  if (random() % 12 == 0) return odd[random() % odd.size()];
  std::array<char, 64> text{};
  const double value = static_cast<double>(static_cast<std::int64_t>(random())) / 4e18;
  std::snprintf(text.data(), text.size(), random() % 3 == 0 ? "%.0f" : "%.6g", value);
  return text.data();
}

void spoil(std::string& text, std::mt19937_64& random) {
  if (random() % 3 == 0) return;
  for (std::size_t i = random() % 4; i > 0 && !text.empty(); --i) {
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = " :,\"\n\r#\t.-"[random() % 10];
        break;
      default:
        text.insert(at, 1, " :,\"\n\r#\t.-"[random() % 10]);
    }
  }
}

TEST(SimdLevels, ReadLibsvmAlike) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 150; ++round) {
    std::string text;
    for (std::size_t rows = random() % 30; rows > 0; --rows) {
      text += random() % 2 == 0 ? "+1" : "-1";
      std::size_t index = 0;
      for (std::size_t k = random() % 25; k > 0; --k) {
        index += 1 + random() % (random() % 5 != 0 ? 5 : 4'000'000);
        text += " " + std::to_string(index) + ":" + (random() % 2 == 0 ? "1" : random_number(random));
      }
      text += random() % 20 == 0 ? " \n" : random() % 20 == 0 ? "\r\n" : random() % 20 == 0 ? " # that\n" : "\n";
    }
    spoil(text, random);
    if (random() % 3 == 0 && !text.empty()) text.pop_back();
    ReadOptions options{.format = DataFormat::libsvm,
                        .line_limit = random() % 4 == 0 ? 200u : 1u << 20,
                        .zero_based = random() % 4 == 0};
    expect_the_same_everywhere(text, options);
  }
}

TEST(SimdLevels, ReadCsvAlike) {
  std::mt19937_64 random(32);
  for (int round = 0; round < 150; ++round) {
    const std::size_t columns = 1 + random() % 20, words = random() % (columns + 4);
    const std::string line_end = random() % 4 == 0 ? "\r\n" : "\n";
    std::string text = "label";
    for (std::size_t k = 0; k < columns; ++k) text += ",x" + std::to_string(k);
    text += line_end;
    for (std::size_t rows = random() % 30; rows > 0; --rows) {
      text += random() % 2 == 0 ? "yes" : "no";
      for (std::size_t k = 0; k < columns; ++k) {
        text += ",";
        text += k == words ? std::string(1, "abcde"[random() % 5]) : random_number(random);
      }
      text += random() % 20 == 0 ? "\n" + line_end : line_end;
    }
    spoil(text, random);
    if (random() % 3 == 0) text.pop_back();
    ReadOptions options{.format = DataFormat::csv, .line_limit = random() % 4 == 0 ? 200u : 1u << 20};
    expect_the_same_everywhere(text, options);
  }
}

}  // namespace
}  // namespace halfspace::testing_stream
