// Finds the rows with the nearest scores in one pass.
#include "reasons/nearest_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/evaluate.h"
#include "train/run/second_reading.h"

namespace halfspace::reasons {
namespace {

// How far a row's label is ahead: of two classes its score, of several the score less that of the next class.
double lead_of(std::int32_t label, std::span<const double> scores) {
  if (scores.size() == 1) return scores[0];
  const ComparedClasses classes = Reasons::with_runner_up(label, scores);
  return scores[static_cast<std::size_t>(classes.label)] - scores[static_cast<std::size_t>(classes.other)];
}

class NearestSearch {
 public:
  NearestSearch(const Model& model, const FoundRow& row, std::uint64_t most)
      : predictor_(model), number_(row.number), counts_(most) {
    predictor_.score_all(row.block, labels_, scores_);
    label_ = labels_[0];
    lead_ = lead_of(label_, scores_);
  }

  void add(const Block& block) {
    const std::size_t vectors = predictor_.score_all(block, labels_, scores_);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.row[i] == number_ || (vectors > 1 && labels_[i] != label_)) continue;
      const double distance = std::abs(lead_of(labels_[i], std::span(scores_).subspan(i * vectors, vectors)) - lead_);
      if (std::isfinite(distance)) counts_.add(distance, block.label[i] != label_);
    }
  }
  std::optional<NearestRows> result() const { return counts_.result(); }

 private:
  Predictor predictor_;
  std::uint64_t number_;
  NearestCounts counts_;
  std::int32_t label_ = 0;
  double lead_ = 0;
  std::vector<std::int32_t> labels_;
  std::vector<double> scores_;
};

}  // namespace

void NearestCounts::add(double distance, bool otherwise) {
  if (rows_ >= most_ && (at_.empty() || distance > at_.rbegin()->first)) return;
  Count& count = at_[distance];
  ++count.rows;
  count.otherwise += otherwise ? 1 : 0;
  ++rows_;
  while (rows_ - at_.rbegin()->second.rows >= most_) {
    rows_ -= at_.rbegin()->second.rows;
    at_.erase(std::prev(at_.end()));
  }
}

std::optional<NearestRows> NearestCounts::result() const {
  if (at_.empty()) return std::nullopt;
  NearestRows result{.rows = rows_, .within = at_.rbegin()->first};
  for (const auto& [distance, count] : at_) result.otherwise += count.otherwise;
  return result;
}

std::optional<NearestRows> nearest_rows(const Model& model, const ReadOptions& read, const FoundRow& row,
                                        std::uint64_t most) {
  if (most == 0 || !(read.rows != nullptr || read.table_text != nullptr || training::can_be_read_again(read)))
    return std::nullopt;
  ReadOptions labelled = read_for(model, read);
  labelled.on_error = OnError::skip;
  labelled.rejects.clear();
  labelled.on_note = nullptr;
  NearestSearch search(model, row, most);
  const auto interrupted = [&] { return read.interrupt != nullptr && read.interrupt->load(std::memory_order_relaxed); };
  std::string fingerprint;
  try {
    Reader reader(labelled);
    reader.read([&](const Block& block) {
      search.add(block);
      return !interrupted();
    });
    fingerprint = reader.report().fingerprint;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::usage) throw;
    return std::nullopt;  // there are no labels, or none of the model's classes
  }
  if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: nothing was explained");
  std::optional<NearestRows> found = search.result();
  const std::vector<std::string>& learned = model.provenance.fingerprints;
  if (found) found->learned_from = std::find(learned.begin(), learned.end(), fingerprint) != learned.end();
  return found;
}

}  // namespace halfspace::reasons
