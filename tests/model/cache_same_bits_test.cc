// A model learned from a cache is the model learned from its text, byte for byte, whatever the order of the rounds; and
// a run broken off on one goes on with the other.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/cache.h"
#include "halfspace/train/train.h"
#include "support/temporary_folder.h"

namespace halfspace {
namespace {

class CachedBits : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream csv(path("csv"));
    std::ofstream svm(path("svm"));
    csv << "a,colour,b,label\n";
    Generator draws(5);
    for (int i = 0; i < 4200; ++i) {
      const double a = draws.next() - 0.5;
      const double b = draws.next() - 0.5;
      const bool positive = a + 0.3 * b + 0.2 * (draws.next() - 0.5) > 0;
      csv << (i % 11 == 10 ? "?" : std::to_string(a)) << ",c" << i / 90 << "," << b << "," << (positive ? "yes" : "no")
          << "\n";
      svm << (positive ? "+1" : "-1") << " 1:" << a << " 2:" << b << " " << 3 + i << ":0.25\n";
    }
    csv.close();
    svm.close();
    for (const char* kind : {"csv", "svm"}) {
      ReadOptions read;
      read.path = path(kind);
      convert(read, path(kind) + ".cache");
    }
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

  TrainOptions options(const std::string& file, OrderName order) const {
    TrainOptions options;
    options.read.path = path(file);
    options.composition.order = order;
    options.composition.keep = KeepName::average;
    if (order != OrderName::stream) options.until.passes = 3;
    return options;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CachedBits, AreThoseOfTheText) {
  for (const std::string kind : {"csv", "svm"}) {
    for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled}) {
      for (const bool normalised : {false, true}) {
        TrainOptions of_text = options(kind, order), of_cache = options(kind + ".cache", order);
        of_text.read.row_normalised = of_cache.read.row_normalised = normalised;
        of_text.normalize_columns = of_cache.normalize_columns = !normalised && order != OrderName::stream;
        ASSERT_EQ(encode(train(of_text).model), encode(train(of_cache).model));
      }
    }
  }
}

TEST_F(CachedBits, GoOnWhereTheTextWasBrokenOff) {
  for (const OrderName order : {OrderName::stream, OrderName::cyclic}) {
    const Model whole = train(options("svm", order)).model;
    TrainOptions first = options("svm", order);
    first.until.updates = order == OrderName::stream ? 100 : 500;
    const Model broken = train(first).model;
    TrainOptions second = options("svm.cache", order);
    second.resume = &broken;
    ASSERT_EQ(encode(train(second).model), encode(whole));
  }
}

}  // namespace
}  // namespace halfspace
