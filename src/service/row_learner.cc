// A trainer that can go back.
#include "service/row_learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/available_memory.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/settings.h"
#include "train/predict/linear_model.h"

namespace halfspace::service {
namespace {

constexpr std::size_t least_renewal = std::size_t{1} << 20;  // bytes of lines
constexpr int most_exponent = 10;                            // of ten: numbers beyond are extreme
constexpr std::size_t most_digits = 20;                      // and so are those of longer runs of digits
constexpr double most_weight = 1e20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns whether the exponent that follows the E at this position is extreme; no exponent is not.
bool extreme_exponent(std::string_view text, std::size_t at) {
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  int exponent = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    exponent = exponent * 10 + (text[at] - '0');
    if (exponent > most_exponent) return true;
  }
  return false;
}

// Returns whether a text may have a number of extreme size, whatever its format.
bool may_be_extreme(std::string_view text) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      if (++digits > most_digits) return true;
      continue;
    }
    if ((text[i] == 'e' || text[i] == 'E') && i > 0 && (is_digit(text[i - 1]) || text[i - 1] == '.') &&
        extreme_exponent(text, i + 1))
      return true;
    digits = 0;
  }
  return false;
}

bool has_extreme_numbers(const Model& model) {
  const auto extreme = [](double value) { return std::abs(value) > most_weight; };
  const auto any = [&](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), extreme);
  };
  const auto setting = [most = elementary::power_of_ten(most_exponent)](double value) {
    return value != 0 && !(std::abs(value) <= most && std::abs(value) >= 1 / most);
  };
  for (const auto& [name, value] : model.composition.parameters)
    if (setting(value)) return true;
  for (const auto& [label, weight] : model.class_weights)
    if (setting(weight)) return true;
  if (model.composition.bias.position != Bias::none && setting(model.composition.bias.scale)) return true;
  return any(model.weights.w) || any(model.learner.weights.w) || any(model.learner.moments) ||
         any(model.learner.kept.w);
}

TrainOptions stream_options(const Model& before) {
  TrainSettings settings;
  settings.data.paths = {"<log>"};  // which is not read: rows are given
  TrainOptions options = train_options(settings, &before);
  options.composition.order = OrderName::stream;
  options.shuffle_sorted = options.guard_stream = false;
  options.stream_memory = 0;
  options.resume = &before;
  return options;
}

// Below this much the system is not asked.
constexpr std::uint64_t little_memory = std::uint64_t{1} << 26;

// Throws Error(input_output) if the learner would need more than it may have, or than there is.
void check_memory(std::uint64_t needed, std::uint64_t most) {
  const auto mebibytes = [](std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  const std::string what = "the learner would take about " + mebibytes(needed);
  if (needed > most)
    throw Error(ErrorKind::input_output, what + ", and " + mebibytes(most) + " are allowed")
        .fix("number the features without gaps, or let the service have more memory");
  if (needed < little_memory) return;
  const std::uint64_t there = available_memory();
  if (needed <= there) return;
  throw Error(ErrorKind::input_output, what + ", and " + mebibytes(there) + " are available")
      .fix("number the features without gaps, or free some memory");
}

// Returns the bytes of the model in a file. Throws Error(data) if none can hold it.
std::size_t bytes_of(const Model& model) {
  try {
    return encode(model).size();
  } catch (const Error&) {
    throw Error(ErrorKind::data, "after it the learner would have numbers beyond the range of doubles")
        .fix("scale the values of the row, and its weight");
  }
}

// The trainer counts rows from where it was resumed, which means nothing to whoever sent one.
std::string without_row_number(std::string text) {
  constexpr std::string_view name = "data row ";
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return text;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at + name.size()), text.size());
  return text.replace(at, end - at, "the row");
}

}  // namespace

RowLearner::RowLearner(Model begin, bool untouched, std::uint64_t rows)
    : base_rows_(rows), rows_(rows), untouched_(untouched) {
  if (has_given_weights(begin))
    throw Error(
        ErrorKind::usage,
        "no row can be learned on top of this model: its weights were given, or are those of a minimum that was "
        "not reached")
        .fix("serve a model that was trained to its end");
  passes_ = begin.ledger.passes + (untouched ? 1 : 0);
  const std::size_t bytes = encode(begin).size();
  renew(std::move(begin), bytes);
  resume();
}
RowLearner::~RowLearner() = default;
RowLearner::RowLearner(RowLearner&&) noexcept = default;
RowLearner& RowLearner::operator=(RowLearner&&) noexcept = default;

