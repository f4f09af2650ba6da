// Passes over one source, and over all of them in turn.
#include "proof/large/row_passes.h"

#include <algorithm>
#include <utility>

namespace halfspace::proof {
namespace {

std::uint32_t rivals_of_classes(std::size_t classes) {
  return classes > 2 ? static_cast<std::uint32_t>(classes) - 1 : 0;
}

}  // namespace

SourceSurvey survey_source(const DescribedText& text, const std::string& path, std::uint32_t source,
                           std::uint32_t count, const SurveyOrder& order, const Budget& budget,
                           std::uint64_t& rows_read) {
  const std::size_t classes = text.labels.names.size();
  RowSample sample(order.sample_bytes / count, std::max<std::uint64_t>(1, order.sample_rows / count), classes,
                   rivals_of_classes(classes), source);
  RadiusOfRows radius;
  SourceSurvey found;
  auto next = std::lower_bound(order.wanted.begin(), order.wanted.end(), RowPosition{source, 0});
  found.scanned = scan(text.data, text.labels, path, budget, [&](const ExactRow& row, std::int32_t klass) {
    ++rows_read;
    radius.add(row);
    sample.offer(row, klass);
    if (next == order.wanted.end() || *next != RowPosition{source, row.number}) return;
    ++next;
    found.wanted.emplace_back(row, source, klass);
  });
  found.largest_square = radius.square();
  found.sample = sample.take();
  return found;
}

SourcePrices price_source(const DescribedText& text, const std::string& path, std::uint32_t source,
                          const PriceOrder& order, const Budget& budget) {
  const Asked& asked = order.asked;
  RowScorer scorer(order.separator, asked.bias_scale, asked.many() ? std::nullopt : std::optional(asked.positive));
  WorstRows worst(order.most_bytes, order.most_rows, asked.rivals());
  const double nearest = scorer.scaled_down(mpq_class(order.separator.minimum)) * (1 - 1e-9);
  scan(text.data, text.labels, path, unlimited, [&](const ExactRow& row, std::int32_t klass) {
    if (row.number % 1024 == 0) budget.check();
    const double agreement = scorer.add(row, klass);
    if (!(agreement > 0) || agreement < nearest) worst.offer(agreement, row, source, klass);
  });
  return {scorer.facts(), worst.take()};
}

LocalPasses::LocalPasses(DescribedText text, std::vector<std::string> paths)
    : text_(std::move(text)), paths_(std::move(paths)) {}

void LocalPasses::survey(const SurveyOrder& order, const Budget& budget, std::uint64_t& rows_read,
                         const std::function<void(SourceSurvey)>& take) {
  const auto count = static_cast<std::uint32_t>(paths_.size());
  for (std::uint32_t source = 0; source < count; ++source)
    take(survey_source(text_, paths_[source], source, count, order, budget, rows_read));
}

void LocalPasses::price(const PriceOrder& order, const Budget& budget, const std::function<void(SourcePrices)>& take) {
  for (std::uint32_t source = 0; source < paths_.size(); ++source)
    take(price_source(text_, paths_[source], source, order, budget));
}

}  // namespace halfspace::proof
