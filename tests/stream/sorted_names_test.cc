// Sorted names: every list has one encoding, and nothing else is decoded.

#include "stream/names/sorted_names.h"

#include "base/utf8.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

class NameDraw {
 public:
  explicit NameDraw(unsigned seed) : engine(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine()); }
  std::mt19937 engine;
};

struct Named {
  NameList names;
  std::vector<std::uint32_t> features;
};

// Distinct valid UTF-8 texts that share much or nothing, some of them long, in a random order.
Names random_texts(NameDraw& draw, std::size_t count) {
  static const std::string parts[] = {"a", "b", "user", "é", "\xf0\x9f\x98\x80", std::string(1, '\0'),
                                      "z", "0", "\x7f"};
  std::map<std::string, int> texts;
  while (texts.size() < count) {
    std::string text = draw() % 3 == 0 ? std::string(draw() % 40, 'p') : std::string();
    if (draw() % 50 == 0) text += std::string(draw() % 700, 'q');
    for (std::size_t i = draw() % 6; i > 0; --i) text += parts[draw() % 9];
    texts.emplace(text, 0);
  }
  Names all;
  for (const auto& [text, unused] : texts) all.push_back(text);
  std::shuffle(all.begin(), all.end(), draw.engine);
  return all;
}

Named random_names(NameDraw& draw, std::size_t count, std::uint32_t gap) {
  Named named;
  std::uint32_t feature = draw() % 10;
  for (const std::string& text : random_texts(draw, count)) {
    named.names.push_back(text);
    named.features.push_back(feature);
    feature += 1 + draw() % gap;
  }
  return named;
}

// The texts as docs/formats/model.md describes them, without any check.
Names plain_decode(const std::vector<std::uint8_t>& bytes, std::size_t count) {
  Names texts;
  std::size_t at = 0;
  const auto more = [&](std::size_t half) {
    if (half < 15) return half;
    std::size_t rest = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = bytes[at++];
      rest |= std::size_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return 15 + rest;
    }
  };
  while (texts.size() < count) {
    const std::uint8_t both = bytes[at++];
    const std::size_t shared = more(both >> 4), own = more(both & 15);
    std::string text = texts.empty() ? std::string() : texts.back().substr(0, shared);
    text.append(reinterpret_cast<const char*>(bytes.data()) + at, own);
    at += own;
    texts.push_back(text);
  }
  EXPECT_EQ(at, bytes.size());
  return texts;
}

TEST(SortedNames, AreDecodedAsTheyWere) {
  NameDraw draw(7);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33},
                                  std::size_t{200}, std::size_t{3000}, std::size_t{20000}}) {
    for (const std::uint32_t gap : {1U, 3U, 100000U}) {
      const Named named = random_names(draw, count, gap);
      const auto sorted = sort_names(named.names, named.features);
      ASSERT_TRUE(sorted);
      const Names texts = plain_decode(sorted->texts, count);
      EXPECT_TRUE(std::is_sorted(texts.begin(), texts.end()));
      std::map<std::string, std::uint32_t> expected, stored;
      for (std::size_t k = 0; k < count; ++k) {
        expected[std::string(named.names[k])] = named.features[k];
        stored[texts[k]] = sorted->features[k];
      }
      EXPECT_EQ(stored, expected);
      Named again{{}, sorted->features};
      const auto flaw = read_sorted_names(sorted->texts, again.features, again.names);
      ASSERT_FALSE(flaw) << flaw->problem;
      EXPECT_EQ(again.names, named.names);
      EXPECT_EQ(again.features, named.features);
      again.names.push_back("one more");
      EXPECT_EQ(again.names[count], "one more");
    }
  }
}

TEST(SortedNames, OnlyDistinctNamesOfAscendingFeaturesAreSorted) {
  EXPECT_TRUE(sort_names({"b", "a"}, std::vector<std::uint32_t>{0, 1}));
  EXPECT_FALSE(sort_names({"b", "a"}, std::vector<std::uint32_t>{1, 0}));
  EXPECT_FALSE(sort_names({"b", "a"}, std::vector<std::uint32_t>{1, 1}));
  EXPECT_FALSE(sort_names({"b", "a", "b"}, std::vector<std::uint32_t>{0, 1, 2}));
}

// Whatever bytes are accepted are the encoding of what they decode to.
void expect_canonical(const SortedNames& changed, std::size_t& refused) {
  Named named{{}, changed.features};
  const auto flaw = read_sorted_names(changed.texts, named.features, named.names);
  if (flaw) {
    EXPECT_LE(flaw->at, flaw->in_features ? changed.features.size() : changed.texts.size());
    EXPECT_FALSE(flaw->problem.empty());
    ++refused;
    return;
  }
  for (const std::string_view name : named.names) ASSERT_TRUE(valid_utf8(name));
  const auto again = sort_names(named.names, named.features);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->texts, changed.texts);
  ASSERT_EQ(again->features, changed.features);
}

