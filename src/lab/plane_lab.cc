// lab plane: built-in data sets of two features, each with what is known of it: is it separable, and if not, how few
// errors are there? The pocket is trained on the set, and a proof decides.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/printable.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/stream/table_text.h"
#include "halfspace/train/train.h"
#include "lab/labs.h"
#include "report/figures/plot.h"
#include "report/pages/assets.h"
#include "report/results/figures.h"
#include "report/results/plane_record.h"

namespace halfspace::lab {
namespace {

// Rows of two features with a class each.
struct PlaneRows {
  std::string names[2] = {"x", "y"}, label = "class";
  std::vector<std::string> classes{"blue", "red"};
  std::vector<double> x, y;
  std::vector<std::int32_t> label_of;

  // Rounds to hundredths, so that the rows are the same numbers as text.
  void add(double a, double b, std::int32_t klass) {
    x.push_back(std::round(100 * a) / 100 + 0.0);
    y.push_back(std::round(100 * b) / 100 + 0.0);
    label_of.push_back(klass);
  }
};

double between(Generator& draws, double low, double high) { return low + (high - low) * draws.next(); }

// The sixty birds of the tutorial (examples/larks.csv).
PlaneRows larks(std::uint64_t, Generator&) {
  const auto assets = report::assets();
  const std::string_view text =
      std::find_if(assets.begin(), assets.end(), [](const report::Asset& a) { return a.name == "larks.csv"; })->text;
  PlaneRows rows;
  rows.names[0] = "wing";
  rows.names[1] = "tail";
  rows.label = "lark";
  rows.classes = {"skylark", "woodlark"};
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::string line(text.substr(at, text.find('\n', at) - at));
    const std::size_t first = line.find(','), second = line.rfind(',');
    rows.x.push_back(std::stod(line));
    rows.y.push_back(std::stod(line.substr(first + 1)));
    rows.label_of.push_back(line.substr(second + 1) == rows.classes[1] ? 1 : 0);
    at += line.size() + 1;
  }
  return rows;
}

// Four clouds in the corners of a square; corners across from each other have the same class.
PlaneRows exclusive_or(std::uint64_t n, Generator& draws) {
  PlaneRows rows;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double a = i % 4 < 2 ? 2 : -2, b = i % 2 == 0 ? 2 : -2;
    rows.add(a + between(draws, -1, 1), b + between(draws, -1, 1), a == b ? 1 : 0);
  }
  return rows;
}

// Two arms, one and a half turns each.
PlaneRows spirals(std::uint64_t n, Generator& draws) {
  PlaneRows rows;
  const double last = static_cast<double>(std::max<std::uint64_t>((n + 1) / 2, 2) - 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    const double turn = 3 * std::numbers::pi * static_cast<double>(i / 2) / last, side = i % 2 == 0 ? 1 : -1;
    const double radius = 1 + turn + between(draws, -0.2, 0.2);
    rows.add(side * radius * elementary::cos(turn), side * radius * elementary::sin(turn), i % 2 == 0 ? 1 : 0);
  }
  return rows;
}

// Two halves of a square whose hulls have one point in common, the red one at (0, 0).
PlaneRows touching(std::uint64_t n, Generator& draws) {
  PlaneRows rows;
  rows.add(0, 0, 1);
  rows.add(-1, 0, 0);
  rows.add(1, 0, 0);
  for (std::uint64_t i = 3; i < n; ++i) {
    const double height = between(draws, 0.1, 3);
    rows.add(between(draws, -3, 3), i % 2 == 0 ? height : -height, i % 2 == 0 ? 1 : 0);
  }
  return rows;
}

