// halfspace inspect: prints a model's weights by feature name, and its provenance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "model/linear_part.h"
#include "report/results/evaluation_json.h"
#include "report/results/hash_words.h"
#include "report/results/json.h"
#include "report/results/ledger_text.h"
#include "report/results/rules_json.h"
#include "report/results/sets_text.h"
#include "train/predict/linear_model.h"

namespace halfspace::cli {
namespace {

struct InspectFlags {
  std::string model;
  std::uint64_t top = 20;
  bool all = false, json = false;
};

bool by_support_vectors(const Model& model) { return entry_of(model.composition.rule).support_vectors; }
// Returns true if the model has weights by feature: every rule but a curved kernel.
bool by_feature(const Model& model) {
  return !by_support_vectors(model) || kernel_options(model.composition).kernel.name == KernelName::linear;
}

// Returns the positions of support vectors, the largest |coefficient| first.
std::vector<std::size_t> by_size(const KernelExpansion& f) {
  std::vector<std::size_t> order(f.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(f.coefficients()[a]) > std::abs(f.coefficients()[b]);
  });
  return order;
}

report::Json as_json(const Model& model) {
  report::Json j;
  j["weights"] = by_feature(model) ? report::weights(model) : report::Json(nullptr);
  j["bias"] = by_feature(model) ? report::bias(model) : report::Json(nullptr);
  j["effects"] = by_feature(model) ? report::effects(model) : report::Json(nullptr);
  j["nonzero_weights"] = by_feature(model) ? report::Json(report::nonzero_weights(model)) : report::Json(nullptr);
  if (by_support_vectors(model)) {
    report::Json coefficients = report::Json::array();
    const KernelExpansion f = expansion_of(model);
    for (const double coefficient : f.coefficients()) coefficients.push_back(coefficient);
    j["support_vectors"] = coefficients.size();
    j["coefficients"] = coefficients;
  }
  j["composition"] = report::composition(model.composition);
  report::Json labels = report::Json::array();
  for (const std::string& name : model.schema.labels.names) labels.push_back(report::utf8(name));
  j["labels"] = labels;
  j["features"] = model.schema.features;
  if (const HashUse use = hash_use(model.schema, {}); use.bits > 0) j["hashed"] = report::hashed(use, false);
  if (report::Json logarithms = report::logarithms(model.schema); !logarithms.empty())
    j["logarithms"] = std::move(logarithms);
  j["normalize"] = report::name_of_scaling(model);
  j["single"] = model.schema.single;
  const Ledger& ledger = model.ledger;
  j["provenance"] = {{"version", model.provenance.version},
                     {"fingerprints", model.provenance.fingerprints},
                     {"rows", model.position.rows},
                     {"holdout", model.holdout},
                     {"rounds", ledger.rounds},
                     {"mistakes", ledger.mistakes},
                     {"errors", report::sum_of_weights(ledger.errors())},
                     {"weight", report::sum_of_weights(ledger.weight())},
                     {"updates", ledger.updates},
                     {"passes", ledger.passes},
                     {"stopped", name_of(ledger.stopped)},
                     {"seed", model.composition.seed}};
  const auto expected = expected_error(ledger);
  j["expected_error"] = expected ? report::expected_error(*expected) : report::Json(nullptr);
  if (!expected) j["no_expected_error"] = why_no_expected_error(ledger);
  if (const auto followed = followed_by(model); !followed.empty()) j["followed"] = report::followed(followed);
  j["threshold"] = model.threshold ? report::threshold(model) : report::Json(nullptr);
  if (model.conformal) j["conformal"] = report::conformal(*model.conformal);
  if (model.composition.keep == KeepName::vote) j["votes"] = model.learner.votes.steps.size() + 1;
  return j;
}

// Writes one class's weights, each as it applies to the data's own values. The order is that of their effects or, in a
// model without deviations, that of the weights as learned.
std::string weight_table(const Model& model, std::uint32_t k, const std::vector<std::string>& names, std::size_t top) {
  const std::uint32_t classes = model.weights.classes;
  const std::vector<double> effects = report::effects_of(model);
  const bool ranked = !effects.empty(), scaled = !ranked && !model.schema.exponents.empty();
  const auto learned = [&](std::size_t f) { return model.weights.w[f * classes + k]; };
  const auto rank = [&](std::size_t f) { return std::abs(ranked ? effects[f * classes + k] : learned(f)); };
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (f * classes + k < model.weights.w.size() && learned(f) != 0) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  const std::size_t shown = std::min(top, order.size());
  Table table({true, false, false, true});
  const double largest = order.empty() || rank(order[0]) == 0 ? 1 : rank(order[0]);
  table.add({dim("feature"), dim("weight"),
             ranked   ? dim("weight × deviation")
             : scaled ? dim("on a column scaled to 1")
                      : "",
             ""});
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t f = order[i];
    const double own =
        f < model.schema.exponents.size() ? std::ldexp(learned(f), model.schema.exponents[f]) : learned(f);
    const auto length = static_cast<std::size_t>(std::lround(20 * (rank(f) / largest)));
    std::string bar(length, learned(f) > 0 ? '+' : '-');
    table.add({shortened(names[f], 40), short_number(own),
               ranked   ? short_number(effects[f * classes + k])
               : scaled ? short_number(learned(f))
                        : "",
               bar});
  }
  std::string text = table.text();
  if (shown < order.size())
    text += dim(fmt::format("  … and {} more (--all shows them)\n", grouped(order.size() - shown)));
  if (order.size() < names.size())
    text += dim(
        fmt::format("  {} of {}: weight 0\n", grouped(names.size() - order.size()), counted(names.size(), "feature")));
  return text;
}

