// The format holds still: a fixed model gives exactly these bytes. When this test fails, old models cannot be read any
// more: raise kFormatVersion, keep reading the old one, and say so in docs/formats/model.md.

#include <gtest/gtest.h>

#include <string>

#include "halfspace/model_file.h"

namespace halfspace::testing {
namespace {

// Written out by hand, so that no learner has a part in it.
Model fixed() {
  Model model;
  model.schema.format = DataFormat::csv;
  model.schema.features = 2;
  model.schema.columns = {{"é", Column::Kind::categorical, Column::no_feature, 1, {"x"}, {0}}};
  model.schema.labels.names = {"no", "yes"};
  model.schema.exponents = {-1};
  model.composition.keep = KeepName::vote;
  model.composition.rate = 0.5;
  model.composition.seed = 0x0123456789abcdef;
  model.holdout = 0.125;
  model.class_weights = {{"yes", 2}};
  model.weights = {1, {1.5, -0.0}, {-0.5}};
  model.learner.finished = 3;
  model.learner.weights = model.weights;
  model.learner.votes = {1, 3, {{0.5, 0, {}, false, 2}}, {0}, {3}};
  Ledger& ledger = model.ledger;
  ledger.rounds = 3;
  ledger.mistakes = ledger.updates = 1;
  ledger.stopped = Stopped::end;
  ledger.pass = {{3, 1, 1, 0.25}};
  ledger.class_rounds = {1, 2};
  ledger.first_pass_rounds = 3;
  ledger.previous_label = 1;
  ledger.last_update_round = 2;
  ledger.next_row = 4;
  model.position = {4, 0, "r", "s", {1, 2, 3, 4}, {{5, 6, 7, 8}}};
  model.provenance = {"0.1.0", {"f"}};
  return model;
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string digits;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % 32 == 0) digits += '\n';
    digits += "0123456789abcdef"[bytes[i] >> 4];
    digits += "0123456789abcdef"[bytes[i] & 15];
  }
  return digits;
}

constexpr const char* kExpected = R"(8948534d0d0a1a0a0100000001000000590000000000000002002c0102000000
010000000000000002000000c3a901ffffffff01000000010000000000000001
000000780100000000000000000000000200000000000000020000006e6f0300
00007965730100000000000000ffff0000020000005900000000000000000003
0102000000000000f03f000100000000000000efcdab89674523010100000000
0000e03f000000000000f03f000000000000f03f010000000000000000c03f01
0000000000000003000000796573000000000000004003000000200000000000
00000100000002000000000000000000f83f0000000000000080000000000000
e0bf040000006f00000000000000030000000000000000000000000000000000
0000000000000100000000000000000001000000000000000300000000000000
0100000000000000000000000000000000000840010000000000000000000000
0000e03f00000000000000000000000000000000000200000000000000050000
00c1000000000000000300000000000000010000000000000001000000000000
0000000000000000000000000000000000020100000000000000030000000000
000001000000000000000100000000000000000000000000d03f000000000000
00000000000000000000000000000000000000000000000000000000f07f0300
0000000000000000000000000000000000000000000000000000000000000200
0000000000000100000000000000020000000000000001000000020000000000
00000400000000000000060000005a0000000000000004000000000000000000
0000000000000100000072010000007301000000000000000200000000000000
0300000000000000040000000000000005000000000000000600000000000000
0700000000000000080000000000000007000000160000000000000005000000
302e312e3001000000000000000100000066d4556c5720346ac11bc0d515b829
70c1)";

TEST(Golden, TheBytesOfAFixedModel) {
  EXPECT_EQ(hex(encode(fixed())), kExpected);
  EXPECT_TRUE(decode(encode(fixed()), "m") == fixed());
}

}  // namespace
}  // namespace halfspace::testing
