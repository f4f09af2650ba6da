// The flags of Vowpal Wabbit that are flags here, too, and the tags that follow its predictions.

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "run.h"

namespace halfspace::cli_tests {
namespace {

class VwFlags : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.vw", text("|user a:2 |item x |city u\n", "|user b |item x |city v\n"));
    write("no.vw", text("|user a:2 |item x\n", "|user b |item x\n"));
  }
  // Ten rows, and two of them with tags.
  static std::string text(const std::string& good, const std::string& bad) {
    std::string rows = "1 1 'first" + good + "-1 second" + bad;
    for (int i = 0; i < 4; ++i) rows += "1 " + good + "-1 " + bad;
    return rows;
  }
  std::string names(const std::string& flags, const std::string& file = "d.vw") const {
    const Output trained = halfspace("train " + file + " --rule pa1 --quiet -o m " + flags);
    EXPECT_EQ(trained.code, 0) << flags << "\n" << trained.err;
    std::string all;
    const Json model = json_of("inspect m --all");
    for (const auto& [feature, weight] : model["weights"].items()) all += feature + " ";
    return all;
  }
  void refused(const std::string& line, const std::string& why) const {
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 2) << line;
    EXPECT_TRUE(has(output.err, why)) << line;
  }
};

TEST_F(VwFlags, LettersMultiplyNamespaces) {
  const std::string by_names = names("--interactions user:item");
  EXPECT_TRUE(has(by_names, "user^a*item^x"));
  const Output by_name = halfspace("inspect m --all");
  for (const char* flags : {"-q ui", "--quadratic ui", "-q ui -q iu", "--quadratic ui,iu"}) {
    EXPECT_EQ(names(flags), by_names) << flags;
    EXPECT_EQ(halfspace("predict m d.vw --scores").code, 0);
  }
  EXPECT_TRUE(has(names("-q ui -q uc"), "user^b*city^v"));
  EXPECT_TRUE(has(names("--cubic uic"), "user^b*item^x*city^v"));
  EXPECT_EQ(names("--cubic uic"), names("--interactions user:item:city"));
  EXPECT_TRUE(has(names("-q ::"), "city^u*city^u"));
  // A file with such a name is a file, and -q then as everywhere.
  write("ui", slurp(path("d.vw")));
  EXPECT_EQ(names("-q ui").find('*'), std::string::npos);
  refused("train d.vw --quadratic u", "the first letters of two namespaces");
  refused("train d.vw --quadratic user:item", "--interactions user:item");
  refused("train d.vw --cubic ui", "the first letters of three namespaces");
  refused("train d.vw --interactions ui", "--quadratic ui");
}

TEST_F(VwFlags, IgnoredNamespacesAreOfTheModel) {
  const std::string plain = names("", "no.vw");
  const std::string scores = halfspace("predict m no.vw --scores").out;
  for (const char* flags : {"--ignore city", "--ignore '|c'", "--only user,item", "--only '|u' --only '|it'"}) {
    EXPECT_EQ(names(flags), plain) << flags;
    const Output predicted = halfspace("predict m d.vw --scores");
    EXPECT_EQ(predicted.out, scores) << flags;
    EXPECT_EQ(predicted.err, "") << flags;
    EXPECT_EQ(halfspace("evaluate m d.vw").code, 0);
    ASSERT_EQ(halfspace("train d.vw -q --resume m -o again").code, 0) << flags;
    EXPECT_FALSE(has(halfspace("inspect again --all --json").out, "city^")) << flags;
  }
  EXPECT_TRUE(ends(0, "train d.vw -q --resume m -o again --only '|u,|it'"));
  refused("train d.vw -q --resume m --ignore user", "trained with other namespaces");
  refused("train d.vw --ignore user --interactions user:item", "the namespace 'user' of 'user:item' is ignored");
  refused("train d.vw --keep user", "--only");
  write("d.csv", "user,y\n1,p\n2,q\n");
  refused("train d.csv --ignore user", "leave out --ignore");
  refused("train d.csv --only user", "VW data have namespaces");
  write("d.svm", separable());
  refused("train d.svm --quadratic ui", "leave out --quadratic");
}

TEST_F(VwFlags, AModelMultipliesAtMostThreeNamespaces) {
  names("--cubic uic --ignore other");
  Model model = load_model(path("m"));
  EXPECT_EQ(encode(decode(encode(model), "m")), encode(model));
  model.schema.columns[0].name = "user:item:city:other";
  EXPECT_THROW(encode(model), Error);
  EXPECT_TRUE(has(halfspace("check d.vw --only user,item").out, "other namespaces  not used"));
}

TEST_F(VwFlags, NoConstantIsNoBias) {
  names("--bias none");
  const std::string without = slurp(path("m"));
  names("--noconstant");
  EXPECT_EQ(slurp(path("m")), without);
  names("--noconstant --bias none");
  EXPECT_EQ(slurp(path("m")), without);
  refused("train d.vw --noconstant --bias first", "--noconstant");
  EXPECT_EQ(halfspace("train d.vw -q --resume m -o again --noconstant").code, 0);
  names("");
  refused("train d.vw -q --resume m --noconstant", "keeps the model's own composition");
}

TEST_F(VwFlags, TagsFollowPredictions) {
  names("");
  const Output labels = halfspace("predict m d.vw"), tagged = halfspace("predict m d.vw --tags");
  EXPECT_TRUE(tagged.out.starts_with("1 first\n-1 second\n1\n-1\n")) << tagged.out;
  EXPECT_TRUE(labels.out.starts_with("1\n-1\n1\n-1\n")) << labels.out;
  const std::string scores = halfspace("predict m d.vw --scores").out;
  const Output both = halfspace("predict m d.vw --scores --tags --threads 4");
  EXPECT_EQ(both.out.substr(0, both.out.find('\n')), scores.substr(0, scores.find('\n')) + " first");
  EXPECT_EQ(std::count(both.out.begin(), both.out.end(), '\n'), 10);
  write("bad.vw", "'one|user a:2\n'two|user a:1:2\n'three |user b\n");
  EXPECT_EQ(halfspace("predict m bad.vw --tags --on-error skip").out, "1 one\n\n-1 three\n");
  refused("predict m d.vw --tags --as csv", "--keep tag");
  ASSERT_EQ(halfspace("convert d.vw d.cache").code, 0);
  refused("predict m d.cache --tags", "a cache keeps no tags");
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm -q -o s").code, 0);
  refused("predict s d.svm --tags", "rows have no tags");
}

}  // namespace
}  // namespace halfspace::cli_tests
