// Stores support vectors by feature: computes the inner products with all of them at once.
#include "halfspace/detail/linear/kernel_expansion.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/kernels/kernels.h"

namespace halfspace {
namespace {

// A column becomes dense when this share (1 / n) of the support vectors have the feature.
constexpr std::size_t kDenseShare = 6;
constexpr std::size_t kLeastDense = 64;  // of fewer support vectors no column is dense

std::uint64_t digest(const KernelRow& x) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  const auto mix = [&](std::uint64_t bits) {
    hash = (hash ^ bits) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 29;
  };
  for (std::uint32_t k = 0; k < x.size; ++k) {
    mix(x.index[k]);
    mix(std::bit_cast<std::uint64_t>(x.value[k]));
  }
  return hash;
}

Example<double, true> dense_view(const std::vector<double>& value) {
  return {nullptr, value.data(), static_cast<std::uint32_t>(value.size()), 0, 1.0, 0.0, 0};
}

// With it scores would be no numbers: a Gaussian kernel needs squared distances.
void refuse_large_norm(const KernelRow& x) {
  if (x.squared_norm <= std::numeric_limits<double>::max() / 4) return;
  throw Error(ErrorKind::data,
              "squared distances from data row " + std::to_string(x.row) + " leave the range of doubles")
      .fix("scale the data: " + option("normalize", "row") + ", or " + option("normalize", "column"));
}

}  // namespace

KernelRow KernelExpansion::row(std::size_t i) const {
  const Row& row = rows_[i];
  return {
      row.index.data(), row.value.data(), static_cast<std::uint32_t>(row.index.size()), 0, 1.0, row.squared_norm, 0};
}

void KernelExpansion::values(const KernelRow& x, std::vector<double>& values) const {
  values.assign(rows_.size(), 0.0);
  for (std::uint32_t k = 0; k < x.size; ++k) {
    const auto found = column_of_.find(x.index[k]);
    if (found == column_of_.end()) continue;
    const Column& column = columns_[found->second];
    if (column.dense) {
      kernels::add(values.data(), x.value[k], dense_view(column.value));
    } else if (!column.value.empty()) {
      kernels::add(values.data(), x.value[k],
                   KernelRow{column.position.data(), column.value.data(),
                             static_cast<std::uint32_t>(column.value.size()), 0, 1.0, 0.0, 0});
    }
  }
  const double bias = bias_.squared();
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = kernel_(values[i], x.squared_norm, squared_norms_[i]) + bias;
  }
}

double KernelExpansion::sum(const std::vector<double>& values) const {
  return kernels::dot(coefficients_.data(), dense_view(values), 0.0);
}

std::optional<std::size_t> KernelExpansion::find(const KernelRow& x, double sign) const {
  const auto [first, last] = positions_.equal_range(digest(x));
  std::optional<std::size_t> found;  // the lowest position: the order of equal digests is unspecified
  for (auto it = first; it != last; ++it) {
    const std::size_t i = it->second;
    const Row& row = rows_[i];
    const bool same = row.index.size() == x.size && std::equal(x.index, x.index + x.size, row.index.begin()) &&
                      std::equal(x.value, x.value + x.size, row.value.begin());
    if (!same || (sign != 0 && !(coefficients_[i] * sign > 0))) continue;
    if (!found || i < *found) found = i;
  }
  return found;
}

void KernelExpansion::append(const KernelRow& x, double coefficient) {
  if (kernel_.name == KernelName::gaussian) refuse_large_norm(x);
  rows_.push_back({{x.index, x.index + x.size}, {x.value, x.value + x.size}, x.squared_norm});
  coefficients_.push_back(coefficient);
  squared_norms_.push_back(x.squared_norm);
  for (const std::uint32_t j : dense_) columns_[j].value.push_back(0.0);
  enter(rows_.size() - 1);
}

void KernelExpansion::replace(std::size_t i, const KernelRow& x, double coefficient) {
  if (kernel_.name == KernelName::gaussian) refuse_large_norm(x);
  leave(i);
  rows_[i].index.assign(x.index, x.index + x.size);
  rows_[i].value.assign(x.value, x.value + x.size);
  rows_[i].squared_norm = x.squared_norm;
  coefficients_[i] = coefficient;
  squared_norms_[i] = x.squared_norm;
  enter(i);
}

void KernelExpansion::enter(std::size_t i) {
  const KernelRow x = row(i);
  positions_.emplace(digest(x), static_cast<std::uint32_t>(i));
  for (std::uint32_t k = 0; k < x.size; ++k) {
    if (x.value[k] == 0) continue;
    const auto [entry, fresh] = column_of_.try_emplace(x.index[k], static_cast<std::uint32_t>(columns_.size()));
    if (fresh) columns_.emplace_back();
    Column& column = columns_[entry->second];
    if (column.dense) {
      column.value[i] = x.value[k];
      continue;
    }
    column.position.push_back(static_cast<std::uint32_t>(i));
    column.value.push_back(x.value[k]);
    if (rows_.size() < kLeastDense || column.value.size() * kDenseShare < rows_.size()) continue;
    std::vector<double> all(rows_.size(), 0.0);
    for (std::size_t p = 0; p < column.value.size(); ++p) all[column.position[p]] = column.value[p];
    column = {{}, std::move(all), true};
    dense_.push_back(entry->second);
  }
}

void KernelExpansion::leave(std::size_t i) {
  const KernelRow x = row(i);
  const auto [first, last] = positions_.equal_range(digest(x));
  positions_.erase(std::find_if(first, last, [&](const auto& entry) { return entry.second == i; }));
  for (std::uint32_t k = 0; k < x.size; ++k) {
    if (x.value[k] == 0) continue;
    Column& column = columns_[column_of_.at(x.index[k])];
    if (column.dense) {
      column.value[i] = 0;
      continue;
    }
    const auto at = std::find(column.position.begin(), column.position.end(), static_cast<std::uint32_t>(i));
    const auto p = static_cast<std::size_t>(at - column.position.begin());
    column.position[p] = column.position.back();
    column.value[p] = column.value.back();
    column.position.pop_back();
    column.value.pop_back();
  }
}

KernelExpansion expansion_of(const Kernel& kernel, BiasOptions bias, const KernelState& state, std::uint64_t finished) {
  const std::size_t size = state.coefficient.size();
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::data, std::string("the learner's state does not fit its composition: ") + what);
  };
  if (state.begin.size() != size || (!state.lag.empty() && state.lag.size() != size) ||
      state.value.size() != state.index.size())
    refuse("support vectors are incomplete");
  KernelExpansion expansion(kernel, bias);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t begin = state.begin[i];
    const std::uint64_t end = i + 1 < size ? state.begin[i + 1] : state.index.size();
    if (begin > end || end > state.index.size()) refuse("support vectors overlap");
    double coefficient = state.coefficient[i];
    if (!state.lag.empty() && finished != 0) coefficient -= state.lag[i] / static_cast<double>(finished);
    expansion.append({state.index.data() + begin, state.value.data() + begin, static_cast<std::uint32_t>(end - begin),
                      0, 1.0, kernels::squared_norm(state.value.data() + begin, end - begin), 0},
                     coefficient);
  }
  return expansion;
}

}  // namespace halfspace
