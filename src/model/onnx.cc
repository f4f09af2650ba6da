// Writes ONNX: a graph of plain operators in double precision, in hand-written protocol buffers.
//
// The LinearClassifier of ai.onnx.ml has float weights and scores, so predictions would differ. MatMul, Add and ArgMax
// take doubles. MatMul's factors are matrices: onnxruntime rejects no rows times a vector. The numbers of fields and
// types below are those of onnx.proto.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "model/linear_part.h"
#include "stream/text/number.h"

namespace halfspace {
namespace {

constexpr std::uint64_t ir_version = 7, operators_version = 13;

// A message of protocol buffers: fields one after the other, each a key and a value.
class Message {
 public:
  Message& number(std::uint32_t field, std::int64_t value) {
    varint(field << 3);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& text(std::uint32_t field, std::string_view bytes) {
    varint(field << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& message(std::uint32_t field, const Message& inner) { return text(field, inner.bytes_); }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

enum Type : std::int64_t { floats = 1, int64s = 7, texts = 8, doubles = 11 };

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes;
  bytes.reserve(values.size() * 8);
  for (const T value : values) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i, bits >>= 8) bytes += static_cast<char>(bits & 0xff);
  }
  return bytes;
}

class Graph {
 public:
  using Shape = std::vector<std::int64_t>;

  void constant(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    graph_.message(5, tensor(name, shape, doubles).text(9, raw(values)));
  }
  void constant(const std::string& name, const Shape& shape, const std::vector<std::int64_t>& values) {
    graph_.message(5, tensor(name, shape, int64s).text(9, raw(values)));
  }
  void constant(const std::string& name, const Shape& shape, const std::vector<std::string>& values) {
    Message message = tensor(name, shape, texts);
    for (const std::string& value : values) message.text(6, value);
    graph_.message(5, message);
  }

  struct Attribute {
    const char* name;
    std::int64_t value;
  };
  void node(const char* op, std::initializer_list<const char*> inputs, const char* output,
            std::initializer_list<Attribute> attributes = {}) {
    Message node;
    for (const char* input : inputs) node.text(1, input);
    node.text(2, output).text(3, std::string("to ") + output).text(4, op);
    constexpr std::int64_t integer = 2;
    for (const Attribute& a : attributes)
      node.message(5, Message().text(1, a.name).number(3, a.value).number(20, integer));
    graph_.message(1, node);
  }

  // Negative dimensions have a name instead of a size: the rows.
  void input(const char* name, Type type, const Shape& shape) { graph_.message(11, value(name, type, shape)); }
  void output(const char* name, Type type, const Shape& shape) { graph_.message(12, value(name, type, shape)); }

  std::vector<std::uint8_t> model(const std::string& features) {
    graph_.text(2, "halfspace");
    Message model;
    model.number(1, ir_version).text(2, "Halfspace").text(3, kVersion).message(7, graph_);
    model.message(8, Message().text(1, "").number(2, operators_version));
    model.message(14, Message().text(1, "features").text(2, features));
    return {model.bytes().begin(), model.bytes().end()};
  }

 private:
  static Message tensor(const std::string& name, const Shape& shape, Type type) {
    Message message;
    for (const std::int64_t size : shape) message.number(1, size);
    message.number(2, type).text(8, name);
    return message;
  }
  static Message value(const char* name, Type type, const Shape& shape) {
    Message dimensions;
    for (const std::int64_t size : shape)
      dimensions.message(1, size < 0 ? Message().text(2, "rows") : Message().number(1, size));
    const Message inner = Message().number(1, type).message(2, dimensions);
    return Message().text(1, name).message(2, Message().message(1, inner));
  }

