// Reads the rows of a validation, and deals them class by class.
#include "train/choose/dealt_rows.h"

#include <algorithm>
#include <atomic>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "train/run/first_look.h"
#include "train/run/split.h"

namespace halfspace::training {
namespace {

// Separates the draws that deal rows from those of an order with the same seed.
constexpr std::uint64_t kDealing = 0x5f01d5;

}  // namespace

void DealtRows::stop_if_interrupted() const {
  if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed))
    throw Error(ErrorKind::input_output, "interrupted during validation: nothing was learned");
}

// `keeps`: keeps the rows to hold out, which are evaluated at the end otherwise.
void DealtRows::read_rows(bool keeps, std::uint64_t most) {
  ReadOptions read = options.read;
  read.labels.scan_all = read.labels.scan_all || entry_of(options.composition.rule).several_classes;
  read.rejects.clear();  // the training pass writes them
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  Reader reader(read);
  bool weightless = false;  // a row has weight 0
  reader.read([&](const Block& block) {
    if (rows.size() == 0) survey_first_rows(block, reader.schema(), read);
    label_runs.add(block);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const bool held = held_out(block.row[i], options.holdout);
      const bool counts_as_none = block.weight != nullptr && block.weight[i] == 0;
      weightless = weightless || (counts_as_none && !held);
      if ((held && !keeps) || counts_as_none) continue;
      rows.append(block, i);
      fold.push_back(held ? 0 : Folds::kNeverValidated);
      size.values += block.offset[i + 1] - block.offset[i];
    }
    size.features = std::max(size.features, block.features);
    stop_if_interrupted();
    size.whole = size.values <= most;
    return size.whole;
  });
  rows.seal();
  size.rows = rows.size();
  if (rows.size() == 0 && weightless) refuse_no_weight(options.read.path);
  schema = reader.schema();
  counts = RowCounts(options.read.labels.class_weights, schema.labels);
  fingerprint = reader.report().fingerprint;
  if (rows.size() >= Folds::kNeverValidated)
    throw Error(ErrorKind::usage, "more than 4294967294 rows are too many to validate")
        .fix("use a part of them, or evaluate one file's model on another with halfspace evaluate");
}

void DealtRows::read(unsigned count) {
  read_rows(count == 0);
  if (count != 0) return deal(count);
  const auto held = static_cast<std::uint64_t>(std::count(fold.begin(), fold.end(), 0U));
  if (held == 0 || held == rows.size()) {
    throw Error(ErrorKind::usage, "of " + std::to_string(rows.size()) + " rows " + std::to_string(held) +
                                      " are held out: there must be rows to train on and rows to validate on")
        .at(options.read.path)
        .fix("give another " + option("holdout") + ", or " + option("folds"));
  }
  sizes = {held};
}

void DealtRows::read_with_test(const ReadOptions& test) {
  read_rows(true);
  const std::uint64_t trained = rows.size();
  Model shape;
  shape.schema = schema;
  ReadOptions read = read_for(shape, test, true);
  if (read.interrupt == nullptr) read.interrupt = options.interrupt;
  Reader reader(read);
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.weight == nullptr || block.weight[i] != 0) rows.append(block, i);
    }
    stop_if_interrupted();
    return true;
  });
  rows.seal();
  if (!fingerprint.empty() && reader.report().fingerprint == fingerprint) {
    throw Error(ErrorKind::usage, "the test rows are the rows to learn: every score would be too good")
        .at(test.path)
        .fix("give rows that are not learned, or " + option("folds"));
  }
  fold.resize(rows.size(), 0);
  sizes = {rows.size() - trained};
}

std::vector<std::vector<std::uint32_t>> DealtRows::rows_of_classes() const {
  std::vector<std::vector<std::uint32_t>> of_class(std::max<std::size_t>(2, schema.labels.names.size()));
  std::uint32_t position = 0;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i)
      of_class[static_cast<std::size_t>(block.label[i])].push_back(position++);
  }
  return of_class;
}

// Numbers the features anew, in their order, without those that no row has, where these are most of a table of hashed
// names or of LIBSVM's indices: candidates have numbers for each. The features of a schema's columns come before the table.
void DealtRows::leave_out_unused() {
  const std::uint32_t first = schema.columns.empty() ? 0 : schema.first_hashed(), all = rows.features();
  constexpr std::uint32_t many = 1 << 16, few = 4;
  if (all < first + many) return;
  std::vector<std::uint32_t> used;
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, room, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) {
          if (x.index[k] >= first) used.push_back(x.index[k]);
        }
      });
    }
    rows.release(b);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (used.size() > (all - first) / few) return;
  const auto renumbered = [&](std::uint32_t feature) {
    if (feature < first) return feature;
    return first + static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), feature) - used.begin());
  };
  Rows fewer(options.memory);
  BlockBuffer buffer;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    buffer.clear();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, room, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) buffer.add(renumbered(x.index[k]), x.value_at(k));
      });
      buffer.end_row(block.label[i], block.row[i], block.weight == nullptr ? 1 : block.weight[i]);
    }
    fewer.append(buffer.finish());
    rows.release(b);
  }
  fewer.seal();
  rows = std::move(fewer);
  schema.hashed = {};
  schema.features = first + static_cast<std::uint32_t>(used.size());
}

void DealtRows::deal(unsigned count) {
  if (!racing) check_fills(count);
  if (racing) leave_out_unused();
  Generator draws(options.composition.seed ^ kDealing);
  std::vector<std::uint32_t> order;
  std::uint32_t next = 0;
  sizes.assign(count, 0);
  for (const std::vector<std::uint32_t>& members : rows_of_classes()) {
    order.resize(members.size());
    if (!order.empty()) shuffle(draws, order);
    for (const std::uint32_t place : order) {
      fold[members[place]] = next;
      ++sizes[next];
      next = (next + 1) % count;
    }
  }
}

void DealtRows::check_fills(unsigned count) const {
  const std::vector<std::vector<std::uint32_t>> of_class = rows_of_classes();
  const std::vector<std::string>& names = schema.labels.names;
  std::size_t smallest = 0;
  std::size_t present = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    present += !of_class[k].empty();
    if (of_class[k].size() < of_class[smallest].size()) smallest = k;
  }
  if (present < 2) {
    throw Error(ErrorKind::data, "the data have one class only: cross-validation needs two")
        .at(options.read.path)
        .fix("give rows of another class too, or train without " + option("folds"));
  }
  const std::size_t least = of_class[smallest].size();
  if (least >= count) return;
  throw Error(ErrorKind::usage, "the class '" + names[smallest] + "' has " + std::to_string(least) +
                                    (least == 1 ? " row" : " rows") + ", and every one of the " +
                                    std::to_string(count) + " folds needs one")
      .at(options.read.path)
      .fix(least >= 2 ? "give " + option("folds", std::to_string(least)) + ", or more rows of this class"
                      : "give more rows of this class, or leave it out");
}

}  // namespace halfspace::training
