// Rows to text, digit for digit.
#include "halfspace/stream/memory_data.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/atomic_file.h"
#include "halfspace/base/error.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::uint32_t largest_feature = 2147483646;  // its index in the text is one more

[[noreturn]] void refuse(const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, why).fix(fix);
}

void check_label(std::string_view label) {
  bool good = !label.empty();
  for (const char c : label) good = good && static_cast<unsigned char>(c) > 0x20 && c != 0x7f && c != ':' && c != '#';
  if (!good)
    refuse("a row in memory cannot have the label " + stream::quote(label), "give a name without blanks, : and #");
}

void check_value(double value) {
  if (!std::isfinite(value)) refuse("a value of a row is not finite", "leave the feature out where it is not known");
}

}  // namespace

void MemoryData::begin(std::string_view label) {
  text_ += label;
}

void MemoryData::put(std::uint32_t index, double value) {
  fmt::format_to(std::back_inserter(text_), " {}:{}", index + 1, value);
}

void MemoryData::add(std::string_view label, std::span<const std::uint32_t> index, std::span<const double> value) {
  check_label(label);
  if (index.size() != value.size())
    refuse(fmt::format("a row has {} indices and {} values", index.size(), value.size()),
           "give a value for each index");
  for (std::size_t k = 0; k < index.size(); ++k) {
    check_value(value[k]);
    if (index[k] > largest_feature || (k > 0 && index[k] <= index[k - 1]))
      refuse(fmt::format("the feature {} is out of order or too large", index[k]),
             "give features in ascending order, each once, up to 2147483646");
  }
  begin(label);
  for (std::size_t k = 0; k < index.size(); ++k) put(index[k], value[k]);
  text_ += '\n';
  ++rows_;
}

void MemoryData::add(std::string_view label, std::span<const double> dense) {
  check_label(label);
  if (dense.size() > largest_feature) refuse("a row has too many features", "give it as indices and values");
  for (const double value : dense) check_value(value);
  begin(label);
  for (std::size_t k = 0; k < dense.size(); ++k) {
    if (dense[k] != 0) put(static_cast<std::uint32_t>(k), dense[k]);
  }
  text_ += '\n';
  ++rows_;
}

void write_libsvm(const MemoryData& data, const std::string& path) {
  AtomicFile file(path, nullptr);
  const std::string_view text = data.text();
  file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  file.commit();
}

}  // namespace halfspace
