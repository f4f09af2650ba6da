// Texts of columns that are kept along with the rows.
#include <algorithm>

#include "stream/csv/csv.h"

namespace halfspace::stream {

std::vector<std::string> Csv::kept_names() const {
  std::vector<std::string> names;
  for (const std::uint32_t field : plan_.kept) names.push_back(plan_.names[field]);
  return names;
}

// Returns the kept texts of a bad record: those before its flaw, as far as known, are reliable.
void Csv::keep(std::span<const std::string_view> records, KeptTexts& kept) const {
  if (plan_.kept.empty()) return;
  std::vector<CsvField> fields(*std::max_element(plan_.kept.begin(), plan_.kept.end()) + std::size_t{1});
  for (const std::string_view text : records) {
    std::fill(fields.begin(), fields.end(), CsvField());
    const CsvRecord record = scan_record(text.data(), text.data() + text.size(), *grammar_, fields);
    for (const std::uint32_t number : plan_.kept) {
      const CsvField& field = fields[number];
      const bool there = field.begin != nullptr && (record.flaw == CsvFlaw::none || field.end <= record.flaw_at);
      if (!there) {
        kept.texts.emplace_back();
      } else if (field.doubled != '\0') {
        kept.texts.emplace_back(kept.own.emplace_back(field.unescaped()));
      } else {
        kept.texts.push_back(field.text());
      }
    }
  }
}

}  // namespace halfspace::stream
