// What check and train say of tables, and the flags that answer it.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class NotesTest : public CommandTest {
 protected:
  // Columns of different scales, a label that the second tells, the classes in turn or one behind the other.
  void write_scales(const std::string& name, bool sorted) const {
    std::string text = "large,small,label\n";
    for (int i = 0; i < 200; ++i) {
      const bool yes = sorted ? i < 100 : i % 2 == 0;
      text +=
          std::to_string(i * 7919 % 10007 + 100'000) + "," + (yes ? "0.9" : "0.1") + "," + (yes ? "yes" : "no") + "\n";
    }
    write(name, text);
  }
};

TEST_F(NotesTest, TrainSaysThatAGuessIsBetterAndTheFlagHelps) {
  write_scales("d.csv", false);
  EXPECT_TRUE(notes("train d.csv -q --preset averaged", "the model errs on", "--normalize standard"));
  const Output scaled = halfspace("train d.csv -q --normalize column --rule pa1");
  EXPECT_EQ(scaled.code, 0) << scaled.err;
  EXPECT_TRUE(has(scaled.err, "reads all rows before training"));
  EXPECT_TRUE(lacks(scaled.err, "the model errs on"));
  // The same rounds as one cyclic pass, from a file as from a pipe.
  const auto rounds = [&](const std::string& line) {
    const Json j = Json::parse(sh(line).out);
    return std::tuple(j["rounds"].get<int>(), j["mistakes"].get<int>(), j["weight_norm"].get<double>());
  };
  const auto cyclic =
      rounds("\"$H\" train d.csv -q --json --preset averaged --normalize column --order cyclic --passes 1");
  EXPECT_EQ(std::get<0>(cyclic), 200);
  EXPECT_EQ(rounds("\"$H\" train d.csv -q --json --preset averaged --normalize column"), cyclic);
  EXPECT_EQ(rounds("cat d.csv | \"$H\" train - -q --json --preset averaged --normalize column"), cyclic);
  EXPECT_EQ(halfspace("train d.csv --order stream --normalize column").code, 2);
}

// A large column drowns the others: some is learned, and far less than there is to learn.
TEST_F(NotesTest, TrainSaysThatAGuessIsHardlyWorse) {
  std::string text = "large,small,label\n";
  for (int i = 0; i < 400; ++i) {
    const bool yes = i * 7 % 10 < 4;
    text += std::string(yes && i % 6 == 0 ? "1000" : "-1000") + "," + (yes ? "0.9" : "0.1") + "," +
            (yes ? "yes" : "no") + "\n";
  }
  write("d.csv", text);
  const int errors = json_of("train d.csv --preset averaged")["training_errors"];
  ASSERT_LT(errors, 160);
  ASSERT_GE(errors, 120);
  EXPECT_TRUE(has(halfspace("train d.csv -q --preset averaged").err,
                  "errs on 160, which may be chance\n  fix: --normalize standard"));
  EXPECT_TRUE(lacks(halfspace("train d.csv -q --preset averaged --normalize column --passes 5").err, "errs on"));
}

// Far fewer errors than a guess makes are not called chance, though a flag would help.
TEST_F(NotesTest, TrainSaysHardlyOnlyWhereItIsSo) {
  std::string text = "large,small,label\n";
  for (int i = 0; i < 4000; ++i) {
    const bool yes = i * 7 % 10 < 4;
    text += std::string(yes && i % 4 == 0 ? "1000" : "-1000") + "," + (yes ? "0.9" : "0.1") + "," +
            (yes ? "yes" : "no") + "\n";
  }
  write("d.csv", text);
  const int errors = json_of("train d.csv --preset averaged")["training_errors"];
  ASSERT_LT(errors, 1400);
  ASSERT_GE(errors, 1200);
  EXPECT_TRUE(has(halfspace("train d.csv -q --preset averaged").err, "errs on 1,600\n  fix: --normalize standard"));
}

// More passes change nothing where another limit ended the run.
TEST_F(NotesTest, TrainProposesMoreOfTheLimitThatEndedIt) {
  const std::string how = "train " + sample() + " --id applicant -q --rule pa --normalize standard ";
  EXPECT_TRUE(has(halfspace(how + "--updates 10").err, "fix: try more of --updates, or another rule"));
  EXPECT_TRUE(lacks(halfspace(how + "--updates 10").err, "--passes"));
}

