// Writes PMML: a RegressionModel whose fields are the data's own columns.
//
// A two-class model is a regression for the score, with output fields that turn it into a label, so that a score equal to
// the threshold is decided as here. A multiclass model is a classification whose tables have the order in which equal
// scores win.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/markup.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "model/linear_part.h"
#include "stream/columns/logarithms.h"
#include "stream/formats/format_entry.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

// Returns a name as an attribute's value; rejects one that XML cannot represent: a replacement could be another's name.
std::string written(std::string_view name) {
  if (const std::size_t at = unwritable(name); at != std::string_view::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("cannot export this model to PMML: a name holds the byte {:#04x}, which XML cannot "
                            "represent there",
                            static_cast<unsigned>(static_cast<unsigned char>(name[at]))))
        .fix("export to ONNX, or rename the column, category or label");
  }
  return escaped(name);
}

class Pmml {
 public:
  explicit Pmml(const Model& model) : model_(model), part_(model::linear_part(model, "PMML")) {
    model::refuse_isotonic(model, "PMML");
    model::refuse_changed_rows(model, "PMML");
    const Calibration calibration = probability_curves(model);
    if (calibration.by_platt() && part_.vectors == 1) curve_ = calibration.platt.front();
  }

  std::string text() {
    gather_fields();
    const bool several = part_.vectors > 1;
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n"
        "  <Header><Application name=\"Halfspace\" version=\"{}\"/></Header>\n  <DataDictionary>\n{}",
        kVersion, dictionary_);
    const std::string target = several ? unique("label") : "";
    if (several) {
      text += fmt::format("    <DataField name=\"{}\" optype=\"categorical\" dataType=\"string\">\n", written(target));
      for (const std::string& name : model_.schema.labels.names)
        text += fmt::format("      <Value value=\"{}\"/>\n", written(name));
      text += "    </DataField>\n";
    }
    text += "  </DataDictionary>\n";
    text += several ? "  <RegressionModel functionName=\"classification\" normalizationMethod=\"none\">\n"
                    : "  <RegressionModel functionName=\"regression\">\n";
    text += "    <MiningSchema>\n" + mining_;
    if (several) text += fmt::format("      <MiningField name=\"{}\" usageType=\"target\"/>\n", written(target));
    text += "    </MiningSchema>\n" + (several ? several_outputs() : two_outputs());
    if (!derived_.empty()) text += "    <LocalTransformations>\n" + derived_ + "    </LocalTransformations>\n";
    for (std::uint32_t i = 0; i < part_.vectors; ++i) text += table(part_.last_wins ? part_.vectors - 1 - i : i);
    return text + "  </RegressionModel>\n</PMML>\n";
  }

 private:
  // Returns a name that no field has yet.
  std::string unique(std::string name) {
    while (!names_.insert(name).second) name += "'";
    return name;
  }

  void gather_fields() {
    if (model_.schema.hashed.bits != 0) {
      throw Error(ErrorKind::usage, "PMML names what a weight belongs to, and the model hashes names to features")
          .fix("export it as ONNX, which takes features by number");
    }
    // Data without columns, or with namespaces for columns, have one field a feature.
    if (model_.schema.columns.empty() ||
        stream::entry_of(model_.schema.format).columns == stream::ColumnsAre::namespaces) {
      // A feature missing from a sparse row is 0.
      const std::vector<std::string> features = model_.schema.feature_names();
      for (std::uint32_t f = 0; f < part_.features; ++f) {
        const std::string name = unique(features[f]);
        numeric_field(name, "missingValueReplacement=\"0\" ");
        predictors_.push_back({name, "", f});
      }
      return;
    }
    for (const Column& column : model_.schema.columns) {
      if (column.kind < Column::Kind::text || column.is_logarithm()) continue;
      throw Error(ErrorKind::usage, "PMML's regression takes columns unchanged, and the model derives features from " +
                                        stream::quote(column.name))
          .fix("export it as ONNX, which takes features by number");
    }
    // Columns keep their names; made-up names avoid them.
    for (const Column& column : model_.schema.columns) {
      if (column.kind == Column::Kind::numeric || column.kind == Column::Kind::categorical) names_.insert(column.name);
    }
    for (const Column& column : model_.schema.columns) {
      if (column.kind == Column::Kind::numeric) {
        add_numeric(column);
      } else if (column.kind == Column::Kind::categorical && column.name.empty()) {
        add_others(column);
      } else if (column.kind == Column::Kind::categorical) {
        add_categorical(column);
      }
    }
    for (const Column& column : model_.schema.columns) {
      if (column.is_logarithm()) add_logarithm(column);
    }
  }

  void numeric_field(const std::string& name, const char* when_missing) {
    dictionary_ += fmt::format("    <DataField name=\"{}\" optype=\"continuous\" dataType=\"double\">{}</DataField>\n",
                               written(name), missing_values());
    mining_ +=
        fmt::format("      <MiningField name=\"{}\" {}invalidValueTreatment=\"asIs\"/>\n", written(name), when_missing);
  }

  void add_numeric(const Column& column) {
    if (column.feature == Column::no_feature) return;
    const auto number = static_cast<std::uint32_t>(&column - model_.schema.columns.data());
    if (column.missing_feature == Column::no_feature && !stream::has_logarithm(model_.schema, number)) {
      numeric_field(column.name, "missingValueReplacement=\"0\" ");
      predictors_.push_back({column.name, "", column.feature});
      return;
    }
    numeric_field(column.name, "");
    const std::string value = unique(column.name + " or 0");
    derive(value, column.name, "<Constant dataType=\"double\">0</Constant>",
           fmt::format("<FieldRef field=\"{}\"/>", written(column.name)));
    predictors_.push_back({value, "", column.feature});
    if (column.missing_feature != Column::no_feature) add_indicator(column);
  }

  void add_logarithm(const Column& column) {
    const std::string& from = model_.schema.columns[column.first].name;
    const std::string name = unique(column.name);
    const auto constant = [](double value) {
      return fmt::format("<Constant dataType=\"double\">{}</Constant>", value);
    };
    derive(name, from, constant(0),
           fmt::format("<Apply function=\"ln\"><Apply function=\"+\">{}<Apply function=\"max\">{}"
                       "<Apply function=\"-\"><Apply function=\"/\"><FieldRef field=\"{}\"/>{}</Apply>{}</Apply>"
                       "</Apply></Apply></Apply>",
                       constant(1), constant(0), written(from), constant(column.unit),
                       constant(column.least / column.unit)));
    predictors_.push_back({name, "", column.feature});
  }

  void add_categorical(const Column& column) {
    dictionary_ += fmt::format("    <DataField name=\"{}\" optype=\"categorical\" dataType=\"string\">{}</DataField>\n",
                               written(column.name), missing_values());
    mining_ += fmt::format("      <MiningField name=\"{}\" invalidValueTreatment=\"asIs\"/>\n", written(column.name));
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      if (column.features[k] != Column::no_feature)
        predictors_.push_back({column.name, std::string(column.categories[k]), column.features[k], true});
    }
    if (column.missing_feature != Column::no_feature) add_indicator(column);
  }

  // Writes members of JSON Lines that are not columns: each feature is a field, and 0 if absent.
  void add_others(const Column& column) {
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      if (column.features[k] == Column::no_feature) continue;
      const std::string name = unique(std::string(column.categories[k]));
      numeric_field(name, "missingValueReplacement=\"0\" ");
      predictors_.push_back({name, "", column.features[k]});
    }
  }

  void add_indicator(const Column& column) {
    const std::string missing = unique(column.name + "=?");
    derive(missing, column.name, "<Constant dataType=\"double\">1</Constant>",
           "<Constant dataType=\"double\">0</Constant>");
    predictors_.push_back({missing, "", column.missing_feature});
  }

  void derive(const std::string& name, const std::string& from, const std::string& missing, const std::string& else_) {
    derived_ += fmt::format(
        "      <DerivedField name=\"{}\" optype=\"continuous\" dataType=\"double\"><Apply function=\"if\">"
        "<Apply function=\"isMissing\"><FieldRef field=\"{}\"/></Apply>{}{}</Apply></DerivedField>\n",
        written(name), written(from), missing, else_);
  }

  std::string table(std::uint32_t k) const {
    const std::string category =
        part_.vectors > 1 ? fmt::format(" targetCategory=\"{}\"", written(model_.schema.labels.names[k])) : "";
    std::string text = fmt::format("    <RegressionTable intercept=\"{}\"{}>\n", part_.bias[k], category);
    // Writes numbers before categories, as PMML's schema requires.
    for (const bool categories : {false, true}) {
      for (const Predictor& p : predictors_) {
        if (p.category != categories) continue;
        const double weight = part_.weight[std::size_t{p.feature} * part_.vectors + k];
        text += categories ? fmt::format("      <CategoricalPredictor name=\"{}\" value=\"{}\" coefficient=\"{}\"/>\n",
                                         written(p.field), written(p.value), weight)
                           : fmt::format("      <NumericPredictor name=\"{}\" coefficient=\"{}\"/>\n", written(p.field),
                                         weight);
      }
    }
    return text + "    </RegressionTable>\n";
  }

  std::string two_outputs() {
    const std::string score = written(unique("score"));
    const std::vector<std::string>& names = model_.schema.labels.names;
    std::string text = fmt::format(
        "    <Output>\n"
        "      <OutputField name=\"{0}\" optype=\"continuous\" dataType=\"double\" feature=\"predictedValue\"/>\n"
        "      <OutputField name=\"{1}\" optype=\"categorical\" dataType=\"string\" feature=\"transformedValue\">"
        "<Apply function=\"if\"><Apply function=\"{2}\"><FieldRef field=\"{0}\"/><Constant dataType=\"double\">{5}"
        "</Constant></Apply><Constant dataType=\"string\">{3}</Constant><Constant dataType=\"string\">{4}</Constant>"
        "</Apply></OutputField>\n",
        score, written(unique("label")), part_.last_wins ? "greaterThan" : "greaterOrEqual", written(names[1]),
        written(names[0]), part_.threshold);
    if (curve_) {
      const Platt& curve = *curve_;
      std::string at = fmt::format("<FieldRef field=\"{}\"/>", score);
      const auto limited = [&](const char* function, double limit) {
        at = fmt::format("<Apply function=\"{}\">{}<Constant dataType=\"double\">{}</Constant></Apply>", function, at,
                         limit);
      };
      if (curve.clips()) {
        limited("max", curve.low);
        limited("min", curve.high);
      }
      text += fmt::format(
          "      <OutputField name=\"{}\" optype=\"continuous\" dataType=\"double\" feature=\"transformedValue\">"
          "<Apply function=\"/\"><Constant dataType=\"double\">1</Constant><Apply function=\"+\">"
          "<Constant dataType=\"double\">1</Constant><Apply function=\"exp\"><Apply function=\"+\">"
          "<Apply function=\"*\"><Constant dataType=\"double\">{}</Constant>{}</Apply>"
          "<Constant dataType=\"double\">{}</Constant></Apply></Apply></Apply></Apply></OutputField>\n",
          written(unique("probability")), curve.a, at, curve.b);
    }
    return text + "    </Output>\n";
  }

  std::string several_outputs() {
    return fmt::format(
        "    <Output>\n      <OutputField name=\"{}\" optype=\"categorical\" dataType=\"string\" "
        "feature=\"predictedValue\"/>\n    </Output>\n",
        written(unique("predicted label")));
  }

  // Lists the texts that the CSV reader treats as missing.
  std::string missing_values() const {
    std::string text = "<Value value=\"\" property=\"missing\"/>";
    for (const std::string& name : model_.schema.missing)
      text += fmt::format("<Value value=\"{}\" property=\"missing\"/>", written(name));
    return text;
  }

  struct Predictor {
    std::string field, value;
    std::uint32_t feature;
    bool category = false;
  };

  const Model& model_;
  model::LinearPart part_;
  std::optional<Platt> curve_;  // of two classes with probabilities
  std::set<std::string> names_;
  std::string dictionary_, mining_, derived_;
  std::vector<Predictor> predictors_;
};

}  // namespace

std::vector<std::uint8_t> to_pmml(const Model& model) {
  const std::string text = Pmml(model).text();
  return {text.begin(), text.end()};
}

}  // namespace halfspace
