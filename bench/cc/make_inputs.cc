// The inputs of the comparison, made from a seed: the same bytes on every machine.
//
//   make_inputs NAME FOLDER [SHARE]     NAME: sparse, sparse-2, dense or small; SHARE 100: a hundredth of the rows
//
// sparse  400,000 rows of 47,236 features and 75 values on average, feature frequencies by Zipf's law, rows of norm 1,
//         values of 6 significant digits, labels of a hidden halfspace of which 5 % are turned; and 50,000 rows more,
//         held out. Each as LIBSVM text (.svm) and in Vowpal Wabbit's form (.vw). sparse-2: the same from another seed.
// dense   500,000 rows of 100 normal deviates, separable with a margin of 0.01; LIBSVM, Vowpal Wabbit and CSV (label
//         first, with a header); and 10,000 rows more, held out.
// small   the first 1,000 rows of 20 such.
//
// A file appears under its name when it is whole. Rows come in blocks that each have a seed of their own, so that
// threads can share the work and change nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"

namespace {

using halfspace::Generator;

// The seeds: of what all rows share, and of row blocks, counted from here. sparse-2 is another world: all are raised.
constexpr std::uint64_t world_seed = 1958, first_block_seed = 1'000'000, held_out_seed = 1'500'000;
constexpr std::uint64_t other_world = 5'000'000;
constexpr std::size_t block_rows = 2000;

// One block of rows in each of the forms that a data set is written in.
struct Text {
  std::string svm, vw, csv;
};

// v with 6 significant digits and no exponent.
void put_value(std::string& out, double v) {
  char digits[40];
  const auto end = std::abs(v) < 1e-4 ? fmt::format_to(digits, "{:.10f}", v) : fmt::format_to(digits, "{:.6g}", v);
  out.append(digits, end);
}

void put_index(std::string& out, std::size_t index) {
  const fmt::format_int digits(index);
  out.append(digits.data(), digits.size());
}

class Sparse {
 public:
  static constexpr std::size_t features = 47'236;

  explicit Sparse(std::uint64_t raised) : index_(features), weight_(features), cumulative_(features) {
    Generator draws(world_seed + raised);
    std::vector<std::uint32_t> order(features);
    std::iota(order.begin(), order.end(), 0U);
    halfspace::shuffle(draws, order);
    double sum = 0;
    for (std::size_t rank = 0; rank < features; ++rank) {
      const double frequency = 1 / (static_cast<double>(rank) + 1);
      index_[rank] = order[rank] + 1;
      weight_[rank] = halfspace::gaussian(draws);
      cumulative_[rank] = sum += frequency;
    }
    // Where the search for a draw begins.
    guide_.resize(guides + 1);
    for (std::size_t i = 0, rank = 0; i <= guides; ++i) {
      while (rank + 1 < features && cumulative_[rank] < sum * static_cast<double>(i) / guides) ++rank;
      guide_[i] = rank;
    }
  }

  Text block(std::uint64_t seed, std::size_t rows) const {
    Generator draws(seed);
    Text text;
    std::vector<std::uint64_t> taken(features);
    std::vector<std::pair<std::uint32_t, double>> row;
    for (std::size_t i = 1; i <= rows; ++i) {
      const double length = 75 * std::exp(0.5 * halfspace::gaussian(draws) - 0.125);
      const auto size = static_cast<std::size_t>(std::clamp(length, 5.0, 1000.0) + 0.5);
      row.clear();
      double norm = 0, score = 0;
      while (row.size() < size) {
        const std::size_t rank = draw(draws.next());
        if (taken[rank] == i) continue;
        taken[rank] = i;
        const double value = 0.5 + draws.next();
        norm += value * value;
        score += value * weight_[rank];
        row.emplace_back(index_[rank], value);
      }
      std::sort(row.begin(), row.end());
      norm = std::sqrt(norm);
      const bool turned = draws.next() < 0.05;
      const bool positive = (score > 0) != turned;
      text.svm += positive ? "+1" : "-1";
      text.vw += positive ? "1 |" : "-1 |";
      for (const auto& [index, value] : row) {
        const std::size_t from = text.svm.size();
        text.svm += ' ';
        put_index(text.svm, index);
        text.svm += ':';
        put_value(text.svm, value / norm);
        text.vw.append(text.svm, from);
      }
      text.svm += '\n';
      text.vw += '\n';
    }
    return text;
  }

 private:
  static constexpr std::size_t guides = 1 << 16;

  std::size_t draw(double u) const {
    std::size_t rank = guide_[static_cast<std::size_t>(u * guides)];
    while (cumulative_[rank] < u * cumulative_.back()) ++rank;
    return rank;
  }

  std::vector<std::uint32_t> index_;
  std::vector<double> weight_, cumulative_;  // by rank
  std::vector<std::size_t> guide_;
};

class Dense {
 public:
  explicit Dense(std::size_t features) : weight_(features) {
    Generator draws(world_seed);
    double norm = 0;
    for (double& weight : weight_) {
      weight = halfspace::gaussian(draws);
      norm += weight * weight;
    }
    for (double& weight : weight_) weight /= std::sqrt(norm);
  }