// Two triangles, far apart, with a row of the other class in each, and more rows on the right sides.
PlaneRows nearly_separable(std::uint64_t n, Generator& draws) {
  PlaneRows rows;
  for (const int side : {1, -1}) {
    const std::int32_t here = side > 0 ? 1 : 0;
    rows.add(side * 0.3, side * 2.0, here);
    rows.add(side * 2.0, side * 0.3, here);
    rows.add(side * 2.6, side * 2.6, here);
    rows.add(side * 1.6, side * 1.6, 1 - here);
  }
  for (std::uint64_t i = 8; i < n; ++i) {
    const double side = i % 2 == 0 ? 1 : -1, along = between(draws, -3, 3), away = between(draws, 0.5, 3);
    rows.add(side * away + along, side * away - along, i % 2 == 0 ? 1 : 0);
  }
  return rows;
}

struct PlaneSet {
  const char *name, *purpose;
  PlaneRows (*make)(std::uint64_t n, Generator& draws);
  std::uint64_t default_n, least_n;  // least_n 0: the rows are fixed
  bool separable;
  std::optional<std::uint64_t> fewest_errors{};  // where it is known for every draw
};

const PlaneSet every_set[] = {
    {"larks", "the sixty birds of the tutorial: a line separates them", larks, 60, 0, true, 0},
    {"xor", "four clouds, corners across alike: no line is right", exclusive_or, 80, 4, false, {}},
    {"spirals", "two arms wound around each other", spirals, 100, 8, false, {}},
    {"touching", "two classes whose hulls meet in one point: one error is needed", touching, 60, 5, false, 1},
    {"nearly-separable", "a line separates all rows but two", nearly_separable, 60, 8, false, 2},
};

const PlaneSet& set_named(const std::string& name) {
  std::string names;
  for (const PlaneSet& set : every_set) {
    if (name == set.name) return set;
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  }
  throw Error(ErrorKind::usage, "lab plane has no set called '" + printable(name) + "'").fix("name one of " + names);
}

// Returns the number of rows on the wrong side of the model's line, or on it, with plain sums.
std::uint64_t errors_of(const PlaneRows& rows, const Model& model) {
  const auto& w = model.weights.w;
  const double constant = model.weights.bias.at(0) * model.composition.bias.scale;
  const std::string& positive = model.schema.labels.names.at(1);
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const double s = (w.empty() ? 0 : w[0] * rows.x[i]) + (w.size() < 2 ? 0 : w[1] * rows.y[i]) + constant;
    errors += rows.classes[static_cast<std::size_t>(rows.label_of[i])] == positive ? s < 0 : s >= 0;
  }
  return errors;
}

// Returns the set's rows. Throws Error(usage) for a size that it cannot have.
PlaneRows rows_of(const PlaneSet& set, const LabSettings& settings) {
  if (settings.n != 0 && set.least_n == 0) {
    throw Error(ErrorKind::usage,
                fmt::format("lab plane {} has {} rows, whatever {} is", set.name, set.default_n, option("n")))
        .fix("leave out " + option("n"));
  }
  if (settings.n != 0 && settings.n < set.least_n) {
    throw Error(ErrorKind::usage, fmt::format("lab plane {}: {} is too small for the claim", set.name,
                                              option("n", std::to_string(settings.n))))
        .fix(fmt::format("give {} or more, or omit it", option("n", std::to_string(set.least_n))));
  }
  Generator draws(settings.seed);
  return set.make(settings.n > 0 ? settings.n : set.default_n, draws);
}

TableText table_of(const PlaneRows& rows) {
  TableText table({{rows.names[0]}, {rows.names[1]}}, {.classes = rows.label_of.data(), .names = rows.classes},
                  rows.label);
  std::vector<std::unique_ptr<TableColumn>> columns;
  columns.push_back(std::make_unique<NumberColumn<double>>(rows.x.data()));
  columns.push_back(std::make_unique<NumberColumn<double>>(rows.y.data()));
  table.add_rows(rows.x.size(), std::move(columns));
  return table;
}

// What is proved of the rows, and the run of the pocket on them.
struct PlaneRun {
  CertifyResult proof;
  std::optional<double> bound;  // on the updates, by the proof's margin
  TrainResult result;
  Json plane;

  bool separable() const { return proof.verdict == proof::Verdict::separable; }
};

