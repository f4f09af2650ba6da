// Formats the ledger.
#include "report/results/ledger_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/printable.h"
#include "base/text_table.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/evaluation_json.h"
#include "report/results/hash_words.h"
#include "report/results/json.h"
#include "report/results/minimum_text.h"
#include "report/results/rules_json.h"
#include "report/results/sets_text.h"
#include "report/results/train_words.h"
#include "report/results/watch_text.h"
#include "report/results/words.h"

namespace halfspace::report {
namespace {

// Returns "395 support vectors of at most 1,000, random removed 0".
std::string support_words(const Model& model) {
  const KernelOptions k = kernel_options(model.composition);
  const KernelState& support = model.learner.kernel;
  std::string words = grouped(support.coefficient.size()) + " support vectors";
  if (!k.budget) return words;
  return words + fmt::format(" of at most {}, {} {} {}", grouped(*k.budget), name_of(k.eviction),
                             k.eviction == Eviction::projectron ? "projected" : "removed",
                             grouped(static_cast<std::uint64_t>(forgotten_in(support).removed)));
}

// Returns what the threshold was placed by: "probability", or a metric.
std::string threshold_note(const std::string& by) {
  if (by == "probability") return "the least score with this probability";
  const std::optional<Metric> metric = value_named<Metric>(by);
  const std::string best = metric && !higher_is_better(*metric) ? "least " : "best ";
  return best + by + " on rows scored by weights not trained on them";
}

// Returns what |w| refers to, if it needs an explanation.
std::string about_the_models(const LeastLoss& found, const Model& model) {
  const bool columns = !model.schema.exponents.empty() || model.ledger.new_rows == NewRows::standard;
  std::string words;
  if (found.norm_of_weights)
    words += fmt::format("; |w| is the norm of the final weights{}",
                         model.composition.bias.position == Bias::none ? "" : ", with the bias");
  if (columns || model.schema.row_normalised)
    words += fmt::format("; w acts on {} after {}", columns ? "columns" : "rows", option("normalize"));
  return words;
}

class LedgerText {
 public:
  LedgerText(const TrainResult& result, const LedgerNotes& notes, const TextStyle& style)
      : result_(result), notes_(notes), style_(style), model_(result.model), ledger_(result.model.ledger) {}

  std::string text() {
    new_rows();
    if (notes_.details && !result_.minimum) composition();
    data();
    if (!notes_.chosen.empty()) line("chosen", notes_.chosen);
    if (result_.minimum) {
      minimum_lines(result_, [this](std::string_view key, const std::string& value, const std::string& note) {
        line(key, value, note);
      });
    } else {
      course();
    }
    weights();
    followed();
    guarded();
    proofs();
    evaluations();
    if (notes_.details) {
      line("time", duration(result_.seconds.total),
           fmt::format("learning {}, waiting for data {}", duration(result_.seconds.learn),
                       duration(result_.seconds.read)));
    }
    least_loss();
    if (!notes_.output.empty()) line("model", printable(notes_.output), notes_.output_size);
    if (!notes_.certificate.empty()) line("certificate", printable(notes_.certificate), notes_.certificate_note);
    if (!result_.minimum) mistakes();
    return style_.rendered(text_);
  }

 private:
  void line(std::string_view key, const std::string& value, const std::string& note = "") {
    text_ += fmt::format("  {:<12} {}{}\n", key, value, note.empty() ? "" : "   " + style_.dim(note));
  }

  void composition() {
    const Composition& c = model_.composition;
    std::string bias = std::string(name_of(c.bias.position));
    if (c.bias.position != Bias::none && c.bias.scale != 1) bias += " scaled " + short_number(c.bias.scale);
    std::string rule = learner_word(c);
    if (c.by_learners_of_two()) rule += fmt::format(" {}", name_of(c.several_classes));
    line("composition", fmt::format("{} × {} × {}", rule, name_of(c.order), name_of(c.keep)),
         fmt::format("tie {}, bias {}", name_of(c.tie), bias));
    if (entry_of(c.rule).support_vectors) line("kernel", kernel_words(kernel_options(c).kernel), support_words(model_));
  }

