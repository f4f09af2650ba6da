// Converts certificates to JSON and back. Reading validates every field before use; writing reads the result back.

#include "halfspace/proof/verify/certificate.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "base/json.h"
#include "proof/verify/certificate_field.h"
#include "proof/verify/coefficients_json.h"
#include "proof/verify/minimum_json.h"
#include "proof/verify/sha256.h"

namespace halfspace::proof {
namespace {

constexpr std::string_view checksum_key = "\"checksum\"";
constexpr std::size_t checksum_tail = 3 + 64 + 3;  // `: "`, the digits, `"}` and a line end, after the key
constexpr int deepest_tree = 64;
constexpr std::string_view delimiters = "\t !#$%&'()*,/:;<=>?@[\\]^`{|}~";
constexpr std::string_view comment_marks = "!#$%&'()*,/:;<=>?@[\\]^_`{|}~";

// The names of enumerators, in their order.
constexpr std::array<const char*, 3> format_names = {"libsvm", "csv", "idx"};
constexpr std::array<const char*, 4> role_names = {"label", "numeric", "categorical", "ignored"};
constexpr std::array<const char*, 3> bias_names = {"none", "first", "last"};
constexpr std::array<const char*, 2> question_names = {"two classes", "many classes"};
constexpr std::array<const char*, 2> tie_names = {"A", "B"};
constexpr std::array<const char*, 9> claim_names = {"separable",         "not separable",  "margin at most",
                                                    "mistakes at most",  "rule A",         "not rule A",
                                                    "closed half-space", "errors at most", "errors at least"};

template <class Enum, std::size_t n>
const char* name_of(Enum value, const std::array<const char*, n>& names) {
  return names.at(static_cast<std::size_t>(value));
}

// ---- writing

Json encode(const LabelGroup& group) { return {{"labels", group.labels}, {"rows", group.rows}}; }

Json encode(const CsvColumn& column) {
  const auto optional = [](const std::optional<std::uint32_t>& value) { return value ? Json(*value) : Json(nullptr); };
  Json json = {{"name", column.name}, {"role", name_of(column.role, role_names)}};
  if (column.role == CsvColumn::Role::numeric) {
    json["coordinate"] = optional(column.coordinate);
    json["missing"] = optional(column.missing);
  } else if (column.role == CsvColumn::Role::categorical) {
    json["missing"] = optional(column.missing);
    json["categories"] = column.categories;
    json["coordinates"] = column.coordinates;
  }
  return json;
}

Json encode(const Data& data) {
  Json json = {{"format", name_of(data.format, format_names)},
               {"numbers", data.format == TextFormat::idx ? "byte" : "decimal"},
               {"sources", Json::array()},
               {"features", data.features}};
  for (const DataSource& source : data.sources) {
    Json files = Json::array();
    for (const DataFile& file : source.files) {
      files.push_back({{"name", file.name}, {"sha256", file.sha256}, {"bytes", file.bytes}});
    }
    json["sources"].push_back({{"files", std::move(files)}, {"rows", source.rows}});
  }
  if (data.format == TextFormat::libsvm) json["zero_based"] = data.zero_based;
  if (data.format == TextFormat::csv) {
    json["delimiter"] = std::string(1, data.delimiter);
    json["header"] = data.header;
    if (data.decimal != '.') json["decimal"] = std::string(1, data.decimal);
    if (data.thousands != '\0') json["thousands"] = std::string(1, data.thousands);
    if (data.quote != '"') json["quote"] = data.quote == '\0' ? "none" : "single";
    if (data.skip_lines > 0) json["skip_lines"] = data.skip_lines;
    if (!data.comment.empty()) json["comment"] = data.comment;
    if (data.missing != default_missing_texts()) json["missing"] = data.missing;
    json["columns"] = Json::array();
    for (const CsvColumn& column : data.columns) json["columns"].push_back(encode(column));
  }
  json["classes"] = Json::array();
  for (const LabelGroup& group : data.classes) json["classes"].push_back(encode(group));
  json["excluded"] = encode(data.excluded);
  json["bias"] = name_of(data.bias, bias_names);
  json["bias_scale"] = data.bias_scale;
  return json;
}

Json encode(const Separator& separator) {
  Json vectors = Json::array();
  for (const WeightVector& vector : separator.vectors) {
    vectors.push_back({{"weights", vector.weights}, {"bias", vector.bias}});
  }
  return {{"vectors", std::move(vectors)},
          {"squared_norm", separator.squared_norm},
          {"minimum", separator.minimum},
          {"wrong", separator.wrong},
          {"zero_negative", separator.zero_negative},
          {"zero_positive", separator.zero_positive}};
}

Json encode(const Combination& combination, Question question) {
  Json terms = Json::array();
  for (const Term& term : combination.terms) {
    Json json = {{"source", term.source}, {"row", term.row}, {"class", term.klass}};
    if (question == Question::many_classes) json["rival"] = term.rival;
    json["weight"] = term.weight;
    terms.push_back(std::move(json));
  }
  return {{"terms", std::move(terms)}, {"squared_distance", combination.squared_distance}};
}

Json encode(const ErrorTree& tree) {
  if (!tree.witness) return {{"packing", tree.packing}};
  Json then = Json::array();
  for (const ErrorTree& branch : tree.then) then.push_back(encode(branch));
  return {{"witness", *tree.witness}, {"then", std::move(then)}};
}

bool counts(ClaimKind kind) {
  return kind == ClaimKind::mistakes_at_most || kind == ClaimKind::errors_at_most || kind == ClaimKind::errors_at_least;
}

bool counts_errors(ClaimKind kind) { return kind == ClaimKind::errors_at_most || kind == ClaimKind::errors_at_least; }

bool by_combination(ClaimKind kind) {
  return kind == ClaimKind::not_separable || kind == ClaimKind::margin_at_most || kind == ClaimKind::not_rule_a;
}

Json encode(const Claim& claim) {
  Json json = {{"claim", name_of(claim.kind, claim_names)}};
  if (claim.kind != ClaimKind::errors_at_least) json["by"] = claim.by;
  if (counts_errors(claim.kind)) json["tie"] = name_of(claim.tie, tie_names);
  if (counts(claim.kind)) json["count"] = claim.count;
  if (claim.kind == ClaimKind::errors_at_least) json["tree"] = encode(claim.tree);
  return json;
}

// ---- reading

LabelGroup decode_group(const Field& field) {
  field.expect_keys({"labels", "rows"});
  LabelGroup group;
  field["labels"].for_each([&](const Field& label) { group.labels.push_back(label.text()); });
  group.rows = field["rows"].count();
  return group;
}

CsvColumn decode_column(const Field& field, std::uint32_t features, std::set<std::uint32_t>& taken) {
  const auto coordinate = [&](const Field& at) {
    const std::uint32_t value = at.below(features);
    if (!taken.insert(value).second) at.refuse("repeats a coordinate");
    return value;
  };
  CsvColumn column;
  column.role = field["role"].one_of<CsvColumn::Role>(role_names);
  if (column.role == CsvColumn::Role::numeric) {
    field.expect_keys({"name", "role", "coordinate", "missing"});
    column.coordinate = coordinate(field["coordinate"]);
  } else if (column.role == CsvColumn::Role::categorical) {
    field.expect_keys({"name", "role", "missing", "categories", "coordinates"});
    std::set<std::string> texts;
    field["categories"].for_each([&](const Field& at) {
      column.categories.push_back(at.text());
      if (!texts.insert(column.categories.back()).second) at.refuse("is a duplicate");
    });
    field["coordinates"].for_each([&](const Field& at) { column.coordinates.push_back(coordinate(at)); });
    if (column.categories.size() != column.coordinates.size())
      field.refuse("does not have one coordinate for each category");
  } else {
    field.expect_keys({"name", "role"});
  }
  column.name = field["name"].text();
  const bool value = column.role == CsvColumn::Role::numeric || column.role == CsvColumn::Role::categorical;
  if (value && !field["missing"].null()) column.missing = coordinate(field["missing"]);
  return column;
}

std::vector<std::string> decode_missing(const Field& field) {
  std::vector<std::string> names;
  field.for_each([&](const Field& at) {
    std::string name = at.text();
    if (name <= (names.empty() ? "" : names.back())) at.refuse("is empty or does not ascend");
    names.push_back(std::move(name));
  });
  if (names == default_missing_texts()) field.refuse("repeats the default");
  return names;
}

char decode_thousands(const Field& field, const Data& data) {
  const std::string mark = field.text();
  const bool known = mark.size() == 1 && std::string_view(",. '").find(mark) != std::string_view::npos;
  if (!known || mark[0] == data.decimal || (mark[0] == data.delimiter && mark[0] != ','))
    field.refuse("is not a thousands separator");
  return mark[0];
}

std::string decode_comment(const Field& field, const Data& data) {
  std::string marks = field.text();
  if (marks.empty()) field.refuse("repeats the default");
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool known = comment_marks.find(marks[i]) != std::string_view::npos;
    if (!known || marks[i] == data.delimiter || marks[i] == data.quote || (i > 0 && marks[i] <= marks[i - 1]))
      field.refuse("is not an ascending list of comment marks");
  }
  return marks;
}

void decode_table(const Field& field, Data& data) {
  const std::string delimiter = field["delimiter"].text();
  if (delimiter.size() != 1 || delimiters.find(delimiter) == std::string_view::npos)
    field["delimiter"].refuse("is not a delimiter");
  data.delimiter = delimiter[0];
  data.header = field["header"].boolean();
  if (field.has("decimal")) {
    if (field["decimal"].text() != ",") field["decimal"].refuse("is not a decimal comma");
    data.decimal = ',';
  }
  if (field.has("quote")) {
    const std::string quote = field["quote"].text();
    if (quote != "none" && quote != "single") field["quote"].refuse("is neither none nor single");
    data.quote = quote == "none" ? '\0' : '\'';
  }
  if (field.has("thousands")) data.thousands = decode_thousands(field["thousands"], data);
  if (field.has("skip_lines")) {
    data.skip_lines = field["skip_lines"].count();
    if (data.skip_lines == 0) field["skip_lines"].refuse("repeats the default");
  }
  if (field.has("comment")) data.comment = decode_comment(field["comment"], data);
  if (field.has("missing")) data.missing = decode_missing(field["missing"]);
  std::set<std::uint32_t> taken;
  field["columns"].for_each([&](const Field& at) { data.columns.push_back(decode_column(at, data.features, taken)); });
  if (std::count_if(data.columns.begin(), data.columns.end(),
                    [](const CsvColumn& column) { return column.role == CsvColumn::Role::label; }) != 1) {
    field["columns"].refuse("does not have one label column");
  }
  if (taken.size() != data.features) field["columns"].refuse("does not give every coordinate");
}

Data decode_data(const Field& field, Question question) {
  Data data;
  data.format = field["format"].one_of<TextFormat>(format_names);
  const bool idx = data.format == TextFormat::idx;
  if (data.format == TextFormat::libsvm) {
    field.expect_keys(
        {"format", "numbers", "sources", "features", "zero_based", "classes", "excluded", "bias", "bias_scale"});
    data.zero_based = field["zero_based"].boolean();
  } else if (idx) {
    field.expect_keys({"format", "numbers", "sources", "features", "classes", "excluded", "bias", "bias_scale"});
  } else {
    field.expect_keys({"format", "numbers", "sources", "features", "delimiter", "header", "columns", "classes",
                       "excluded", "bias", "bias_scale"},
                      {"comment", "decimal", "missing", "quote", "skip_lines", "thousands"});
  }
  if (field["numbers"].text() != (idx ? "byte" : "decimal")) field["numbers"].refuse("does not match the format");
  field["sources"].for_each([&](const Field& at) {
    at.expect_keys({"files", "rows"});
    DataSource source;
    at["files"].for_each([&](const Field& file) {
      file.expect_keys({"name", "sha256", "bytes"});
      source.files.push_back({file["name"].text(), file["sha256"].digest(), file["bytes"].count()});
    });
    if (source.files.size() != (idx ? 2u : 1u)) at["files"].refuse(idx ? "is not two files" : "is not one file");
    source.rows = at["rows"].count();
    data.sources.push_back(std::move(source));
  });
  if (data.sources.empty()) field["sources"].refuse("is empty");
  data.features = field["features"].below(std::size_t{1} << 31);
  if (data.format == TextFormat::csv) decode_table(field, data);
  field["classes"].for_each([&](const Field& at) { data.classes.push_back(decode_group(at)); });
  const std::size_t classes = data.classes.size();
  if (question == Question::two_classes ? classes != 2 : classes < 2)
    field["classes"].refuse("does not match the number of classes");
  data.excluded = decode_group(field["excluded"]);
  data.bias = field["bias"].one_of<BiasPosition>(bias_names);
  data.bias_scale = field["bias_scale"].rational();
  if (data.bias_scale == "0" || data.bias_scale[0] == '-') field["bias_scale"].refuse("is not above 0");
  if (data.bias == BiasPosition::none && data.bias_scale != "1")
    field["bias_scale"].refuse("is not 1, but there is no bias");
  return data;
}

Separator decode_separator(const Field& field, const Certificate& certificate) {
  field.expect_keys({"vectors", "squared_norm", "minimum", "wrong", "zero_negative", "zero_positive"});
  const Data& data = certificate.data;
  Separator separator;
  field["vectors"].for_each([&](const Field& at) {
    at.expect_keys({"weights", "bias"});
    separator.vectors.push_back(decode_weights(at, data));
  });
  const std::size_t wanted = certificate.question == Question::two_classes ? 1 : data.classes.size();
  if (separator.vectors.size() != wanted) field["vectors"].refuse("does not have length " + std::to_string(wanted));
  separator.squared_norm = field["squared_norm"].rational();
  separator.minimum = field["minimum"].text() == "none" ? "none" : field["minimum"].rational();
  separator.wrong = field["wrong"].count();
  separator.zero_negative = field["zero_negative"].count();
  separator.zero_positive = field["zero_positive"].count();
  return separator;
}

Combination decode_combination(const Field& field, const Certificate& certificate) {
  field.expect_keys({"terms", "squared_distance"});
  const Data& data = certificate.data;
  Combination combination;
  field["terms"].for_each([&](const Field& at) {
    Term term;
    if (certificate.question == Question::two_classes) {
      at.expect_keys({"source", "row", "class", "weight"});
    } else {
      at.expect_keys({"source", "row", "class", "rival", "weight"});
      term.rival = at["rival"].below(data.classes.size());
    }
    term.source = at["source"].below(data.sources.size());
    term.row = at["row"].count();
    term.klass = at["class"].below(data.classes.size());
    term.weight = at["weight"].integer();
    if (term.row == 0 || term.row > data.sources[term.source].rows) at["row"].refuse("is not a row of the source");
    if (certificate.question == Question::many_classes && term.rival == term.klass)
      at["rival"].refuse("is the class itself");
    if (term.weight == "0" || term.weight[0] == '-') at["weight"].refuse("is not above 0");
    const auto key = [](const Term& t) { return std::tuple(t.source, t.row, t.rival); };
    if (!combination.terms.empty() && key(combination.terms.back()) >= key(term)) at.refuse("does not ascend");
    combination.terms.push_back(std::move(term));
  });
  if (combination.terms.empty()) field["terms"].refuse("is empty");
  combination.squared_distance = field["squared_distance"].rational();
  return combination;
}

ErrorTree decode_tree(const Field& field, const Certificate& certificate, int depth) {
  if (depth > deepest_tree) field.refuse("is too deep");
  const auto position = [&](const Field& at) { return at.below(certificate.combinations.size()); };
  ErrorTree tree;
  if (field.has("packing")) {
    field.expect_keys({"packing"});
    field["packing"].for_each([&](const Field& at) { tree.packing.push_back(position(at)); });
    return tree;
  }
  field.expect_keys({"witness", "then"});
  tree.witness = position(field["witness"]);
  field["then"].for_each([&](const Field& at) { tree.then.push_back(decode_tree(at, certificate, depth + 1)); });
  if (tree.then.size() != certificate.combinations[*tree.witness].terms.size()) {
    field["then"].refuse("does not have one tree for each term of the witness");
  }
  return tree;
}

Claim decode_claim(const Field& field, const Certificate& certificate) {
  Claim claim;
  claim.kind = field["claim"].one_of<ClaimKind>(claim_names);
  if (claim.kind == ClaimKind::errors_at_least) {
    field.expect_keys({"claim", "tie", "count", "tree"});
    claim.tree = decode_tree(field["tree"], certificate, 1);
  } else {
    if (counts_errors(claim.kind)) {
      field.expect_keys({"claim", "by", "tie", "count"});
    } else if (counts(claim.kind)) {
      field.expect_keys({"claim", "by", "count"});
    } else {
      field.expect_keys({"claim", "by"});
    }
    claim.by =
        field["by"].below(by_combination(claim.kind) ? certificate.combinations.size() : certificate.separators.size());
  }
  if (counts(claim.kind)) {
    claim.count = field["count"].integer();
    if (claim.count[0] == '-') field["count"].refuse("is negative");
  }
  if (counts_errors(claim.kind)) claim.tie = field["tie"].one_of<ErrorRule>(tie_names);
  if (certificate.question == Question::many_classes && claim.kind > ClaimKind::mistakes_at_most) {
    field.refuse("is for two classes only");
  }
  return claim;
}

// Parses JSON without duplicate keys: readers differ in which of the two they use.
Json parse(std::string_view text, const std::string& name) {
  std::string twice;
  // JSON in UTF-8 has no byte order mark (RFC 8259, 8.1); readers differ in whether they skip it.
  if (text.starts_with("\xef\xbb\xbf"))
    throw Error(ErrorKind::data, "not a certificate: it begins with a byte order mark").at(name);
  try {
    Json json = Json::parse(text, {.repeated_key = &twice});
    if (!twice.empty())
      throw Error(ErrorKind::data, "not a certificate: the key '" + twice + "' occurs twice").at(name);
    return json;
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, std::string("not a certificate: not JSON: ") + error.what()).at(name);
  }
}

