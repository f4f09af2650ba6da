// What the first rows show is said before anything is learned: labels that are no classes, columns that number the rows,
// several labels, columns that a model does not know, headers that differ.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class FirstLook : public CommandTest {
 protected:
  static void expect_said(const Output& output, const std::string& text, bool said = true) {
    EXPECT_EQ(output.err.find(text) != std::string::npos, said) << text << "\nin\n" << output.err;
  }
  // Where a text stands in what a run says; npos where it does not.
  static std::size_t place(const Output& output, const std::string& text) { return output.err.find(text); }
};

TEST_F(FirstLook, RefusesAQuantityAndNamesHowToInsist) {
  std::string text = "hour,temp,count\n";
  for (int i = 0; i < 3000; ++i)
    text += std::to_string(i % 24) + "," + std::to_string(i * 7 % 31) + "," + std::to_string(i * 7919 % 997) + "\n";
  write("d.csv", text);
  write("m", "kept");
  const Output refused = halfspace("train d.csv -o m");
  EXPECT_EQ(refused.code, 65);
  expect_said(refused, "the label 'count' has 997 different values in 3000 rows, all of them numbers: it looks like");
  expect_said(refused, "--classes all");
  expect_said(refused, "no model was trained; m is unchanged");
  EXPECT_EQ(read("m"), "kept");
  const Output insisted = halfspace("train d.csv -o m --classes all --rule multiclass --json");
  EXPECT_EQ(insisted.code, 0) << insisted.err;
  expect_said(insisted, "quantity", false);
  EXPECT_EQ(halfspace("train d.csv --label hour -q").code, 0);
  // A look is no harm.
  EXPECT_TRUE(prints("check d.csv", "it looks like a quantity"));
}

TEST_F(FirstLook, NotesMarksOnceBeforeLearning) {
  std::string text = "a,b,mark\n";
  for (int i = 0; i < 343; ++i)
    text += std::to_string(i % 24) + "," + std::to_string(i * 7 % 31) + "," +
            std::to_string(i % 7 + i / 7 % 7 + i / 49) + "\n";
  write("d.csv", text);
  const Output trained = halfspace("train d.csv");
  EXPECT_EQ(trained.code, 0);
  const std::string note = "it looks like a quantity";
  expect_said(trained, note);
  EXPECT_EQ(trained.err.find(note, place(trained, note) + 1), std::string::npos) << "twice";
  EXPECT_TRUE(has(json_of("train d.csv")["notes"].dump(), note));
}

// As R and pandas write them, with gaps where rows were left out.
TEST_F(FirstLook, NotesNumbersOfRows) {
  struct {
    const char *header, *name;
    int step;
  } const cases[] = {
      {"\"\",a,b,label\n", "'1'", 1}, {"\"\",a,b,label\n", "'1'", 3}, {"Unnamed: 0,a,b,label\n", "'Unnamed: 0'", 3},
      {"X,a,b,label\n", "'X'", 3},    {"id,a,b,label\n", "'id'", 3},  {"case,a,b,label\n", "'case'", 2},
      {"X,a,b,label\n", "'X'", -1}};
  for (const auto& [header, name, step] : cases) {
    std::string text = header;
    for (int i = 0; i < 60; ++i) {
      const int number = step > 0 ? 1 + step * i + i / 5 : i * 37 % 61;
      text += std::to_string(number) + "," + std::to_string(i * 7 % 11) + "," + std::to_string(i % 3) +
              (i * 5 % 7 < 3 ? ",p\n" : ",q\n");
    }
    write("d.csv", text);
    const Output trained = halfspace("train d.csv --until clean --passes 2 --rule perceptron --order cyclic");
    EXPECT_EQ(trained.code, 0) << trained.err;
    expect_said(trained, std::string("the column ") + name);
    expect_said(trained, "--id");
    expect_said(trained, "--drop");
    EXPECT_TRUE(has(halfspace("check d.csv").out, std::string("the column ") + name));
  }
  std::string measured = "a,b,label\n";
  for (int i = 0; i < 60; ++i) measured += std::to_string(i * 7 % 53) + "," + std::to_string(i) + ".5,p\n" + "3,4,q\n";
  write("d.csv", measured);
  expect_said(halfspace("train d.csv"), "nearly every row", false);
}