  void data() {
    const ReadReport& read = result_.report;
    line("data",
         fmt::format("{}, {}, {}", counted(read.rows, "row"), counted(model_.schema.features, "feature"),
                     counted(read.nonzeros, "nonzero")),
         read.rejected > 0 ? counted(read.rejected, "bad row") + " skipped" : "");
    if (ledger_.new_rows == NewRows::standard)
      line("columns", "as " + option("normalize", "standard") + " makes them: margins and bounds are about these",
           "the weights are for the data's own values");
    if (const HashUse use = hash_use(model_.schema, read); use.bits > 0)
      line("hashed", hashed_words(use), sharing_words(use));
    const std::vector<std::string>& names = model_.schema.labels.names;
    std::string classes;
    for (std::size_t k = 0; k < names.size() && k < 12; ++k) {
      if (names[k].empty()) continue;  // no row has this label
      const std::uint64_t rows = k < read.class_rows.size() ? read.class_rows[k] : 0;
      const char* role = names.size() == 2 ? (k == 1 ? " (positive)" : " (negative)") : "";
      classes += fmt::format("{}{}{} {}", classes.empty() ? "" : ", ", shortened(names[k], 24), role, grouped(rows));
    }
    if (names.size() > 12) classes += fmt::format(" and {} more", names.size() - 12);
    line("classes", classes, notes_.label);
  }

  void course() {
    const bool at_the_end = ledger_.stopped == Stopped::end || ledger_.stopped == Stopped::passes;
    if (ledger_.stopped == Stopped::budget) {
      const bool only_mistakes = plays_mistakes_only(model_.composition.order);
      line("stopped",
           fmt::format("the default limit of {}, before {}",
                       only_mistakes ? counted(default_updates, "update") : counted(default_passes, "pass", "passes"),
                       only_mistakes ? "no mistake was left" : "a pass was clean"),
           option(only_mistakes ? "updates" : "passes", "N") + " or " + option("seconds", "S") + " sets another");
    } else if (notes_.details || !at_the_end || ledger_.begun_passes() > 1) {
      line("stopped", std::string(help_of(ledger_.stopped)),
           fmt::format(
               "after {}, {}, {}", counted(ledger_.rounds, "round"),
               passes_made(ledger_.passes, ledger_.pass.back().rounds > 0 ? ledger_.begun_passes() : ledger_.passes),
               counted(ledger_.updates, "update")));
    }
    if (!plays_mistakes_only(model_.composition.order)) error();
    if (ledger_.watch) {
      watch_lines(*ledger_.watch, ledger_.new_rows == NewRows::weighted,
                  [this](std::string_view key, const std::string& value) { line(key, value); });
    }
    if (notes_.details) last_pass();
  }

  void error() {
    const double weight = ledger_.first_pass_weight();
    std::string guesses = the_constant();
    if (notes_.details) guesses += fmt::format("; the label before: {}", percent(ledger_.previous_errors, weight));
    if (!learning_is_estimate()) guesses = "shows how fast it learned; " + guesses;
    line("error",
         fmt::format("{} {}, each row predicted before training on it", percent(ledger_.first_pass_errors(), weight),
                     ledger_.begun_passes() > 1 ? "in the first pass" : "while learning"),
         guesses);
  }

  void last_pass() {
    const bool begun = ledger_.pass.back().rounds > 0;  // else it was interrupted before its first row
    if (ledger_.pass.size() < (begun ? 2U : 3U)) return;
    const std::size_t at = ledger_.pass.size() - (begun ? 1 : 2);
    if (ledger_.passes_of(at) > 1) return;  // an old model has one record for many passes
    const PassRecord &first = ledger_.pass.front(), &last = ledger_.pass[at];
    line("last pass", fmt::format("J₁ = {}, J = {}", counted(last.mistakes, "mistake"), short_number(last.criterion)),
         fmt::format("first pass: J₁ = {}, J = {}", grouped(first.mistakes), short_number(first.criterion)));
  }

  void weights() {
    if (notes_.details && !result_.minimum)
      line("radius", radius_words(ledger_.largest_squared_norm, ledger_.largest_row > 0),
           fmt::format("the longest row; weights have norm {}", short_number(result_.weight_norm)));
    if (makes_exact_zeros(model_.composition))
      line("weights",
           fmt::format("{} of {} are not 0", grouped(nonzero_weights(model_)), grouped(model_.weights.w.size())));
    if (!result_.training_errors) return;
    std::string note;
    if (result_.evaluation) {
      const bool apart = result_.evaluation->smallest_margin > 0;
      note = apart && *result_.training_errors > 0 ? model_.threshold
                                                         ? "by a score of 0 every row is on its side"
                                                         : "every row on its side but for the rounding of scores"
             : apart                               ? "every row on its side" +
                           (result_.evaluation->margin() > 0
                                ? ", geometric margin " + rounded_down(result_.evaluation->margin(), 6)
                                : std::string())
             : *result_.training_errors > 0 ? "these weights do not separate the rows"
                                            : "no margin above 0 is certain";
    }
    line("training",
         fmt::format("{} of {} wrong ({})", grouped_count(*result_.training_errors),
                     rows_counted(result_.training_rows), percent(*result_.training_errors, result_.training_rows)),
         on_these_rows() + (note.empty() ? "" : "; " + note));
  }

