// Examples and the blocks they travel in.
//
// An Example is a view of one row: (indices, values, label, weight, row number). A Block is a view of a few thousand
// rows in compressed sparse rows (CSR). A BlockBuffer owns the arrays of a Block. Views own nothing: they are valid as
// long as their buffer (or mapped file) is alive and unchanged.
//
// Values are stored losslessly in the smallest type that holds every value of the block exactly: all ones (no array at
// all), float, or double. Arithmetic is in double whatever the storage, and gives the same bits for each storage.
//
// Invariants of a Block, kept by every producer and relied upon by the learners:
//   1. every index is below `features`; the indices of one row are distinct;
//   2. every value is finite; 3. every label is a class number of the data's Labels (0 = negative, 1 = positive in a
//   binary problem); 4. every weight is_weight; 5. `squared_norm` is kernels::squared_norm of the row (the
//   bias coordinate is not in it).
//
// Thread-safety: views may be read from many threads at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace halfspace {

// The limit of the weight of a row, or of a class: sums of weights, and of their products, are then finite.
inline constexpr double most_weight = 1e100;
inline bool is_weight(double number) { return number >= 0 && number <= most_weight; }
inline constexpr char what_a_weight_is[] = "a weight is a number from 0 to 1e100";

// The value type of a block in which every stored value is 1: nothing is stored.
struct One {};

enum class ValueType : std::uint8_t { ones = 0, float32 = 1, float64 = 2 };

// The values of one row, of any storage. For occasional access to single rows.
struct RowValues {
  std::span<const std::uint32_t> index;
  ValueType type = ValueType::ones;
  const void* value = nullptr;  // float* or double*; null for ones

  std::size_t size() const noexcept { return index.size(); }
  double operator[](std::size_t i) const noexcept {
    if (type == ValueType::ones) return 1.0;
    if (type == ValueType::float32) return static_cast<double>(static_cast<const float*>(value)[i]);
    return static_cast<const double*>(value)[i];
  }
};

// One row. `dense`: indices are exactly 0 .. size-1, so that kernels may load weights without gathering them.
template <class Value, bool dense>
struct Example {
  using value_type = Value;
  static constexpr bool is_dense = dense;

  const std::uint32_t* index;
  const Value* value;  // null for One
  std::uint32_t size;  // stored values
  std::int32_t label;  // class number
  double weight;
  double squared_norm;  // without the bias coordinate
  std::uint64_t row;    // 1-based data row of the file (a header is not a data row)
  // This many values after each of its own belong to later rows, which kernels prefetch. 0: none.
  std::uint32_t ahead = 0;
  // This many indices after its own belong to later rows and may be read.
  std::uint32_t readable = 0;

  // Returns stored value i as a double: 1 where nothing is stored.
  double value_at(std::size_t i) const noexcept {
    if constexpr (std::is_same_v<Value, One>) {
      return 1.0;
    } else {
      return static_cast<double>(value[i]);
    }
  }

  // Returns +1 or -1 in a binary problem. Looked up: labels come in no order that a processor could foresee.
  double sign() const noexcept {
    static constexpr double signs[] = {-1.0, 1.0};
    return signs[label != 0];
  }

  RowValues values() const noexcept {
    constexpr ValueType type = std::is_same_v<Value, One>     ? ValueType::ones
                               : std::is_same_v<Value, float> ? ValueType::float32
                                                              : ValueType::float64;
    return {{index, size}, type, value};
  }
};

