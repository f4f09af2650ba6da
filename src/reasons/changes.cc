// Ranges by quotients, radii by norms; one number with a logarithm by bisection.
#include "halfspace/reasons/changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/base/error.h"
#include "reasons/cheapest.h"
#include "reasons/decimal_towards.h"
#include "reasons/row_columns.h"

namespace halfspace {
namespace {

using reasons::RowColumns;

void refuse_joint_values(const Model& model) {
  if (!model.schema.row_normalised && !model.schema.single) return;
  throw Error(ErrorKind::usage, "the model changes each row as a whole before it is scored: " +
                                    std::string(model.schema.row_normalised ? "divides it by its norm"
                                                                            : "rounds its values to single precision"))
      .fix("train with " + option("normalize", "column") + ", or without scaling");
}

// Returns the end of the range on one side, by quotients.
std::optional<double> linear_end(const RowColumns& row, std::uint32_t column, bool up) {
  std::optional<mpq_class> nearest;
  const mpq_class x(row.number(column));
  for (std::size_t r = 0; r < row.exact().rivals().size(); ++r) {
    const mpq_class slope = row.slope(column, r);
    if (slope == 0 || (slope < 0) != up) continue;
    const mpq_class end = x - row.exact().lead(r) / slope;
    if (!nearest || (up ? end < *nearest : end > *nearest)) nearest = end;
  }
  if (!nearest || reasons::beyond_doubles(*nearest)) return std::nullopt;
  return reasons::within(*nearest, row.number(column), [&](double at) { return row.holds_at(column, at); });
}

std::optional<double> curved_end(const RowColumns& row, std::uint32_t column, bool up) {
  const auto ends = row.last_that_holds(column, up);
  if (!ends) return std::nullopt;
  return reasons::within(mpq_class(ends->first), row.number(column),
                         [&](double at) { return row.holds_clearly(column, at) || at == row.number(column); });
}

}  // namespace

struct RowChanges::Impl {
  Impl(const Model& model, const Block& block, std::size_t i) : row(model, block, i) {}
  RowColumns row;
};

RowChanges::RowChanges(const Model& model, const Block& block, std::size_t i) {
  refuse_joint_values(model);
  const Reasons can_be_explained(model, reference_at_zero());  // or is refused
  impl_ = std::make_unique<Impl>(model, block, i);
}
RowChanges::~RowChanges() = default;
RowChanges::RowChanges(RowChanges&&) noexcept = default;

std::int32_t RowChanges::label() const { return impl_->row.exact().label(); }
const SourceColumns& RowChanges::columns() const { return impl_->row.columns(); }

std::optional<double> RowChanges::value(std::uint32_t column) const {
  if (!impl_->row.is_number(column)) return std::nullopt;
  return impl_->row.number(column);
}

std::optional<std::string> RowChanges::category(std::uint32_t column) const { return impl_->row.category(column); }

bool RowChanges::is_missing(std::uint32_t column) const { return impl_->row.is_missing(column); }

std::optional<ColumnRange> RowChanges::range(std::uint32_t column) const {
  const RowColumns& row = impl_->row;
  if (!row.is_number(column) || columns().columns[column].in_products) return std::nullopt;
  const bool curved = row.is_curved(column);
  if (curved && !row.is_monotone(column)) return std::nullopt;
  const auto end = curved ? curved_end : linear_end;
  return ColumnRange{row.number(column), end(row, column, false), end(row, column, true)};
}

std::optional<Radius> RowChanges::radius() const {
  const RowColumns& row = impl_->row;
  std::optional<Radius> least;
  for (std::size_t r = 0; r < row.exact().rivals().size(); ++r) {
    mpq_class largest = 0, sum = 0, squares = 0;
    for (std::uint32_t c = 0; c < columns().columns.size(); ++c) {
      const SourceColumns::Column& column = columns().columns[c];
      const bool hashed = column.from.empty() && column.feature == Column::no_feature;
      const bool bends = hashed || column.in_products || column.from.size() > 1 || row.is_curved(c);
      if (bends && row.has_weight(c)) return std::nullopt;
      if (!row.is_number(c)) continue;
      const mpq_class size = abs(row.slope(c, r));
      largest = std::max(largest, size);
      sum += size;
      squares += size * size;
    }
    if (sum == 0) continue;
    const mpq_class& lead = row.exact().lead(r);
    const Radius radius{reasons::decimal_towards(lead / largest, false, 6),
                        reasons::root_down(lead * lead / squares, 6), reasons::decimal_towards(lead / sum, false, 6)};
    if (!least) least = radius;
    least->l1 = std::min(least->l1, radius.l1);
    least->l2 = std::min(least->l2, radius.l2);
    least->infinity = std::min(least->infinity, radius.infinity);
  }
  return least;
}

CheapestChange RowChanges::cheapest(const ChangeOptions& options) const {
  return reasons::cheapest_change(impl_->row, options);
}

}  // namespace halfspace
