// Predictions for the rows of files, block by block.
#include <limits>

#include "c/handles.h"
#include "halfspace/train/evaluate.h"

using namespace halfspace;
using namespace halfspace::c;

namespace {

// Predicts for blocks and passes the predictions on.
class FilePredictions {
 public:
  FilePredictions(halfspace_predictor& predictor, bool probabilities, halfspace_on_predictions* on_predictions,
                  void* context)
      : predictor_(predictor),
        deliver_(on_predictions),
        context_(context),
        vectors_(vectors_of(predictor.model)),
        probabilities_a_row_(probabilities ? std::max(2U, predictor.model.classes()) : 0) {}

  void predict(const Block& block) {
    resize(good_, block.rows);
    predict_block(predictor_.model, predictor_.predictor, block, good_.classes.data(), good_.scores.data(),
                  probabilities_a_row_ == 0 ? nullptr : good_.probabilities.data());
  }
  void deliver() const { deliver(good_); }

  // Delivers a block with its bad rows: the good ones are those last predicted, in their order.
  void deliver_with_bad(std::span<const RowText> rows) {
    resize(all_, rows.size());
    std::size_t good = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool bad = !rows[i].reason.empty();
      const double nothing = std::numeric_limits<double>::quiet_NaN();
      all_.classes[i] = bad ? -1 : good_.classes[good];
      for (std::size_t k = 0; k < vectors_; ++k)
        all_.scores[i * vectors_ + k] = bad ? nothing : good_.scores[good * vectors_ + k];
      for (std::size_t k = 0; k < probabilities_a_row_; ++k) {
        all_.probabilities[i * probabilities_a_row_ + k] =
            bad ? nothing : good_.probabilities[good * probabilities_a_row_ + k];
      }
      good += bad ? 0 : 1;
    }
    deliver(all_);
  }

 private:
  struct Arrays {
    std::vector<std::int32_t> classes;
    std::vector<double> scores, probabilities;
  };

  void resize(Arrays& arrays, std::size_t rows) const {
    arrays.classes.resize(rows);
    arrays.scores.resize(rows * vectors_);
    arrays.probabilities.resize(rows * probabilities_a_row_);
  }
  void deliver(const Arrays& arrays) const {
    if (arrays.classes.empty()) return;
    const halfspace_predictions predictions{
        .rows = arrays.classes.size(),
        .classes = arrays.classes.data(),
        .scores = arrays.scores.data(),
        .probabilities = probabilities_a_row_ == 0 ? nullptr : arrays.probabilities.data()};
    deliver_(context_, &predictions);
  }

  halfspace_predictor& predictor_;
  halfspace_on_predictions* deliver_;
  void* context_;
  std::size_t vectors_, probabilities_a_row_;
  Arrays good_, all_;
};

}  // namespace

extern "C" {

int halfspace_predict_files(halfspace_predictor* predictor, const halfspace_settings* settings, int32_t probabilities,
                            halfspace_on_predictions* on_predictions, void* context, const halfspace_watch* watch,
                            halfspace_error* error) {
  return guarded(error, [&] {
    halfspace_predictor& own = checked(predictor, "predictor");
    checked(on_predictions, "on_predictions");
    check_probabilities(own.model, probabilities != 0);
    ReadOptions read = read_for(own.model, read_options(settings_of<PredictSettings>(settings, "predict").data));
    read.labels.ignore = true;
    attend(read, nullptr, watch);
    FilePredictions predictions(own, probabilities != 0, on_predictions, context);
    const bool with_bad = read.on_error == OnError::skip;
    if (with_bad) read.on_rows = [&](std::span<const RowText> rows) { predictions.deliver_with_bad(rows); };
    const auto stopped = [&] { return read.interrupt != nullptr && read.interrupt->load(std::memory_order_relaxed); };
    Reader(read).read([&](const Block& block) {
      predictions.predict(block);
      if (!with_bad) predictions.deliver();
      return !stopped();
    });
    if (stopped()) throw Interrupted(read.path);
  });
}

}  // extern "C"
