// Journals: whatever the byte at which a process dies, whole frames are replayed, and damage is no death.
#include "base/journal.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "support/test.h"

namespace halfspace {
namespace {

constexpr Journal::Kind kind_of_test{.magic = 0x54534554, .if_it_fails = "free the disk", .if_damaged = "take a copy"};

using Records = std::vector<std::pair<std::uint64_t, std::string>>;

class Journals : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "halfspace-journal-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = (folder_ / "j").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string read() const { return whole_file(path_, nullptr); }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes; }

  // A head, and records of several lengths, one of them with the magic number inside.
  static Records records() { return {{0, ""}, {0, "a"}, {1, std::string(40, 'b')}, {7, "TEST"}, {8, "last"}}; }
  std::string written() const {
    Journal journal(path_, kind_of_test);
    EXPECT_EQ(journal.open(true), Journal::Opened::yes);
    journal.begin(false);
    const Records all = records();
    for (std::size_t i = 1; i < all.size(); ++i) journal.append(all[i].first, all[i].second, i % 2 == 0);
    return read();
  }
  // Returns how many bytes the first `count` frames take.
  static std::size_t bytes_of(std::size_t count) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) bytes += frame_header + records()[i].second.size();
    return bytes;
  }

  std::pair<Records, std::optional<Journal::Cut>> replayed(bool must_have_head = true) const {
    Journal journal(path_, kind_of_test);
    EXPECT_EQ(journal.open(false), Journal::Opened::yes);
    Records found;
    auto cut = journal.replay(must_have_head,
                              [&](const Frame& frame) { found.emplace_back(frame.number, std::string(frame.record)); });
    return {std::move(found), std::move(cut)};
  }
  std::string refusal(bool must_have_head = true) const {
    try {
      replayed(must_have_head);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(Journals, HaveTheBytesThatTheirFormatSays) {
  Journal journal(path_, kind_of_test);
  ASSERT_EQ(journal.open(true), Journal::Opened::yes);
  EXPECT_TRUE(journal.empty());
  journal.append(0x0102, "xy", true);
  EXPECT_FALSE(journal.empty());
  const std::string before("TEST\2\0\0\0\2\1\0\0\0\0\0\0", 16);
  std::uint64_t sum = checksum(before, "xy");
  std::string expected = before;
  for (int i = 0; i < 8; ++i, sum >>= 8) expected += static_cast<char>(sum & 0xff);
  EXPECT_EQ(read(), expected + "xy");
}

TEST_F(Journals, AreReplayedAndGoneOnWith) {
  const std::string whole = written();
  ASSERT_EQ(whole.size(), bytes_of(records().size()));
  const auto [found, cut] = replayed();
  EXPECT_EQ(found, records());
  EXPECT_FALSE(cut);
  {
    Journal journal(path_, kind_of_test);
    ASSERT_EQ(journal.open(false), Journal::Opened::yes);
    journal.replay(true, [](const Frame&) {});
    EXPECT_TRUE(journal.has_head());
    journal.append(9, "more", false);
  }
  Records more = records();
  more.emplace_back(9, "more");
  EXPECT_EQ(replayed().first, more);
  Journal journal(path_, kind_of_test);
  ASSERT_EQ(journal.open(false), Journal::Opened::yes);
  journal.replay(true, [](const Frame&) {});
  journal.clear(true);
  EXPECT_EQ(read(), whole.substr(0, frame_header));
  EXPECT_TRUE(journal.has_head());
  journal.clear(false);
  EXPECT_TRUE(journal.empty());
  EXPECT_FALSE(journal.has_head());
}

TEST_F(Journals, AreTornAtAnyByte) {
  const std::string whole = written();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write(whole.substr(0, size));
    if (size < frame_header) {
      EXPECT_TRUE(has(refusal(), "acknowledged")) << size;
      EXPECT_EQ(read().size(), size) << "what is left of it stays";
      continue;
    }
    std::size_t frames = 0;
    while (frames < records().size() && bytes_of(frames + 1) <= size) ++frames;
    const Records all = records();
    const auto [found, cut] = replayed();
    ASSERT_EQ(found, Records(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(frames))) << size;
    ASSERT_EQ(read(), whole.substr(0, bytes_of(frames)));
    ASSERT_EQ(cut.has_value(), size > bytes_of(frames)) << size;
    if (!cut) continue;
    EXPECT_EQ(cut->bytes, size - bytes_of(frames));
    EXPECT_EQ(whole_file(cut->kept_in, nullptr), whole.substr(bytes_of(frames), size - bytes_of(frames)));
    std::filesystem::remove(cut->kept_in);
  }
}

// Without a head, too: a torn first frame leaves nothing.
TEST_F(Journals, NeedNoHead) {
  const std::string headless = written().substr(frame_header);
  write(headless);
  EXPECT_EQ(replayed(false).first.size(), records().size() - 1);
  EXPECT_TRUE(has(refusal(), "the beginning of the journal is missing"));
  write(headless.substr(0, 10));
  EXPECT_EQ(replayed(false).second->bytes, 10U);
  EXPECT_EQ(read(), "");
  EXPECT_TRUE(has(refusal(), "the journal is empty"));
  EXPECT_TRUE(replayed(false).first.empty());
}

// In the last frame, a changed byte makes a frame that is not whole; before, acknowledged frames follow it.
TEST_F(Journals, NoticeAnyChangedByte) {
  const std::string whole = written();
  const std::size_t last = bytes_of(records().size() - 1);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
    write(bad);
    if (at < last) {
      const std::string said = refusal();
      ASSERT_NE(said, "accepted") << at;
      EXPECT_TRUE(has(said, "take a copy"));
      EXPECT_EQ(read(), bad) << at;
      continue;
    }
    const auto [found, cut] = replayed();
    EXPECT_EQ(found.size(), records().size() - 1);
    ASSERT_TRUE(cut) << at;
    EXPECT_EQ(whole_file(cut->kept_in, nullptr), bad.substr(last));
    std::filesystem::remove(cut->kept_in);
  }
}

TEST_F(Journals, OfAnotherMagicNumberAreNoJournals) {
  written();
  Journal journal(path_, {.magic = kind_of_test.magic + 1, .if_it_fails = "", .if_damaged = ""});
  ASSERT_EQ(journal.open(false), Journal::Opened::yes);
  EXPECT_THROW(journal.replay(true, [](const Frame&) {}), Error);
}

TEST_F(Journals, KeepEveryEndThatIsCutOff) {
  for (int number = 1; number <= 3; ++number) {
    write("torn" + std::to_string(number));
    const std::string kept = path_ + ".cut-" + std::to_string(number);
    EXPECT_EQ(replayed(false).second->kept_in, kept);
    EXPECT_EQ(whole_file(kept, nullptr), "torn" + std::to_string(number));
  }
}

TEST_F(Journals, BelongToOneProcess) {
  Journal journal(path_, kind_of_test), other(path_, kind_of_test);
  EXPECT_EQ(journal.open(false), Journal::Opened::missing);
  EXPECT_EQ(journal.open(true), Journal::Opened::yes);
  EXPECT_EQ(other.open(true), Journal::Opened::in_use);
}

TEST_F(Journals, AreFiles) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  Journal journal(path_, kind_of_test);
  EXPECT_THROW(journal.open(true), Error);
}

}  // namespace
}  // namespace halfspace
