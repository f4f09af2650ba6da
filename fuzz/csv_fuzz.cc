// CSV text of any kind: the invariants of the seam and of Block hold, and how the text is cut makes no difference.
//
// The first line of an input chooses options, a letter each: n no header, o labels optional, a all labels, p pipe,
// k a known schema, g which may grow, w a weight column, s a short line limit, z a positive label, b runs of
// blanks, c a decimal comma, m names for missing values, t a text, x runs of its tokens, i products, d dates; a digit is
// inference_rows.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/stream/csv_driver.h"
#include "halfspace/base/error.h"

namespace {

using namespace halfspace;
using namespace halfspace::stream;

const Schema& known_schema() {
  static const Schema schema = read_csv("n,c,m,y\n1,u,2,a\n?,v,3,b\n", {}).schema;
  return schema;
}

ReadOptions options_of(std::string_view letters) {
  ReadOptions options;
  const auto has = [&](char letter) { return letters.find(letter) != std::string_view::npos; };
  options.table.header = !has('n');
  options.labels.ignore = has('o');
  options.labels.scan_all = has('a');
  if (has('k')) options.schema = &known_schema();
  options.grow = has('g');
  if (has('w')) options.columns.weight = "1";
  if (has('s')) options.line_limit = 16;
  if (has('z')) options.labels.positive = "a";
  if (has('b')) options.table.delimiter = ' ';
  if (has('c')) options.table.decimal = ',';
  if (has('m')) options.table.missing_only = {{"0", "u"}};
  if (has('t')) options.columns.text = {"1"};
  if (has('i')) options.columns.interactions = {"1:2", "2:2", "2:3"};
  if (has('d')) options.columns.dates = {"1"};
  if (has('x')) options.columns.ngrams = 3;
  const std::size_t digit = letters.find_first_of("0123456789");
  if (digit != std::string_view::npos) options.inference_rows = static_cast<std::uint64_t>(letters[digit] - '0');
  return options;
}

struct Outcome {
  CsvResult result;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

// What a pipe shows of itself at first is the same however it is cut later.
constexpr std::size_t shown_by_pipe = 40;

Outcome outcome(std::string_view input, std::size_t chunk) {
  const std::size_t line_end = std::min(input.find('\n'), input.size());
  const std::string_view letters = input.substr(0, line_end);
  const std::string text(input.substr(std::min(line_end + 1, input.size())));
  const bool pipe = letters.find('p') != std::string_view::npos;
  Outcome outcome;
  try {
    outcome.result = read_csv(text, options_of(letters), chunk, pipe, pipe ? shown_by_pipe : ~std::size_t{0});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal || error.hint().empty()) std::abort();
    outcome.error = error.what();
  }
  return outcome;
}

Outcome whole_outcome(std::string_view input) { return outcome(input, std::size_t{1} << 20); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const Outcome whole = whole_outcome(input);
  if (whole != outcome(input, 1)) std::abort();
  if (whole != outcome(input, 2 + size % 61)) std::abort();
  return 0;
}
