// Gathers rows of a random order on a thread of its own while earlier ones are played: the processor cannot prefetch
// such a walk, and packed rows take time to unpack.
//
//   GatheredRows gathered(rows, order);
//   while (const std::optional<Block> block = gathered.next()) ...
//
// Values keep their bits; ones stay ones, dense rows dense rows, all others become sparse doubles. Thread-safety: one
// consumer thread. Ownership: `rows` and `order` must outlive it; a block is valid until the next call of next().
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/rows.h"

namespace halfspace::game {

class GatheredRows {
 public:
  // Returns whether a second thread is available, and the rows are enough to pay for it.
  static bool pays(const Rows& rows);

  GatheredRows(const Rows& rows, std::span<const std::uint32_t> order);
  ~GatheredRows();
  GatheredRows(const GatheredRows&) = delete;
  GatheredRows& operator=(const GatheredRows&) = delete;

  // Returns the next rows of the order; empty after the last. Rethrows exceptions of the gathering thread.
  std::optional<Block> next();

 private:
  // The arrays of a block.
  struct Gathered {
    std::vector<std::uint64_t> offset, row;
    std::vector<std::uint32_t, DefaultInitAllocator<std::uint32_t>> index;
    std::vector<double, DefaultInitAllocator<double>> value;
    std::vector<std::int32_t> label;
    std::vector<double> weight, squared_norm;
    std::size_t rows = 0;
  };

  void gather_all();
  void gather(std::span<const std::uint32_t> order, Gathered& to);

  const Rows& rows_;
  std::span<const std::uint32_t> order_;
  ValueType type_ = ValueType::float64;
  bool dense_ = false;
  UnpackBuffer room_;
  static constexpr int places = 3;
  Gathered places_[places];
  std::counting_semaphore<places + 1> free_{places}, filled_{0};
  std::size_t taken_ = 0;
  bool held_ = false, ended_ = false;  // a block is with the caller; the last was returned
  std::atomic<bool> given_up_{false};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace halfspace::game
