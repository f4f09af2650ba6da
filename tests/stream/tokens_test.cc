// What a token is.
#include "stream/text/tokens.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace halfspace::stream {
namespace {

using Texts = std::vector<std::string>;

Texts tokens_of(std::string_view text) {
  static Tokens tokens;  // what it read before leaves no trace
  tokens.read(text);
  Texts all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all.emplace_back(tokens.run(i, 1));
  return all;
}

TEST(Tokens, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(tokens_of("Don't PAY £1,500 -- it's 2nd-rate_stuff"),
            (Texts{"don", "t", "pay", "1", "500", "it", "s", "2nd", "rate", "stuff"}));
  EXPECT_EQ(tokens_of(""), Texts{});
  EXPECT_EQ(tokens_of(" ..., !?\t\n\"\"\x7f"), Texts{});
  EXPECT_EQ(tokens_of("a"), Texts{"a"});
  EXPECT_EQ(tokens_of("ÄÖÜ ß ÉCOLE Œuvre Ÿ ŽLUŤOUČKÝ İ"), (Texts{"äöü", "ß", "école", "œuvre", "ÿ", "žluťoučký", "İ"}));
  EXPECT_EQ(tokens_of("ΑΘΉΝΑ Ώ ЁЛКА Привет Ґ ԵՐԵՎԱՆ ẠN"), (Texts{"αθήνα", "ώ", "ёлка", "привет", "ґ", "երեվան", "ạn"}));
  // Marks beyond ASCII part tokens; letters without case do not.
  EXPECT_EQ(tokens_of("«so»—that…is 100€ 日本語。中文！ a×b x² 😀ok naïve\u00a0e\u0301"),
            (Texts{"so", "that", "is", "100", "日本語", "中文", "a", "b", "x²", "ok", "naïve", "e\u0301"}));
}

// Each letter by itself, and no run over what stands between words.
TEST(Tokens, MayBeCharacters) {
  Tokens tokens;
  tokens.read("今天，X光 é!", TextTokens::characters);
  Texts all, pairs;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    all.emplace_back(tokens.run(i, 1));
    if (tokens.longest_run(i) > 1) pairs.emplace_back(tokens.run(i, 2));
  }
  EXPECT_EQ(all, (Texts{"今", "天", "x", "光", "é"}));
  EXPECT_EQ(pairs, (Texts{"今天", "x光"}));
  tokens.read("今天 x", TextTokens::words);
  EXPECT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens.longest_run(0), 2U);
  EXPECT_EQ(tokens.run(0, 2), "今天 x");
}

// They are the words, cut into code points.
TEST(Tokens, CharactersAreThoseOfTheWords) {
  std::mt19937_64 random(8);
  const std::vector<std::string> pieces = {"a", "Z", "7", " ", "-", "é", "日", "ก", "ำ", "\u0301", "😀", "。", "𠀋"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t n = random() % 20; n > 0; --n) text += pieces[random() % pieces.size()];
    Tokens characters;
    characters.read(text, TextTokens::characters);
    Texts words;
    for (std::size_t i = 0; i < characters.size(); i += characters.longest_run(i))
      words.emplace_back(characters.run(i, characters.longest_run(i)));
    EXPECT_EQ(words, tokens_of(text)) << text;
    for (std::size_t i = 0; i < characters.size(); ++i) EXPECT_TRUE(valid_utf8(characters.run(i, 1))) << text;
  }
}

TEST(Tokens, RunsHaveABlankBetweenTheirTokens) {
  Tokens tokens;
  tokens.read("Call -- NOW, please");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens.run(0, 1), "call");
  EXPECT_EQ(tokens.run(0, 2), "call now");
  EXPECT_EQ(tokens.run(1, 2), "now please");
  EXPECT_EQ(tokens.run(0, 3), "call now please");
}

std::string encoded(std::uint32_t point) {
  const auto rest = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), rest(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | point >> 12), rest(6), rest(0)};
  return {static_cast<char>(0xf0 | point >> 18), rest(12), rest(6), rest(0)};
}

// Every code point is a letter or parts tokens; its lower case is valid, as long, and its own lower case.
TEST(Tokens, OfEveryCodePoint) {
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const std::string text = encoded(point);
    ASSERT_TRUE(valid_utf8(text)) << point;
    const std::vector<std::string> tokens = tokens_of("a" + text + "b");
    if (tokens.size() == 2) {
      ASSERT_EQ(tokens, (Texts{"a", "b"})) << point;
      continue;
    }
    ASSERT_EQ(tokens.size(), 1U) << point;
    ASSERT_EQ(tokens[0].size(), text.size() + 2) << point;
    ASSERT_TRUE(valid_utf8(tokens[0])) << point;
    ASSERT_EQ(tokens_of(tokens[0]), tokens) << point;
  }
}

// Tokens joined by anything that is no letter are those tokens.
TEST(Tokens, OfJoinedTokensAreThoseTokens) {
  std::mt19937_64 random(3);
  const std::vector<std::string> words = {"a", "7", "über", "мир", "日本", "x2", "the"};
  const std::vector<std::string> gaps = {" ", ", ", "—", "!?", "\n", "。", "😀", "\u00a0"};
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> wanted;
    std::string text = random() % 2 == 0 ? gaps[random() % gaps.size()] : "";
    for (std::size_t i = random() % 8; i > 0; --i) {
      wanted.push_back(words[random() % words.size()]);
      text += wanted.back() + gaps[random() % gaps.size()];
    }
    EXPECT_EQ(tokens_of(text), wanted) << text;
  }
}

}  // namespace
}  // namespace halfspace::stream
