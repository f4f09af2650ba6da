// Chooses rows and makes points of them.
#include "proof/large/working_set.h"

#include <algorithm>
#include <utility>

namespace halfspace::proof {

KeptRow::KeptRow(const ExactRow& exact, std::uint32_t source, std::int32_t row_class)
    : position{source, exact.number}, klass(row_class) {
  numbers.reserve(exact.entries.size());
  for (const ExactRow::Entry& entry : exact.entries) {
    if (entry.value.big) {
      long_numbers.emplace_back(entry.coordinate, entry.value);
    } else {
      numbers.push_back({entry.coordinate, static_cast<std::int32_t>(entry.value.exponent), entry.value.mantissa});
    }
  }
}

std::uint64_t bytes_in_search(const KeptRow& row, std::uint32_t rivals) {
  constexpr std::uint64_t a_row = 224, a_number = 56, a_long_number = 256, a_point = 128, a_coordinate = 80;
  const std::uint64_t numbers = row.numbers.size() + row.long_numbers.size();
  return a_row + a_number * row.numbers.size() + a_long_number * row.long_numbers.size() +
         rivals * (a_point + a_coordinate * numbers);
}

RowSample::RowSample(std::uint64_t bytes, std::size_t most, std::size_t classes, std::uint32_t rivals,
                     std::uint32_t source)
    : classes_(std::max<std::size_t>(1, classes)),
      bytes_(bytes / classes_.size()),
      rivals_(rivals),
      source_(source),
      draws_(std::uint64_t{1} + source) {
  for (OfClass& own : classes_) own.most = std::max<std::size_t>(1, most / classes_.size());
}

void RowSample::offer(const ExactRow& row, std::int32_t klass) {
  OfClass& own = classes_[static_cast<std::size_t>(klass)];
  ++own.seen;
  if (own.rows.size() < own.most) {
    KeptRow kept(row, source_, klass);
    const std::uint64_t bytes = bytes_in_search(kept, rivals_);
    if (own.rows.empty() || own.bytes + bytes <= bytes_) {
      own.bytes += bytes;
      own.rows.push_back(std::move(kept));
      return;
    }
    own.most = own.rows.size();
  }
  const std::uint64_t at = draws_() % own.seen;
  if (at >= own.rows.size()) return;
  KeptRow kept(row, source_, klass);
  KeptRow& old = own.rows[static_cast<std::size_t>(at)];
  const std::uint64_t bytes = own.bytes - bytes_in_search(old, rivals_) + bytes_in_search(kept, rivals_);
  if (bytes > std::max(bytes_, own.bytes)) return;  // a long row: it would take the place of several
  own.bytes = bytes;
  old = std::move(kept);
}

std::vector<KeptRow> RowSample::take() {
  std::vector<KeptRow> rows;
  for (OfClass& own : classes_) std::move(own.rows.begin(), own.rows.end(), std::back_inserter(rows));
  return rows;
}

WorstRows::WorstRows(std::uint64_t bytes, std::size_t most, std::uint32_t rivals)
    : limit_(bytes), most_(most), rivals_(rivals) {}

bool WorstRows::refuses(double agreement) const {
  const bool full = heap_.size() >= most_ || bytes_ >= limit_;
  return full && (heap_.empty() || agreement >= heap_.front().row.agreement);
}

void WorstRows::offer(double agreement, const ExactRow& row, std::uint32_t source, std::int32_t klass) {
  if (!refuses(agreement)) offer({agreement, KeptRow(row, source, klass)});
}

void WorstRows::offer(RatedRow row) {
  if (refuses(row.agreement)) return;
  const auto better = [](const Entry& a, const Entry& b) { return a.row.agreement < b.row.agreement; };
  const std::uint64_t bytes = bytes_in_search(row.row, rivals_);
  if (bytes > limit_) return;
  bytes_ += bytes;
  heap_.push_back({bytes, std::move(row)});
  std::push_heap(heap_.begin(), heap_.end(), better);
  while (heap_.size() > most_ || bytes_ > limit_) {
    std::pop_heap(heap_.begin(), heap_.end(), better);
    bytes_ -= heap_.back().bytes;
    heap_.pop_back();
  }
}

std::vector<RatedRow> WorstRows::take() {
  std::vector<RatedRow> rows;
  for (Entry& entry : heap_) rows.push_back(std::move(entry.row));
  heap_.clear();
  bytes_ = 0;
  return rows;
}

void WorkingSet::add(std::vector<KeptRow> rows) {
  std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
  std::sort(rows_.begin(), rows_.end(), [](const KeptRow& a, const KeptRow& b) { return a.position < b.position; });
  const auto same = [](const KeptRow& a, const KeptRow& b) { return a.position == b.position; };
  rows_.erase(std::unique(rows_.begin(), rows_.end(), same), rows_.end());
  bytes_ = 0;
  for (const KeptRow& row : rows_) bytes_ += bytes_in_search(row, rivals_);
}

void WorkingSet::keep(const std::vector<std::uint32_t>& positions) {
  std::vector<KeptRow> kept;
  kept.reserve(positions.size());
  for (const std::uint32_t position : positions) kept.push_back(std::move(rows_[position]));
  rows_.clear();
  add(std::move(kept));
}

std::unique_ptr<Points> WorkingSet::points(std::uint32_t features, const RowsOptions& memory) const {
  auto points = std::make_unique<Points>(memory);
  const auto add_all = [&] {
    for (const KeptRow& row : rows_) {
      for (const KeptRow::Number& number : row.numbers)
        points->add(number.coordinate, number.mantissa, number.exponent);
      for (const auto& [coordinate, value] : row.long_numbers)
        points->add(coordinate, *value.big, static_cast<std::int32_t>(value.exponent));
      points->end_row(row.position.source, row.position.row, row.klass);
    }
  };
  add_all();
  if (points->outgrown()) {
    points->begin_again(features);
    add_all();
  }
  points->finish(features);
  return points;
}

}  // namespace halfspace::proof