  // Says how the error on the training rows compares with that on new ones.
  std::string on_these_rows() const {
    const bool lower =
        !result_.expected_error || *result_.training_errors / result_.training_rows < result_.expected_error->error();
    return lower ? "too low for new rows" : "of rows that it was trained on";
  }

  void followed() {
    if (result_.followed.empty()) return;
    line("followed", followed_words(result_.followed, notes_.details ? result_.followed.size() : 3),
         "weights of the members at the end of the run");
  }

  void guarded() {
    if (!result_.guarded) return;
    const Guarded& g = *result_.guarded;
    line("guarded", fmt::format("the model: {}", help_of(g.by)),
         fmt::format("on {} sampled from the stream it errs {} times, the final weights {} times",
                     counted(g.rows, "row"), grouped(g.errors), grouped(g.errors_before)));
  }

  void proofs() {
    if (notes_.proved) {
      const std::uint64_t lower = notes_.proved->errors_lower, upper = notes_.proved->errors_upper;
      line("certified",
           lower == upper
               ? fmt::format("fewest errors any halfspace makes: {}", grouped(lower))
               : fmt::format("fewest errors any halfspace makes: lower {}, upper {}", grouped(lower), grouped(upper)),
           notes_.proved->verdict);
    } else if (!notes_.why_no_proof.empty()) {
      line("certified", "nothing: " + notes_.why_no_proof);
    }
    if (!result_.margin_ceiling) return;
    const bool proved = notes_.proved && *result_.margin_ceiling == notes_.proved->margin_upper;
    line("margin", "at most " + rounded_up(*result_.margin_ceiling, 6),
         proved ? "of any separator: proved" : "of any separator: |w| over the steps taken");
  }

  void evaluations() {
    if (result_.holdout) {
      const Holdout& held = *result_.holdout;
      line("held out", fmt::format("{} of {} right ({})", grouped_count(held.rows - held.errors),
                                   rows_counted(held.rows), percent(held.rows - held.errors, held.rows)));
    }
    const Calibration& fitted = model_.calibration;
    if (fitted.method != CalibrationMethod::none && !fitted.fitted()) {
      line("calibrated", "not yet: too few held-out rows; continue with " + option("resume"));
    } else if (fitted.fitted() && result_.minimum && fitted.rows == 0) {
      line("probability", fitted.method == CalibrationMethod::softmax ? "the softmax of the scores"
                                                                      : "the logistic function of the score");
    } else if (fitted.fitted()) {
      line("calibrated", fmt::format("{}, on {}, each scored by weights that were not trained on it",
                                     name_of(fitted.method), counted(fitted.rows, "row")));
    }
    if (model_.threshold) line("threshold", threshold_words(model_), threshold_note(result_.threshold_by));
    if (model_.conformal)
      line("conformal", fmt::format("scores of {} not used in training", counted(model_.conformal->rows(), "row")),
           "for predict " + option("sets", "0.9"));
    if (result_.sets && result_.sets->sets.rows() > 0) {
      const SetCounts& counts = result_.sets->counts;
      line("sets", issued_words(*result_.sets),
           counts.sizes == 0 ? ""
                             : fmt::format("{} of one class, {} of none", percent(counts.singles, counts.rows),
                                           percent(counts.empty, counts.rows)));
    }
  }

  void least_loss() {
    if (!result_.least_loss) return;
    const LeastLoss& found = *result_.least_loss;
    const std::string loss = loss_words(name_of(found.loss)), own = short_number(found.mean(), 4);
    if (!found.bound && !found.penalised) return line("least loss", "no bound: " + found.why_no_bound);
    std::string claim = fmt::format("no linear model with |w| <= {} has mean {}", short_number(found.norm), loss);
    if (found.bound) claim += " below " + at_least_number(*found.bound);
    if (found.penalised) {
      claim += fmt::format("{} with its penalties below {}", found.bound ? "," : "", at_least_number(*found.penalised));
    }
    line("least loss", fmt::format("{}; this run's was {}", claim, own),
         fmt::format("proved, over {}{}", counted(found.rounds, "round"), about_the_models(found, model_)));
  }