// A third as many errors are far fewer, but few rows prove little.
TEST_F(NotesTest, TrainSaysWhereFewRowsMayErrByChance) {
  std::string text;
  for (int i = 0; i < 22; ++i)
    text += std::string(i % 2 == 0 ? "+1" : "-1") + ((i < 4) == (i % 2 == 0) ? " 1:-1\n" : " 1:1\n");
  write("d.svm", text);
  EXPECT_TRUE(has(halfspace("train d.svm -q --objective svm").err,
                  "errs on 4 of 22 training rows; always predicting the most frequent class errs on 11, which "
                  "may be chance"));
}

// A column that says what the label says: no new row is wrong.
TEST_F(NotesTest, TrainAsksWhereNoNewRowIsWrong) {
  std::string text = "noise,refund,repaid\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i * 37 % 11) + "," + (i % 3 == 0 ? "1,yes" : "0,no") + std::string("\n");
  write("d.csv", text);
  const std::string said = halfspace("train d.csv -q").err;
  EXPECT_TRUE(has(said, "no new row was predicted wrong, which is rare"));
  EXPECT_TRUE(lacks(halfspace("train d.csv -q --drop refund").err, "no new row"));
}

// A class of that name is no reason why a model is worse than a guess.
TEST_F(NotesTest, AClassCalledNoneHidesNothing) {
  write_scales("d.csv", false);
  ASSERT_EQ(sh("sed -i 's/,no$/,none/' d.csv").code, 0);
  EXPECT_TRUE(has(halfspace("train d.csv -q --preset averaged --missing ?").err, "a class is called 'none'",
                  "the model errs on"));
}

// Of a table whose label was guessed, even where all else is well.
TEST_F(NotesTest, TheLedgerNamesAGuessedLabel) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += std::to_string(i * 7 % 11) + (i % 2 == 0 ? ",1,u\n" : ",3,v\n");
  for (const char* header : {"a,b,outcome\n", "a,b,class\n", "a,b,Y\n", ""}) {
    write("d.csv", header + text);
    const bool guessed = std::string(header).empty() || std::string(header) == "a,b,outcome\n";
    const Output said = halfspace("train d.csv");
    EXPECT_EQ(said.out.find(", the last one") != std::string::npos, guessed) << header << said.out;
  }
  write("d.csv", "a,b,outcome\n" + text);
  EXPECT_TRUE(has(halfspace("train d.csv").out, "u (negative) 20, v (positive) 20   column 'outcome', the last one"));
  EXPECT_TRUE(lacks(halfspace("train d.csv --label outcome").out, "the last one"));
}

// A new user learns from the error alone how to go on.
TEST_F(NotesTest, ErrorsOfUnseenTablesSayHowToGoOn) {
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 7 % 11) + ",1," + (i % 2 == 0 ? "u\n" : "v\n");
  write("d.csv", "a,b,language\n" + rows + "1,2,NA\n");
  const Output missing = halfspace("train d.csv");
  EXPECT_EQ(missing.code, 65);
  EXPECT_TRUE(has(missing.err, "--label", "--missing", "--on-error skip"));
  EXPECT_EQ(halfspace("train d.csv -q --on-error skip").code, 0);
  EXPECT_TRUE(has(halfspace("check d.csv").out, "--on-error skip skips them"));
  // As scikit-learn writes its tables: how many rows and columns, and the names of the classes.
  for (const char* first : {"40,2,u,v\n", "40,2\n", "u v\n"}) {
    write("d.csv", first + rows);
    EXPECT_TRUE(ends(65, "train d.csv", "d.csv:1:1: the first line is not part of the table", "fix: --skip-lines 1"));
    EXPECT_EQ(halfspace("train d.csv -q --skip-lines 1").code, 0);
  }
  // Every array of a line at once, and nothing false on the way.
  write("d.jsonl", "{\"a\":[1],\"b\":{\"c\":[]},\"x\":1,\"label\":\"u\"}\n{\"a\":[1],\"x\":2,\"label\":\"v\"}\n");
  const Output arrays = halfspace("train d.jsonl"), one = halfspace("train d.jsonl --drop a");
  EXPECT_TRUE(has(arrays.err, "--drop a,b.c"));
  EXPECT_TRUE(lacks(one.err, "none of the first rows has the member"));
  EXPECT_TRUE(has(one.err, "jq -c '.b.c |= if type == "));
  EXPECT_EQ(halfspace("train d.jsonl -q --drop a,b.c").code, 0);
  // Which column has more labels than there are classes.
  std::string many = "a,when\n";
  for (int i = 0; i < 66'000; ++i) many += "1,t" + std::to_string(i) + "\n";
  write("d.csv", many);
  EXPECT_TRUE(has(halfspace("check d.csv").err, "in column 'when'", "--label"));
}

