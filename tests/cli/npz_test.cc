// NumPy's archives as a user meets them: the same bytes of a model as from the arrays in files, the same weights as from
// LIBSVM; test arrays, predictions, and what is refused.

#include "cli/run.h"
#include "stream/npy_support.h"

namespace halfspace::cli_tests {
namespace {

using namespace testing_stream;

class NpzCommand : public CommandTest {
 protected:
  // Class 1 where the first column is above 0; 200 rows of 3 columns, dense and sparse, and as LIBSVM.
  void SetUp() override {
    CommandTest::SetUp();
    std::vector<double> values, stored;
    std::vector<std::int32_t> columns, places{0};
    std::string labels, text;
    for (int i = 0; i < 200; ++i) {
      const int first = i * 7 % 11 - 5;
      labels += static_cast<char>(first > 0);
      text += first > 0 ? "1" : "0";
      for (const int value : {first, i % 3, i % 5 - 2}) {
        const int column = static_cast<int>(values.size() % 3);
        values.push_back(value);
        if (value == 0) continue;
        stored.push_back(value);
        columns.push_back(column);
        text += " " + std::to_string(column + 1) + ":" + std::to_string(value);
      }
      places.push_back(static_cast<std::int32_t>(stored.size()));
      text += "\n";
    }
    const auto list = [](const std::string& type, const std::string& bytes, std::size_t size) {
      return shaped(type, "(" + std::to_string(size) + ",)", bytes);
    };
    const std::string x = shaped("<f8", "(200, 3)", npy_bytes(values)), y = list("|b1", labels, 200),
                      numbers = list("|i1", labels, 200);
    write("X.npy", x);
    write("y.npy", y);
    write("rows.svm", text);
    write("both.npz", zip({{"X.npy", x}, {"y.npy", y}}, {.deflate = true}));
    write("split.npz", zip({{"x_train.npy", x}, {"y_train.npy", y}, {"x_test.npy", x}, {"y_test.npy", y}}));
    write("alone.npz", zip({{"X.npy", x}}));
    write("csr.npz", zip({{"indices.npy", list("<i4", npy_bytes(columns), columns.size())},
                          {"indptr.npy", list("<i4", npy_bytes(places), places.size())},
                          {"format.npy", shaped("|S3", "()", "csr")},
                          {"shape.npy", list("<i8", npy_bytes<std::int64_t>({200, 3}), 2)},
                          {"data.npy", list("<f8", npy_bytes(stored), stored.size())},
                          {"y.npy", numbers}},
                         {.deflate = true}));
  }