// Lets a vector of numbers grow without writing zeros that are overwritten at once.
template <class T>
struct DefaultInitAllocator : std::allocator<T> {
  DefaultInitAllocator() = default;
  template <class U>
  DefaultInitAllocator(const DefaultInitAllocator<U>&) noexcept {}
  template <class U>
  struct rebind {
    using other = DefaultInitAllocator<U>;
  };
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

// Where one row, or one block, of those that are stored packed is unpacked. One thread's.
struct UnpackBuffer {
  std::vector<std::uint32_t, DefaultInitAllocator<std::uint32_t>> index;
  std::vector<double, DefaultInitAllocator<double>> value;
  std::vector<std::uint32_t> ordinal;  // 0, 1, 2 ..: the indices of dense rows
};

struct Block {
  std::size_t rows = 0;
  std::uint32_t features = 0;  // all indices of the block are below this
  ValueType value_type = ValueType::ones;
  bool dense = false;                     // every row has the indices 0 .. size-1
  const std::uint64_t* offset = nullptr;  // rows + 1 entries; row i is [offset[i], offset[i+1])
  const std::uint32_t* index = nullptr;   // as many as stored values; null in a packed block, mostly
  const void* value = nullptr;            // float* or double*; null for ones, and for decimals
  const std::int32_t* label = nullptr;    // rows entries
  const double* weight = nullptr;         // rows entries, or null: all 1
  const double* squared_norm = nullptr;   // rows entries
  const std::uint64_t* row = nullptr;     // rows entries: 1-based data row numbers, ascending
  // Of a dense block without `index`: 0, 1, 2 .., as many as its widest row; null: they are made where they are needed.
  const std::uint32_t* ordinal = nullptr;
  // The parts that a packed block (rows.h) has instead; a block of a cache has both; else null. Without either, a dense
  // block's indices follow.
  const std::uint16_t* narrow_index = nullptr;  // indices below 65536
  const std::uint32_t* decimal = nullptr;       // doubles +-m / 10^k: m in bits 0-26, k in 27-30, - in 31

  std::uint64_t stored() const noexcept { return rows == 0 ? 0 : offset[rows] - offset[0]; }

  // Tells whether the block is packed; such blocks are not for those who read `index` and `value` themselves: they take
  // plain().
  bool packed() const noexcept { return index == nullptr || has_decimals(); }
  // Returns the block with indices and values. Valid until `room` is used again.
  Block plain(UnpackBuffer& room) const;

  // Returns row i, packed or not. Valid until `room` is used again. `ahead`: as in Example.
  template <class Value, bool is_dense>
  Example<Value, is_dense> example(std::size_t i, UnpackBuffer& room, std::uint32_t ahead = 0) const {
    auto x = example<Value, is_dense>(i);
    x.ahead = ahead;
    if (!is_dense && index != nullptr && ahead != 0)
      x.readable = static_cast<std::uint32_t>(std::min<std::uint64_t>(offset[rows] - offset[i + 1], ahead));
    if (has_decimals() || (index == nullptr && !is_dense)) unpack(offset[i], x.size, ahead, room);
    if (x.index == nullptr) {
      if (is_dense && room.ordinal.size() < x.size) number(x.size, room);
      x.index = is_dense ? room.ordinal.data() : room.index.data();
    }
    if constexpr (std::is_same_v<Value, double>) {
      if (has_decimals()) x.value = room.value.data();
    }
    return x;
  }
  // Returns row i, met on a walk over rows in order: a few rows ahead, or a few kilobytes, since the processor's own
  // fetching ends at every page.
  template <class Value, bool is_dense>
  Example<Value, is_dense> next_example(std::size_t i, UnpackBuffer& room) const {
    return example<Value, is_dense>(i, room, 512);
  }
  // Returns row i of a block that is not packed.
  template <class Value, bool is_dense>
  Example<Value, is_dense> example(std::size_t i) const noexcept {
    const std::uint64_t begin = offset[i];
    const Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, One>)
      values = value == nullptr ? nullptr : static_cast<const Value*>(value) + begin;
    return {index != nullptr ? index + begin
            : is_dense       ? ordinal
                             : nullptr,
            values,
            static_cast<std::uint32_t>(offset[i + 1] - begin),
            label[i],
            weight == nullptr ? 1.0 : weight[i],
            squared_norm[i],
            row[i]};
  }

  // Asks for a row's bytes: the processor's own fetching follows no walk with gaps.
  void fetch(std::size_t i) const noexcept {
    constexpr std::size_t line = 64;
    const std::uint64_t begin = offset[i], size = offset[i + 1] - begin;
    const auto lines = [&](const void* array, std::size_t bytes_each) {
      const char* const place = static_cast<const char*>(array) + begin * bytes_each;
      for (std::size_t at = 0; at < size * bytes_each; at += line) __builtin_prefetch(place + at);
      __builtin_prefetch(place + size * bytes_each - 1);
    };
    if (index != nullptr && !dense) lines(index, sizeof *index);
    if (narrow_index != nullptr) lines(narrow_index, sizeof *narrow_index);
    if (decimal != nullptr) lines(decimal, sizeof *decimal);
    if (value != nullptr) lines(value, value_type == ValueType::float64 ? sizeof(double) : sizeof(float));
  }
  // Does so for a row that is to be met, in two steps: where it lies; what is there.
  void fetch_place(std::size_t i) const noexcept {
    __builtin_prefetch(offset + i);
    __builtin_prefetch(label + i);
    __builtin_prefetch(squared_norm + i);
    __builtin_prefetch(row + i);
  }

