// Predictions that join with their rows: tables, kept columns, a line for every row whatever it holds.
#include <fmt/format.h>

#include "run.h"

namespace halfspace::cli_tests {
namespace {

class Predicts : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.csv", "age,income,decision\n30,10,yes\n60,1,no\n35,12,yes\n70,2,no\n");
    ASSERT_EQ(halfspace("train d.csv --order cyclic --passes 20 --normalize column -o m").code, 0);
  }
  static std::string fmt_of(double value) { return fmt::format("{}\n", value); }
  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
};

TEST_F(Predicts, LabelsAreIgnoredWhateverTheyAre) {
  write("new.csv", "age,income,decision\n30,10,maybe\n60,1,\n35,12,\xff\n");
  const Output output = halfspace("predict m new.csv");
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(output.out, "yes\nno\nyes\n");
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm -o s").code, 0);
  write("new.svm", "+1 1:6 2:1\nwhatever 1:6 2:1\n3.25 1:6 2:1\n1:6 2:1\n");
  EXPECT_EQ(halfspace("predict s new.svm").out, "+1\n+1\n+1\n+1\n");
  // A cache of rows with classes that the model does not have.
  write("three.svm", "a 1:6 2:1\nb 1:6 2:1\nc 1:6 2:1\n");
  ASSERT_EQ(halfspace("convert three.svm three.cache").code, 0);
  EXPECT_EQ(halfspace("predict s three.cache").out, "+1\n+1\n+1\n");
}

// Prediction needs no weights, and evaluation uses those that are there: the column may be absent, or with --unweighted
// hold anything.
TEST_F(Predicts, WeightsMayBeAbsentOrIgnored) {
  const struct {
    const char *name, *rows, *without, *other;
  } cases[] = {
      {"csv", "a,w,b,y\n1,2,5,p\n-1,1,4,q\n2,1,6,p\n-2,3,3,q\n", "a,b,y\n1,5,p\n-1,4,q\n",
       "a,w,b,y\n1,,5,p\n-1,-3,4,q\n"},
      {"no header", "1,2,5,p\n-1,1,4,q\n2,1,6,p\n-2,3,3,q\n", "1,5,p\n-1,4,q\n", "1,,5,p\n-1,-3,4,q\n"},
      {"jsonl", "{\"a\":1,\"w\":2,\"y\":\"p\"}\n{\"a\":-1,\"w\":1,\"y\":\"q\"}\n{\"a\":2,\"w\":3,\"y\":\"p\"}\n",
       "{\"a\":1,\"y\":\"p\"}\n{\"a\":-1,\"y\":\"q\"}\n",
       "{\"a\":1,\"w\":-2,\"y\":\"p\"}\n{\"a\":-1,\"w\":null,\"y\":\"q\"}\n"},
      {"arff",
       "@relation r\n@attribute a numeric\n@attribute w numeric\n@attribute y {q,p}\n@data\n1,2,p\n-1,1,q\n2,3,p\n",
       "@relation r\n@attribute a numeric\n@attribute y {q,p}\n@data\n1,p\n-1,q\n",
       "@relation r\n@attribute a numeric\n@attribute w numeric\n@attribute y {q,p}\n@data\n1,?,p\n-1,-3,q\n"}};
  for (const auto& [name, rows, without, other] : cases) {
    write("d", rows);
    const std::string weight = std::string(name) == "no header" ? "2" : "w";
    ASSERT_EQ(halfspace("train d -q --rule pa1 --order cyclic --passes 9 -o w --weight " + weight).code, 0) << name;
    for (const char* text : {without, other}) {
      write("new", text);
      const Output evaluated =
          halfspace(text == without ? "evaluate w new --json" : "evaluate w new --unweighted --json");
      if (text == other) {
        EXPECT_EQ(halfspace("evaluate w new").code, 65) << name << ": a weight is bad";
      }
      ASSERT_EQ(evaluated.code, 0) << name << ": " << evaluated.err;
      EXPECT_EQ(Json::parse(evaluated.out)["rows"], 2) << name;
      EXPECT_EQ(Json::parse(evaluated.out)["accuracy"], 1.0) << name;
      if (std::string(name) == "no header" && text == without) continue;  // it could be the label that is absent
      const Output predicted = halfspace("predict w new");
      EXPECT_EQ(predicted.out, "p\nq\n") << name << ": " << predicted.err;
    }
  }
  write("features", "1,5\n-1,4\n");
  write("d", cases[1].rows);
  ASSERT_EQ(halfspace("train d -q --rule pa1 --order cyclic --passes 9 -o w --weight 2").code, 0);
  EXPECT_EQ(halfspace("predict w features").out, "p\nq\n") << "neither weights nor labels";
}

