// Several files as one stream, as a user names them.
#include <unistd.h>

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class ManyFiles : public CommandTest {
 protected:
  // credit.csv in four parts, of which one is packed; the names are not in the order of their rows.
  void SetUp() override {
    CommandTest::SetUp();
    const std::string text = slurp(sample());
    write("all.csv", text);
    const Output made =
        sh("head -n 1 all.csv >head; tail -n +2 all.csv >rows\n"
           "for part in 1:1,200 2:201,350 3:351,351 4:352,690; do\n"
           "  { cat head; sed -n \"${part#*:}p\" rows; } >part-${part%%:*}.csv\n"
           "done\n"
           "gzip -c part-2.csv >x && mv x part-2.csv\n"
           "printf %s \"$(cat part-3.csv)\" >x && mv x part-3.csv && rm head rows");
    ASSERT_EQ(made.code, 0) << made.err;
  }
};

TEST_F(ManyFiles, LearnPredictAndConvertAsTheOneFile) {
  ASSERT_EQ(halfspace("train all.csv -o whole --passes 3 --holdout 0.2 -q").code, 0);
  for (const std::string data :
       {"part-1.csv part-2.csv part-3.csv part-4.csv", "'part-?.csv'", "part-1.csv 'part-[2-4].csv'"}) {
    SCOPED_TRACE(data);
    ASSERT_EQ(halfspace("train " + data + " -o parts --passes 3 --holdout 0.2 -q --threads 2").code, 0);
    EXPECT_EQ(read("parts"), read("whole"));
    const Output predicted = halfspace("predict whole " + data + " --keep applicant --scores");
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(predicted.out, halfspace("predict whole all.csv --keep applicant --scores").out);
    EXPECT_EQ(halfspace("evaluate whole " + data + " --json").out, halfspace("evaluate whole all.csv --json").out);
    EXPECT_EQ(halfspace("convert " + data + " cache").code, 0);
    ASSERT_EQ(halfspace("train cache -o cached --passes 3 --holdout 0.2 -q").code, 0);
    EXPECT_EQ(read("cached"), read("whole"));
    const std::string chosen = " --rule pa1 --search aggressiveness=0.1,1 --folds 3 -q -o ";
    ASSERT_EQ(halfspace("train " + data + chosen + "f").code, 0);
    ASSERT_EQ(halfspace("train all.csv" + chosen + "g").code, 0);
    EXPECT_EQ(read("f"), read("g"));
  }
  ASSERT_EQ(halfspace("train all.csv --rule tournament -o once -q").code, 0);
  const Output piped =
      sh("cat part-1.csv | \"$H\" train - part-2.csv part-3.csv part-4.csv --rule tournament -o piped -q");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(read("piped"), read("once"));
  EXPECT_TRUE(has(halfspace("check 'part-*.csv' --json").out, "\"compression\": \"mixed\""));
}

TEST_F(ManyFiles, ResumeOverTheSameFiles) {
  ASSERT_EQ(halfspace("train 'part-*.csv' --preset cyclic-pla --updates 50 -o first -q").code, 0);
  ASSERT_EQ(halfspace("train 'part-*.csv' --resume first --updates 90 -o second -q").code, 0);
  ASSERT_EQ(halfspace("train all.csv --preset cyclic-pla --updates 50 -o one -q").code, 0);
  ASSERT_EQ(halfspace("train all.csv --resume one --updates 90 -o two -q").code, 0);
  EXPECT_EQ(read("second"), read("two"));
  EXPECT_TRUE(ends(65, "train part-1.csv part-2.csv --resume first --updates 120 -o third -q",
                   "the data differ from those this model was trained on"));
}

