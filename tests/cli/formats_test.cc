// The formats of other programs as a user meets them: checked, learned from, kept, predicted, exported, or refused.

#include "cli/commands.h"
#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

// The same rows in each format: positive when the value of x is. `half` lies behind row 100.
struct Written {
  std::string name, text, second_half;
  std::vector<std::string> features;
  std::string header{};

  std::string whole() const { return text + second_half.substr(header.size()); }
};

std::string vw_row(int i) {
  const int x = i * 7 % 11 - 5;
  const std::string label = x > 0 ? "yes" : "no";
  return label + " |a x:" + std::to_string(x) + " k" + std::to_string(i % 3) + " |b y:0." + std::to_string(i % 9) +
         "\n";
}

std::string arff_row(int i) {
  const int x = i * 7 % 11 - 5;
  return std::to_string(x) + ",k" + std::to_string(i % 3) + ",0." + std::to_string(i % 9) +
         (x > 0 ? ",yes\n" : ",no\n");
}

std::string json_row(int i) {
  const int x = i * 7 % 11 - 5;
  const std::string label = std::string("\"label\": \"") + (x > 0 ? "yes" : "no") + "\"";
  return "{\"x\": " + std::to_string(x) + ", \"k\": \"k" + std::to_string(i % 3) + "\", \"y\": 0." +
         std::to_string(i % 9) + ", " + label + (i > 100 && i % 9 == 0 ? ", \"z\": {\"u\": 0.5}}\n" : "}\n");
}

std::vector<Written> formats() {
  std::vector<Written> all;
  Written vw{"VW", "", "", {"a^x", "a^k0", "b^y", "a^k1", "a^k2"}};
  for (int i = 0; i < 200; ++i) (i < 100 ? vw.text : vw.second_half) += vw_row(i);
  all.push_back(vw);
  const std::string header =
      "@relation r\n@attribute x numeric\n@attribute k {k0,k1,k2}\n@attribute y real\n@attribute class "
      "{no,yes}\n@data\n";
  Written arff{"ARFF", header, header, {"x", "y", "k=k0", "k=k1", "k=k2"}, header};
  for (int i = 0; i < 200; ++i) (i < 100 ? arff.text : arff.second_half) += arff_row(i);
  all.push_back(arff);
  // The first half has no member z, which then is no column.
  Written json{"JSON Lines", "", "", {"x", "y", "k=k0", "k=k1", "k=k2", "z.u"}};
  for (int i = 0; i < 200; ++i) (i < 100 ? json.text : json.second_half) += json_row(i);
  all.push_back(json);
  return all;
}

