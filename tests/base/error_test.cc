// Error: every part of the rendering, to the byte.

#include "halfspace/base/error.h"

#include "support/test.h"

namespace halfspace {
namespace {

std::string shown(const Error& error) { return error.what(); }

TEST(Error, IsTheMessageAloneWhenNothingElseIsKnown) {
  const Error error(ErrorKind::usage, "no such rule");
  EXPECT_EQ(shown(error), "no such rule");
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_EQ(error.message(), "no such rule");
  EXPECT_EQ(error.line(), 0U);
  EXPECT_EQ(error.column(), 0U);
  EXPECT_TRUE(error.file().empty() && error.text().empty() && error.hint().empty());
}

TEST(Error, NamesAsMuchOfThePlaceAsIsKnown) {
  EXPECT_EQ(shown(Error(ErrorKind::no_input, "not there").at("a.csv")), "a.csv: not there");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a.csv", 7)), "a.csv:7: odd");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a.csv", 7, 3)), "a.csv:7:3: odd");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a.csv", 0, 3)), "a.csv: odd");  // a column of no line says nothing
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("", 7, 3)), "odd");
}

TEST(Error, ShowsTheTextACaretUnderTheColumnAndTheFix) {
  const Error error =
      Error(ErrorKind::data, "'x' is not a number").at("a.svm", 2, 6).showing("+1 1:x").fix("write a decimal");
  EXPECT_EQ(shown(error),
            "a.svm:2:6: 'x' is not a number\n"
            "    +1 1:x\n"
            "         ^\n"
            "  fix: write a decimal");
  EXPECT_EQ(error.text(), "+1 1:x");
  EXPECT_EQ(error.hint(), "write a decimal");
}

TEST(Error, HasNoCaretWithoutAColumn) {
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 2).showing("text")), "a:2: odd\n    text");
}

TEST(Error, PutsTheCaretOnTheFirstByteAndPastTheLast) {
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 1).showing("text")), "a:1:1: odd\n    text\n    ^");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 5).showing("text")), "a:1:5: odd\n    text\n        ^");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 900).showing("text")), "a:1:900: odd\n    text\n        ^");
}

TEST(Error, ShowsAWindowOfALongLine) {
  const std::string tens = "0123456789";
  std::string line;
  for (int i = 0; i < 30; ++i) line += tens;  // 300 bytes
  std::string hundred = line.substr(0, 100);

  // Up to 40 bytes in front of the place, 100 in all, dots of omission where something is left out.
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 41).showing(line)),
            "a:1:41: odd\n    " + hundred + "…\n    " + std::string(40, ' ') + "^");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 101).showing(line)),
            "a:1:101: odd\n    …" + hundred + "…\n    " + std::string(41, ' ') + "^");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 241).showing(line)),
            "a:1:241: odd\n    …" + hundred + "\n    " + std::string(41, ' ') + "^");
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 1).showing(hundred)),
            "a:1:1: odd\n    " + hundred + "\n    ^");
}

TEST(Error, ShowsControlAndForeignBytesAsOneColumnEach) {
  EXPECT_EQ(shown(Error(ErrorKind::data, "odd").at("a", 1, 7).showing("\ta\x1b\x7f\xc3\xa9z")),
            "a:1:7: odd\n     a....z\n          ^");
}

TEST(Error, KeepsItsPartsInAnyOrderOfBuilding) {
  const Error one = Error(ErrorKind::data, "odd").fix("hint").showing("text").at("a", 1, 2);
  const Error other = Error(ErrorKind::data, "odd").at("a", 1, 2).showing("text").fix("hint");
  EXPECT_EQ(shown(one), shown(other));
}

TEST(Error, KindsAreTheExitCodes) {
  EXPECT_EQ(static_cast<int>(ErrorKind::usage), 2);
  EXPECT_EQ(static_cast<int>(ErrorKind::data), 65);
  EXPECT_EQ(static_cast<int>(ErrorKind::no_input), 66);
  EXPECT_EQ(static_cast<int>(ErrorKind::internal), 70);
  EXPECT_EQ(static_cast<int>(ErrorKind::input_output), 74);
  static_assert(std::is_base_of_v<std::exception, Error>);
}

}  // namespace
}  // namespace halfspace
