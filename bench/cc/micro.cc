// Micro benchmarks: how many stored values a second the kernels take, by storage, row length and code, the plain
// reference beside the vector form of the machine's best level (weights of sparse rows lie in 1 MB, about one L2
// cache); and the search for the Littlestone dimension.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/experts/littlestone.h"
#include "halfspace/detail/kernels/kernels.h"

namespace halfspace {
namespace {

constexpr std::size_t sparse_features = std::size_t{1} << 17;

// Enough rows that the indices differ from row to row.
template <class Value, bool dense>
struct Rows {
  std::vector<std::uint32_t> index;
  std::vector<Value> value;
  std::vector<double> weights;
  std::size_t size;
  std::size_t count;

  explicit Rows(std::size_t row_size) : size(row_size), count(std::max<std::size_t>(1, (1 << 16) / row_size)) {
    Generator draws;
    const std::size_t features = dense ? size : sparse_features;
    for (std::size_t i = 0; i < features; ++i) weights.push_back(draws.next() - 0.5);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::uint32_t k = 0; k < size; ++k) {
        index.push_back(dense ? k : static_cast<std::uint32_t>(pick(draws, features)));
        if constexpr (!std::is_same_v<Value, One>) value.push_back(static_cast<Value>(draws.next() - 0.5));
      }
      std::sort(index.end() - static_cast<std::ptrdiff_t>(size), index.end());
    }
  }

  Example<Value, dense> example(std::size_t row) const {
    const Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, One>) values = value.data() + row * size;
    return {index.data() + row * size, values, static_cast<std::uint32_t>(size), 1, 1.0, 0.0, row + 1};
  }
};

void count_values(benchmark::State& state, std::size_t per_round) {
  state.counters["nnz/s"] = benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(per_round),
                                               benchmark::Counter::kIsRate);
}

template <class Value, bool dense>
void dot(benchmark::State& state, bool reference) {
  const Rows<Value, dense> rows(static_cast<std::size_t>(state.range(0)));
  kernels::use_reference(reference);
  for (auto _ : state) {
    double sum = 0;
    for (std::size_t row = 0; row < rows.count; ++row) sum += kernels::dot(rows.weights.data(), rows.example(row), 0.0);
    benchmark::DoNotOptimize(sum);
  }
  kernels::use_reference(false);
  count_values(state, rows.index.size());
}

template <class Value, bool dense>
void add(benchmark::State& state, bool reference) {
  Rows<Value, dense> rows(static_cast<std::size_t>(state.range(0)));
  kernels::use_reference(reference);
  double amount = 0.5;
  for (auto _ : state) {
    amount = -amount;  // the weights stay where they are
    for (std::size_t row = 0; row < rows.count; ++row) kernels::add(rows.weights.data(), amount, rows.example(row));
    benchmark::ClobberMemory();
  }
  kernels::use_reference(false);
  count_values(state, rows.index.size());
}

template <class Value, bool dense>
void enlist(const std::string& storage) {
  for (const bool reference : {true, false}) {
    const std::string code = reference ? "/reference" : "/dispatched";
    benchmark::RegisterBenchmark(("dot/" + storage + code).c_str(), dot<Value, dense>, reference)
        ->Arg(13)
        ->Arg(150)
        ->Arg(800);
    benchmark::RegisterBenchmark(("add/" + storage + code).c_str(), add<Value, dense>, reference)
        ->Arg(13)
        ->Arg(150)
        ->Arg(800);
  }
}

const bool enlisted = [] {
  enlist<One, false>("sparse/ones");
  enlist<float, false>("sparse/float");
  enlist<double, false>("sparse/double");
  enlist<float, true>("dense/float");
  enlist<double, true>("dense/double");
  return true;
}();

// Random classes of so many hypotheses over so many points.
void littlestone(benchmark::State& state) {
  Generator draws(3);
  std::vector<std::vector<std::uint8_t>> table(static_cast<std::size_t>(state.range(0)),
                                               std::vector<std::uint8_t>(static_cast<std::size_t>(state.range(1))));
  for (auto& h : table) {
    for (auto& label : h) label = draws.next() < 0.5 ? 1 : 0;
  }
  const FiniteClass of(table);
  for (auto _ : state) {
    Littlestone search(of, 20'000'000);
    const auto answer = search.dimension();
    state.counters["lower"] = answer.lower;
    state.counters["upper"] = answer.upper;
    state.counters["looked at"] = static_cast<double>(search.visited());
  }
}
BENCHMARK(littlestone)
    ->Unit(benchmark::kSecond)
    ->Iterations(1)
    ->Args({1024, 64})
    ->Args({16384, 64})
    ->Args({65536, 64})
    ->Args({131072, 24});

}  // namespace
}  // namespace halfspace
