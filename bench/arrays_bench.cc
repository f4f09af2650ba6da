// Learning from the caller's arrays: a Trainer against the bare loop of the same rule over the same arrays, and rows that
// come one by one.
//
// 500,000 x 100 dense and 400,000 x 47,236 sparse with 75 values a row, double and float. `ratio` is the bare loop's time
// over the Trainer's, the two in turn; `extra_MB` is what a Trainer adds to the peak of resident memory.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/kernels/kernels.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/train/trainer.h"

namespace {

using namespace halfspace;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

TrainOptions perceptron() {
  TrainOptions options;
  options.composition.rule = rule::perceptron;
  options.composition.order = OrderName::stream;
  options.stream_memory = 0;
  return options;
}

// The peak of resident memory in MB, counted anew from reset_peak() on.
void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

template <class Value>
struct Dense {
  static constexpr std::uint64_t rows = 500'000;
  static constexpr std::uint32_t columns = 100;

  Dense() : values(rows * columns), label(rows) {
    Generator draws(1);
    for (std::uint64_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::uint32_t j = 0; j < columns; ++j) {
        values[i * columns + j] = static_cast<Value>(draws.next() - 0.5);
        sum += static_cast<double>(values[i * columns + j]) * (j % 3);
      }
      label[i] = sum + draws.next() > 0.5;
    }
    for (std::uint32_t j = 0; j < columns; ++j) ordinal.push_back(j);
  }
  ArrayRows source() const {
    return {DenseArray{.values = values.data(), .rows = rows, .columns = columns},
            {.classes = label.data(), .names = {"no", "yes"}}};
  }
  Example<Value, true> row(std::uint64_t i) const {
    return {ordinal.data(), values.data() + i * columns, columns, label[i], 1.0, 0.0, i + 1};
  }

  std::vector<Value> values;
  std::vector<std::int32_t> label;
  std::vector<std::uint32_t> ordinal;
};

template <class Value>
struct Sparse {
  static constexpr std::uint64_t rows = 400'000;
  static constexpr std::uint32_t columns = 47'236, per_row = 75;

  Sparse() {
    Generator draws(2);
    std::vector<std::int32_t> chosen;
    for (std::uint64_t i = 0; i < rows; ++i) {
      chosen.clear();
      for (std::uint32_t k = 0; k < per_row; ++k) {
        const double x = draws.next();
        chosen.push_back(static_cast<std::int32_t>(x * x * columns));  // some features are frequent
      }
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
      double sum = 0;
      for (const std::int32_t j : chosen) {
        index.push_back(j);
        values.push_back(static_cast<Value>(draws.next()));
        sum += static_cast<double>(values.back()) * (j % 2 == 0 ? 1 : -1);
      }
      offset.push_back(static_cast<std::int64_t>(index.size()));
      label.push_back(sum > 0);
    }
  }
  ArrayRows source() const {
    return {CsrArray{.values = values.data(),
                     .indices = index.data(),
                     .offsets = offset.data(),
                     .stored = values.size(),
                     .rows = rows,
                     .columns = columns},
            {.classes = label.data(), .names = {"no", "yes"}}};
  }
  Example<Value, false> row(std::uint64_t i) const {
    const auto begin = static_cast<std::size_t>(offset[i]), end = static_cast<std::size_t>(offset[i + 1]);
    return {reinterpret_cast<const std::uint32_t*>(index.data()) + begin,
            values.data() + begin,
            static_cast<std::uint32_t>(end - begin),
            label[i],
            1.0,
            0.0,
            i + 1,
            end + 512 < values.size() ? 512U : 0U};
  }

  std::vector<Value> values;
  std::vector<std::int32_t> index;
  std::vector<std::int64_t> offset{0};
  std::vector<std::int32_t> label;
};

// The perceptron with a bias, and nothing else.
template <class Data>
std::uint64_t bare_loop(const Data& data) {
  std::vector<double> w(Data::columns);
  double bias = 0;
  std::uint64_t mistakes = 0;
  for (std::uint64_t i = 0; i < Data::rows; ++i) {
    const auto x = data.row(i);
    if (kernels::dot(w.data(), x, bias) * x.sign() > 0) continue;
    ++mistakes;
    kernels::add(w.data(), x.sign(), x);
    bias += x.sign();
  }
  return mistakes;
}

template <class Data>
void learn_arrays(benchmark::State& state) {
  const Data data;
  double bare = 0, ours = 0, extra = 0;
  std::uint64_t mistakes = 0, made = 0;
  for (auto _ : state) {
    auto begin = Clock::now();
    mistakes = bare_loop(data);
    bare += seconds_since(begin);
    const ArrayRows rows = data.source();
    reset_peak();
    const double before = peak_megabytes();
    begin = Clock::now();
    Trainer trainer(perceptron(), rows.schema());
    trainer.learn(rows);
    ours += seconds_since(begin);
    extra = std::max(extra, peak_megabytes() - before);
    made = trainer.model().ledger.mistakes;
  }
  if (made + 1 < mistakes || mistakes + 1 < made) state.SkipWithError("the two made other mistakes");
  state.counters["ratio"] = bare / ours;
  state.counters["bare_ms"] = 1000 * bare / static_cast<double>(state.iterations());
  state.counters["trainer_ms"] = 1000 * ours / static_cast<double>(state.iterations());
  state.counters["extra_MB"] = extra;
  state.counters["weights_MB"] = static_cast<double>(Data::columns) * sizeof(double) / 1e6;
}
BENCHMARK(learn_arrays<Dense<double>>)->Iterations(9)->Unit(benchmark::kMillisecond);
BENCHMARK(learn_arrays<Dense<float>>)->Iterations(9)->Unit(benchmark::kMillisecond);
BENCHMARK(learn_arrays<Sparse<double>>)->Iterations(9)->Unit(benchmark::kMillisecond);
BENCHMARK(learn_arrays<Sparse<float>>)->Iterations(9)->Unit(benchmark::kMillisecond);

// One row of twenty numbers: as a Block, and as an array.
void learn_row_of_block(benchmark::State& state) {
  Schema schema;
  schema.labels.names = {"no", "yes"};
  Trainer trainer(perceptron(), schema);
  Generator draws(3);
  std::vector<double> x(20);
  BlockBuffer rows;
  for (auto _ : state) {
    for (double& value : x) value = draws.next() - 0.5;
    rows.clear();
    for (std::uint32_t j = 0; j < x.size(); ++j) rows.add(j, x[j]);
    rows.end_row(x[0] > x[1], 0);
    Block block = rows.finish();
    block.row = nullptr;
    trainer.learn(block);
  }
}
BENCHMARK(learn_row_of_block);

void learn_row_of_array(benchmark::State& state) {
  Generator draws(3);
  std::vector<double> x(20);
  std::int32_t label = 0;
  const ArrayRows row(DenseArray{.values = x.data(), .rows = 1, .columns = 20},
                      {.classes = &label, .names = {"no", "yes"}});
  Trainer trainer(perceptron(), row.schema());
  for (auto _ : state) {
    for (double& value : x) value = draws.next() - 0.5;
    label = x[0] > x[1];
    trainer.learn(row);
  }
}
BENCHMARK(learn_row_of_array);

}  // namespace
