// halfspace inspect: what a model knows, by feature name, and where it comes from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/commands.h"
#include "cli/kernel_flags.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "report/json.h"

namespace halfspace::cli {
namespace {

struct InspectFlags {
  std::string model;
  std::size_t top = 20;
  bool all = false, json = false;
};

bool by_support_vectors(const Model& model) {
  return model.composition.rule == RuleName::kernel;
}
// There are weights by feature, of any rule but a curved kernel.
bool by_feature(const Model& model) {
  return !by_support_vectors(model) || model.composition.kernel.kernel.name == KernelName::linear;
}

// The positions of support vectors, the largest |coefficient| first.
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
  j["normalize"] = model.schema.row_normalised ? "row" : model.schema.exponents.empty() ? "none" : "column";
  j["single"] = model.schema.single;
  const Ledger& ledger = model.ledger;
  j["provenance"] = {{"version", model.provenance.version},
                     {"fingerprints", model.provenance.fingerprints},
                     {"rows", model.position.rows},
                     {"holdout", model.holdout},
                     {"rounds", ledger.rounds},
                     {"mistakes", ledger.mistakes},
                     {"updates", ledger.updates},
                     {"passes", ledger.passes},
                     {"stopped", name_of(ledger.stopped)},
                     {"seed", model.composition.seed}};
  if (model.composition.keep == KeepName::vote) j["votes"] = model.learner.votes.steps.size() + 1;
  return j;
}

// One class's weights, largest first. The order is that of the weights as learned; the number shown acts on the data's
// own values.
std::string weight_table(const Model& model, std::uint32_t k, const std::vector<std::string>& names, std::size_t top) {
  const std::uint32_t classes = model.weights.classes;
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (f * classes + k < model.weights.w.size() && model.weights.w[f * classes + k] != 0) order.push_back(f);
  }
  const auto learned = [&](std::size_t f) { return model.weights.w[f * classes + k]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(learned(a)) > std::abs(learned(b)); });
  const std::size_t shown = std::min(top, order.size());
  const bool scaled = !model.schema.exponents.empty();
  Table table({true, false, false, true});
  const double largest = order.empty() ? 1 : std::abs(learned(order[0]));
  table.add({dim("feature"), dim("weight"), scaled ? dim("on a column scaled to 1") : "", ""});
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t f = order[i];
    const double own =
        f < model.schema.exponents.size() ? std::ldexp(learned(f), model.schema.exponents[f]) : learned(f);
    const auto length = static_cast<std::size_t>(std::lround(20 * std::abs(learned(f)) / largest));
    std::string bar(length, learned(f) > 0 ? '+' : '-');
    table.add({shortened(names[f], 40), short_number(own), scaled ? short_number(learned(f)) : "", bar});
  }
  std::string text = table.text();
  if (shown < order.size())
    text += dim(fmt::format("  … and {} more (--all shows them)\n", grouped(order.size() - shown)));
  if (order.size() < names.size())
    text += dim(fmt::format("  {} of {} features have weight 0\n", grouped(names.size() - order.size()),
                            grouped(names.size())));
  return text;
}

// The support vectors with the largest coefficients, each by its side, its length, and the values that make it up most.
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

int inspect(const InspectFlags& flags) {
  const Model model = report::weighed_by_feature(load_model(flags.model));
  if (flags.json) {
    print_result(as_json(model).dump(2) + "\n");
    return 0;
  }
  const Composition& c = model.composition;
  const auto& labels = model.schema.labels.names;
  const std::size_t top = flags.all ? SIZE_MAX : flags.top;
  const std::vector<std::string> names = model.schema.feature_names();
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", key, value);
  };
  line("composition", fmt::format("{} × {} × {}, tie {}, bias {}", name_of(c.rule), name_of(c.order), name_of(c.keep),
                                  name_of(c.tie), name_of(c.bias.place)));
  line("normalised", model.schema.row_normalised      ? "each row divided by its norm"
                     : model.schema.exponents.empty() ? "no"
                                                      : "each column by a power of two");
  std::string classes;
  for (std::size_t k = 0; k < labels.size() && k < 12; ++k) {
    classes += (k > 0 ? ", " : "") + shortened(labels[k], 24) +
               (labels.size() == 2 ? (k == 1 ? " (positive)" : " (negative)") : "");
  }
  if (labels.size() > 12) classes += fmt::format(" and {} more", labels.size() - 12);
  line("classes", classes);
  line("learned from",
       fmt::format("{} rows, {} rounds, {} mistakes, {} updates, {} passes; stopped: {}", grouped(model.position.rows),
                   grouped(model.ledger.rounds), grouped(model.ledger.mistakes), grouped(model.ledger.updates),
                   grouped(model.ledger.passes), name_of(model.ledger.stopped)));
  for (const std::string& fingerprint : model.provenance.fingerprints) line("data", "XXH3-128 " + fingerprint);
  line("written by", "halfspace " + model.provenance.version);
  if (c.keep == KeepName::vote) {
    line("votes",
         fmt::format("{} vectors vote; below, the last of them", grouped(model.learner.votes.steps.size() + 1)));
  }
  if (by_support_vectors(model)) {
    const KernelOptions& k = c.kernel;
    line("kernel", kernel_words(k.kernel));
    line("support",
         fmt::format("{} support vectors{}", grouped(model.learner.kernel.coefficient.size()),
                     k.budget ? fmt::format(" of at most {}, {}", grouped(*k.budget), name_of(k.eviction)) : ""));
    text += "\n" + support_table(model, names, flags.all ? SIZE_MAX : std::min<std::size_t>(top, 10));
    if (!by_feature(model)) {
      if (labels.size() == 2) {
        text += fmt::format("\n  a row is {} when the sum of coefficient × kernel is {}\n", bold(printable(labels[1])),
                            c.tie == Tie::negative ? "above 0" : "at least 0");
      }
      print_result(text);
      return 0;
    }
  }
  text += "\n";
  for (std::uint32_t k = 0; k < model.weights.classes; ++k) {
    if (model.weights.classes > 1) text += "  " + bold("class " + shortened(labels[k], 40)) + "\n";
    text +=
        weight_table(model, k, names, model.weights.classes > 1 && !flags.all ? std::min<std::size_t>(top, 5) : top);
    const double scale = c.bias.place == Bias::none ? 0.0 : c.bias.scale;
    if (scale != 0) text += fmt::format("  {:<12} {}\n", "bias", short_number(model.weights.bias[k] * scale));
    if (model.weights.classes > 1) text += "\n";
  }
  if (model.weights.classes == 1 && labels.size() == 2) {
    text += fmt::format("\n  a row is {} when the sum of weight × value{} is {}\n", bold(printable(labels[1])),
                        c.bias.place == Bias::none ? "" : ", with the bias,",
                        c.tie == Tie::negative ? "above 0" : "at least 0");
  }
  print_result(text);
  return 0;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command =
      add_command(app, "inspect", "weights by feature name, provenance",
                  {{"halfspace inspect credit.model", "the weights that matter most, largest first"},
                   {"halfspace inspect credit.model --json | jq .weights", "all weights, for another program"}});
  command->add_option("MODEL", flags->model, "a model that train wrote")->required();
  command->add_option("--top", flags->top, "how many weights to show (default 20)")->type_name("N");
  command->add_flag("--all", flags->all, "show every weight");
  command->add_flag("--json", flags->json, "one JSON object on stdout");
  command->callback([flags, &action] { action = [flags] { return inspect(*flags); }; });
}

}  // namespace halfspace::cli
