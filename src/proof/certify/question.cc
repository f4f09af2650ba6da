// Reads a question: rows in memory if they fit, else by passes.
#include "proof/certify/question.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "proof/certify/certify_record.h"
#include "proof/coefficients/certify_coefficients.h"
#include "proof/decide/pairs.h"
#include "proof/large/resume.h"

namespace halfspace::proof {
namespace {

bool is_negative_number(const std::string& label) {
  const auto number = parse_decimal(label);
  return number && number->value() <= 0;
}

// Makes two classes of fewer, and returns the number of the positive one. A single class is positive, unless its label
// is a number of at most 0.
std::int32_t complete_classes(std::vector<LabelGroup>& classes) {
  // A class without rows has no labels.
  for (LabelGroup& group : classes) {
    if (group.rows == 0) group.labels.clear();
  }
  if (classes.size() >= 2) return 1;
  if (!classes.empty() && !classes[0].labels.empty() && is_negative_number(classes[0].labels[0])) {
    classes.emplace_back();
    return 1;
  }
  classes.insert(classes.begin(), 2 - classes.size(), LabelGroup{});
  return 0;
}

mpq_class bias_scale_of(const CertifyOptions& options) {
  const auto scale = parse_decimal(options.bias_scale);
  if (!scale || scale->value() <= 0 || std::abs(scale->exponent) > 1000) {
    throw Error(ErrorKind::usage, "the bias scale must be a decimal above 0, not '" + options.bias_scale + "'")
        .fix("1 is the default");
  }
  return options.bias != BiasPosition::none ? scale->value() : mpq_class(1);
}

void check_coefficients(const QuestionData& question, const CertifyResult& result) {
  if (question.paths.size() > 1) {
    throw Error(ErrorKind::usage, "coefficients are examined in one file, not in several")
        .fix("join the files into one, keeping only the first header");
  }
  const Data& data = question.loaded.data;
  if (question.asked.many()) {
    throw Error(ErrorKind::usage,
                "coefficients are those of two classes; the data have " + std::to_string(data.classes.size()))
        .fix("give rows of two classes");
  }
  const std::uint32_t count = data.features + (question.asked.biased ? 1 : 0);
  if (count > most_coefficients) {
    throw Error(ErrorKind::usage, std::to_string(count) + " coefficients are too many: at most " +
                                      std::to_string(most_coefficients) + " are examined")
        .fix("give fewer columns");
  }
  if (result.rows == 0) throw Error(ErrorKind::data, "there is no row").at(question.paths.front());
}

// Completes the description of the data by the classes and the bias.
void describe_question(const CertifyOptions& options, std::uint64_t rows, QuestionData& question,
                       CertifyResult& result) {
  Data& data = question.loaded.data;
  const std::int32_t positive = complete_classes(data.classes);
  data.bias = options.bias;
  const bool biased = options.bias != BiasPosition::none;
  if (!biased) result.errors_tie = options.tie == Tie::negative ? Tie::negative : Tie::positive;
  const mpq_class bias_scale = bias_scale_of(options);
  data.bias_scale = bias_scale.get_str();
  question.asked = {static_cast<std::uint32_t>(data.classes.size()), positive, biased, bias_scale};
  if (question.asked.many()) result.certificate.question = Question::many_classes;
  result.certificate.tool = std::string("halfspace ") + kVersion;
  result.certificate.data = data;
  result.rows = rows;
  result.features = data.features;
  result.one_class = rows > 0 && std::any_of(data.classes.begin(), data.classes.end(),
                                             [&](const LabelGroup& group) { return group.rows == rows; });
  if (options.coefficients) check_coefficients(question, result);
}

void load_question(const CertifyOptions& options, const Budget& budget, QuestionData& question, CertifyResult& result) {
  Loaded& loaded = question.loaded;
  load(options.read, question.paths, options.memory, budget, loaded);
  describe_question(options, loaded.points->size(), question, result);
  if (!options.record) return;
  result.feature_names = loaded.schema.feature_names();
  if (result.features == 2 && !question.asked.many()) result.plane = plane_points(*loaded.points, result.rows);
}

// Prepares to read the rows by passes, as their points exceed the memory.
void stream_question(const CertifyOptions& options, const Budget& budget, QuestionData& question,
                     CertifyResult& result) {
  Loaded& loaded = question.loaded;
  loaded.points.reset();
  question.posed.many.reset();
  if (question.remote == nullptr)
    question.local.emplace(DescribedText{loaded.data, loaded.schema.labels}, question.paths);
  question.streamed.emplace(
      loaded, question.remote != nullptr ? static_cast<RowPasses&>(*question.remote) : *question.local, options.memory);
  question.streamed->survey(loaded, options.resume ? rows_of(*options.resume) : std::vector<RowPosition>(), budget);
  describe_question(options, question.streamed->rows(), question, result);
  if (options.record) result.feature_names = loaded.schema.feature_names();
}

}  // namespace

QuestionData::QuestionData(const ReadOptions& read, RemoteData* its_remote) : paths{read.path}, remote(its_remote) {
  paths.insert(paths.end(), read.more.begin(), read.more.end());
}

void read_question(const CertifyOptions& options, const Budget& budget, QuestionData& question, CertifyResult& result) {
  if (question.remote != nullptr) {
    question.remote->describe(question.loaded, budget);
    return stream_question(options, budget, question, result);
  }
  try {
    load_question(options, budget, question, result);
  } catch (const GaveUp& why) {
    if (!why.for_memory) throw;
    stream_question(options, budget, question, result);
  }
}

Opening pose_question(const CertifyOptions& options, const Budget& search, const Budget& whole,
                      const std::function<void(const char* stage, Bracket)>& progress, QuestionData& question,
                      CertifyResult& result) {
  std::optional<PairFinding> pair;
  if (question.asked.many() && !options.resume) {
    Budget half = search;
    const auto now = std::chrono::steady_clock::now();
    if (options.seconds > 0) half.end = now + (std::max(half.end, now) - now) / 2;
    pair = inseparable_pair(*question.loaded.points, question.asked, half, progress);
  }
  const auto pose_pair = [&] {
    question.posed = pose_part(*question.loaded.points, question.asked, pair->origins, options.memory, unlimited);
  };
  if (pair && pair->witness) {
    pose_pair();
    return {.witness = std::move(pair->weights), .near = {}};
  }
  try {
    question.posed = pose(*question.loaded.points, question.asked, options.memory, whole);
  } catch (const GaveUp& why) {
    if (why.for_memory) {
      stream_question(options, whole, question, result);
    } else if (pair) {
      pose_pair();
      return {.witness = {}, .near = std::move(pair->weights)};
    } else {
      throw;
    }
  }
  return {};
}

}  // namespace halfspace::proof