TEST_F(ManyFiles, PatternsThatMatchNothingAndNamesThatLookLikePatterns) {
  const Output none = halfspace("train part-1.csv 'none-*.csv'");
  EXPECT_EQ(none.code, 66);
  EXPECT_TRUE(has(none.err, "none-*.csv: no file matches this pattern"));
  EXPECT_TRUE(has(halfspace("train 'part-1.csv?format=libsvm'").err,
                  "fix: XGBoost's address of a file: leave out ?format=libsvm, and add --format libsvm\n"));
  EXPECT_TRUE(has(halfspace("train 'none?format=csv&label_column=0'").err, "add --format csv --label 1\n"));
  EXPECT_TRUE(has(halfspace("train 'none?format=&label_column=x'").err, "leave out ?format=&label_column=x\n"));
  const auto fix_of = [&](const std::string& address) {
    const std::string text = halfspace("check '" + address + "'").err;
    const std::size_t at = text.find("leave out ");
    return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(fix_of("none?indexing_mode=1&format=libsvm#c"),
            "leave out ?indexing_mode=1&format=libsvm#c, and add --format libsvm");
  EXPECT_EQ(fix_of("part-1.csv#cache"), "leave out #cache");
  EXPECT_EQ(fix_of("file://part-1.csv"), "leave out file://");
  EXPECT_EQ(fix_of("file://part-1.csv?format=csv"), "leave out file:// and ?format=csv, and add --format csv");
  EXPECT_TRUE(has(fix_of("none#cache"), "fix: check the path"));
  write("odd[1].csv", "a,y\n1,p\n2,q\n");
  write("odd1.csv", "a,y\n1,p\n2,q\n3,p\n");
  EXPECT_TRUE(has(halfspace("check 'odd[1].csv'").out, "all 2 can be used"));
  EXPECT_EQ(halfspace("train part-1.csv missing.csv").code, 66);
  EXPECT_TRUE(has(halfspace("check").err, "DATA is missing"));
  EXPECT_TRUE(has(halfspace("convert part-1.csv").err, "CACHE is missing"));
}

TEST_F(ManyFiles, NothingNamedIsOverwritten) {
  const std::string before = read("part-4.csv");
  EXPECT_TRUE(ends(2, "convert part-1.csv part-4.csv", "is not a cache"));
  EXPECT_EQ(halfspace("train 'part-*.csv' -o part-4.csv").code, 2);
  EXPECT_EQ(halfspace("check part-1.csv part-2.csv --on-error skip --rejects part-2.csv").code, 2);
  EXPECT_EQ(read("part-4.csv"), before);
}

// A proof about several files is checked against them, in their order.
TEST_F(ManyFiles, AreOneQuestionOfSeparability) {
  const Output certified = halfspace("certify part-1.csv part-2.csv -o two.proof");
  EXPECT_TRUE(certified.code == 0 || certified.code == 1) << certified.err;
  EXPECT_EQ(halfspace("verify two.proof part-1.csv part-2.csv").code, 0);
  EXPECT_EQ(halfspace("verify two.proof part-2.csv part-1.csv").code, 1);
  EXPECT_EQ(halfspace("verify two.proof part-1.csv").code, 1);
}

TEST_F(ManyFiles, WhatIsAboutOneFileSaysSo) {
  for (const std::string line : {"certify 'part-*.csv' --coefficients", "certify part-1.csv part-2.csv --pairs",
                                 "train 'part-*.csv' --certify"}) {
    EXPECT_TRUE(ends(2, line, "one file"));
  }
  ASSERT_EQ(halfspace("convert part-1.csv cache").code, 0);
  ASSERT_EQ(halfspace("convert part-1.csv -o named").code, 0);
  ASSERT_EQ(halfspace("convert --output=before part-1.csv").code, 0);
  EXPECT_EQ(read("named"), read("cache"));
  EXPECT_EQ(read("before"), read("cache"));
  EXPECT_TRUE(
      has(halfspace("train part-2.csv cache").err, "cache: is a cache, which cannot be combined with other files"));
  EXPECT_EQ(sh("cat part-1.csv | \"$H\" train part-2.csv - --folds 3").code, 2) << "a pipe can be read only once";
}

TEST_F(ManyFiles, BadRowsAreNamedWithTheirFiles) {
  write("a.csv", "x,y\n1,p\n2,q\n");
  write("b.csv", "x,y\n\n1,p\nbad,q\n4,p\n");
  ASSERT_TRUE(ends(0, "train a.csv b.csv -o m -q --numeric x --on-error skip --rejects r"));
  EXPECT_TRUE(has(read("r"), "b.csv,4,1,"));
  const Output rows = halfspace("predict m a.csv b.csv --as csv --on-error skip");
  EXPECT_TRUE(has(rows.out, "4,,\"b.csv, line 4, byte 1: "));
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 6);
  EXPECT_TRUE(ends(65, "evaluate m a.csv b.csv", "b.csv:4:1: "));
}