TEST_F(FirstLook, NotesThemBeforeFoldsAreLearned) {
  std::string text = "id,a,label\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(1000 + 3 * i) + "," + std::to_string(i * 7 % 11) + (i % 3 ? ",p\n" : ",q\n");
  write("d.csv", text);
  const Output trained = halfspace("train d.csv --folds 3");
  const std::string note = "the column 'id'";
  expect_said(trained, note);
  EXPECT_EQ(trained.err.find(note, place(trained, note) + 1), std::string::npos) << "twice";
}

TEST_F(FirstLook, KnowsColumnsOfSeveralLabels) {
  const auto arff = [](const std::string& relation, int labels) {
    std::string text = relation + "\n@attribute x numeric\n@attribute z numeric\n";
    for (int k = 0; k < labels; ++k) text += "@attribute label" + std::to_string(k) + " {0,1}\n";
    text += "@data\n";
    for (int i = 0; i < 30; ++i) {
      text += std::to_string(i % 7) + "," + std::to_string(i % 3);
      for (int k = 0; k < labels; ++k) text += i % (k + 2) == 0 ? ",1" : ",0";
      text += "\n";
    }
    return text;
  };
  write("meka.arff", arff("@relation 'medical: -C -5'", 5));
  const Output checked = halfspace("check meka.arff");
  EXPECT_EQ(checked.code, 0);
  expect_said(checked, "the file declares 5 columns of labels");
  const Output refused = halfspace("train meka.arff -o m");
  EXPECT_EQ(refused.code, 65);
  expect_said(refused, "meka.arff:1: the file declares 5 columns of labels");
  expect_said(refused, "--label label4 --drop label0,label1,label2,label3 learns one of them");
  expect_said(halfspace("train meka.arff --label label1"), "--drop label0,label2,label3,label4 leaves them out");
  expect_said(halfspace("train meka.arff --label label4 --drop label0,label1,label2,label3"), "labels", false);
  // Filters move the labels to the end, or away, and leave the number.
  const std::string filtered = "@relation 'medical: -C 5-weka.filters.unsupervised.attribute.Remove-R1-5_copied'";
  write("moved.arff", arff(filtered, 5));
  expect_said(halfspace("train moved.arff"), "--label label4 --drop label0,label1,label2,label3 learns one of them");
  write("removed.arff", arff(filtered, 2));
  EXPECT_EQ(halfspace("train removed.arff").code, 0);
  write("mulan.arff", arff("@relation medical", 5));
  expect_said(halfspace("train mulan.arff"),
              "the last 5 columns have the same two values, as columns of labels have: the label is 'label4'");
  expect_said(halfspace("train mulan.arff --label label4"), "the same two values", false);
  write("two.arff", arff("@relation one", 2));
  expect_said(halfspace("train two.arff"), "the same two values", false);
}

TEST_F(FirstLook, IgnoresColumnsThatTheModelDoesNotKnow) {
  struct {
    const char *name, *rows, *more;
  } const cases[] = {
      {"csv", "a,b,label\n1,x,p\n2,y,q\n3,x,p\n", "zz,a,b,label\n9,1,x,p\n9,2,y,q\n9,3,x,p\n"},
      {"arff", "@relation r\n@attribute a numeric\n@attribute label {p,q}\n@data\n1,p\n2,q\n3,p\n",
       "@relation r\n@attribute zz numeric\n@attribute a numeric\n@attribute label "
       "{p,q}\n@data\n9,1,p\n9,2,q\n9,3,p\n"},
      {"jsonl", "{\"a\":1,\"label\":\"p\"}\n{\"a\":2,\"label\":\"q\"}\n{\"a\":3,\"label\":\"p\"}\n",
       "{\"a\":1,\"zz\":9,\"label\":\"p\"}\n{\"a\":2,\"zz\":9,\"label\":\"q\"}\n{\"a\":3,\"zz\":9,\"label\":\"p\"}\n"}};
  for (const auto& [name, rows, more] : cases) {
    write("d", rows);
    write("more", more);
    ASSERT_EQ(halfspace("train d -q -o m").code, 0) << name;
    const Output predicted = halfspace("predict m more");
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(predicted.out, halfspace("predict m d").out) << name;
    expect_said(predicted, "ignored 1 ");
    expect_said(predicted, "the model does not know: 'zz'");
    expect_said(predicted, "--drop zz leaves");
    const Output evaluated = halfspace("evaluate m more --json");
    EXPECT_EQ(evaluated.code, 0) << evaluated.err;
    expect_said(evaluated, "the model does not know: 'zz'");
    expect_said(halfspace("predict m more --drop zz"), "ignored", false);
  }
  // What goes on learning might be meant to learn from it, and what is missing cannot be made up.
  write("d.csv", cases[0].rows);
  write("more.csv", cases[0].more);
  write("less.csv", "a,label\n1,p\n2,q\n");
  ASSERT_EQ(halfspace("train d.csv -q -o m").code, 0);
  EXPECT_EQ(halfspace("train more.csv --resume m -o m").code, 65);
  const Output less = halfspace("predict m less.csv");
  EXPECT_EQ(less.code, 65);
  expect_said(less, "the data lacks 1 column the model was learned from: 'b'");
}

