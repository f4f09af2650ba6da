// Decoding of targets against encoding, and the comparison of secrets against ==.
#include "http/target.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/utf8.h"
#include "http/front.h"
#include "http/hosts.h"

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
  for (const char* malformed :
       {"", "a", "?", "*", "/%", "/%4", "/%g0", "/%+1", "/% 1", "/%00", "/a b", "/a?b c", "/?a=1&a=1", "/?a&a"})
    EXPECT_FALSE(decoded_target(malformed)) << malformed;
}

TEST(Target, DropsTheOriginOfTheAbsoluteForm) {
  const Target target{"/a b", {{"c", "d"}}}, root{"/", {}};
  for (const char* origin : {"", "http://h", "HTTP://h:80", "https://[::1]:8080", "http://user@h"})
    EXPECT_EQ(decoded_target(std::string(origin) + "/a%20b?c=d"), target) << origin;
  for (const char* of_root : {"http://h", "http://h/", "https://h:1"})
    EXPECT_EQ(decoded_target(of_root), root) << of_root;
  EXPECT_EQ(decoded_target("http://h?c=d"), (Target{"/", {{"c", "d"}}}));
  for (const char* malformed : {"http://", "http:///a", "http:/a", "ftp://h/a", "h/a", "//"})
    EXPECT_FALSE(decoded_target(malformed) && malformed[0] != '/') << malformed;
}

TEST(Hosts, AreTheOnesOfTheService) {
  const Hosts hosts("127.0.0.1", {"Model.example", "10.1.2.3"});
  for (const char* mine : {"", "localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1", "127.8.0.1:80", "[::1]:8080",
                           "model.EXAMPLE:443", "10.1.2.3"})
    EXPECT_TRUE(hosts.allows(mine)) << mine;
  for (const char* other : {"evil.example", "localhost.evil.example", "evil.example:8080", "127.0.0.1.evil.example",
                            "10.1.2.4", "[::2]", "model.example.evil", ":80", "["})
    EXPECT_FALSE(hosts.allows(other)) << other;
  const Hosts all("0.0.0.0", {});
  EXPECT_TRUE(all.allows("10.1.2.4:80"));
  EXPECT_TRUE(all.allows("[fe80::1]"));
  EXPECT_FALSE(all.allows("evil.example"));
  EXPECT_TRUE(Hosts().allows("evil.example"));
}

RC_GTEST_PROP(Secret, IsTheSameIfEqual, (const std::string& a, const std::string& b)) {
  RC_ASSERT(same_secret(a, b) == (a == b));
  RC_ASSERT(same_secret(a, a));
  RC_ASSERT(!same_secret(a, a + a + "x"));
  RC_ASSERT(a.empty() || !same_secret(a, a + a));
}

}  // namespace
}  // namespace halfspace::http