// Writes the support vectors with the largest coefficients, each with its side, norm, and largest values.
std::string support_table(const Model& model, const std::vector<std::string>& names, std::size_t top) {
  const KernelExpansion f = expansion_of(model);
  const std::vector<std::size_t> order = by_size(f);
  const std::size_t shown = std::min(top, order.size());
  Table table({false, true, false, true});
  table.add({dim("coefficient"), dim("side"), dim("norm"), dim("largest values")});
  for (std::size_t k = 0; k < shown; ++k) {
    const double coefficient = f.coefficients()[order[k]];
    const KernelRow x = f.row(order[k]);
    std::vector<std::uint32_t> values(x.size);
    std::iota(values.begin(), values.end(), 0U);
    std::stable_sort(values.begin(), values.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return std::abs(x.value[a]) > std::abs(x.value[b]); });
    std::string largest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, values.size()); ++i) {
      const std::uint32_t feature = x.index[values[i]];
      largest += fmt::format("{}{}={}", i > 0 ? " " : "",
                             feature < names.size() ? shortened(names[feature], 20) : std::to_string(feature),
                             short_number(x.value[values[i]]));
    }
    const auto& labels = model.schema.labels.names;
    const std::size_t side = coefficient > 0 ? 1 : 0;
    table.add({short_number(coefficient), side < labels.size() ? shortened(labels[side], 24) : "?",
               short_number(std::sqrt(x.squared_norm)), largest});
  }
  std::string text = table.text();
  if (shown < order.size())
    text += dim(fmt::format("  … and {} more (--all shows them)\n", grouped(order.size() - shown)));
  return text;
}

class InspectText {
 public:
  InspectText(const Model& model, std::size_t top, bool all) : model_(model), top_(top), all_(all) {}

  std::string text() {
    what_it_is();
    where_it_comes_from();
    if (by_support_vectors(model_)) support();
    if (by_feature(model_)) weights();
    if (model_.weights.classes == 1 && model_.schema.labels.names.size() == 2) decision();
    return text_;
  }

 private:
  void line(std::string_view key, const std::string& value) { text_ += fmt::format("  {:<12} {}\n", key, value); }

  void what_it_is() {
    const Composition& c = model_.composition;
    if (!has_given_weights(model_))
      line(is_at_minimum(model_) ? "goes on as" : "composition",
           fmt::format("{} × {} × {}, tie {}, bias {}", report::learner_word(c), name_of(c.order), name_of(c.keep),
                       name_of(c.tie), name_of(c.bias.position)));
    const std::string_view scaling = report::name_of_scaling(model_);
    line("normalised", scaling == "row"      ? "each row divided by its norm"
                       : scaling == "column" ? "each column by a power of two"
                       : scaling == "standard"
                           ? "by --normalize standard, for the rule; the weights are for the data's own values"
                           : "no");
    for (const Column& column : model_.schema.columns) {
      if (!column.is_logarithm()) continue;
      const std::string from = shortened(model_.schema.columns[column.first].name, 40);
      line("logarithm", fmt::format("{} = ln(1 + ({} {} {}) / {}), 0 below", shortened(column.name, 40), from,
                                    column.least < 0 ? '+' : '-', std::abs(column.least), column.unit));
    }
    const std::vector<std::string>& labels = model_.schema.labels.names;
    std::string classes;
    for (std::size_t k = 0; k < labels.size() && k < 12; ++k) {
      classes += (k > 0 ? ", " : "") + shortened(labels[k], 24) +
                 (labels.size() == 2 ? (k == 1 ? " (positive)" : " (negative)") : "");
    }
    if (labels.size() > 12) classes += fmt::format(" and {} more", labels.size() - 12);
    line("classes", classes);
    if (const HashUse use = hash_use(model_.schema, {}); use.bits > 0) {
      const std::string sharing = report::sharing_words(use);
      line("hashed", report::hashed_words(use) + (sharing.empty() ? "" : "   " + dim(sharing)));
    }
  }