// What is read and written, by whatever names: nothing is lost without a word.
class TouchedFiles : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.svm", separable());
    ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
    ASSERT_EQ(sh("mkdir in; cp d.svm in; ln -s in link; ln d.svm in/hard.svm").code, 0);
  }

  // Refused before anything is opened: all files are what they were, and there are no others.
  void expect_refused(const std::string& line, const std::string& words) {
    const std::string list = "find . -type f ! -name '.out' ! -name '.err' | sort | xargs cksum";
    const Output before = sh(list);
    const Output output = sh("\"$H\" " + line);
    EXPECT_EQ(output.code, 2) << line << output.err;
    EXPECT_TRUE(has(output.err, words)) << line;
    EXPECT_TRUE(has(output.err, "fix: "));
    EXPECT_EQ(sh(list).out, before.out) << line;
  }

  // Two doubles a row, and a file of labels.
  void write_arrays(const std::string& rows, const std::string& labels) {
    const auto array = [](const std::string& type, const std::string& shape, const std::string& bytes) {
      std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
      head.resize(117, ' ');
      return std::string("\x93NUMPY\1\0\x76\0", 10) + head + "\n" + bytes;
    };
    std::string x, y;
    for (int i = 0; i < 6; ++i) {
      const double value[2] = {i % 2 == 0 ? 1.0 + i : -1.0 - i, 0.5 * i};
      x.append(reinterpret_cast<const char*>(value), sizeof value);
      y += static_cast<char>(i % 2);
    }
    write(rows, array("<f8", "6, 2", x));
    write(labels, array("|u1", "6,", y));
  }
};

TEST_F(TouchedFiles, AModelToGoOnWithIsReplacedByItsModelAlone) {
  for (const char* flag : {"--report m", "--log m", "--trace m", "--report ./m", "--on-error skip --rejects m"})
    expect_refused("train d.svm -q --resume m " + std::string(flag), "would overwrite --resume");
  EXPECT_EQ(halfspace("train d.svm -q --resume m -o ./m").code, 0);
  EXPECT_EQ(halfspace("inspect m").code, 0);
}

TEST_F(TouchedFiles, LabelsBesideTheDataAreKept) {
  write_arrays("in/X.npy", "in/y.npy");
  write_arrays("x_train.npy", "Y_train.npy");
  const std::string images("\0\0\x08\x03\0\0\0\4\0\0\0\2\0\0\0\2\1\2\3\4\4\3\2\1\1\1\3\4\4\4\1\1", 32),
      labels("\0\0\x08\x01\0\0\0\4\0\1\0\1", 12);
  write("t-images-idx3-ubyte", images);
  write("t-labels-idx1-ubyte", labels);
  ASSERT_EQ(halfspace("train in/X.npy -q -o a").code, 0);
  for (const char* line :
       {"train in/X.npy -o in/y.npy", "train in/X.npy --report link/y.npy", "train in/X.npy --save-run in/y.npy",
        "train x_train.npy --log Y_train.npy", "predict a in/X.npy -o in/../in/y.npy", "convert in/X.npy in/y.npy",
        "evaluate a in/X.npy --on-error skip --rejects in/y.npy", "train t-images-idx3-ubyte -o t-labels-idx1-ubyte",
        "certify t-images-idx3-ubyte -o t-labels-idx1-ubyte",
        "certify t-images-idx3-ubyte --report ./t-labels-idx1-ubyte",
        "check d.svm in/X.npy --on-error skip --rejects in/y.npy"})
    expect_refused(line, "would overwrite labels of ");
  // By the names alone: what is not there yet may be there when it is read.
  ASSERT_EQ(sh("rm in/y.npy").code, 0);
  expect_refused("train in/X.npy -o in/y.npy", "would overwrite labels of ");
}

