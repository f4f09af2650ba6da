// Learns rows one after the other, each wholly or not at all.
//
// A row that the rule rejects, after which a number of the state would not be finite, or for which the learner would
// outgrow its memory, leaves no trace: the learner goes back to a copy of the model and learns again what came since. So
// the state is always one that a model file can hold.
//
// Cost, besides learning: a copy of the model after a megabyte of rows, or as many bytes as the model has; and a check of
// the whole state after rows with numbers of extreme size. Without these no rule leaves the doubles between two copies.
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/train/model.h"
#include "halfspace/train/trainer.h"
#include "service/row_parser.h"

namespace halfspace::service {

// A row that was not taken.
struct RefusedRow {
  std::uint64_t line = 0, column = 0;  // from 1; column 0: the whole line
  std::string reason, fix;
  bool lacks_memory = false;  // the learner would need more than it may have, or than there is
  bool operator==(const RefusedRow&) const = default;
};

class RowLearner {
 public:
  // `untouched`: the model is as it was given, and no row was learned since. `rows`: learned before, by whichever model.
  // Throws Error(usage) for a model that cannot go on: of a proved minimum, of given weights, of another format.
  explicit RowLearner(Model begin, bool untouched = true, std::uint64_t rows = 0);
  ~RowLearner();
  RowLearner(RowLearner&&) noexcept;
  RowLearner& operator=(RowLearner&&) noexcept;

  struct Limits {
    std::uint64_t bytes = UINT64_MAX;  // memory_for() of the features; what the model has is allowed
    std::size_t refusals = SIZE_MAX;   // after so many rows that cannot be learned the rest is not looked at
    bool check_always = false;         // checks the whole state after these rows
  };
  struct Learned {
    std::vector<RefusedRow> refused;  // ascending; `line` counts the given lines
    std::size_t looked_at = 0;        // lines
  };
  // Learns lines that the parser takes. If it throws, the state is not to be used.
  Learned learn(std::span<const std::string_view> lines, const Limits& limits);

  // Returns about how many bytes a learner of so many features takes.
  std::uint64_t memory_for(std::uint64_t features) const { return trainer_->memory_for(features); }
  // Returns the bytes of the model when it was copied last.
  std::size_t model_bytes() const noexcept { return base_bytes_; }

  const Schema& schema() const { return parser_->schema(); }
  const RowParser::ClassWeights& class_weights() const noexcept { return base_->class_weights; }
  bool untouched() const noexcept { return untouched_; }
  // The model as it was given until a row is learned; afterwards with the same threshold and calibration. Cost:
  // O(weights and names).
  Model model() const;

 private:
  void resume();
  void go_back();
  void learn_text(const std::string& text, std::uint64_t most_bytes);
  std::optional<RefusedRow> try_all(std::span<const std::string_view> lines, const Limits& limits);
  void learn_part(std::span<const std::string_view> all, std::size_t from, std::size_t to, const Limits& limits,
                  Learned& learned);
  void renew(Model now, std::size_t bytes);

  std::shared_ptr<const Model> base_;  // the last copy,
  std::size_t base_bytes_ = 0;         // encoded
  std::uint64_t base_rows_;            // rows before it
  std::string since_;                  // lines learned since
  std::uint64_t rows_, passes_;        // all rows of the log are one pass, however often it was opened
  bool untouched_;
  bool extreme_ = false;  // the model has numbers of extreme size: the state is always checked

  std::shared_ptr<const Model> resumed_;  // which the trainer goes on from
  std::uint64_t resumed_rows_ = 0;
  std::unique_ptr<RowParser> parser_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace halfspace::service