  std::string header() const {
    std::string line = "label";
    for (std::size_t k = 1; k <= weight_.size(); ++k) line += ",x" + std::to_string(k);
    return line + '\n';
  }

  Text block(std::uint64_t seed, std::size_t rows) const {
    Generator draws(seed);
    Text text;
    std::vector<double> row(weight_.size());
    for (std::size_t i = 0; i < rows; ++i) {
      double score = 0;
      while (std::abs(score) < 0.01) {
        score = 0;
        for (std::size_t k = 0; k < row.size(); ++k) {
          row[k] = halfspace::gaussian(draws);
          score += weight_[k] * row[k];
        }
      }
      text.svm += score > 0 ? "+1" : "-1";
      text.vw += score > 0 ? "1 |" : "-1 |";
      text.csv += score > 0 ? "1" : "-1";
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t from = text.svm.size();
        text.svm += ' ';
        put_index(text.svm, k + 1);
        text.svm += ':';
        const std::size_t value = text.svm.size();
        put_value(text.svm, row[k]);
        text.vw.append(text.svm, from);
        text.csv += ',';
        text.csv.append(text.svm, value);
      }
      for (std::string* form : {&text.svm, &text.vw, &text.csv}) *form += '\n';
    }
    return text;
  }

 private:
  std::vector<double> weight_;
};

// Written beside its name, and put there when it is whole.
class File {
 public:
  File(const std::filesystem::path& folder, const std::string& name)
      : path_(folder / name), part_(path_.string() + ".part"), file_(std::fopen(part_.c_str(), "wb")) {
    if (file_ == nullptr) throw std::runtime_error("cannot write " + part_);
  }
  ~File() {
    if (file_ != nullptr) std::fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) full();
  }
  void finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) full();
    std::filesystem::rename(part_, path_);
  }

 private:
  [[noreturn]] void full() { throw std::runtime_error("cannot write all of " + part_); }

  std::filesystem::path path_;
  std::string part_;
  std::FILE* file_;
};

// Blocks in order, made by all threads, some ahead of the one that is written.
void for_each_block(std::size_t rows, std::uint64_t seed, const std::function<Text(std::uint64_t, std::size_t)>& make,
                    const std::function<void(const Text&)>& write) {
  const std::size_t count = (rows + block_rows - 1) / block_rows;
  const std::size_t ahead = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<Text>> blocks;
  for (std::size_t i = 0; i < count + ahead; ++i) {
    if (i >= ahead) write(blocks[i - ahead].get());
    if (i >= count) continue;
    const std::size_t size = std::min(block_rows, rows - i * block_rows);
    blocks.push_back(std::async(std::launch::async, make, seed + i, size));
  }
}

void write_sparse(const std::filesystem::path& folder, const std::string& name, std::uint64_t raised,
                  std::size_t share) {
  const Sparse sparse(raised);
  const auto make = [&](std::uint64_t seed, std::size_t rows) { return sparse.block(seed, rows); };
  const auto write = [&](const std::string& file, std::size_t rows, std::uint64_t seed) {
    File svm(folder, file + ".svm"), vw(folder, file + ".vw");
    for_each_block(rows, seed + raised, make, [&](const Text& text) {
      svm.write(text.svm);
      vw.write(text.vw);
    });
    svm.finish();
    vw.finish();
  };
  write(name + "-held-out", 50'000 / share, held_out_seed);
  write(name, 400'000 / share, first_block_seed);
}

void write_dense(const std::filesystem::path& folder, const std::string& name, std::size_t rows, std::size_t features,
                 std::uint64_t seed) {
  const Dense dense(features);
  File svm(folder, name + ".svm"), vw(folder, name + ".vw"), csv(folder, name + ".csv");
  csv.write(dense.header());
  for_each_block(
      rows, seed, [&](std::uint64_t block_seed, std::size_t size) { return dense.block(block_seed, size); },
      [&](const Text& text) {
        svm.write(text.svm);
        vw.write(text.vw);
        csv.write(text.csv);
      });
  for (File* file : {&svm, &vw, &csv}) file->finish();
}

}  // namespace

int main(int count, char** words) try {
  const std::string name = count == 3 || count == 4 ? words[1] : "";
  const std::size_t share = count == 4 ? std::stoul(words[3]) : 1;
  if (name == "sparse") {
    write_sparse(words[2], name, 0, share);
  } else if (name == "sparse-2") {
    write_sparse(words[2], name, other_world, share);
  } else if (name == "dense") {
    write_dense(words[2], "dense-held-out", 10'000 / share, 100, held_out_seed);
    write_dense(words[2], name, 500'000 / share, 100, first_block_seed);
  } else if (name == "small") {
    write_dense(words[2], name, 1'000, 20, first_block_seed);
  } else {
    throw std::runtime_error("usage: make_inputs sparse|sparse-2|dense|small FOLDER [SHARE]");
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_inputs: %s\n", error.what());
  return 1;
}