TEST_F(Predicts, AnAbsentLabelIsToBeNamed) {
  write("new.csv", "age,income,verdict\n30,10,yes\n60,1,no\n");
  const Output output = halfspace("evaluate m new.csv");
  EXPECT_EQ(output.code, 65);
  EXPECT_TRUE(has(output.err, "the data lacks 1 column the model was learned from: 'decision' (the label)"));
  EXPECT_TRUE(
      has(output.err, "fix: name the column of the labels with --label (rows without labels: halfspace predict)\n"));
  EXPECT_EQ(halfspace("evaluate m new.csv --label verdict").code, 0);
  write("less.csv", "age,verdict\n30,yes\n60,no\n");
  EXPECT_TRUE(has(halfspace("evaluate m less.csv").err,
                  "2 columns the model was learned from: 'income', 'decision' (the label)",
                  "halfspace predict), and add them"));
  write("d.jsonl", "{\"a\":1,\"label\":\"p\"}\n{\"a\":-1,\"label\":\"q\"}\n");
  write("new.jsonl", "{\"a\":1,\"b\":\"p\"}\n{\"a\":-1,\"b\":\"q\"}\n");
  ASSERT_EQ(halfspace("train d.jsonl -q -o j").code, 0);
  EXPECT_TRUE(ends(65, "evaluate j new.jsonl", "--label"));
  EXPECT_EQ(halfspace("evaluate j new.jsonl --label b").code, 0);
}

TEST_F(Predicts, ATableHasIdKeptColumnsAndPrediction) {
  write("new.csv",
        "who,age,note,income,decision\n\"O'Neil, A\",30,\"say \"\"hi\"\"\",10,yes\n7,60,\"two\nlines\",1,no\n");
  const Output csv = halfspace("predict m new.csv --id who --keep note,decision");
  ASSERT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(csv.out,
            "who,note,decision,prediction\n\"O'Neil, A\",\"say \"\"hi\"\"\",yes,yes\n7,\"two\nlines\",no,no\n");
  const Output json = halfspace("predict m new.csv --id who --keep note,decision --as jsonl --scores");
  ASSERT_EQ(json.code, 0) << json.err;
  const Json first = Json::parse(json.out.substr(0, json.out.find('\n')));
  EXPECT_EQ(first["who"].get<std::string>(), "O'Neil, A");
  EXPECT_EQ(first["note"].get<std::string>(), "say \"hi\"");
  EXPECT_EQ(first["prediction"].get<std::string>(), "yes");
  EXPECT_EQ(fmt_of(first["score"].get<double>()),
            halfspace("predict m new.csv --drop who,note --scores | head -1").out);
  EXPECT_EQ(lines(json.out), 2U);
}

TEST_F(Predicts, ArffAndTagsOfVwJoin) {
  const std::string head = "@relation r\n@attribute who string\n@attribute n numeric\n@attribute y {no, yes}\n@data\n";
  write("d.arff", head + "a, 1, yes\nb, -1, no\nc, 2, yes\nd, -2, no\n");
  ASSERT_EQ(halfspace("train d.arff --drop who -o a --order cyclic --passes 5").code, 0);
  write("new.arff", head + "'Ann, O', 3, ?\nBo, -3, no\n");
  const Output arff = halfspace("predict a new.arff --id who --keep n");
  EXPECT_EQ(arff.out, "who,n,prediction\n\"Ann, O\",3,yes\nBo,-3,no\n") << arff.err;
  write("d.vw", "1 |n x\n-1 |n y\n1 |n x\n-1 |n y\n");
  ASSERT_EQ(halfspace("train d.vw -o v --order cyclic --passes 5").code, 0);
  write("new.vw", "'r1|n x\n1 'r2 |n y\n|n x y\n");
  for (const std::string flag : {"--id tag", "--keep tag", "--id tag --keep tag"}) {
    const Output vw = halfspace("predict v new.vw " + flag);
    EXPECT_EQ(vw.out.substr(0, vw.out.rfind(",")), "tag,prediction\nr1,1\nr2,-1\n") << flag << vw.err;
  }
  EXPECT_TRUE(has(halfspace("predict v new.vw --id n").err, "--keep tag"));
}