// What is said on stderr is in the JSON, and there alone.
TEST_F(NotesTest, ARunWithoutAModelSaysSo) {
  write("d.svm", separable());
  EXPECT_TRUE(has(halfspace("train d.svm").err, "-o FILE saves the model"));
  EXPECT_TRUE(lacks(halfspace("train d.svm -q").err, "-o FILE"));
  EXPECT_TRUE(lacks(halfspace("train d.svm --json").err, "-o FILE"));
  EXPECT_TRUE(lacks(halfspace("train d.svm -o m").err, "-o FILE"));
}

TEST_F(NotesTest, RowsWithoutLabelsAreForPredict) {
  write("d.csv", "a,b,k\n1,2,x\n2,1,y\n");
  write("new.csv", "a,b\n1,2\n");
  ASSERT_EQ(halfspace("train d.csv --passes 1 -o m").code, 0);
  const std::string err = halfspace("evaluate m new.csv").err;
  EXPECT_TRUE(has(err, "(rows without labels: halfspace predict)"));
}

TEST_F(NotesTest, ARefutedSeparationSaysHowToGoOn) {
  const std::string out = halfspace("certify " + sample() + " --id applicant").out;
  EXPECT_TRUE(
      has(out, "exact arithmetic.\n  Every linear model errs on some row, as is usual; halfspace train estimates"));
}

// Of 300 rows the learners are compared by folds, of 3 they are not.
TEST_F(NotesTest, RowsOfWeightZeroTeachNothing) {
  for (const int rows : {3, 300}) {
    std::string none = "a,b,w,y\n", one = none;
    for (int i = 0; i < rows; ++i) {
      const std::string row = std::to_string(i * 7 % 5) + "," + std::to_string(i % 3) + ",";
      const bool p = i * 7 % 11 % 2 == 0;
      none += row + (p ? "0,p\n" : "0,q\n");
      one += row + (p ? "1,p\n" : "0,q\n");
    }
    write("none.csv", none);
    write("one.csv", one);
    for (const char* flags : {"", "--rule perceptron", "--order shuffled --passes 2 --rule pa1", "--objective svm"}) {
      const Output refused = halfspace(std::string("train none.csv --weight w -o n ") + flags);
      EXPECT_EQ(refused.code, 65) << flags;
      EXPECT_TRUE(has(refused.err, "none.csv: every row has weight zero")) << flags;
      EXPECT_FALSE(has(refused.out + refused.err, "nan")) << flags;
    }
    EXPECT_FALSE(std::filesystem::exists(path("n")));
    const Output noted = halfspace("train one.csv --weight w -o m");
    EXPECT_EQ(noted.code, 0);
    EXPECT_TRUE(has(noted.err, "every row of the class 'q' has weight zero"));
    EXPECT_TRUE(lacks(noted.out + noted.err, "nan"));
    EXPECT_EQ(halfspace("evaluate m one.csv").code, 0);
    EXPECT_TRUE(ends(65, "evaluate m none.csv", "none.csv: every row has weight zero"));
  }
}

