// Decoding of targets against encoding, and the comparison of secrets against ==.
#include "http/target.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/utf8.h"
#include "http/front.h"

namespace halfspace::http {
namespace {

// Escapes every byte, in digits of either case.
std::string escaped(const std::string& text, bool upper) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const char* const digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    result += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return result;
}

bool is_plain(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return valid_utf8(text);
}

RC_GTEST_PROP(Target, UndoesEscapes, (const std::string& id, const std::string& name, bool upper)) {
  const std::string raw = "/row/" + escaped(id, upper) + "?" + escaped(name, upper) + "=" + escaped(id, !upper) + "&x";
  const std::optional<Target> target = decoded_target(raw);
  RC_ASSERT(target.has_value() == (is_plain(id) && is_plain(name) && name != "x"));
  if (target) RC_ASSERT(*target == (Target{"/row/" + id, {{name, id}, {"x", ""}}}));
}

RC_GTEST_PROP(Target, IsRefusedOrHasNoControlCharacters, (const std::string& noise)) {
  const std::optional<Target> target = decoded_target("/" + noise);
  if (!target) return;
  RC_ASSERT(is_plain(target->path));
  for (const auto& [name, value] : target->query) RC_ASSERT(is_plain(name) && is_plain(value));
}

TEST(Target, TakesPlusForASpaceInTheQueryAlone) {
  EXPECT_EQ(decoded_target("/a+b?c+d=e+f&&g=h=i"), (Target{"/a+b", {{"c d", "e f"}, {"g", "h=i"}}}));
  for (const char* malformed : {"", "a", "?", "*", "/%", "/%4", "/%g0", "/%+1", "/% 1", "/%00", "/?a=1&a=1", "/?a&a"})
    EXPECT_FALSE(decoded_target(malformed)) << malformed;
}

RC_GTEST_PROP(Secret, IsTheSameIfEqual, (const std::string& a, const std::string& b)) {
  RC_ASSERT(same_secret(a, b) == (a == b));
  RC_ASSERT(same_secret(a, a));
  RC_ASSERT(!same_secret(a, a + a + "x"));
  RC_ASSERT(a.empty() || !same_secret(a, a + a));
}

}  // namespace
}  // namespace halfspace::http
