// Grows, exports and stores weights with additional numbers each.
#include "halfspace/detail/linear/weights/records.h"

namespace halfspace {

template <std::size_t numbers>
void RecordWeights<numbers>::grow(std::uint32_t features) {
  std::size_t at = records_.size();
  if (numbers * std::size_t{features} <= at) return;
  records_.resize(numbers * std::size_t{features});
  for (; at < records_.size(); at += numbers) {
    std::copy(first_.begin(), first_.end(), records_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

template <std::size_t numbers>
WeightVector RecordWeights<numbers>::point() const {
  WeightVector point;
  point.w.resize(features());
  for (std::size_t j = 0; j < point.w.size(); ++j) point.w[j] = records_[numbers * j];
  point.bias = bias_record_[0];
  return point;
}

template <std::size_t numbers>
void RecordWeights<numbers>::save_moments(std::vector<double>& moments) const {
  moments.clear();
  moments.reserve(moments_each * (features() + std::size_t{1}));
  const auto save = [&](const double* record) { moments.insert(moments.end(), record + 1, record + numbers); };
  for (std::size_t j = 0; j < features(); ++j) save(records_.data() + numbers * j);
  if (bias_.position != Bias::none) save(bias_record_.data());
}

template <std::size_t numbers>
void RecordWeights<numbers>::restore(const WeightVector& stored) {
  grow(static_cast<std::uint32_t>(stored.w.size()));
  for (std::size_t j = 0; j < stored.w.size(); ++j) records_[numbers * j] = stored.w[j];
  bias_record_[0] = stored.bias;
}

template <std::size_t numbers>
void RecordWeights<numbers>::restore_moments(const std::vector<double>& moments) {
  const std::size_t biases = bias_.position == Bias::none ? 0 : 1;
  if (moments.size() != moments_each * (features() + biases))
    refuse_state("the number of moments does not match the weights");
  auto next = moments.begin();
  const auto take = [&](double* record) {
    std::copy_n(next, moments_each, record + 1);
    next += moments_each;
  };
  for (std::size_t j = 0; j < features(); ++j) take(records_.data() + numbers * j);
  if (biases != 0) take(bias_record_.data());
}

template class RecordWeights<2>;
template class RecordWeights<3>;
template class RecordWeights<5>;

}  // namespace halfspace
