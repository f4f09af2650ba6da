// What others wrote, as a terminal may show it.
#include "base/printable.h"

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "support/test.h"

namespace halfspace {
namespace {

TEST(Printable, OrdinaryTextStaysAsItIs) {
  for (const char* text : {"", "plain", "naïve — 北京 🐦", "a b", "\"quoted\""}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatMovesTurnsOrEndsALineIsADot) {
  EXPECT_EQ(printable("a\x1b[31mb\x07\x7f\r\n\t"), "a.[31mb.....");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f"),
            "<U+009B>31m<U+202E><U+2028><U+2066><U+061C><U+200F>");
  EXPECT_EQ(printable("\xff\xc3(\xe2\x80"), "..(..");
  EXPECT_EQ(printable("a\nb\r", LineEnds::kept), "a\nb.");
}

// What a terminal shows as nothing stands there by its number: two names that differ look different.
TEST(Printable, WhatHasNoWidthIsNamed) {
  EXPECT_EQ(printable("a\u200bb"), "a<U+200B>b");
  EXPECT_EQ(printable("\ufeffid"), "<U+FEFF>id");
  EXPECT_EQ(printable("\u200c\u200d\u2060\u00ad\u034f\u180e\u3164"),
            "<U+200C><U+200D><U+2060><U+00AD><U+034F><U+180E><U+3164>");
  EXPECT_EQ(printable("\U000e0041"), "<U+E0041>");
  EXPECT_EQ(printable("\xed\xa0\x80x\xed\xbf\xbf"), "<U+D800>x<U+DFFF>");  // surrogates
  EXPECT_EQ(printable("\xc2\x85"), "<U+0085>");
  EXPECT_EQ(printable("\xc0\xad\xe0\x82\x80"), ".....");  // not the shortest form: no characters
}

// Every text of three bytes around the limits: what is shown is UTF-8, and showing it again changes nothing.
TEST(Printable, AnyBytesBecomeTextThatIsLeftAlone) {
  const unsigned char bytes[] = {0,    9,    10,   27,   65,   127,  0x80, 0x9f, 0xa0,
                                 0xae, 0xbf, 0xc0, 0xc2, 0xd8, 0xe2, 0xed, 0xf0, 0xff};
  for (const unsigned char a : bytes) {
    for (const unsigned char b : bytes) {
      for (const unsigned char c : bytes) {
        const std::string text{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        const std::string shown = printable(text);
        EXPECT_TRUE(valid_utf8(shown));
        EXPECT_EQ(printable(shown), shown);
        for (const char one : shown) EXPECT_GE(static_cast<unsigned char>(one), 0x20);
      }
    }
  }
}

TEST(Printable, AnErrorShowsNothingElse) {
  const Error error = Error(ErrorKind::data, "the label \x1b[2J\nis " + option("rate"))
                          .at("a\nb\x1b]0;x\x07.csv", 3)
                          .fix("leave \xe2\x80\xae out");
  EXPECT_EQ(std::string(error.what()), "a.b.]0;x..csv:3: the label .[2J.is rate\n  fix: leave <U+202E> out");
}

}  // namespace
}  // namespace halfspace