TEST_F(Predicts, WithoutColumnsTheRowsAreNumbered) {
  write("new.csv", "age,income\n30,10\n60,1\n");
  EXPECT_EQ(halfspace("predict m new.csv --as csv").out, "row,prediction\n1,yes\n2,no\n");
  EXPECT_EQ(halfspace("predict m new.csv --as jsonl").out,
            "{\"row\":1,\"prediction\":\"yes\"}\n{\"row\":2,\"prediction\":\"no\"}\n");
}

TEST_F(Predicts, ABadRowKeepsItsPlace) {
  write("new.csv", "id,age,income\na,30,10\nb,old,1\nc,35\nd,60,1\n");
  const Output plain = halfspace("predict m new.csv --drop id --on-error skip");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(plain.out, "yes\n\n\nno\n");
  EXPECT_TRUE(has(plain.err, "2 bad rows skipped: an empty line in the output for each"));
  EXPECT_TRUE(ends(0, "predict m new.csv --id id --scores --on-error skip -o t"));
  const std::string text = read("t");
  EXPECT_EQ(lines(text), 5U) << text;
  EXPECT_TRUE(has(text, "id,prediction,score,reason\na,yes,", "\nb,,,\"line 3, byte 3: ", "\nc,,,"));
  const Output json = halfspace("predict m new.csv --id id --as jsonl --on-error skip");
  std::istringstream all(json.out);
  std::string line;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(std::getline(all, line));
    const Json row = Json::parse(line);
    EXPECT_EQ(row["prediction"].is_null(), i == 1 || i == 2) << line;
    EXPECT_EQ(row["reason"].is_null(), i == 0 || i == 3) << line;
  }
}

TEST_F(Predicts, EveryRowBadIsStillALineARow) {
  write("new.csv", "age,income\nx,10\ny,1\n");
  EXPECT_EQ(halfspace("predict m new.csv").code, 65);
  EXPECT_EQ(halfspace("predict m new.csv --on-error skip").out, "\n\n");
  EXPECT_EQ(lines(halfspace("predict m new.csv --on-error skip --as csv").out), 3U);
}

