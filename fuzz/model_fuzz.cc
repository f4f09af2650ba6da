// Any bytes given for a model: refused with Error(data), or a model that predicts and gives these very bytes.
//
// The first byte is the mode. Odd: the rest with its checksum made right, so that the fields are reached; even: as it
// is.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "model/format.h"

namespace {

using namespace halfspace;

void predict(const Model& model) {
  BlockBuffer buffer;
  for (std::uint32_t row = 0; row < 3; ++row) {
    for (std::uint32_t j = row; j < 12; j += 1 + row) buffer.add(j, row == 0 ? 1.0 : 0.5 * j - 2);
    buffer.end_row(0, row + 1);
  }
  std::vector<std::int32_t> classes;
  std::vector<double> scores;
  Predictor(model).predict(buffer.finish(), classes, scores);
  const auto most = model.classes() < 2 ? 2 : static_cast<std::int32_t>(model.classes());
  for (const std::int32_t k : classes) {
    if (k < 0 || k >= most) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::vector<std::uint8_t> bytes(data + 1, data + size);
  if (data[0] % 2 == 1 && bytes.size() >= model::kChecksumBytes) {
    const std::size_t end = bytes.size() - model::kChecksumBytes;
    const model::Checksum sum = model::checksum(std::span(bytes).first(end));
    for (std::size_t i = 0; i < sum.size(); ++i) bytes[end + i] = sum[i];
  }
  Model model;
  try {
    model = decode(bytes, "fuzz");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) std::abort();
    return 0;
  }
  if (encode(model) != bytes) std::abort();
  try {
    predict(model);
    // What resuming does with it.
    const auto learner = make_learner(model.composition, model.classes() < 2 ? 2 : model.classes());
    learner->restore(model.learner);
    learner->finish();
    learner->result();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) std::abort();  // weights that leave the doubles
  }
  return 0;
}
