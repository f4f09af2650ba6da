// The two checkers agree on encodings, and on what a certificate claims beyond its data; what plain Python cannot read.
#include <zstd.h>

#include "base/json.h"
#include "proof/certificate_support.h"
#include "proof/verify/sha256.h"
#include "support/limit_of_memory.h"
#include "support/test.h"

namespace halfspace::proof {
namespace {

const std::string quoted_command = "'" HALFSPACE_COMMAND "' ";

// A certificate about two rows, spoiled and sealed anew, as both programs judge it.
class Spoiled {
 public:
  Spoiled() : data_(folder_.write("d.svm", "+1 1:1\n-1 1:-1\n")), proof_(folder_.path() + "/proof") {
    EXPECT_EQ(run(quoted_command + "certify '" + data_ + "' -o '" + proof_ + "'").status, 0);
    text_ = testing::slurp(proof_);
  }

  const std::string& text() const { return text_; }
  std::string replaced(const std::string& from, const std::string& to) const {
    std::string text = text_;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no " + from);
    return text.replace(at, from.size(), to);
  }
  void expect_refused(std::string text, const std::string& limit = "", bool limited = false) const {
    text.resize(text.rfind("\"checksum\""));
    Sha256 checksum;
    checksum.add(text);
    const std::string path = folder_.write("spoiled", text + "\"checksum\": \"" + checksum.finish() + "\"}\n");
    for (const std::string& program : {quoted_command + "verify", checker()}) {
      const Outcome outcome = run(limit + program + " '" + path + "' '" + data_ + "'");
      EXPECT_TRUE(outcome.status == 65 || (limited && outcome.status == 1)) << program << outcome.output;
    }
  }

 private:
  TemporaryFolder folder_;
  std::string data_, proof_, text_;
};

TEST(PlainChecker, BothRefuseTextThatIsNotPlainUtf8) {
  const Spoiled spoiled;
  spoiled.expect_refused("\xef\xbb\xbf" + spoiled.text());
  for (const char* half : {"\\ud800", "\\udfff", "\\udc00\\ud800", "\\ud800x", "\xed\xa0\x80", "\xff", "\x01"})
    spoiled.expect_refused(spoiled.replaced("\"tool\": \"", std::string("\"tool\": \"") + half));
}

// An undecided verdict that claims more features than the data have costs no memory for them.
TEST(PlainChecker, RoomIsMadeForWhatTheDataHaveAlone) {
  const Spoiled spoiled;
  Json claim = Json::parse(spoiled.text());
  claim["data"]["features"] = 300'000'000;
  for (const char* key : {"separators", "combinations", "claims"}) claim[key] = Json::array();
  claim["verdict"] = "undecided";
  std::string text = claim.dump();
  text.insert(text.rfind(",\"checksum\""), " ");
  spoiled.expect_refused(text, limit_of_memory(1000000), true);
}

TEST(PlainChecker, DataPackedAsZstdSayNothingAboutTheCertificate) {
  TemporaryFolder folder;
  const std::string text = "+1 1:1\n-1 1:-1\n";
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  const std::string data = folder.write("d.svm.zst", bytes), proof = folder.path() + "/proof";
  ASSERT_EQ(run(quoted_command + "certify '" + data + "' -o '" + proof + "'").status, 0);
  EXPECT_EQ(run(quoted_command + "verify '" + proof + "' '" + data + "'").status, 0);
  const Outcome plain = run(checker() + " '" + proof + "' '" + data + "'");
  EXPECT_EQ(plain.status, 66);
  EXPECT_TRUE(lacks(plain.output, "not valid"));
  EXPECT_TRUE(has(plain.output, "zstd -d"));
}

}  // namespace
}  // namespace halfspace::proof
