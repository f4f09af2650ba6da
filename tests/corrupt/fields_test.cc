// One malformed file a field and a reason, each refused by the name and the place of that very field.

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/winnow.h"
#include "model/map.h"
#include "model/models.h"
#include "support/test.h"

namespace halfspace::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// Which model a case starts from.
enum class Of {
  vote,
  average,
  pocket,
  errors,
  guess,
  minnow_average,
  multiclass,
  kernel,
  arow,
  diagonal,
  adagrad,
  alma,
  winnow,
  losses,
  sparse,
  by_folds,
  unfitted,
  new_rows,
  softmax,
  clipped,
  threshold
};

Model model_of(Of of) {
  Composition c;
  c.set(parameter::rate, 0.5);
  if (of == Of::vote) c.keep = KeepName::vote;
  if (of == Of::average) c.keep = KeepName::average;
  if (of == Of::pocket) c.keep = KeepName::pocket;
  if (of == Of::guess || of == Of::minnow_average) {
    c.rule = rule::minnow;
    c.keep = of == Of::guess ? KeepName::vote : KeepName::average;
    c.parameters.erase("rate");
    if (of == Of::minnow_average) {
      c.set(parameter::relative_margin, 0.5);
      c.set(parameter::radius, 4);
    }
  }
  if (of == Of::multiclass || of == Of::softmax) {
    c.rule = rule::multiclass;
    c.keep = of == Of::softmax ? KeepName::last : KeepName::vote;
  }
  if (of == Of::kernel) {
    c.rule = rule::kernel;
    c.parameters.erase("rate");
    c.keep = KeepName::average;
    c.set(parameter::kernel, KernelName::polynomial);
    c.set(parameter::budget, 30);
    c.set(parameter::eviction, Eviction::projectron);
  }
  if (of >= Of::arow && of <= Of::sparse) c.parameters.erase("rate");
  if (of == Of::arow) c.rule = rule::arow;
  if (of == Of::diagonal) c.rule = rule::arow_diagonal;
  if (of == Of::adagrad) {
    c.rule = rule::adagrad;
    c.set(parameter::ball, 2);
  }
  if (of == Of::alma) {
    c.rule = rule::alma;
    c.keep = KeepName::average;
    c.set(parameter::alpha, 0.5);
  }
  if (of == Of::winnow) {
    c.rule = rule::winnow2;
    c.set(parameter::theta, 3);
  }
  if (of == Of::losses) {
    c.rule = rule::nag;
    c.tie = Tie::positive;
  }
  if (of == Of::sparse) {
    c.rule = rule::ftrl;
    c.keep = KeepName::average;
    c.set(parameter::l1, 1);
  }
  Model model = rich(c, 1);
  if (of == Of::by_folds) model.calibration.by_folds = true;
  if (of == Of::unfitted)
    model.calibration = {.method = CalibrationMethod::platt, .rows = 0, .platt = {}, .isotonic = {}};
  if (of == Of::softmax) model.calibration = {.method = CalibrationMethod::softmax, .platt = {}, .isotonic = {}};
  if (of == Of::clipped) {
    model.calibration.method = CalibrationMethod::clipped_platt;
    model.calibration.platt = {Platt{.a = -1, .b = 0, .low = -2, .high = 2}};
    model.calibration.isotonic.clear();
  }
  if (of == Of::threshold) model.threshold = 0.5;
  if (of == Of::new_rows) {
    model.ledger.new_rows = NewRows::searched;
    model.ledger.watch->error_alarm = ErrorAlarm{0.25, 100, {0.5, 1, 2, 3}, 0.125, 9, 4};
  }
  if (of == Of::errors) count_errors(model.ledger);
  if (of == Of::sparse) {
    // Nine features: weights of which two are not 0, moments without zeros.
    model.weights.w = {0, 0.5, 0, 0, -0.0, 0, 0, 0, 0};
    model.learner.moments.assign(20, 0.25);
  }
  if (of == Of::losses) {
    LossSums& sums = model.ledger.losses.emplace(MarginLoss::logistic, c.bias.scale);
    sums.rounds = model.ledger.rounds;
    sums.weight = sums.magnitude = sums.constant = 2;
    sums.gradient = {{1, -0.5}, 0.25};
  }
  return model;
}