TEST_F(Predicts, TheSameFromPipesPackedFilesAndAnyNumberOfThreads) {
  std::string text = "id,age,income\n";
  for (int i = 0; i < 30'000; ++i)
    text += "\"r\n" + std::to_string(i) + "\"," + (i % 97 == 0 ? "x" : std::to_string(i % 80)) + ",5\n";
  write("new.csv", text);
  const std::string flags = " --id id --scores --on-error skip";
  const std::string whole = halfspace("predict m new.csv" + flags).out;
  EXPECT_EQ(lines(whole), 60'001U);
  for (const char* line : {"\"$H\" predict m new.csv --threads 1", "\"$H\" predict m new.csv --threads 3",
                           "cat new.csv | \"$H\" predict m -", "gzip -c new.csv | \"$H\" predict m -"}) {
    EXPECT_EQ(sh(line + flags).out, whole) << line;
  }
}

// A table without --id or --keep has the column that named the model's rows, if all files have it.
TEST_F(Predicts, RowsAreNamedAsTheModelsWere) {
  write("p.csv", "Patient,age,income,decision\nA7,30,10,yes\nB2,60,1,no\nC9,35,12,yes\nD4,70,2,no\n");
  ASSERT_EQ(halfspace("train p.csv --id Patient --passes 5 --rule perceptron -q -o p").code, 0);
  write("new.csv", "Patient,age,income\nX1,30,10\nX2,60,1\n");
  write("less.csv", "age,income\n30,10\n60,1\n");
  const std::string named = halfspace("predict p new.csv --as csv").out;
  EXPECT_EQ(named.substr(0, named.find("\nX2,")).find("Patient,prediction\nX1,"), 0U) << named;
  EXPECT_EQ(halfspace("predict p new.csv --as jsonl").out.find("{\"Patient\":\"X1\","), 0U);
  EXPECT_EQ(halfspace("predict p less.csv --as csv").out.find("row,prediction\n1,"), 0U);
  const Output both = halfspace("predict p new.csv new.csv --as csv");
  EXPECT_EQ(both.out.find("Patient,prediction\nX1,"), 0U) << both.err;
  EXPECT_EQ(halfspace("predict p new.csv --as csv --keep age").out.find("age,prediction\n"), 0U);
}

TEST_F(Predicts, ClassesHaveAColumnEach) {
  std::string text = "u,v,k\n";
  for (int i = 0; i < 20; ++i) text += "1,0,red\n0,1,blue\n-1,-1,\"a,b\"\n";
  write("c.csv", text);
  ASSERT_EQ(halfspace("train c.csv --folds 2 --calibrate platt -o c").code, 0);
  const Output table = halfspace("predict c c.csv --as csv --scores --probability");
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(table.out.substr(0, table.out.find('\n')),
            "row,prediction,\"score:a,b\",score:blue,score:red,\"probability:a,b\",probability:blue,probability:red");
  EXPECT_EQ(lines(table.out), 61U);
  EXPECT_EQ(halfspace("predict c c.csv --scores --probability").code, 2);
}

TEST_F(Predicts, WhatHasNoColumnsIsRefusedByName) {
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm -o s").code, 0);
  ASSERT_EQ(halfspace("convert d.csv d.cache").code, 0);
  for (const char* line : {"predict s d.svm --id 1", "predict s d.svm --keep 1", "predict m d.cache --id age",
                           "predict m d.cache --keep age", "predict m d.csv --keep agee", "predict m d.csv --id age",
                           "predict m d.csv --keep prediction"}) {
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 2) << line << output.err;
    EXPECT_TRUE(output.err.find("--id") != std::string::npos || output.err.find("--keep") != std::string::npos)
        << output.err;
    EXPECT_EQ(output.out, "") << line;
  }
  write("p.csv", "age,income,prediction\n1,2,3\n");
  EXPECT_EQ(halfspace("predict m p.csv --keep prediction").code, 2);
  EXPECT_EQ(lines(halfspace("predict s d.svm --as csv").out), 9U);
  EXPECT_EQ(lines(halfspace("predict m d.cache --as csv").out), 5U);
}

TEST_F(Predicts, RowsThatACacheWasMadeWithoutHaveTheirLine) {
  write("new.csv", "age,income,decision\nx,10,yes\n60,1,no\ny,1,no\n30,10,yes\nz,1,no\n");
  ASSERT_EQ(halfspace("convert new.csv n.cache --numeric age --on-error skip").code, 0);
  const Output table = halfspace("predict m n.cache --as csv --on-error skip");
  EXPECT_EQ(table.out,
            "row,prediction,reason\n1,,was set aside when this cache was made\n2,no,\n"
            "3,,was set aside when this cache was made\n4,yes,\n5,,was set aside when this cache was made\n");
  EXPECT_EQ(halfspace("predict m n.cache --on-error skip").out, "\nno\n\nyes\n\n");
}

TEST_F(Predicts, JsonOfTextThatIsNotUtf8) {
  write("new.csv", "id,age,income\n\xff,30,10\nb,60,1\n");
  EXPECT_EQ(halfspace("predict m new.csv --id id").out, "id,prediction\n\xff,yes\nb,no\n");
  EXPECT_EQ(halfspace("predict m new.csv --id id --as jsonl").code, 65);
  const Output skipped = halfspace("predict m new.csv --id id --as jsonl --on-error skip");
  EXPECT_EQ(
      skipped.out,
      "{\"id\":null,\"prediction\":\"yes\",\"reason\":null}\n{\"id\":\"b\",\"prediction\":\"no\",\"reason\":null}\n");
  EXPECT_TRUE(has(skipped.err, "1 text not in UTF-8"));
}

}  // namespace
}  // namespace halfspace::cli_tests