constexpr std::array<const char*, 4> version_parts = {"without coefficients", "with coefficients", "with a minimum",
                                                      "with a multinomial minimum"};

std::size_t version_of(bool coefficients, bool minimum, bool jointly) {
  return jointly ? 4 : minimum ? 3 : coefficients ? 2 : 1;
}

std::size_t version_of(const Certificate& certificate) {
  const auto& minimum = certificate.minimum;
  return version_of(certificate.coefficients.has_value(), minimum.has_value(),
                    minimum && minimum->loss == MinimumLoss::multinomial);
}

}  // namespace

WeightVector decode_weights(const Field& field, const Data& data) {
  WeightVector vector;
  field["weights"].for_each([&](const Field& weight) { vector.weights.push_back(weight.integer()); });
  if (vector.weights.size() != data.features) field["weights"].refuse("does not have one weight for each feature");
  vector.bias = field["bias"].integer();
  if (data.bias == BiasPosition::none && vector.bias != "0") field["bias"].refuse("is not 0, but there is no bias");
  return vector;
}

std::optional<TextFormat> text_format_named(std::string_view name) {
  const auto found = std::find(format_names.begin(), format_names.end(), name);
  return found == format_names.end() ? std::nullopt
                                     : std::optional(static_cast<TextFormat>(found - format_names.begin()));
}