TEST_F(TouchedFiles, TwoOutputsOfOneNewNameAreRefused) {
  for (const std::string& other :
       {std::string("./new"), std::string("in/../new"), path("new").string(), std::string("/proc/self/cwd/new")}) {
    expect_refused("train d.svm -o new --report " + other, "would overwrite what --report writes");
    expect_refused("train d.svm --log " + other + " --trace new", "would overwrite what --");
  }
  expect_refused("train d.svm -o link/new --report in/new", "would overwrite what --report writes");
  expect_refused("predict m d.svm -o link/new --on-error skip --rejects in/new",
                 "would overwrite what --rejects writes");
  ASSERT_EQ(sh("ln -s in/late dangling; ln -s dangling far").code, 0);
  expect_refused("train d.svm -o far --report link/late", "would overwrite what --report writes");
  expect_refused("train d.svm -o gone/new --report gone/./new", "would overwrite what --report writes");
  EXPECT_EQ(halfspace("train d.svm -q -o in/new --report new").code, 0) << "two files of one name are two";
}

TEST_F(TouchedFiles, AFolderOfCertificatesSparesWhatIsRead) {
  ASSERT_EQ(sh("mkdir pf; printf '1 1:1\\n2 1:2\\n3 2:3\\n' >pf/1-2.json; ln pf/1-2.json hard; cp hard three.svm;"
               " ln -s ../three.svm pf/2-3.json; ln -s pf folder")
                .code,
            0);
  for (const char* line :
       {"certify pf/1-2.json --pairs -o pf", "certify hard --pairs -o pf", "certify three.svm --pairs -o pf",
        "certify hard --one-against-rest -o folder", "certify folder/1-2.json --pairs -o ./pf/",
        "certify d.svm --pairs -o pf --report pf/2-1.json", "certify d.svm --pairs -o pg --report pg/2-1.json"})
    expect_refused(line, "files called *.json are written there");
  expect_refused("certify d.svm --pairs -o d.svm", "would overwrite DATA");
  ASSERT_EQ(halfspace("certify hard --pairs -o pg --report pg/r.html").code, 0);
  EXPECT_EQ(halfspace("verify pg/1-2.json hard").code, 0);
  EXPECT_EQ(halfspace("certify in/d.svm --pairs -o in").code, 0) << "no name there is that of a certificate";
}

TEST_F(TouchedFiles, StandardStreamsThatAreFilesCount) {
  expect_refused("train - -o d.svm <d.svm", "would overwrite DATA");
  expect_refused("train d.svm -o m >>m", "would overwrite what goes to standard output");
  expect_refused("check d.svm >>in/hard.svm", "what goes to standard output would overwrite DATA");
  EXPECT_EQ(halfspace("train d.svm --log err 2>err").code, 2);
  EXPECT_EQ(halfspace("train d.svm -q --log /dev/stdout >all").code, 0);
  EXPECT_EQ(halfspace("predict m d.svm -o /dev/stdout >all").code, 0);
}

// A folder that is closed to us, as somebody who is not root sees it.
TEST_F(TouchedFiles, AClosedFolderIsToldBeforeTheWork) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  ASSERT_EQ(
      sh("chmod 755 . ; mkdir closed; chmod 555 closed; mkdir -m 1777 shared; echo mine >shared/m; mkfifo p").code, 0);
  const std::string nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups timeout 20 \"$H\" ";
  if (sh(nobody + "--version").code != 0) GTEST_SKIP() << "setpriv, or the command, is not for everybody here";
  for (const std::string line : {"train p -o closed/m", "train p --report closed/r.html", "train p --log closed/l",
                                 "certify p --pairs -o closed/proofs", "convert p closed/c", "train p -o shared/m"}) {
    const Output output = sh(nobody + line);
    EXPECT_EQ(output.code, 74) << line << output.err;
    EXPECT_TRUE(has(output.err, "fix: "));
  }
  EXPECT_EQ(read("shared/m"), "mine\n");
}

}  // namespace
}  // namespace halfspace::cli_tests