TEST_F(FirstLook, RefusesAHeaderBehindRows) {
  write("a.csv", "1,2,p\n2,1,q\n5,6,p\n");
  write("b.csv", "x,y,label\n1,2,p\n2,1,q\n");
  write("names.csv", "x,y,label\n");
  write("odd.csv", "7,?,p\n2,1,q\n");
  for (const std::string file : {"b.csv", "names.csv"}) {
    for (const std::string flags : {"", " --no-header"}) {
      const Output output = halfspace("train a.csv " + file + flags + " -o m");
      EXPECT_EQ(output.code, 65) << file << flags << output.err;
      expect_said(output, file + ":1:1: the first line names the columns, such as 'x', and a.csv has no such line");
      expect_said(output, "fix: ");
      EXPECT_FALSE(std::filesystem::exists(path("m")));
    }
  }
  EXPECT_EQ(halfspace("train a.csv odd.csv").code, 0);
  const Output reverse = halfspace("train b.csv a.csv");
  EXPECT_EQ(reverse.code, 65);
  expect_said(reverse, "a.csv:1:1: column 1 is '1', and 'x' in b.csv");
  write("c.csv", "x,z,label\n1,2,p\n");
  const Output differs = halfspace("train b.csv c.csv");
  EXPECT_EQ(differs.code, 65);
  expect_said(differs, "c.csv:1:3: column 2 is 'z', and 'y' in b.csv");
}

TEST_F(FirstLook, NamesFilesInTheWrongPlace) {
  write("d.csv", "a,b,label\n1,2,p\n2,1,q\n5,6,p\n");
  ASSERT_EQ(sh("\"$H\" train d.csv -q -o m && \"$H\" convert d.csv c && \"$H\" certify d.csv -o cert").code, 0);
  const struct {
    const char *line, *said;
  } cases[] = {
      {"train m", "this is a Halfspace model, where data are expected"},
      {"predict m m", "this is a Halfspace model, where data are expected"},
      {"train cert", "this is a Halfspace certificate, where data are expected"},
      {"experts c --outcome label", "this is a Halfspace cache, where data are expected"},
      {"predict c d.csv", "not a Halfspace model: this is a Halfspace cache"},
      {"inspect cert", "not a Halfspace model: this is a Halfspace certificate"},
      {"evaluate d.csv m", "the model comes before the data"},
      {"verify m d.csv", "not a certificate but a Halfspace model"},
      {"verify c d.csv", "not a certificate but a Halfspace cache"},
  };
  for (const auto& [line, said] : cases) {
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 65) << line;
    expect_said(output, said);
  }
}

// A number that is too large for a double is a label of Vowpal Wabbit's text all the same, and a bad one.
TEST_F(FirstLook, TakesNoTableForTheTextOfVowpalWabbit) {
  write("d.vw", "1e400 |a b:1 c:2\n1 |a b:2 c:3\n");
  const Output output = halfspace("train d.vw");
  EXPECT_EQ(output.code, 65);
  expect_said(output, "d.vw:1:1: the label '1e400' is not a finite number");
  const Output cr = sh("printf 'a,b,label\\r1,2,p\\r3,4,q\\r' >cr.csv && \"$H\" train cr.csv --format csv");
  expect_said(cr, "lines end in CR alone");
  expect_said(cr, "tr '\\r' '\\n' <FILE >NAME");
}

}  // namespace
}  // namespace halfspace::cli_tests
