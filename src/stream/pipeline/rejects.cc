// Writes rejected rows as a CSV file.
#include "stream/pipeline/rejects.h"

#include <algorithm>

#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t most_pending_rejects = std::size_t{1} << 16;

}  // namespace

Rejects::Rejects(const std::string& path, const std::atomic<bool>* interrupt)
    : out_(path, interrupt), pending_("file,line,column,reason,text\n") {}

void Rejects::write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
                    std::string_view text) {
  pending_ += csv_field(file);
  pending_ += "," + std::to_string(line) + "," + std::to_string(column) + ",";
  pending_ += csv_field(reason);
  pending_ += ',';
  pending_ += csv_field(text);
  pending_ += '\n';
  if (pending_.size() >= most_pending_rejects) flush();
}

void Rejects::flush() {
  out_.write({reinterpret_cast<const std::uint8_t*>(pending_.data()), pending_.size()});
  pending_.clear();
}

void Rejects::finish() {
  flush();
  out_.commit();
}

void RowTexts::collect(ParsedChunk& parsed, const Format& format) {
  rows_.clear();
  const std::span<const std::uint64_t> good = parsed.rows.row_numbers();
  for (std::size_t i = 0; i < good.size(); ++i) rows_.push_back({.row = good[i], .line = parsed.line_of_row[i]});
  const auto middle = static_cast<std::ptrdiff_t>(rows_.size());
  for (const BadRow& bad : parsed.bad) rows_.push_back({.row = bad.row, .line = bad.line});
  std::inplace_merge(rows_.begin(), rows_.begin() + middle, rows_.end(),
                     [](const RowText& a, const RowText& b) { return a.row < b.row; });

  records_.clear();
  kept_.texts.clear();
  kept_.own.clear();
  const std::size_t columns = format.kept_names().size();
  if (columns == 0) return;
  std::string_view text = parsed.text;
  std::uint64_t line = 0;
  for (const RowText& row : rows_) {
    for (; line < row.line; ++line) text.remove_prefix(text.find('\n') + 1);
    records_.push_back(text);
  }
  format.keep(records_, kept_);
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].kept = std::span(kept_.texts).subspan(i * columns, columns);
}

void RowTexts::give(const std::vector<BadRow>& bad, bool stop_at_bad, const Before& before,
                    const std::function<void(std::span<const RowText>)>& on_rows) {
  auto next = bad.begin();
  std::size_t count = 0;
  for (RowText& row : rows_) {
    if (next != bad.end() && next->row == row.row) {
      if (stop_at_bad) break;
      row.column = next->column;
      row.reason = next->reason;
      ++next;
    }
    row.file = before.file;
    row.row += before.rows + 1;
    row.line += before.lines + 1;
    ++count;
  }
  if (count != 0) on_rows(std::span<const RowText>(rows_).first(count));
}

}  // namespace halfspace::stream