std::vector<std::string> default_missing_texts() { return {"?", "NA"}; }

std::string encode_certificate(const Certificate& certificate) {
  Json separators = Json::array(), combinations = Json::array(), claims = Json::array();
  for (const Separator& separator : certificate.separators) separators.push_back(encode(separator));
  for (const Combination& combination : certificate.combinations) {
    combinations.push_back(encode(combination, certificate.question));
  }
  for (const Claim& claim : certificate.claims) claims.push_back(encode(claim));
  std::vector<std::pair<const char*, Json>> parts = {{"format", "halfspace certificate"},
                                                     {"version", version_of(certificate)},
                                                     {"tool", certificate.tool},
                                                     {"question", name_of(certificate.question, question_names)},
                                                     {"verdict", halfspace::name_of(certificate.verdict)},
                                                     {"data", encode(certificate.data)},
                                                     {"separators", std::move(separators)},
                                                     {"combinations", std::move(combinations)},
                                                     {"claims", std::move(claims)}};
  if (certificate.coefficients) parts.emplace_back("coefficients", encode_coefficients(*certificate.coefficients));
  if (certificate.minimum) parts.emplace_back("minimum", encode_minimum(*certificate.minimum));
  try {
    std::string text = "{";
    for (const auto& [key, value] : parts) text += "\"" + std::string(key) + "\": " + value.dump() + ",\n";
    Sha256 checksum;
    checksum.add(text);
    text += std::string(checksum_key) + ": \"" + checksum.finish() + "\"}\n";
    if (!(decode_certificate(text, "") == certificate))
      throw Error(ErrorKind::internal, "does not read back unchanged");
    return text;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::internal, std::string("an invalid certificate: ") + error.what());
  }
}