  Message graph_;
};

// Returns the labels as integers if they all are: as texts, those that an integer is written as.
std::optional<std::vector<std::int64_t>> integers(const Labels& labels) {
  std::vector<std::int64_t> values;
  for (const std::string& name : labels.names) {
    const auto number = stream::exact_number(name);
    if (!number) return std::nullopt;
    const std::string text = number->text();
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (labels.are == LabelsAre::texts && name != text) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

// Adds the preprocessing of x: rows divided by their norms, values rounded to floats. Returns the name of the result.
const char* transformed(Graph& graph, const Model& model, std::int64_t features) {
  const char* x = "x";
  if (model.schema.row_normalised) {
    graph.constant("ones", {features, 1}, std::vector<double>(static_cast<std::size_t>(features), 1.0));
    graph.constant("least norm", {}, std::vector<double>{0x1p-1000});  // a row of zeros stays one
    graph.node("Mul", {"x", "x"}, "squares");
    graph.node("MatMul", {"squares", "ones"}, "squared norm");
    graph.node("Sqrt", {"squared norm"}, "norm");
    graph.node("Max", {"norm", "least norm"}, "divisor");
    graph.node("Div", {"x", "divisor"}, "direction");
    x = "direction";
  }
  if (model.schema.single) {
    graph.node("Cast", {x}, "rounded", {{"to", floats}});
    graph.node("Cast", {"rounded"}, "values", {{"to", doubles}});
    x = "values";
  }
  return x;
}

// Splits what is given, the features that are no logarithms, from the logarithms, which the graph computes.
struct Inputs {
  explicit Inputs(const Model& model) {
    const std::vector<std::string> all = model.schema.feature_names();
    std::vector<const Column*> of(all.size());
    for (const Column& column : model.schema.columns) {
      if (column.is_logarithm()) of[column.feature] = &column;
    }
    std::vector<std::int64_t> position(all.size());
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (of[j] != nullptr) continue;
      position[j] = static_cast<std::int64_t>(names.size());
      names.push_back(all[j]);
      features.push_back(j);
    }
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (of[j] == nullptr) continue;
      const Column& from = model.schema.columns[of[j]->first];
      logarithms.push_back({j, of[j]->least, of[j]->unit, position[from.feature], -1});
      if (from.missing_feature != Column::no_feature) logarithms.back().missing = position[from.missing_feature];
    }
  }

  struct Logarithm {
    std::size_t feature;
    double least, unit;
    std::int64_t value, missing;  // columns of x; -1: none
  };
  std::vector<std::string> names;
  std::vector<std::size_t> features;
  std::vector<Logarithm> logarithms;
};

// Returns the weights of these features, in their order.
std::vector<double> weights_of(const model::LinearPart& part, const std::vector<std::size_t>& features) {
  std::vector<double> weights;
  for (const std::size_t j : features) {
    const auto own = part.weight.begin() + static_cast<std::ptrdiff_t>(j * part.vectors);
    weights.insert(weights.end(), own, own + part.vectors);
  }
  return weights;
}

// Adds the weighted sum of the logarithms of x to `product`, a matrix; those of missing values are 0.
void add_logarithms(Graph& graph, const Inputs& inputs, const model::LinearPart& part, const char* x,
                    const char* product, const char* output) {
  const auto count = static_cast<std::int64_t>(inputs.logarithms.size());
  std::vector<std::int64_t> values;
  std::vector<std::size_t> features;
  std::vector<double> scale, shift, missing(inputs.names.size() * inputs.logarithms.size(), 0.0);
  for (std::size_t i = 0; i < inputs.logarithms.size(); ++i) {
    const Inputs::Logarithm& of = inputs.logarithms[i];
    values.push_back(of.value);
    features.push_back(of.feature);
    scale.push_back(1 / of.unit);
    shift.push_back(-of.least / of.unit);
    if (of.missing >= 0) missing[static_cast<std::size_t>(of.missing) * inputs.logarithms.size() + i] = -1;
  }
  graph.constant("columns of logarithms", {count}, values);
  graph.constant("inverse units", {count}, scale);
  graph.constant("minus least", {count}, shift);
  graph.constant("zero", {}, std::vector<double>{0.0});
  graph.constant("one", {}, std::vector<double>{1.0});
  graph.constant("minus missing", {static_cast<std::int64_t>(inputs.names.size()), count}, missing);
  graph.constant("weights of logarithms", {count, static_cast<std::int64_t>(part.vectors)}, weights_of(part, features));
  graph.node("Gather", {x, "columns of logarithms"}, "far apart", {{"axis", 1}});
  graph.node("Mul", {"far apart", "inverse units"}, "in units");
  graph.node("Add", {"in units", "minus least"}, "from least");
  graph.node("Max", {"from least", "zero"}, "above least");
  graph.node("Add", {"above least", "one"}, "from one");
  graph.node("Log", {"from one"}, "logarithm");
  graph.node("MatMul", {x, "minus missing"}, "minus absent");
  graph.node("Add", {"minus absent", "one"}, "present");
  graph.node("Mul", {"logarithm", "present"}, "logarithms");
  graph.node("MatMul", {"logarithms", "weights of logarithms"}, "product of logarithms");
  graph.node("Add", {product, "product of logarithms"}, output);
}

void add_probability(Graph& graph, const Calibration& calibration, const Graph::Shape& shape,
                     const Graph::Shape& curves) {
  graph.output("probability", doubles, shape);
  if (calibration.method == CalibrationMethod::softmax)
    return graph.node("Softmax", {"score"}, "probability", {{"axis", 1}});
  std::vector<double> slope, shift, low, high;
  for (const Platt& curve : calibration.platt) {
    slope.push_back(-curve.a);
    shift.push_back(-curve.b);
    low.push_back(curve.low);
    high.push_back(curve.high);
  }
  graph.constant("slope", curves, slope);
  graph.constant("shift", curves, shift);
  const bool clipped = calibration.method == CalibrationMethod::clipped_platt;
  if (clipped) {
    graph.constant("lowest score", curves, low);
    graph.constant("highest score", curves, high);
    graph.node("Max", {"score", "lowest score"}, "raised score");
    graph.node("Min", {"raised score", "highest score"}, "clipped score");
  }
  graph.node("Mul", {clipped ? "clipped score" : "score", "slope"}, "scaled score");
  graph.node("Add", {"scaled score", "shift"}, "odds");
  if (calibration.method == CalibrationMethod::temperature)
    return graph.node("Softmax", {"odds"}, "probability", {{"axis", 1}});
  const bool several = !curves.empty();
  graph.node("Sigmoid", {"odds"}, several ? "each apart" : "probability");
  if (several) {
    graph.constant("classes axis", {1}, std::vector<std::int64_t>{1});
    graph.node("ReduceSum", {"each apart", "classes axis"}, "sum", {{"keepdims", 1}});
    graph.node("Div", {"each apart", "sum"}, "probability");
  }
}

}  // namespace

std::vector<std::uint8_t> to_onnx(const Model& model) {
  model::refuse_isotonic(model, "ONNX");
  const model::LinearPart part = model::linear_part(model, "ONNX");
  const bool several = part.vectors > 1;
  const Inputs inputs(model);
  const bool computes = !inputs.logarithms.empty();
  if (computes) model::refuse_changed_rows(model, "ONNX");
  const auto features = static_cast<std::int64_t>(inputs.names.size());
  const auto classes = static_cast<std::int64_t>(model.classes());
  const Graph::Shape of_classes = several ? Graph::Shape{classes} : Graph::Shape{};
  Graph graph;
  graph.input("x", doubles, {-1, features});
  const char* x = transformed(graph, model, features);
  graph.constant("weights", {features, several ? classes : 1}, weights_of(part, inputs.features));
  graph.constant("bias", of_classes, part.bias);
  const char* const product = several ? "product" : "column";
  graph.node("MatMul", {x, "weights"}, computes ? "product of the rest" : product);
  if (computes) add_logarithms(graph, inputs, part, x, "product of the rest", product);
  if (!several) {
    graph.constant("column axis", {1}, std::vector<std::int64_t>{1});
    graph.node("Squeeze", {"column", "column axis"}, "product");
  }
  graph.node("Add", {"product", "bias"}, "score");
  if (several) {
    graph.node("ArgMax", {"score"}, "class",
               {{"axis", 1}, {"keepdims", 0}, {"select_last_index", part.last_wins ? 1 : 0}});
  } else {
    graph.constant("threshold", {}, std::vector<double>{part.threshold});
    if (part.last_wins) {
      graph.node("Greater", {"score", "threshold"}, "positive");
    } else {
      graph.node("Less", {"score", "threshold"}, "negative");
      graph.node("Not", {"negative"}, "positive");
    }
    graph.node("Cast", {"positive"}, "class", {{"to", int64s}});
  }
  const auto numbers = integers(model.schema.labels);
  if (numbers) {
    graph.constant("labels", {classes}, *numbers);
  } else {
    graph.constant("labels", {classes}, model.schema.labels.names);
  }
  graph.node("Gather", {"labels", "class"}, "label", {{"axis", 0}});
  graph.output("label", numbers ? int64s : texts, {-1});
  const Graph::Shape shape = several ? Graph::Shape{-1, classes} : Graph::Shape{-1};
  graph.output("score", doubles, shape);
  const Calibration calibration = probability_curves(model);
  if (calibration.fitted()) add_probability(graph, calibration, shape, of_classes);
  return graph.model(Json(inputs.names).dump());
}

}  // namespace halfspace