  void where_it_comes_from() {
    const Ledger& ledger = model_.ledger;
    line("learned from",
         has_given_weights(model_) && model_.position.rows == 0 ? "no rows: the weights were given"
         : is_at_minimum(model_)
             ? fmt::format("{}: the weights minimize an objective", counted(model_.position.rows, "row"))
         : has_given_weights(model_)
             ? fmt::format("{}: the weights minimize an objective, perhaps not to the end, or are the mean of shards'",
                           counted(model_.position.rows, "row"))
             : fmt::format("{}{}, {}, {}, {}, {}; stopped: {}", counted(model_.position.rows, "row"),
                           model_.holdout == 0 ? "" : fmt::format(" ({:.6g} % held out)", 100 * model_.holdout),
                           counted(ledger.rounds, "round"),
                           report::grouped_count(ledger.errors()) + (ledger.errors() == 1 ? " error" : " errors"),
                           counted(ledger.updates, "update"), counted(ledger.passes, "pass", "passes"),
                           name_of(ledger.stopped)));
    if (const auto expected = expected_error(ledger))
      line("new rows", new_rows_words(*expected) + "   " + dim(report::assumption_words(*expected)));
    if (const auto followed = followed_by(model_); !followed.empty())
      line("followed", report::followed_words(followed));
    if (model_.threshold) line("threshold", report::threshold_words(model_));
    if (model_.conformal)
      line("conformal",
           fmt::format("scores of {} held out, for predict --sets", counted(model_.conformal->rows(), "row")));
    for (const std::string& fingerprint : model_.provenance.fingerprints) line("data", "XXH3-128 " + fingerprint);
    line("written by", "halfspace " + model_.provenance.version);
    if (model_.composition.keep == KeepName::vote) {
      line("votes",
           fmt::format("of {}; the last one is shown below", counted(model_.learner.votes.steps.size() + 1, "vector")));
    }
  }

  void support() {
    const KernelOptions k = kernel_options(model_.composition);
    line("kernel", kernel_words(k.kernel));
    line("support",
         fmt::format("{}{}", counted(model_.learner.kernel.coefficient.size(), "support vector"),
                     k.budget ? fmt::format(" of at most {}, {}", grouped(*k.budget), name_of(k.eviction)) : ""));
    text_ +=
        "\n" + support_table(model_, model_.schema.feature_names(), all_ ? SIZE_MAX : std::min<std::size_t>(top_, 10));
  }

  void weights() {
    const std::vector<std::string> names = model_.schema.feature_names();
    const bool several = model_.weights.classes > 1;
    const BiasOptions& bias = model_.composition.bias;
    text_ +=
        "\n" + dim(report::effects_of(model_).empty()
                       ? "  largest weights first, whatever the unit of their feature: its deviation is unknown\n"
                       : "  by weight × deviation of the feature over the training rows: how far it moves the score\n");
    for (std::uint32_t k = 0; k < model_.weights.classes; ++k) {
      if (several) text_ += "  " + bold("class " + shortened(model_.schema.labels.names[k], 40)) + "\n";
      text_ += weight_table(model_, k, names, all_ ? SIZE_MAX : several ? std::min<std::size_t>(top_, 5) : top_);
      if (bias.position != Bias::none && bias.scale != 0)
        text_ += fmt::format("  {:<12} {}\n", "bias", short_number(model_.weights.bias[k] * bias.scale));
      if (several) text_ += "\n";
    }
  }

  // Writes the decision rule.
  void decision() {
    const Composition& c = model_.composition;
    const std::string sum =
        by_feature(model_) ? fmt::format("weight × value{}", c.bias.position == Bias::none ? "" : ", with the bias,")
                           : "coefficient × kernel";
    text_ +=
        fmt::format("\n  a row is {} when the sum of {} is {}\n", bold(printable(model_.schema.labels.names[1])), sum,
                    model_.threshold         ? "at least " + short_number(*model_.threshold, 6)
                    : c.tie == Tie::negative ? "above 0"
                                             : "at least 0");
  }

  const Model& model_;
  std::size_t top_;
  bool all_;
  std::string text_;
};

int inspect(const InspectFlags& flags) {
  Model loaded = load_model(flags.model, &interrupted());
  model::refuse_unheld_features(loaded);
  const Model model = report::weighed_by_feature(std::move(loaded));
  print_result(flags.json ? as_json(model).dump(2) + "\n" : InspectText(model, flags.top, flags.all).text());
  return 0;
}

}  // namespace

Command inspect_command() {
  auto flags = std::make_shared<InspectFlags>();
  Command command("inspect", "weights by feature name, provenance",
                  {{"halfspace inspect credit.model", "the weights that move the score most, first"},
                   {"halfspace inspect credit.model --json | jq .weights", "all weights, for another program"}});
  command.add({required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
               usually("20", idle_with("all", idle_with("json", {"--top", "N", "how many weights to show (default 20)",
                                                                 &flags->top}))),
               {"--all", "", "show every weight, as --json does", &flags->all}});
  command.add(kOutputGroup, {json_row(flags->json)});
  command.run = [flags](const Given&) { return inspect(*flags); };
  return command;
}

}  // namespace halfspace::cli