class FormatsCommand : public CommandTest {
 protected:
  Json json(const std::string& arguments) const {
    const Output output = halfspace(arguments + " --json");
    EXPECT_EQ(output.code, 0) << arguments << "\n" << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
};

TEST_F(FormatsCommand, AreReadByEveryCommandThatReadsData) {
  for (const Written& format : formats()) {
    write("whole", format.whole());
    const Json checked = json("check whole");
    EXPECT_EQ(checked["format"], format.name);
    EXPECT_EQ(checked["rows"], 200) << format.name;
    EXPECT_EQ(checked["rejected"], 0) << format.name;
    EXPECT_EQ(checked["features"], format.features.size()) << format.name;
    const Json trained = json("train whole -o m --passes 5 --keep average");
    EXPECT_EQ(trained["positives"], 91) << format.name;
    std::vector<std::string> names;
    const Json inspected = json("inspect m");
    for (const auto& [name, weight] : inspected["weights"].items()) names.push_back(name);
    EXPECT_EQ(names, format.features);
    EXPECT_GT(json("evaluate m whole")["accuracy"].get<double>(), 0.9) << format.name;
    const Output predicted = halfspace("predict m whole");
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(std::count(predicted.out.begin(), predicted.out.end(), '\n'), 200) << format.name;
  }
}

TEST_F(FormatsCommand, GiveTheSameModelFromACacheAndWhenResumed) {
  for (const Written& format : formats()) {
    write("whole", format.whole());
    write("first", format.text);
    write("second", format.second_half);
    EXPECT_EQ(halfspace("train whole -o m").code, 0);
    EXPECT_EQ(halfspace("convert whole c && \"$H\" train c -o from_cache").code, 0);
    EXPECT_EQ(json("inspect from_cache")["weights"], json("inspect m")["weights"]) << format.name;
    const Output predicted = halfspace("predict m c");
    EXPECT_EQ(predicted.out, halfspace("predict m whole").out) << predicted.err;
    const Output resumed =
        halfspace("train first --order stream -o half && \"$H\" train second --resume half -o resumed");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(halfspace("train whole --order stream -o m").code, 0);
    EXPECT_EQ(json("inspect resumed")["weights"], json("inspect m")["weights"]) << format.name;
  }
}

TEST_F(FormatsCommand, ACacheKeepsTheWeightsOfRows) {
  write("d.csv", "a,n,y\n1,3,p\n2,1,q\n3,1,p\n4,5,q\n3,2,p\n6,1,q\n");
  ASSERT_EQ(halfspace("convert d.csv d.cache --weight n").code, 0);
  ASSERT_EQ(halfspace("train d.cache -q --passes 2 -o c.model").code, 0);
  ASSERT_EQ(halfspace("train d.csv --weight n -q --passes 2 -o t.model").code, 0);
  EXPECT_EQ(read("c.model"), read("t.model"));
  ASSERT_EQ(halfspace("convert d.csv plain.cache").code, 0);
  EXPECT_TRUE(
      has(halfspace("train plain.cache --weight n").err, "fix: leave out --weight, or give it to halfspace convert"));
}

TEST_F(FormatsCommand, AreExported) {
  for (const Written& format : formats()) {
    write("whole", format.whole());
    EXPECT_EQ(halfspace("train whole -o m").code, 0);
    for (const std::string kind : {"onnx", "pmml"}) {
      const Output exported = halfspace("export m --format " + kind + " -o model");
      EXPECT_EQ(exported.code, 0) << format.name << " " << exported.err;
      const std::string text = read("model");
      for (const std::string& name : format.features) {
        EXPECT_TRUE(has(text, kind == "pmml" ? "name=\"" + name.substr(0, name.find('=')) : name)) << name;
      }
    }
  }
}

// What proofs cannot read is refused by name, with a way out, and never read as something else.
TEST_F(FormatsCommand, AreNotCertified) {
  for (const Written& format : formats()) {
    write("whole", format.whole());
    for (const std::string command : {"certify whole", "certify whole --format auto", "train whole --certify"}) {
      EXPECT_TRUE(ends(2, command, "cannot certify data in the format", "LIBSVM"));
    }
  }
}

// The help of a flag about columns names each format that takes it, and no other.
TEST_F(FormatsCommand, HelpNamesTheFormatsOfAFlag) {
  write("csv", "a,b,label\n1,2,x\n2,3,y\n3,1,x\n");
  write("arff",
        "@relation r\n@attribute a numeric\n@attribute b string\n@attribute label {x,y}\n@data\n1,2,x\n2,3,y\n");
  write("jsonl", "{\"a\":1,\"b\":2,\"label\":\"x\"}\n{\"a\":2,\"b\":3,\"label\":\"y\"}\n");
  write("vw", "1 'a |a x:1 |b y:2\n-1 'b |a x:2 |b y:3\n");
  write("svm", "1 1:2\n-1 1:3\n");
  const std::pair<const char*, const char*> formats[] = {
      {"csv", "CSV"}, {"arff", "ARFF"}, {"jsonl", "JSON Lines"}, {"vw", "VW"}, {"svm", "LIBSVM"}};
  const std::pair<const char*, const char*> flags[] = {
      {"label", "b"},         {"id", "a"},       {"drop", "a"},       {"weight", "a"},         {"categorical", "a"},
      {"numeric", "a"},       {"text", "b"},     {"dates", "b"},      {"interactions", "a:b"}, {"missing", "u"},
      {"missing-only", "u"},  {"header", ""},    {"no-header", ""},   {"delimiter", "comma"},  {"decimal", "comma"},
      {"thousands", "comma"}, {"quote", "none"}, {"skip-lines", "1"}, {"comment", "%"},        {"quadratic", "ab"},
      {"ignore", "a"},        {"only", "a"}};
  const cli::Command train = cli::train_command();
  for (const auto& [flag, value] : flags) {
    const cli::Row* const row = train.flag(flag);
    ASSERT_NE(row, nullptr) << flag;
    for (const auto& [file, name] : formats) {
      // Not "predict: of VW tag", nor a delimiter that makes any text a table.
      if (std::string(flag) == "delimiter" && std::string(file) != "csv") continue;
      const std::string help = row->help.substr(0, row->help.find(" (predict"));
      const Output output = halfspace("train " + std::string(file) + " -q --" + flag + " " + value);
      EXPECT_EQ(output.code != 2, help.find(name) != std::string::npos) << flag << " " << file << "\n" << output.err;
    }
  }
}

}  // namespace
}  // namespace halfspace::cli_tests