TEST_F(NotesTest, TheJsonOfTrainHasTheNotes) {
  write_scales("d.csv", false);
  const Output plain = halfspace("train d.csv -q --preset averaged"),
               json = halfspace("train d.csv -q --preset averaged --json");
  EXPECT_EQ(json.err, "");
  const Json notes = Json::parse(json.out).at("notes");
  ASSERT_FALSE(notes.empty());
  std::string said;
  for (const Json& note : notes)
    said += "note: " + note.at("text").get<std::string>() + "\n  fix: " + note.at("fix").get<std::string>() + "\n";
  EXPECT_EQ(said, plain.err);
  const Output well = halfspace("train d.csv -q --json --preset averaged --normalize column --rule pa1 --drop large");
  EXPECT_EQ(Json::parse(well.out).at("notes"), Json::array()) << well.out;
}

TEST_F(NotesTest, TrainSaysThatRowsAreSorted) {
  write_scales("d.csv", true);
  const Output sorted = halfspace("train d.csv -q --order stream");
  EXPECT_TRUE(has(sorted.err, "the rows are sorted by class", "--order shuffled"));
  const Output shuffled = halfspace("train d.csv -q --order shuffled --passes 10");
  EXPECT_TRUE(lacks(shuffled.err, "sorted by class"));
}