  // Calls f.template operator()<Value, dense>() for this block's storage: the one branch on storage, taken per block.
  template <class F>
  decltype(auto) with_storage(F&& f) const {
    switch (value_type) {
      case ValueType::ones:
        return f.template operator()<One, false>();
      case ValueType::float32:
        return dense ? f.template operator()<float, true>() : f.template operator()<float, false>();
      case ValueType::float64:
        break;
    }
    return dense ? f.template operator()<double, true>() : f.template operator()<double, false>();
  }

  // Calls f(example) for row i, of any storage. For random access.
  template <class F>
  decltype(auto) with_example(std::size_t i, UnpackBuffer& room, F&& f) const {
    return with_storage(
        [&]<class Value, bool is_dense>() -> decltype(auto) { return f(example<Value, is_dense>(i, room)); });
  }
  // Reads from a block that is not packed.
  template <class F>
  decltype(auto) with_example(std::size_t i, F&& f) const {
    return with_storage([&]<class Value, bool is_dense>() -> decltype(auto) { return f(example<Value, is_dense>(i)); });
  }

 private:
  bool has_decimals() const noexcept { return value == nullptr && decimal != nullptr; }
  void unpack(std::uint64_t begin, std::size_t size, std::uint32_t ahead, UnpackBuffer& room) const;
  static void number(std::size_t size, UnpackBuffer& room);  // more of 0, 1, 2 ..
};

// Owns the arrays of a Block; its vectors are reused from block to block, so that a steady stream allocates nothing.
// Rows are built as doubles: begin with clear(), then add() values and end_row(); finish() picks the smallest value
// type, computes the squared norms and gives the view.
class BlockBuffer {
 public:
  void clear();

  void add(std::uint32_t index, double value) {
    index_.push_back(index);
    value_.push_back(value);
  }
  // More values of the row at hand, to be written by the caller; and the last of them taken back.
  struct Room {
    std::uint32_t* index;
    double* value;
  };
  Room extend(std::size_t count);
  // So many values are likely to come: room for them at once.
  void expect(std::size_t values);
  void shorten(std::size_t count);
  // Ends a row. `weight` is kept for the block only when some row's differs from 1.
  void end_row(std::int32_t label, std::uint64_t row, double weight = 1.0);
  // Forgets the values added since the last end_row: the row turned out bad.
  void drop_row();

  // Takes out the values with this index, from every row.
  void remove_values(std::uint32_t index);
  // Multiplies a row's weight.
  void scale_weight(std::size_t row, double factor);
  // Takes out the rows at these positions, which ascend.
  void remove_rows(std::span<const std::size_t> positions);

  // Appends row i of another block, losslessly.
  void append(const Block& block, std::size_t i);

  std::size_t rows() const noexcept { return label_.size(); }
  std::uint64_t stored() const noexcept { return offset_.back(); }
  std::size_t bytes() const noexcept;

  // The unfinished values, for producers that still renumber indices or scale values.
  std::span<std::uint32_t> indices() noexcept { return index_; }
  std::span<double> values() noexcept { return value_; }
  std::span<const std::uint64_t> offsets() const noexcept { return offset_; }
  std::span<std::int32_t> labels() noexcept { return label_; }
  std::span<const std::int32_t> labels() const noexcept { return label_; }
  std::span<std::uint64_t> row_numbers() noexcept { return row_; }

  // Valid until the next change of the buffer.
  Block finish();
  // Returns how many of the stored values are 0; known once finished.
  std::uint64_t zeros() const noexcept { return zeros_; }

 private:
  std::vector<std::uint64_t> offset_{0};
  std::vector<std::uint32_t, DefaultInitAllocator<std::uint32_t>> index_;
  std::vector<double, DefaultInitAllocator<double>> value_;
  std::vector<float, DefaultInitAllocator<float>> narrow_;
  std::vector<std::int32_t> label_;
  std::vector<double> weight_, squared_norm_;
  std::vector<std::uint64_t> row_;
  std::uint64_t zeros_ = 0;
  bool weighted_ = false;
};

// Returns the block without its rows of weight 0, which are no rows: itself if there are none. `room` holds the others.
Block rows_that_count(const Block& block, BlockBuffer& room);

}  // namespace halfspace
