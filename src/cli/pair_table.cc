// Formats the table.
#include "cli/pair_table.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"

namespace halfspace::cli {

std::size_t witness_rows(const PairwiseAnswer& answer) {
  return answer.verdict == proof::Verdict::not_separable ? answer.certificate.combinations.front().terms.size() : 0;
}

void write_certificate(const PairwiseAnswer& answer, const std::string& path) {
  const std::string text = proof::encode_certificate(answer.certificate);
  write_atomically(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, &interrupted());
}

std::string totals_text(const PairTotals& totals) {
  return fmt::format("  Search {}, verification {}, total {}.\n", duration(totals.search_seconds),
                     duration(totals.verify_seconds), duration(totals.seconds)) +
         "  " + bold(fmt::format("{} of {} questions decided", totals.decided, totals.asked)) +
         ", each by a proof checked in exact arithmetic.\n";
}

void PairTable::add(const PairwiseAnswer& answer) {
  const std::string mark = answer.verdict == proof::Verdict::separable       ? "yes"
                           : answer.verdict == proof::Verdict::not_separable ? std::to_string(witness_rows(answer))
                                                                             : "?";
  cells_[{answer.question.positive, answer.question.negative}] = mark;
}

std::string PairTable::text(const std::vector<std::string>& classes) const {
  constexpr std::size_t width = 12;
  const auto cell = [this](const std::string& a, const std::string& b) {
    const auto found = cells_.find({a, b});
    return found == cells_.end() ? std::string() : found->second;
  };
  Table table(std::vector<bool>(classes.size() + 2, false));
  std::vector<std::string> head = {""};
  for (const std::string& name : classes) head.push_back(shortened(name, width));
  head.emplace_back("rest");
  table.add(head);
  for (const std::string& a : classes) {
    std::vector<std::string> row = {shortened(a, width)};
    for (const std::string& b : classes) row.push_back(cell(a, b));
    row.push_back(cell(a, ""));
    table.add(row);
  }
  return table.text();
}

}  // namespace halfspace::cli