struct Case {
  Of of;
  const char* field;
  std::uint64_t value;   // of the field's own width
  const char* expected;  // part of the message
};

const std::vector<Case>& cases() {
  constexpr std::uint64_t huge = std::uint64_t{1} << 62;
  static const std::vector<Case> all = {
      {Of::vote, "schema.tag", 2, "section 1 begins here"},
      {Of::vote, "schema.length", huge, "left in the file"},
      {Of::vote, "schema.length", 3, "bytes"},
      {Of::vote, "schema.format", 99, "99 is not a data format"},
      {Of::vote, "schema.zero_based", 2, "neither 0 nor 1"},
      {Of::vote, "schema.delimiter", '\n', "no column ends"},
      {Of::vote, "schema.header", 255, "neither 0 nor 1"},
      {Of::vote, "schema.features", 0x80000001, "largest number of features"},
      {Of::vote, "schema.columns", huge, "entries do not fit"},
      {Of::vote, "schema.columns[0].name", 0xffffffff, "needs 4294967295 bytes"},
      {Of::vote, "schema.columns[0].kind", 9, "9 is not a kind of column"},
      {Of::vote, "schema.columns[0].feature", 1000, "beyond the"},
      {Of::vote, "schema.columns[0].missing_feature", 0xfffffffe, "beyond the"},
      {Of::vote, "schema.columns[1].bytes", huge, "entries do not fit"},
      {Of::vote, "schema.columns[1].features", huge, "entries do not fit"},
      {Of::vote, "schema.labels", 0, "at least one"},
      {Of::vote, "schema.labels", huge, "entries do not fit"},
      {Of::vote, "schema.exponents", huge, "entries do not fit"},
      {Of::vote, "schema.hash_bits", 31, "no table of 2^31 features"},
      {Of::vote, "schema.row_normalised", 7, "neither 0 nor 1"},
      {Of::vote, "schema.single", 7, "neither 0 nor 1"},
      {Of::vote, "composition.rule", 255, "255 is not a rule"},
      {Of::vote, "composition.order", 6, "6 is not an order"},
      {Of::vote, "composition.keep", 4, "4 is not a keeper"},
      {Of::vote, "composition.tie", 3, "3 is not a tie rule"},
      {Of::vote, "composition.bias", 3, "3 is not a position of the bias"},
      {Of::vote, "composition.bias_scale", bits(0), "not a positive number"},
      {Of::vote, "composition.bias_scale", bits(kNan), "not a positive number"},
      {Of::vote, "composition.start_small", 2, "neither 0 nor 1"},
      {Of::vote, "composition.rate.present", 2, "neither 0 nor 1"},
      {Of::vote, "composition.rate.value", bits(-1), "not a positive number"},
      {Of::multiclass, "composition.class_update.value", bits(6), "is not a count from 0 to 5"},
      {Of::kernel, "composition.kernel.value", bits(3), "is not a count from 0 to 2"},
      {Of::kernel, "composition.gamma.value", bits(0), "not a positive number"},
      {Of::kernel, "composition.degree.value", bits(65), "is not a count from 1 to 64"},
      {Of::kernel, "composition.offset.value", bits(-1), "not a number of at least 0"},
      {Of::kernel, "composition.budget.value", bits(0), "is not a count from 1"},
      {Of::kernel, "composition.eviction.value", bits(3), "is not a count from 0 to 2"},
      {Of::kernel, "composition.residual.value", bits(kNan), "not at least 0 and below 1"},
      {Of::kernel, "learner.support.begin", 31, "the budget"},
      {Of::kernel, "learner.support.begin", huge, "entries do not fit"},
      {Of::kernel, "learner.support.index", huge, "entries do not fit"},
      {Of::kernel, "learner.support.value", bits(kNan), "is not finite"},
      {Of::kernel, "learner.support.coefficient", bits(kInfinity), "is not finite"},
      {Of::kernel, "learner.support.lag", bits(kNan), "is not finite"},
      {Of::kernel, "learner.support.budget", bits(0.5), "is not a count"},
      {Of::guess, "composition.both_signs.value", bits(0.5), "is not a count from 0 to 1"},
      {Of::minnow_average, "composition.relative_margin.value", bits(1), "between 0 and 1"},
      {Of::minnow_average, "composition.radius.value", bits(0), "not a positive number"},
      {Of::arow, "composition.regularization.value", bits(0), "not a positive number"},
      {Of::adagrad, "composition.ball.value", bits(-1), "not a positive number"},
      {Of::alma, "composition.alpha.value", bits(kInfinity), "not above 0 and at most 1"},
      {Of::winnow, "composition.theta.value", bits(0), "not a positive number"},
      {Of::arow, "learner.moments.values", bits(kNan), "is not finite"},
      {Of::diagonal, "learner.moments.values", bits(-1), "not a number of at least 0"},
      {Of::adagrad, "learner.moments.values", bits(-1), "not a number of at least 0"},
      {Of::vote, "composition.holdout", bits(1), "not a share"},
      {Of::vote, "composition.class_weights", huge, "entries do not fit"},
      {Of::vote, "composition.class_weights[0].weight", bits(-1), "not a number of at least 0"},
      {Of::vote, "weights.classes", 2, "the composition asks for 1"},
      {Of::multiclass, "weights.classes", 0xffffffff, "the composition asks for 3"},
      {Of::vote, "weights.features", 0xffffffff, "the features known here"},
      {Of::vote, "weights.w.values", bits(kNan), "is not finite"},
      {Of::vote, "weights.bias", bits(kInfinity), "is not finite"},
      {Of::vote, "learner.numbers", 1, "the composition asks for 0"},
      {Of::guess, "learner.numbers", 4, "the composition asks for 8"},
      {Of::guess, "learner.numbers", huge, "entries do not fit"},
      {Of::pocket, "learner.kept_counts", 4, "the composition asks for 5"},
      {Of::pocket, "learner.kept_counts", huge, "entries do not fit"},
      {Of::vote, "learner.weights.same", 2, "neither 0 nor 1"},
      {Of::average, "learner.weights.classes", 7, "the composition asks for 1"},
      {Of::average, "learner.weights.features", 1000, "the features known here"},
      {Of::average, "learner.weights.w.values", bits(-kInfinity), "is not finite"},
      {Of::average, "learner.kept.features", 1000, "the features known here"},
      {Of::average, "learner.kept.w.values", bits(kNan), "is not finite"},
      {Of::vote, "learner.kept.same", 1, "the composition asks for 0"},
      {Of::vote, "learner.votes.first_age", 41, "the rounds finished"},
      {Of::vote, "learner.votes.counted", 41, "the rounds finished"},
      {Of::vote, "learner.votes.index", huge, "entries do not fit"},
      {Of::vote, "learner.votes.value", bits(kNan), "is not finite"},
      {Of::vote, "learner.votes.steps", huge, "entries do not fit"},
      {Of::vote, "learner.votes.steps[0].amount", bits(kNan), "is not finite"},
      {Of::vote, "learner.votes.steps[0].begin", 1, "must begin at 0"},
      {Of::vote, "learner.votes.steps[1].begin", huge, "the number of values"},
      {Of::vote, "learner.votes.steps[2].begin", 0, "before the previous step"},
      {Of::vote, "learner.votes.steps[0].raised", 1, "the last class"},
      {Of::multiclass, "learner.votes.steps[0].raised", 3, "the last class"},
      {Of::multiclass, "learner.votes.steps[0].lowered", 3, "the last class"},
      {Of::vote, "learner.votes.steps[0].restart", 1, "this rule never restarts"},
      {Of::guess, "learner.votes.steps[0].restart", 2, "neither 0 nor 1"},
      {Of::vote, "learner.votes.steps[0].age", 1000, "the rounds left to count"},
      {Of::vote, "ledger.mistakes", 41, "the rounds"},
      {Of::vote, "ledger.updates", 41, "the rounds"},
      {Of::vote, "ledger.stopped", 9, "9 is not a reason to stop"},
      {Of::vote, "ledger.pass", 0, "at least one"},
      {Of::vote, "ledger.pass", huge, "entries do not fit"},
      {Of::vote, "ledger.pass[0].rounds", 41, "the rounds"},
      {Of::vote, "ledger.pass[0].mistakes", 41, "the rounds of the pass"},
      {Of::vote, "ledger.pass[0].updates", 41, "the rounds of the pass"},
      {Of::vote, "ledger.pass[0].criterion", bits(kNan), "not a sum"},
      {Of::vote, "ledger.largest_squared_norm", bits(-1), "not a sum"},
      {Of::vote, "ledger.update_steps", bits(kNan), "not a sum"},
      {Of::vote, "ledger.update_squares", bits(-1), "not a sum"},
      {Of::vote, "ledger.smallest_mistake_weight", bits(kNan), "not a sum"},
      {Of::vote, "ledger.first_pass_rounds", 41, "the rounds"},
      {Of::vote, "ledger.first_pass_mistakes", 41, "the rounds of the first pass"},
      {Of::errors, "ledger.pass[0].errors", bits(-1), "not a sum"},
      {Of::errors, "ledger.pass[0].weight", bits(1), "is less than the errors"},
      {Of::errors, "ledger.pass[0].weight", bits(kNan), "is less than the errors"},
      {Of::errors, "ledger.constant_errors", bits(-1), "not a sum"},
      {Of::errors, "ledger.previous_errors", bits(kNan), "not a sum"},
      {Of::errors, "ledger.class_weight", 3, "the classes"},
      {Of::vote, "ledger.previous_label", 2, "2 is not a class"},
      {Of::vote, "ledger.last_update_round", 41, "the rounds"},
      {Of::vote, "ledger.next_row", 65, "not a power of two"},
      {Of::vote, "ledger.next_row", 32, "not a power of two beyond"},
      {Of::vote, "position.unfinished", 41, "the rows"},
      {Of::vote, "position.last_row", 0xffffffff, "bytes"},
      {Of::vote, "position.source", 0xffffffff, "bytes"},
      {Of::vote, "provenance.version", 0xffffffff, "bytes"},
      {Of::vote, "provenance.fingerprints", huge, "entries do not fit"},
      {Of::vote, "provenance.fingerprints[0].digest", 0xffffffff, "bytes"},
      {Of::vote, "calibration.method", 6, "6 is not a method of calibration"},
      {Of::softmax, "calibration.method", 6, "6 is not a method of calibration"},
      {Of::softmax, "calibration.fitted", 0, "the softmax is not fitted"},
      {Of::softmax, "calibration.by_folds", 1, "there are no curves"},
      {Of::softmax, "calibration.rows", 1, "none without curves"},
      {Of::vote, "calibration.platt", 0, "the method asks for 1"},
      {Of::vote, "calibration.platt[0].a", bits(kNan), "is not finite"},
      {Of::vote, "calibration.platt[0].b", bits(kInfinity), "is not finite"},
      {Of::clipped, "calibration.platt[0].low", bits(kNan), "is not the lowest score"},
      {Of::clipped, "calibration.platt[0].low", bits(kInfinity), "is not the lowest score"},
      {Of::clipped, "calibration.platt[0].high", bits(kInfinity), "is not the highest score"},
      {Of::clipped, "calibration.platt[0].high", bits(-2.0), "is not the highest score"},
      {Of::average, "calibration.isotonic", 0, "the method asks for 1"},
      {Of::average, "calibration.isotonic", huge, "entries do not fit"},
      {Of::average, "calibration.isotonic[0].score", 0, "at least one"},
      {Of::average, "calibration.isotonic[0].probability", 2, "the list of scores asks for 3"},
      {Of::by_folds, "calibration.fitted", 2, "neither 0 nor 1"},
      {Of::by_folds, "calibration.by_folds", 2, "neither 0 nor 1"},
      {Of::unfitted, "calibration.by_folds", 1, "there are no curves"},
      {Of::unfitted, "calibration.rows", 1, "none without curves"},
      {Of::by_folds, "weights.w.values", bits(kNan), "is not finite"},
      {Of::vote, "watch.present", 2, "neither 0 nor 1"},
      {Of::vote, "watch.window.size", 0, "at least one round"},
      {Of::vote, "watch.window.size", huge, "the largest window"},
      {Of::vote, "watch.window.rounds", 41, "the rounds of the first pass"},
      {Of::vote, "watch.window.bits", 2, "the size asks for 1"},
      {Of::vote, "watch.window.mistakes", 6, "the bits asks for 7"},
      {Of::vote, "watch.faded.decay", bits(0), "above 0"},
      {Of::vote, "watch.faded.rounds", bits(-1), "not a number of at least 0"},
      {Of::vote, "watch.faded.mistakes", bits(1e3), "not within its rounds"},
      {Of::vote, "watch.adwin.delta", bits(1), "between 0 and 1"},
      {Of::vote, "watch.adwin.rounds", 41, "the rounds of the first pass"},
      {Of::vote, "watch.adwin.checks", 7, "the number of rounds asks for 1"},
      {Of::vote, "watch.adwin.buckets", huge, "entries do not fit"},
      {Of::vote, "watch.adwin.buckets[0].mistakes", 6, "the buckets of one size"},
      {Of::vote, "watch.alarms", 41, "the rounds of the first pass"},
      {Of::vote, "watch.latest_alarms", 0, "the number of alarms asks for"},
      {Of::vote, "watch.latest_alarms[0].round", 41, "the rounds of the first pass"},
      {Of::vote, "watch.latest_alarms[0].before", bits(2), "is not a share"},
      {Of::threshold, "threshold.score", bits(kNan), "not finite"},
      {Of::threshold, "conformal.present", 2, "neither 0 nor 1"},
      {Of::new_rows, "ledger.new_rows", 8, "8 is not a note on new rows"},
      {Of::new_rows, "watch.error_alarm.present", 2, "neither 0 nor 1"},
      {Of::new_rows, "watch.error_alarm.above", bits(1), "not above 0 and below 1"},
      {Of::new_rows, "watch.error_alarm.false_alarms", bits(0.5), "not a number of rounds"},
      {Of::new_rows, "watch.error_alarm.false_alarms", bits(kInfinity), "not a number of rounds"},
      {Of::new_rows, "watch.error_alarm.evidence.number", bits(-1), "not a number of at least 0"},
      {Of::new_rows, "watch.error_alarm.excess", bits(kNan), "not a number of at least 0"},
      {Of::new_rows, "watch.error_alarm.rounds", 41, "the rounds of the first pass"},
      {Of::new_rows, "watch.error_alarm.mistakes", 10, "the rounds of the alarm"},
      {Of::unfitted, "schema.thousands", 'x', "nothing that stands in numbers"},
      {Of::unfitted, "schema.comment", 0xffffffff, "bytes"},
      {Of::losses, "schema.missing", huge, "do not fit"},
      {Of::losses, "schema.decimal", ';', "no mark of this table's numbers"},
      {Of::losses, "schema.quote", 3, "is not a kind of quotes"},
      {Of::losses, "composition.loss.value", bits(3), "is not a count from 0 to 2"},
      {Of::losses, "losses.rounds", 41, "the ledger asks for 40"},
      {Of::losses, "losses.largest_row", 1000, "the longest row"},
      {Of::losses, "losses.lost", 2, "neither 0 nor 1"},
      {Of::losses, "losses.weight", bits(-1), "a sum of non-negative terms"},
      {Of::losses, "losses.suffered", bits(kNan), "a sum of non-negative terms"},
      {Of::losses, "losses.magnitude", bits(kInfinity), "not a number of at least 0"},
      {Of::losses, "losses.constant", bits(2.5), "beyond the magnitude of its terms"},
      {Of::losses, "losses.constant", bits(kNan), "beyond the magnitude of its terms"},
      {Of::losses, "losses.lengths", bits(-1), "not a number of at least 0"},
      {Of::losses, "losses.features", 1000, "the features known here"},
      {Of::losses, "losses.gradient.sparse", 2, "neither 0 nor 1"},
      {Of::losses, "losses.gradient.values", bits(kNan), "is not finite"},
      {Of::losses, "losses.gradient_of_bias", bits(kInfinity), "is not finite"},
      {Of::sparse, "composition.beta.value", bits(-1), "not a number of at least 0"},
      {Of::sparse, "composition.l1.value", bits(-1), "not a number of at least 0"},
      {Of::sparse, "composition.l2.value", bits(-1), "not a number of at least 0"},
      {Of::sparse, "weights.w.sparse", 2, "neither 0 nor 1"},
      {Of::sparse, "weights.w.marks", 0x212, "marks a number beyond the last"},
      {Of::sparse, "weights.w.marks", 0x1f, "more than half of 9 are marked"},
      {Of::sparse, "weights.w.nonzeros", 0, "0 is marked"},
      {Of::sparse, "weights.w.nonzeros", bits(kNan), "is not finite"},
      {Of::sparse, "learner.moments.sparse", 2, "neither 0 nor 1"},
      {Of::sparse, "learner.moments.values", bits(kNan), "is not finite"},
      {Of::sparse, "losses.present", 2, "neither 0 nor 1"},
  };
  return all;
}