Certificate decode_certificate(std::string_view text, const std::string& name) {
  const std::size_t end = text.rfind(checksum_key);
  if (end == std::string_view::npos || text.size() - end != checksum_key.size() + checksum_tail) {
    throw Error(ErrorKind::data, "not a certificate, or an incomplete one: it does not end with its checksum")
        .at(name)
        .fix("copy the file again, or certify the data anew");
  }
  Sha256 checksum;
  checksum.add(text.substr(0, end));
  if (text.substr(end) != std::string(checksum_key) + ": \"" + checksum.finish() + "\"}\n") {
    throw Error(ErrorKind::data, "the certificate was modified: its checksum does not match")
        .at(name)
        .fix("use an unmodified copy");
  }
  const Json json = parse(text, name);
  const Field file(json, "", name);
  file.expect_keys(
      {"format", "version", "tool", "question", "verdict", "data", "separators", "combinations", "claims", "checksum"},
      {"coefficients", "minimum"});
  if (file["format"].text() != "halfspace certificate") file["format"].refuse("is not \"halfspace certificate\"");
  const bool coefficients = file.has("coefficients"), minimum = file.has("minimum");
  const std::size_t version =
      version_of(coefficients, minimum, minimum && is_multinomial(file["minimum"]["loss"].text()));
  if (file["version"].count() != version)
    file["version"].refuse("is not " + std::to_string(version) + ", the version " + version_parts.at(version - 1));
  Certificate certificate;
  certificate.tool = file["tool"].text();
  certificate.question = file["question"].one_of<Question>(question_names);
  certificate.verdict = file["verdict"].one_of<Verdict>();
  certificate.data = decode_data(file["data"], certificate.question);
  file["separators"].for_each(
      [&](const Field& at) { certificate.separators.push_back(decode_separator(at, certificate)); });
  file["combinations"].for_each(
      [&](const Field& at) { certificate.combinations.push_back(decode_combination(at, certificate)); });
  file["claims"].for_each([&](const Field& at) { certificate.claims.push_back(decode_claim(at, certificate)); });
  if (coefficients) certificate.coefficients = decode_coefficients(file["coefficients"], certificate);
  if (minimum) certificate.minimum = decode_minimum(file["minimum"], certificate);
  return certificate;
}

}  // namespace halfspace::proof
