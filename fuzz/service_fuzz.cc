// Requests of any bytes to the learner of the service: they are answered, and the log replays to the same model.
//
// The input: a byte for the format of the model, then requests, each a byte for its kind, its id up to a NUL, and its body
// up to a NUL. An id ID#SEQUENCE numbers the request, too.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
#include "memory_storage.h"
#include "service/answers.h"

using namespace halfspace;
using namespace halfspace::service;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

Model model_on(std::string_view text, const std::string& label) {
  TrainOptions options;
  options.read.path = "rows";
  options.read.columns.label = label;
  Reader reader(options.read, text);
  Trainer trainer(options, reader.schema());
  reader.read([&](const Block& block) { return trainer.learn(block); });
  return trainer.result(&reader).model;
}

const std::vector<Model>& models() {
  static const std::vector<Model> all = {
      model_on("1 1:1 2:3\n-1 1:2 3:1\n", ""), model_on("age,colour,class\n3,red,yes\n8,blue,no\n", "class"),
      model_on("1 |a x y:2\n-1 |a z |b u\n", ""),
      model_on("{\"age\":3,\"class\":\"yes\"}\n{\"age\":8,\"colour\":\"blue\",\"class\":\"no\"}\n", "class")};
  return all;
}

std::string_view up_to_nul(std::string_view& text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

Request request_of(std::string_view& text) {
  static constexpr const char* kinds[][2] = {{"POST", "/learn"},   {"POST", "/predict"}, {"POST", "/truth"},
                                             {"DELETE", "/row/x"}, {"PUT", "/model"},    {"GET", "/ledger"},
                                             {"GET", "/"}};
  const auto kind = static_cast<unsigned char>(text.front()) % std::size(kinds);
  text.remove_prefix(1);
  Request request{kinds[kind][0], kinds[kind][1], {}, {}};
  const std::string_view id = up_to_nul(text);
  if (const std::size_t number = id.find('#'); number != std::string_view::npos)
    request.query["sequence"] = id.substr(number + 1);
  if (const std::string_view name = id.substr(0, id.find('#')); !name.empty()) request.query["id"] = name;
  request.body = up_to_nul(text);
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Model& model = models()[data[0] % models().size()];
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  log::MemoryStorage storage;
  std::vector<std::uint8_t> live;
  LiveCounts counts;
  SourcePositions sources;
  {
    LiveLearner learner(storage, &model, {.segment_bytes = 200, .snapshot_events = 5, .most_features = 4096});
    LearningAnswers learning(learner);
    PredictionAnswers predictions(learning.publish());
    while (!text.empty()) {
      const Request request = request_of(text);
      const Answer answer = PredictionAnswers::answers(request) ? predictions.answer(request)
                                                                : learning.answer(std::span(&request, 1)).at(0);
      require(answer.status >= 200 && answer.status < 500 && !answer.body.empty());
    }
    live = encode(learner.model());
    counts = learner.counts();
    sources = learner.sources();
  }
  const LiveLearner again(storage, nullptr, {.segment_bytes = 200, .snapshot_events = 5, .most_features = 4096});
  require(encode(again.model()) == live);
  require(again.counts() == counts && again.sources() == sources);
  return 0;
}