  Json json(const std::string& arguments) const {
    const Output output = halfspace(arguments + " --json");
    EXPECT_EQ(output.code, 0) << arguments << "\n" << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
};

TEST_F(NpzCommand, GivesTheModelOfTheArraysInFiles) {
  EXPECT_EQ(json("train X.npy -o of_files --passes 5")["positives"],
            json("train both.npz -o m --passes 5")["positives"]);
  EXPECT_EQ(read("m"), read("of_files"));
  EXPECT_EQ(json("check both.npz")["fingerprint"], json("check X.npy")["fingerprint"]);
  EXPECT_EQ(json("check both.npz")["format"], "NumPy");
  const Output split = halfspace("train split.npz -o of_split --passes 5");
  EXPECT_EQ(read("of_split"), read("of_files"));
  EXPECT_TRUE(has(split.err, "'x_train' and 'y_train' are read of the archive, and not 'x_test', 'y_test'"));
  EXPECT_EQ(json("evaluate m split.npz --arrays x_test,y_test"), json("evaluate m X.npy"));
  const std::string predicted = halfspace("predict m X.npy").out;
  EXPECT_EQ(halfspace("predict m both.npz").out, predicted);
  EXPECT_EQ(halfspace("predict m alone.npz").out, predicted);
  EXPECT_EQ(halfspace("convert both.npz c && \"$H\" train c -o of_cache --passes 5").code, 0);
  EXPECT_EQ(json("inspect of_cache")["weights"], json("inspect m")["weights"]);
}

TEST_F(NpzCommand, ASparseMatrixGivesTheModelOfLibsvm) {
  for (const std::string flags :
       {"--passes 5", "--order shuffled --passes 3 --keep average", "--rule arow --normalize row"}) {
    Json sparse = json("train csr.npz -o m " + flags), text = json("train rows.svm -o of_text " + flags);
    EXPECT_EQ(sparse["positives"], text["positives"]);
    EXPECT_EQ(json("inspect m")["weights"], json("inspect of_text")["weights"]) << flags;
    EXPECT_EQ(halfspace("predict m csr.npz").out, halfspace("predict of_text rows.svm").out);
  }
  EXPECT_EQ(json("check csr.npz")["format"], "SciPy CSR");
  EXPECT_EQ(json("check csr.npz")["stored"], json("check rows.svm")["stored"]);
  EXPECT_EQ(halfspace("train csr.npz --resume m -o again").code, 0);
  const std::string predicted = halfspace("predict m csr.npz").out;
  EXPECT_EQ(halfspace("convert csr.npz c").code, 0);
  EXPECT_EQ(halfspace("predict m c").out, predicted);
  EXPECT_EQ(halfspace("train csr.npz -o m && \"$H\" export m --format onnx -o e").code, 0);
  // Column j is LIBSVM's index j + 1, so a model of one takes the other.
  EXPECT_EQ(halfspace("predict m rows.svm").out, predicted);
}

TEST_F(NpzCommand, WhatIsRefusedSaysWhatToDo) {
  const struct {
    std::string line, reason;
    int code;
  } cases[] = {
      {"cat both.npz | \"$H\" train -", "it must be an uncompressed regular file", 65},
      {"\"$H\" train both.npz -o m && cat both.npz | \"$H\" predict m -", "it must be an uncompressed regular file",
       65},
      {"\"$H\" train X.npy -o m && \"$H\" predict m X.npy --keep 1", "columns are kept of CSV, ARFF", 2},
      {"\"$H\" train X.npy -o m && \"$H\" predict m both.npz --keep 1", "columns are kept of CSV, ARFF", 2},
      {"\"$H\" certify both.npz", "cannot certify data in the format npy", 2},
      {"\"$H\" certify csr.npz", "cannot certify data in the format csr", 2},
      {"\"$H\" check both.npz --arrays Z", "there is no array 'Z'", 2},
      {"\"$H\" check rows.svm --arrays X", "arrays are selected in an .npz, which this is not", 2},
      {"\"$H\" check csr.npz --arrays X", "this is a sparse matrix made of several", 2},
      {"\"$H\" check csr.npz --label 1", "and this is SciPy's CSR", 2},
      {"\"$H\" check both.npz csr.npz", "an .npz, which cannot be combined", 2},
  };
  for (const auto& one : cases) {
    const Output refused = sh(one.line);
    EXPECT_EQ(refused.code, one.code) << one.line << refused.err;
    EXPECT_TRUE(has(refused.err, one.reason, "fix: "));
  }
}

// What SciPy and NumPy write on this machine, where they are there.
TEST_F(NpzCommand, ReadsWhatScipyWrites) {
  write("write.py",
        "import numpy, scipy.sparse as sparse\n"
        "X = numpy.load('X.npy'); y = numpy.load('y.npy')\n"
        "for write, name in ((numpy.savez, 'stored'), (numpy.savez_compressed, 'deflated')):\n"
        "    write(name + '.npz', X=X, y=y)\n"
        "for packed in (True, False):\n"
        "    sparse.save_npz('X_%d.npz' % packed, sparse.csr_matrix(X), compressed=packed)\n"
        "    numpy.save('y_%d.npy' % packed, y.astype(int))\n"
        "sparse.save_npz('X_csc.npz', sparse.csc_matrix(X))\n");
  if (sh("/usr/bin/python3 write.py").code != 0)
    GTEST_SKIP() << "NumPy and SciPy are not here: their files were not read";
  EXPECT_EQ(halfspace("train X.npy -o m && \"$H\" train csr.npz -o sparse").code, 0);
  for (const std::string name : {"stored", "deflated"}) {
    EXPECT_EQ(halfspace("train " + name + ".npz -o n").code, 0);
    EXPECT_EQ(read("n"), read("m")) << name;
  }
  for (const std::string name : {"X_0", "X_1"}) {
    EXPECT_EQ(halfspace("train " + name + ".npz -o n").code, 0);
    EXPECT_EQ(json("inspect n")["weights"], json("inspect sparse")["weights"]) << name;
  }
  EXPECT_TRUE(ends(65, "train X_csc.npz", ".tocsr()"));
}

}  // namespace
}  // namespace halfspace::cli_tests