  void mistakes() {
    const std::string made = style_.bold(grouped(ledger_.mistakes));
    const bool has_theorem = entry_of(model_.composition.rule).bounds != nullptr;
    if (notes_.details && result_.regret) {
      const RegretOfExperts& regret = *result_.regret;
      line("regret", rounded_up(regret.most / regret.weight),
           fmt::format("at most this log loss a row above the best mean of its experts; the theorem: {}",
                       rounded_up(regret.theorem / regret.weight)));
    }
    if (result_.bound) {
      line("mistakes", made + " " + style_.dim("of at most") + " " + style_.bold(count_at_most(result_.bound->value)),
           fmt::format("bound: {}, comparator {}{}", result_.bound->theorem, result_.bound->comparator,
                       whole_mistakes(result_.bound->value) < ledger_.rounds
                           ? ""
                           : fmt::format("; not informative for {}", counted(ledger_.rounds, "round"))));
    } else if (has_theorem || notes_.details) {
      line("mistakes", made, "no bound: " + result_.why_no_bound);
    }
  }

  // The one error to report; the others show how the run went.
  void new_rows() {
    if (!result_.expected_error)
      return line("new rows", "no estimate: " + result_.why_no_expected_error,
                  result_.holdout                         ? ""
                  : ledger_.new_rows == NewRows::searched ? "evaluate the model on rows that it has not seen"
                                                          : option("holdout", "0.2") + " holds out rows that give one");
    const ExpectedError& expected = *result_.expected_error;
    std::string note = assumption_words(expected);
    if (result_.guarded && expected.from == ExpectedFrom::learning)
      note = fmt::format("if they are like these {}, for the learner as it ran; the model is a different one",
                         grouped(expected.rows));
    line("new rows", style_.bold(new_rows_words(expected)), note);
    if (result_.holdout && static_cast<double>(expected.rows) == result_.holdout->rows) {
      const Holdout& holdout = *result_.holdout;
      line("", "report this; " +
                   constant_words(most_frequent(holdout), errors_of_the_most_frequent(holdout), holdout.rows) +
                   " wrong");
    } else if (learned_weight() > 0) {
      const bool same = static_cast<double>(expected.rows) == learned_weight();
      line("", "report this; " + the_constant() + (same ? " wrong" : " of the training rows wrong"));
    }
  }
  // Returns the rows of the first pass, or of the minimum.
  double learned_weight() const {
    if (!result_.minimum) return ledger_.first_pass_weight();
    const std::vector<double>& seen = result_.minimum->rows_of_class;
    return std::accumulate(seen.begin(), seen.end(), 0.0);
  }
  // Returns the error of always predicting the most frequent class of them.
  std::string the_constant() const {
    const std::vector<double>& seen = result_.minimum ? result_.minimum->rows_of_class : ledger_.class_weight;
    const auto most = std::max_element(seen.begin(), seen.end());
    const double errors = result_.minimum ? learned_weight() - *most : errors_of_the_most_frequent(ledger_);
    return constant_words(static_cast<std::size_t>(most - seen.begin()), errors, learned_weight());
  }
  std::string constant_words(std::size_t klass, double errors, double rows) const {
    const std::vector<std::string>& names = model_.schema.labels.names;
    const std::string name =
        klass < names.size() && !names[klass].empty() ? shortened(names[klass], 24) : "the same class";
    return fmt::format("always {}: {}", name, percent(errors, rows));
  }
  bool learning_is_estimate() const {
    return result_.expected_error && result_.expected_error->from == ExpectedFrom::learning;
  }

  const TrainResult& result_;
  const LedgerNotes& notes_;
  const TextStyle& style_;
  const Model& model_;
  const Ledger& ledger_;
  std::string text_;
};

}  // namespace

std::string followed_words(const std::vector<MixtureMember>& members, std::size_t most) {
  constexpr double little = 0.005;
  std::string text;
  double rest = 1;
  for (std::size_t k = 0; k < std::min(members.size(), most); ++k) {
    const auto& [name, probability] = members[k];
    if (k > 0 && probability < little) break;
    text += fmt::format("{}{} {:.0f} %", k == 0 ? "" : ", ", name, 100 * probability);
    rest -= probability;
  }
  return rest < little ? text : text + fmt::format(", others {:.0f} %", 100 * rest);
}

std::string ledger_text(const TrainResult& result, const LedgerNotes& notes, const TextStyle& style) {
  return LedgerText(result, notes, style).text();
}

}  // namespace halfspace::report
