// Text into markup: references, and what no XML document can hold.

#include "base/markup.h"

#include "support/test.h"

namespace halfspace {
namespace {

const std::string replaced = "\xef\xbf\xbd";

TEST(Markup, Escapes) {
  EXPECT_EQ(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escaped("a\tb\nc\rd"), "a&#9;b&#10;c&#13;d");
  EXPECT_EQ(escaped(""), "");
  EXPECT_EQ(escaped("größer ≤ 𝛾"), "größer ≤ 𝛾");
}

TEST(Markup, EveryByteAlone) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    const bool allowed = byte == '\t' || byte == '\n' || byte == '\r' || (byte >= 0x20 && byte < 0x80);
    EXPECT_EQ(unwritable(text), allowed ? std::string::npos : 0U) << byte;
    EXPECT_EQ(escaped(text) == replaced, !allowed) << byte;
  }
}

TEST(Markup, WhatXmlCannotHold) {
  // Control characters, noncharacters, surrogates, longer forms than needed, beyond the last, cut off.
  for (const std::string bad : {"\x01", "\x1f", "\xef\xbf\xbe", "\xef\xbf\xbf", "\xed\xa0\x80", "\xc0\xaf",
                                "\xe0\x80\xaf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x89", "\xff"}) {
    const std::string text = "ab" + bad;
    EXPECT_EQ(unwritable(text), 2U) << ::testing::PrintToString(bad);
    const std::string shown = escaped(text);
    EXPECT_EQ(shown.substr(0, 5), "ab" + replaced) << ::testing::PrintToString(bad);
    EXPECT_EQ(unwritable(shown), std::string::npos) << ::testing::PrintToString(bad);
  }
  for (const std::string good :
       {"\x7f", "\xc2\x80", "\xef\xbf\xbd", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(unwritable(good), std::string::npos) << ::testing::PrintToString(good);
}

TEST(Markup, ABrokenByteHidesNothing) {
  EXPECT_EQ(escaped("\xe2<b>"), replaced + "&lt;b&gt;");
  EXPECT_EQ(escaped("\xf0\x9f\""), replaced + replaced + "&quot;");
}

}  // namespace
}  // namespace halfspace