void put(Bytes& bytes, Map::Place place, std::uint64_t value) {
  for (std::size_t i = 0; i < place.bytes; ++i) bytes[place.at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::string refusal(const Bytes& bytes) {
  try {
    decode(bytes, "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.message();
  }
  return "nothing was refused";
}

TEST(Fields, EachIsRefusedByItsName) {
  for (const Case& c : cases()) {
    const Model model = model_of(c.of);
    Bytes bytes = encode(model);
    const Map map(model);
    const auto found = map.places().find(c.field);
    ASSERT_NE(found, map.places().end()) << c.field;
    put(bytes, found->second, c.value);
    const std::string unsummed = refusal(bytes);
    const std::string message = refusal(summed_again(bytes));
    EXPECT_TRUE(message.starts_with("model field '")) << message;
    EXPECT_TRUE(has(message, c.expected)) << c.field << " = " << c.value;
    // Without the checksum made right the same field is named, behind the word that matters.
    EXPECT_EQ(unsummed, "the file is damaged (wrong checksum): " + message);
    if (std::string(c.field) == "schema.length" && c.value == 3) continue;  // noticed by the field it cuts
    if (std::string(c.field) == "learner.kept.same") continue;              // noticed by what it would be the same as
    EXPECT_TRUE(message.starts_with(std::string("model field '") + c.field)) << message;
    EXPECT_TRUE(has(message, "at byte " + std::to_string(found->second.at) + ":"));
  }
}

// A field without a case above is one in which any value goes; these are they.
TEST(Fields, NoneIsForgotten) {
  std::set<std::string> covered;
  for (const Case& c : cases()) covered.insert(c.field);
  const std::set<std::string> free = {"composition.start_seed",
                                      "composition.seed",
                                      "learner.finished",
                                      "ledger.rounds",
                                      "ledger.passes",
                                      "ledger.inspections",
                                      "ledger.largest_row",
                                      "position.rows",
                                      "position.generator.word",
                                      "schema.skip_lines",
                                      "position.pass_start.word",
                                      "calibration.rows",
                                      "learner.support.draws.word"};
  for (const Of of :
       {Of::vote,     Of::average,  Of::pocket,   Of::guess,   Of::minnow_average, Of::multiclass, Of::kernel,
        Of::arow,     Of::diagonal, Of::adagrad,  Of::alma,    Of::winnow,         Of::losses,     Of::sparse,
        Of::by_folds, Of::unfitted, Of::new_rows, Of::softmax, Of::clipped,        Of::threshold}) {
    const Map map(model_of(of));
    for (const auto& [path, place] : map.places()) {
      if (covered.contains(path) || free.contains(path)) continue;
      // Later entries of a list are as the first; tags, lengths, texts and vectors are alike wherever they stand.
      const std::string name = path.substr(path.rfind('.') + 1);
      const bool alike = path.find('[') != std::string::npos || name == "tag" || name == "length" ||
                         name == "present" || path.starts_with("learner.weights.") || path.starts_with("learner.kept.");
      EXPECT_TRUE(alike) << "no malformed file for " << path;
    }
  }
}

// Numbers of the learner, each with its own meaning, in one list.
TEST(Fields, NumbersAndCountsOfTheLearner) {
  struct NumberCase {
    Of of;
    const char* list;
    std::size_t place;
    std::uint64_t value;
    const char* expected;
  };
  for (const NumberCase& c : std::vector<NumberCase>{
           {Of::guess, "learner.numbers", 0, bits(kNan), "is not finite"},
           {Of::guess, "learner.numbers", 1, bits(-1), "total"},
           {Of::guess, "learner.numbers", 2, bits(-1), "peak"},
           {Of::guess, "learner.numbers", 3, bits(256), "steps"},
           {Of::guess, "learner.numbers", 4, bits(-1), "radius"},
           {Of::guess, "learner.numbers", 5, bits(0), "guess"},
           {Of::guess, "learner.numbers", 5, bits(1.5), "guess"},
           {Of::guess, "learner.numbers", 6, bits(-1), "phase mistakes"},
           {Of::guess, "learner.numbers", 7, bits(1e300), "radius restarts"},
           {Of::arow, "learner.numbers", 0, bits(-1), "log determinant"},
           {Of::arow, "learner.numbers", 1, bits(kNan), "steps without a mistake"},
           {Of::diagonal, "learner.numbers", 0, bits(-1), "leverage"},
           {Of::diagonal, "learner.numbers", 2, bits(-1), "drift"},
           {Of::alma, "learner.numbers", 0, bits(0), "scale"},
           {Of::alma, "learner.numbers", 1, bits(-1), "squared norm"},
           {Of::alma, "learner.numbers", 2, bits(0.5), "corrections"},
           {Of::alma, "learner.numbers", 3, bits(-1), "mass"},
           {Of::winnow, "learner.numbers", 0, bits(-1), "appeared"},
           {Of::minnow_average, "learner.kept_counts", 0, 41, "the rounds finished"},
           {Of::pocket, "learner.kept_counts", 0, 2, "a flag"},
           {Of::pocket, "learner.kept_counts", 1, 2, "a flag"},
           {Of::pocket, "learner.kept_counts", 2, UINT64_MAX, "not a sum"},
           {Of::pocket, "learner.kept_counts", 3, 41, "the rounds finished"},
           {Of::pocket, "learner.kept_counts", 4, 41, "the rounds finished"},
           {Of::errors, "ledger.class_weight", 0, bits(-1), "not a sum"},
           {Of::vote, "learner.votes.index", 1, 0xffffffff, "features"},
       }) {
    const Model model = model_of(c.of);
    Bytes bytes = encode(model);
    const Map map(model);
    const std::size_t width = std::string(c.list) == "learner.votes.index" ? 4 : 8;
    put(bytes, {map.places().at(c.list).at + 8 + width * c.place, width}, c.value);
    const std::string message = refusal(summed_again(bytes));
    EXPECT_TRUE(message.starts_with(std::string("model field '") + c.list + "[" + std::to_string(c.place) + "]'"))
        << message;
    EXPECT_TRUE(has(message, c.expected));
  }
}

// A parameter is there where it has an effect, and has a value.
TEST(Fields, ParametersAreThereWhereTheyHaveAnEffect) {
  const auto refused = [](const Model& model, const std::string& parameter, bool present) {
    Bytes bytes = encode(model);
    const Map map(model);
    const std::size_t flag = map.places().at("composition." + parameter + ".present").at;
    bytes[flag] = present ? 1 : 0;
    const auto value = bytes.begin() + static_cast<std::ptrdiff_t>(flag) + 1;
    const Bytes one = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    if (present)
      bytes.insert(value, one.begin(), one.end());
    else
      bytes.erase(value, value + 8);
    const Map::Place length = map.places().at("composition.length");
    put(bytes, length, map.places().at("weights.tag").at - length.at - 8 + (present ? 8 : -std::uint64_t{8}));
    return refusal(summed_again(bytes));
  };
  EXPECT_NE(refused(model_of(Of::vote), "rate", false).find("rate is not there"), std::string::npos);
  EXPECT_NE(refused(model_of(Of::multiclass), "aggressiveness", true).find("aggressiveness has no effect"),
            std::string::npos);
}

TEST(Fields, AFeatureTwiceInOneStepIsRefused) {
  const Model model = model_of(Of::vote);
  Bytes bytes = encode(model);
  const std::size_t index = Map(model).places().at("learner.votes.index").at + 8;
  ASSERT_GE(model.learner.votes.row(0).size, 2U);
  put(bytes, {index + 4, 4}, model.learner.votes.index[0]);
  EXPECT_TRUE(has(refusal(summed_again(bytes)), "step 0 has a feature twice"));
}

TEST(Fields, AFeatureTwiceInOneSupportVectorIsRefused) {
  const Model model = model_of(Of::kernel);
  Bytes bytes = encode(model);
  const std::size_t index = Map(model).places().at("learner.support.index").at + 8;
  ASSERT_GE(model.learner.kernel.begin.at(1), 2U);
  put(bytes, {index + 4, 4}, model.learner.kernel.index[0]);
  EXPECT_TRUE(has(refusal(summed_again(bytes)), "support vector 0 has a feature twice"));
}

TEST(Fields, SupportVectorsBeginInTheirOrderAndWithinTheValues) {
  const Model model = model_of(Of::kernel);
  const std::size_t begin = Map(model).places().at("learner.support.begin").at + 8;
  const auto with = [&](std::size_t place, std::uint64_t value) {
    Bytes bytes = encode(model);
    put(bytes, {begin + 8 * place, 8}, value);
    return refusal(summed_again(bytes));
  };
  EXPECT_TRUE(has(with(0, 1), "must begin at 0"));
  EXPECT_TRUE(has(with(1, std::uint64_t{1} << 62), "before the previous one"));
  EXPECT_TRUE(has(with(model.learner.kernel.begin.size() - 1, 1 << 20), "less than the last begin"));
}

TEST(Fields, TheSameWeightsStoredTwiceAreRefused) {
  Composition composition;
  Model model = played(composition, 1);
  Bytes bytes = encode(model);
  const Map map(model);
  const std::size_t begin = map.places().at("weights.classes").at;
  const std::size_t end = map.places().at("learner.tag").at;
  const std::size_t same = map.places().at("learner.weights.same").at;
  const Bytes copy(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(end));
  bytes[same] = 0;
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(same) + 1, copy.begin(), copy.end());
  const Map::Place length = map.places().at("learner.length");
  put(bytes, length, map.places().at("ledger.tag").at - length.at - 8 + copy.size());
  EXPECT_TRUE(has(refusal(summed_again(bytes)), "not marked as equal"));
}

TEST(Fields, TextThatIsNotUtf8IsRefused) {
  const Model model = model_of(Of::vote);
  Bytes bytes = encode(model);
  bytes[Map(model).places().at("schema.columns[0].name").at + 4] = 0xff;
  const std::string message = refusal(summed_again(bytes));
  EXPECT_TRUE(has(message, "schema.columns[0].name", "UTF-8"));
}

TEST(Fields, TheFrame) {
  const Bytes good = encode(model_of(Of::vote));
  EXPECT_EQ(refusal({}), "not a Halfspace model: the file is empty");
  EXPECT_EQ(refusal({'+', '1', ' ', '1', ':', '1', '\n'}), "not a Halfspace model");
  EXPECT_EQ(refusal({0x89, 'H', 'S'}), "model field 'magic' at byte 3: the file is truncated here");
  EXPECT_EQ(refusal(Bytes(good.begin(), good.begin() + 10)),
            "model field 'version' at byte 10: the file is truncated here");
  EXPECT_EQ(refusal(Bytes(good.begin(), good.begin() + 20)),
            "model field 'checksum' at byte 20: the file is truncated here");
  // A newer version that is whole says so; one with a damaged version number does not pretend to be newer.
  Bytes newer = good;
  newer[8] = model::kFormatVersion + 1;
  const std::string newest = std::to_string(model::kFormatVersion), next = std::to_string(model::kFormatVersion + 1);
  EXPECT_EQ(refusal(summed_again(newer)),
            "the model has format version " + next + ", and this Halfspace reads up to version " + newest);
  EXPECT_EQ(refusal(newer),
            "the file is damaged (wrong checksum): model field 'version' at byte 8: " + next + " is not a version");
  newer[8] = 0;
  EXPECT_EQ(refusal(summed_again(newer)), "model field 'version' at byte 8: 0 is not a version");
  // Damage that leaves every field in range is the checksum's to find.
  Bytes damaged = good;
  damaged.back() ^= 1;
  EXPECT_EQ(refusal(damaged), "model field 'checksum' at byte " + std::to_string(good.size() - 16) +
                                  ": the file is damaged: wrong checksum, although every field is in range");
}

}  // namespace
}  // namespace halfspace::testing