TEST(SortedNames, DamageIsRefusedOrAnotherList) {
  NameDraw draw(9);
  std::size_t refused = 0, changes = 0;
  for (int round = 0; round < 12; ++round) {
    const Named named = random_names(draw, 1 + draw() % 80, round % 2 == 0 ? 1 : 50);
    const SortedNames sorted = *sort_names(named.names, named.features);
    for (std::size_t i = 0; i < sorted.texts.size(); ++i) {
      for (const unsigned change : {1U, 2U, 0x0fU, 0x10U, 0x40U, 0x80U, 0xf0U, 0xffU, 1 + draw() % 255}) {
        SortedNames changed = sorted;
        changed.texts[i] = static_cast<std::uint8_t>(changed.texts[i] ^ change);
        expect_canonical(changed, refused);
        ++changes;
      }
      SortedNames shorter = sorted;
      shorter.texts.resize(i);
      const std::size_t before = refused;
      expect_canonical(shorter, refused);
      EXPECT_EQ(refused, before + 1);
      SortedNames longer = sorted;
      longer.texts.insert(longer.texts.begin() + static_cast<std::ptrdiff_t>(i), static_cast<std::uint8_t>(draw()));
      expect_canonical(longer, refused);
    }
    for (std::size_t i = 0; i < sorted.features.size(); ++i) {
      SortedNames changed = sorted;
      changed.features[i] = changed.features[draw() % changed.features.size()] + draw() % 2;
      expect_canonical(changed, refused);
    }
  }
  EXPECT_GT(refused, changes / 4);
}

std::shared_ptr<const EncodedNames> encoded(const SortedNames& sorted, std::vector<std::uint32_t>& features) {
  auto texts = std::make_shared<const std::vector<std::uint8_t>>(sorted.texts);
  features = sorted.features;
  return EncodedNames::read(*texts, features, texts);
}

TEST(EncodedNames, AreFoundAsInTheList) {
  NameDraw draw(11);
  for (const std::size_t count : {0, 1, 2, 31, 32, 33, 64, 200, 3000}) {
    const Named named = random_names(draw, count, 3);
    std::vector<std::uint32_t> features;
    const auto names = encoded(*sort_names(named.names, named.features), features);
    ASSERT_TRUE(names);
    EXPECT_EQ(features, named.features);
    EXPECT_EQ(names->size(), count);
    std::map<std::string, std::uint32_t> expected;
    for (std::size_t k = 0; k < count; ++k) {
      expected[std::string(named.names[k])] = named.features[k];
      EXPECT_EQ(names->find(named.names[k]), named.features[k]);
    }
    Names others = random_texts(draw, 200);
    for (const auto& [name, unused] : expected) others.insert(others.end(), {name + '\0', name + '\xff', "!" + name});
    for (const std::string& name : others) {
      const auto known = expected.find(name);
      EXPECT_EQ(names->find(name), known == expected.end() ? EncodedNames::none : known->second);
    }
    NameList list(names);
    EXPECT_EQ(list.size(), count);
    EXPECT_EQ(list, named.names);
    EXPECT_TRUE(std::equal(list.begin(), list.end(), named.names.begin(), named.names.end()));
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(list[k], named.names[k]);
    NameList longer = list;
    longer.push_back("one more");
    EXPECT_EQ(longer[count], "one more");
    longer.pop_back();
    EXPECT_EQ(longer, list);
    EXPECT_TRUE(list.encoded());
    EXPECT_FALSE(longer.encoded());
  }
}

TEST(EncodedNames, AreRefusedLikeTheList) {
  NameDraw draw(13);
  const auto same_verdict = [](const SortedNames& changed) {
    std::vector<std::uint32_t> features, decoded = changed.features;
    NameList names;
    const bool refused = read_sorted_names(changed.texts, decoded, names).has_value();
    ASSERT_EQ(encoded(changed, features) == nullptr, refused);
    if (!refused) {
      ASSERT_EQ(features, decoded);
      ASSERT_EQ(encoded(changed, features)->names(), names);
    }
  };
  for (int round = 0; round < 6; ++round) {
    const Named named = random_names(draw, 1 + draw() % 80, round % 2 == 0 ? 1 : 50);
    const SortedNames sorted = *sort_names(named.names, named.features);
    for (std::size_t i = 0; i < sorted.texts.size(); ++i) {
      for (const unsigned change : {1U, 0x0fU, 0x10U, 0x80U, 0xffU, 1 + draw() % 255}) {
        SortedNames changed = sorted;
        changed.texts[i] = static_cast<std::uint8_t>(changed.texts[i] ^ change);
        same_verdict(changed);
      }
      SortedNames shorter = sorted;
      shorter.texts.resize(i);
      same_verdict(shorter);
    }
    for (std::size_t i = 0; i < sorted.features.size(); ++i) {
      SortedNames changed = sorted;
      changed.features[i] = changed.features[draw() % changed.features.size()] + draw() % 2;
      same_verdict(changed);
    }
  }
}

TEST(SortedNames, TwiceTheSameFeatureIsLocated) {
  const SortedNames sorted = *sort_names({"c", "a", "b"}, std::vector<std::uint32_t>{0, 1, 2});
  for (const std::uint32_t far : {0U, 1000000U}) {
    SortedNames changed = sorted;
    changed.features = {1, 2 + far, 1};
    NameList names;
    const auto flaw = read_sorted_names(changed.texts, changed.features, names);
    ASSERT_TRUE(flaw);
    EXPECT_TRUE(flaw->in_features);
    EXPECT_EQ(flaw->at, 2U);
  }
}

}  // namespace
}  // namespace halfspace::stream