void RowLearner::renew(Model now, std::size_t bytes) {
  extreme_ = has_extreme_numbers(now);
  base_ = std::make_shared<const Model>(std::move(now));
  base_bytes_ = bytes;
  base_rows_ = rows_;
  since_.clear();
}

// Makes trainer and parser of the last copy.
void RowLearner::resume() {
  Model plain = *base_;
  plain.calibration = {};  // these are kept here
  plain.threshold.reset();
  resumed_ = std::make_shared<const Model>(std::move(plain));
  resumed_rows_ = base_rows_;
  parser_ = std::make_unique<RowParser>(resumed_->schema, ParseFor::learn, resumed_->class_weights);
  trainer_ = std::make_unique<Trainer>(stream_options(*resumed_), resumed_->schema);
}

void RowLearner::go_back() {
  resume();
  if (!since_.empty()) learn_text(since_, UINT64_MAX);
}

void RowLearner::learn_text(const std::string& text, std::uint64_t most_bytes) {
  const RowParser::Parsed parsed = parser_->parse(text);
  if (!parsed.bad.empty())
    throw Error(ErrorKind::data, parsed.bad[0].reason).showing(parsed.bad[0].text).fix(parsed.bad[0].hint);
  Block block = parsed.block;
  if (block.features > resumed_->schema.features) check_memory(memory_for(block.features), most_bytes);
  block.row = nullptr;
  trainer_->learn(block);
}

// Learns all of the lines, or none. Returns why not.
std::optional<RefusedRow> RowLearner::try_all(std::span<const std::string_view> lines, const Limits& limits) {
  std::string text;
  for (const std::string_view line : lines) (text += line) += '\n';
  const bool due = since_.size() + text.size() > std::max(least_renewal, base_bytes_);
  const bool was_untouched = std::exchange(untouched_, false);
  try {
    learn_text(text, limits.bytes);
    if (due || limits.check_always || extreme_ || may_be_extreme(text)) {
      Model now = model();
      const std::size_t bytes = bytes_of(now);
      rows_ += lines.size();
      renew(std::move(now), bytes);
    } else {
      since_ += text;
      rows_ += lines.size();
    }
    return std::nullopt;
  } catch (const Error& error) {
    untouched_ = was_untouched;
    go_back();
    return RefusedRow{0, 0, render_options(without_row_number(error.message())),
                      fix_of_row(base_->schema.format, error.hint()), error.kind() == ErrorKind::input_output};
  }
}

// Halves what cannot be learned together.
void RowLearner::learn_part(std::span<const std::string_view> all, std::size_t from, std::size_t to,
                            const Limits& limits, Learned& learned) {
  if (from == to || learned.refused.size() >= limits.refusals) return;
  std::optional<RefusedRow> refused = try_all(all.subspan(from, to - from), limits);
  if (!refused) {
    learned.looked_at = to;
    return;
  }
  if (to - from == 1) {
    learned.looked_at = to;
    refused->line = to;
    learned.refused.push_back(std::move(*refused));
    return;
  }
  const std::size_t middle = from + (to - from) / 2;
  learn_part(all, from, middle, limits, learned);
  learn_part(all, middle, to, limits, learned);
}

RowLearner::Learned RowLearner::learn(std::span<const std::string_view> lines, const Limits& limits) {
  Limits own = limits;
  own.bytes = std::max(own.bytes, memory_for(base_->schema.features));
  Learned learned;
  // A row that needs a check has one of its own: whether it can be learned does not depend on the rows that it came with.
  for (std::size_t from = 0, to = 0; from < lines.size() && learned.refused.size() < limits.refusals; from = to) {
    const auto alone = [&](std::size_t i) { return extreme_ || may_be_extreme(lines[i]); };
    to = from + 1;
    while (!alone(from) && to < lines.size() && !alone(to)) ++to;
    learn_part(lines, from, to, own, learned);
  }
  return learned;
}

Model RowLearner::model() const {
  if (untouched_) return *base_;
  Model model = trainer_->model();
  model.ledger.passes = passes_;
  if (model.ledger.watch) {  // the trainer numbers rows from its own first one
    for (DriftAlarm& alarm : model.ledger.watch->latest_alarms)
      alarm.row += alarm.round > resumed_->ledger.rounds ? resumed_rows_ : 0;
  }
  const std::uint32_t features = model.schema.features;
  model.schema = parser_->schema();
  model.schema.features = std::max(model.schema.features, features);
  model.threshold = base_->threshold;
  model.calibration = base_->calibration;
  model.conformal.reset();  // scores of rows that other weights gave
  return model;
}

}  // namespace halfspace::service
