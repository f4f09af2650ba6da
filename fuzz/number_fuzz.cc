// parse_number against C's strtod, on any bytes.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "stream/text/number.h"

using halfspace::stream::NumberProblem;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  char* end = nullptr;
  const double expected = std::strtod(text.c_str(), &end);
  // What strtod takes whole, without leading blanks and hexadecimal, is a number here, and nothing else is.
  const bool taken = size != 0 && end == text.c_str() + size && text.find_first_of(" \t\n\v\f\r") != 0 &&
                     text.find_first_of("xX") == std::string::npos;
  double value = 0;
  const NumberProblem problem = halfspace::stream::parse_number(text, value);
  if (problem == NumberProblem::none) {
    require(taken && std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected));
  } else if (problem == NumberProblem::overflow) {
    require(taken && std::isinf(expected));
  } else if (problem == NumberProblem::not_a_number) {
    require(!taken || !std::isfinite(expected));
  }
  return 0;
}