// Where no flag says how to learn, from a file, and of the rows to learn from as it says.
TEST_F(NotesTest, SortedRowsArePlayedInRandomOrderByDefault) {
  const auto order_of = [&](const std::string& line, bool said) {
    const Output output = sh(line + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    EXPECT_EQ(output.err.find("rows are kept and shuffled") != std::string::npos, said) << line << output.err;
    const Json j = Json::parse(output.out);
    EXPECT_EQ(j["rounds"], j["rows"]) << line;
    return j["composition"]["order"].get<std::string>();
  };
  write_scales("sorted.csv", true);
  write_scales("mixed.csv", false);
  EXPECT_EQ(order_of("\"$H\" train sorted.csv --rule tournament", true), "shuffled");
  EXPECT_EQ(order_of("\"$H\" train sorted.csv --keep average", true), "shuffled");
  EXPECT_EQ(order_of("\"$H\" train sorted.csv --order stream", false), "stream");
  EXPECT_EQ(order_of("\"$H\" train sorted.csv --preset averaged", false), "stream");
  EXPECT_EQ(order_of("\"$H\" train sorted.csv --drift adwin", false), "stream");
  EXPECT_EQ(order_of("cat sorted.csv | \"$H\" train -", false), "stream");
  EXPECT_EQ(order_of("\"$H\" train mixed.csv --rule tournament", false), "stream");
  std::string later;
  for (int i = 0; i < 400'000; ++i)
    later += (i < 350'000 ? "-1" : "+1") + std::string(" 1:") + std::to_string(i % 7) + "\n";
  write("late.svm", later);
  EXPECT_EQ(order_of("\"$H\" train late.svm --rule tournament", true), "shuffled");
}

// The classes lie unevenly over the file, though no two neighbours are alike: shares drift, or every part has its own.
TEST_F(NotesTest, RowsWhosePlaceTellsTheirClassArePlayedInRandomOrderByDefault) {
  const auto order_of = [&](const std::string& name, int rows, const std::function<double(int)>& share) {
    std::string libsvm, table = "size,\"said, of it\",kind\n";
    unsigned state = 7;
    const auto draw = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
    for (int i = 0; i < rows; ++i) {
      const std::string size = std::to_string(draw() % 1000);
      const bool yes = draw() % 1000 < 1000 * share(i);
      libsvm += (yes ? "+1 1:" : "-1 1:") + size + "\n";
      table += size + (i % 50 == 0 ? ",\"two\nlines\"," : ",one,") + (yes ? "yes\n" : "no\n");
    }
    write(name + ".svm", libsvm);
    write(name + ".csv", table);
    const Json of_libsvm = Json::parse(sh("\"$H\" train " + name + ".svm --rule tournament --json").out);
    const Json of_table = Json::parse(sh("\"$H\" train " + name + ".csv --rule tournament --json").out);
    EXPECT_EQ(of_libsvm["composition"]["order"], of_table["composition"]["order"]) << name;
    EXPECT_EQ(of_table["rows"], rows) << name;
    return of_libsvm["composition"]["order"].get<std::string>();
  };
  EXPECT_EQ(order_of("drifts", 20'000, [](int i) { return i / 20'000.0; }), "shuffled");
  EXPECT_EQ(order_of("parts", 300'000, [](int i) { return i / 30'000 % 2 == 0 ? 0.3 : 0.8; }), "shuffled");
  EXPECT_EQ(order_of("even", 20'000, [](int) { return 0.3; }), "stream");
  EXPECT_EQ(order_of("few", 30, [](int) { return 0.3; }), "stream");
  EXPECT_EQ(order_of("rare", 300'000, [](int) { return 0.01; }), "stream");
  // Of a class with its neighbours: a stream worth following.
  EXPECT_EQ(order_of("runs", 300'000,
                     [](int i) { return (static_cast<unsigned>(i / 40) * 2654435761U >> 16) % 3 == 0 ? 0.95 : 0.1; }),
            "stream");
  EXPECT_TRUE(
      has(halfspace("train drifts.svm --rule tournament -q").err, " % of the rows in one part of the file, and "));
}

TEST_F(NotesTest, CheckSaysMoreThanNoBadRows) {
  std::string text = "when;size;price\n";
  for (int i = 0; i < 30; ++i)
    text += "2024-01-" + std::to_string(10 + i % 20) + ";" + std::to_string(i * 7 % 13) + ",5;" +
            std::to_string(i * 31 % 97) + "\n";
  write("d.csv", text);
  EXPECT_TRUE(prints("check d.csv", "';' between values", "looks like dates", "--drop when", "--decimal comma",
                     "a quantity", "--label", "the last one", "before training"));
  const Json j = Json::parse(halfspace("check d.csv --json --decimal comma --drop when").out);
  ASSERT_EQ(j["notes"].size(), 2U) << j["notes"];
  EXPECT_EQ(j["notes"][0]["grave"], true);
  EXPECT_EQ(j["columns"][1]["kind"], "numeric");
}

TEST_F(NotesTest, SaysThatAYearIsLarge) {
  write("d.csv", "d,u,label\n2024-01-02,0.1,x\n2024-01-03,0.2,y\n2024-02-03,0.1,x\n2024-01-04,0.3,y\n");
  EXPECT_TRUE(
      has(halfspace("check d.csv --dates d").out, "the year of a date is itself, such as 2026: --normalize column"));
}

TEST_F(NotesTest, CertifyNamesTheProgramsThatMayHaveSentTheReader) {
  const std::string glm = "  R's glm may warn of fitted probabilities 0 or 1",
                    more = glm + ": --coefficients says more.\n", complete = glm + "; scikit-learn may be silent.\n",
                    quasi = glm + "; gretl may be silent.\n";
  write("complete.csv", "x,y\n1.5,no\n2,no\n3,yes\n4,yes\n");
  write("quasi.csv", "x,y\n1.5,no\n2,no\n2,yes\n4,yes\n");
  write("overlap.csv", "x,y\n1.5,no\n3,no\n2,yes\n4,yes\n");
  write("half.csv", "x,y\n5,no\n6,no\n");
  write("three.csv", "x,y\n1.5,a\n2,a\n3,b\n4,b\n6,c\n7,c\n");
  const std::vector<std::pair<std::string, std::string>> expected = {{"complete.csv", more},
                                                                     {"complete.csv --coefficients", complete},
                                                                     {"quasi.csv", more},
                                                                     {"quasi.csv --coefficients", quasi},
                                                                     {"overlap.csv", ""},
                                                                     {"overlap.csv --coefficients", ""},
                                                                     {"half.csv", ""},
                                                                     {"three.csv", ""},
                                                                     {"complete.csv complete.csv", ""}};
  for (const auto& [line, hint] : expected) {
    const std::string out = halfspace("certify --label y " + line).out;
    EXPECT_TRUE(has(out, " (column 'y')\n")) << line;
    const std::size_t at = out.find(glm);
    EXPECT_EQ(at == std::string::npos ? "" : out.substr(at, out.find('\n', at) + 1 - at), hint) << line << out;
  }
}

TEST_F(NotesTest, MarginsAtTheEndsOfTheDoublesAreSaid) {
  write("d.svm", "1 1:1e300\n-1 1:-1e300\n");
  EXPECT_TRUE(prints("certify d.svm", "between 9.99999e+299 and 1.00001e+300; the longest row is 1e+300"));
  write("e.svm", "1 1:1e308 2:1e308 3:1e308 4:1e308\n-1 1:-1e308 2:-1e308 3:-1e308 4:-1e308\n");
  const Output beyond = halfspace("certify e.svm");
  EXPECT_TRUE(lacks(beyond.out, "inf"));
  EXPECT_TRUE(has(beyond.out, "the longest row is beyond the range of doubles"));
}

// What is advised can be copied into a shell, whatever the names of columns are.
TEST_F(NotesTest, NamesAreQuotedForTheShell) {
  std::string text = "it's a day,Invoice ID,$price?,label\n";
  for (int i = 0; i < 60; ++i)
    text += "2024-05-" + std::to_string(10 + i % 20) + ",n-" + std::to_string(i) + ",7," + (i % 2 == 0 ? "a\n" : "b\n");
  write("d.csv", text);
  const std::string said = halfspace("check d.csv").out;
  std::string flags;
  for (const std::string flag : {R"(--dates 'it'\''s a day')", "--id 'Invoice ID'", "--drop '$price?'"}) {
    EXPECT_TRUE(has(said, flag));
    flags += " " + flag;
  }
  const Output after = halfspace("check d.csv" + flags);
  EXPECT_EQ(after.code, 0) << after.err;
  EXPECT_TRUE(lacks(after.out, "the column "));
}

// A decision on columns is in the JSON of check, printed once whatever the number of passes, and its flag changes it.
TEST_F(NotesTest, AMarkOfMissingValuesIsNotedOnce) {
  std::string text = "n,label\n";
  for (int i = 0; i < 60; ++i) text += (i % 3 == 0 ? "NULL" : std::to_string(i % 7)) + (i % 2 == 0 ? ",a\n" : ",b\n");
  write("d.csv", text);
  const std::string decided = "'NULL' among numbers is read as a missing value: column 'n' (20 of 60 rows)";
  const Json notes = json_of("check d.csv")["notes"];
  EXPECT_EQ(std::count_if(notes.begin(), notes.end(), [&](const Json& note) { return note["text"] == decided; }), 1);
  const std::string said = halfspace("train d.csv -o m").err;
  EXPECT_EQ(said.find(decided), said.rfind(decided)) << said;
  EXPECT_TRUE(has(said, decided + "\n  fix: --categorical n "));
  EXPECT_TRUE(lacks(halfspace("check d.csv --categorical n").err, "NULL"));
  EXPECT_EQ(halfspace("predict m d.csv").err, "");
  // A proof reads them so, too, and states it.
  EXPECT_LE(halfspace("certify d.csv -o d.proof").code, 1);
  EXPECT_TRUE(has(read("d.proof"), "NULL"));
  EXPECT_EQ(halfspace("verify d.proof d.csv").code, 0);
}

TEST_F(NotesTest, FlagsOfTables) {
  write("t.txt", "  1  none  u\n 2  3.5 v\n-999 4.5 u\n");
  const Json j = Json::parse(halfspace("check t.txt --json --no-header --delimiter space --missing -999,none").out);
  EXPECT_EQ(j["columns"][0]["missing"], 1);
  EXPECT_EQ(j["columns"][1]["kind"], "numeric");
  EXPECT_TRUE(has(halfspace("check t.txt --json --no-header --missing-only ''").out, "\"kind\": \"categorical\""));
  for (const char* flags : {"--delimiter semi", "--delimiter a", "--delimiter ''", "--decimal point2",
                            "--thousands point", "--comment a", "--decimal , --thousands ,", "--quote singel"}) {
    EXPECT_EQ(halfspace(std::string("check t.txt ") + flags).code, 2) << flags;
  }
  // A model remembers how its data were read.
  EXPECT_EQ(halfspace("train t.txt -q --no-header --delimiter space --missing -999,none -o m").code, 0);
  EXPECT_EQ(halfspace("predict m t.txt").code, 0);
  write("c.txt", "1,none,u\n-999,4.5,u\n");
  EXPECT_EQ(halfspace("predict m c.txt").out, halfspace("predict m c.txt --delimiter comma").out);
  EXPECT_EQ(halfspace("train t.txt -q --resume m --missing other").code, 2);
  EXPECT_EQ(halfspace("train t.txt -q --resume m --missing none").code, 0) << "the model has it anyway";
  // What has no columns has no use for them.
  write("d.svm", "1 1:1\n-1 1:2\n");
  EXPECT_EQ(halfspace("check d.svm --decimal comma").code, 2);
  EXPECT_EQ(halfspace("check d.svm --missing x").code, 2);
}

// Texts with lone quotes, as the SMS spam collection has them.
constexpr const char* lone_quotes =
    "ham\tsee you\ttwice\n"
    "spam\tfree\ttwice\n"
    "spam\t\"WIN\" now\tonce\n"
    "ham\tit is 5\" long\ttwice\n"
    "ham\t\"open\tonce\n";

TEST_F(NotesTest, QuotesMayBeText) {
  write("q.tsv", lone_quotes);
  const std::string how = " --no-header --delimiter tab --label 1";
  const Output strict = halfspace("check q.tsv" + how);
  EXPECT_EQ(strict.code, 65);
  const std::size_t first = strict.out.find("not around values, give --quote none");
  EXPECT_NE(first, std::string::npos) << strict.out;
  EXPECT_EQ(strict.out.find("not around values", first + 1), std::string::npos) << strict.out;
  EXPECT_TRUE(ends(65, "train q.tsv -q" + how, "--quote none"));
  EXPECT_TRUE(has(halfspace("train q.tsv -q --on-error skip" + how).err, "not around values, give --quote none"));

  // Where no row at all is free of them the first is shown.
  write("all.tsv", "a\"\tb\nc\"\td\n");
  const Output none = halfspace("check all.tsv --no-header");
  EXPECT_EQ(none.code, 65);
  EXPECT_TRUE(has(none.err, "all.tsv:1:2: a quote inside an unquoted field"));

  const Json j = Json::parse(halfspace("check q.tsv --json --quote none" + how).out);
  EXPECT_EQ(j["rows"], 5);
  EXPECT_EQ(j["rejected"], 0);
  EXPECT_EQ(j["columns"][1]["categories"], 5);
  // The model remembers it; the flag overrules.
  ASSERT_EQ(halfspace("train q.tsv -q --quote none --passes 20 -o m" + how).code, 0);
  const Output predicted = halfspace("predict m q.tsv");
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(std::count(predicted.out.begin(), predicted.out.end(), '\n'), 5);
  EXPECT_EQ(halfspace("evaluate m q.tsv --json").code, 0);
  EXPECT_EQ(halfspace("evaluate m q.tsv --quote double").code, 65);
  // So does a cache.
  ASSERT_EQ(halfspace("convert q.tsv c --quote none" + how).code, 0);
  EXPECT_EQ(halfspace("predict m c").out, predicted.out);
  EXPECT_EQ(halfspace("train c -q --quote none").code, 2);
  write("d.svm", "1 1:1\n-1 1:2\n");
  EXPECT_EQ(halfspace("check d.svm --quote none").code, 2);
}

TEST_F(NotesTest, AProofIsAboutQuotesAsTheyAreRead) {
  write("q.tsv", lone_quotes);
  ASSERT_EQ(halfspace("certify q.tsv --quote none --no-header --delimiter tab --label 1 -o c.json").code, 0);
  EXPECT_TRUE(prints("verify c.json q.tsv", "quotes are ordinary text"));
  // A quoted delimiter: two readings of one text.
  write("two.csv", "x,y\n\"1\",a\n2,b\n");
  ASSERT_EQ(halfspace("certify two.csv --quote none -o t.json").code, 0);
  EXPECT_TRUE(has(read("t.json"), "\"quote\":\"none\""));
  EXPECT_EQ(halfspace("verify t.json two.csv").code, 0);
}

}  // namespace
}  // namespace halfspace::cli_tests