PlaneRun run_on(const TableText& table, const LabSettings& settings) {
  CertifyOptions question;
  question.read = table.read(question.read);
  question.interrupt = settings.interrupt;
  PlaneRun run{certify(question), {}, {}, {}};
  if (run.separable()) {
    const double ratio = run.proof.radius / run.proof.margin_lower;
    run.bound = static_cast<double>(whole_mistakes(ratio * ratio * (1 + 1e-9)));
  }
  TrainOptions options;
  options.read = table.read(options.read);
  options.composition.order = OrderName::random_mistake;
  options.composition.keep = KeepName::pocket;
  options.composition.seed = settings.seed;
  options.until = {.clean = Clean::pass, .updates = run.bound ? static_cast<std::uint64_t>(*run.bound) + 1 : 2000};
  options.record = true;
  options.interrupt = settings.interrupt;
  report::PlaneRecord record;
  options.on_rows = [&](const Block& block) { record.rows(block); };
  options.observer = [&](const RoundView& round) { record.round(round); };
  run.result = train(options);
  run.plane = record.picture(run.result, nullptr, {});
  return run;
}

// Returns whether the run and the proof agree with each other and with what is known of the set.
bool as_known(const PlaneSet& set, const PlaneRun& run, std::uint64_t errors) {
  const CertifyResult& proof = run.proof;
  const Ledger& ledger = run.result.model.ledger;
  const bool as_proved = (ledger.stopped == Stopped::clean) == run.separable() && errors >= proof.errors_lower &&
                         (!run.bound || (errors == 0 && static_cast<double>(ledger.updates) <= *run.bound));
  const bool fewest =
      !set.fewest_errors || (proof.errors_lower <= *set.fewest_errors && *set.fewest_errors <= proof.errors_upper);
  return proof.verdict != proof::Verdict::undecided && run.separable() == set.separable && as_proved && fewest &&
         static_cast<double>(errors) == std::bit_cast<double>(run.result.model.learner.kept_counts.at(2));
}

Json page_of(const PlaneRun& run) {
  Json page = report::train_result(run.result);
  page["figures"] = report::train_figures(run.result);
  page["plane"] = run.plane;
  page["notes"] = Json::array();
  return page;
}

}  // namespace

std::string plane_sets() {
  std::string text;
  for (const PlaneSet& set : every_set) text += fmt::format("  {:<17} {}\n", set.name, set.purpose);
  return text;
}

LabReport lab_plane(const LabSettings& settings) {
  const PlaneSet& set = set_named(settings.data);
  const PlaneRows rows = rows_of(set, settings);
  const TableText table = table_of(rows);
  if (!settings.output.empty()) {
    std::string text;
    table.append_header(text);
    for (std::uint64_t row = 0; row < table.rows();) row = table.append_rows(row, std::size_t{1} << 18, text);
    write_atomically(settings.output, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                     settings.interrupt);
  }
  const PlaneRun run = run_on(table, settings);

  LabReport report(
      "plane", "A line through the plane is right on all rows only if the hulls of the classes do not meet.",
      set.purpose,
      {"set", "rows", "separable, proved", "fewest errors, proved", "updates", "bound", "pocket's errors"});
  const std::uint64_t errors = errors_of(rows, run.result.model), lower = run.proof.errors_lower,
                      upper = run.proof.errors_upper;
  report.add({set.name, rows.x.size(), run.separable(),
              lower == upper ? std::to_string(lower) : fmt::format("{} to {}", lower, upper),
              run.result.model.ledger.updates, run.bound ? Json(*run.bound) : Json(nullptr), errors},
             as_known(set, run, errors));
  if (settings.figures) report.attach("plane", run.plane);
  report.conclude(run.separable() ? "The perceptron stopped by itself, with no error left."
                                  : "The perceptron would go on for ever; the pocket kept its best line.");
  report.picture(report::scatter_plot(report::scatter_of(run.plane), settings.width) + "\n", page_of(run));
  return report;
}

}  // namespace halfspace::lab
