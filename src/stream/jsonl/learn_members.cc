// Which members of the first rows are columns, and of which kind; or how they go with those of a model.
#include <algorithm>
#include <set>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/columns/odd_texts.h"
#include "stream/jsonl/jsonl.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// A member in fewer than one row in this many is no column: each column costs every row a value.
constexpr std::uint64_t rarest_column = 10;
constexpr std::size_t most_shown = 10;

bool holds_a_label(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower == "label" || lower == "class" || lower == "target" || lower == "y";
}

std::string shown_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_shown, names.size()); ++i) text += (i == 0 ? "" : ", ") + quote(names[i]);
  if (names.size() > most_shown) text += " and " + std::to_string(names.size() - most_shown) + " more";
  return text;
}

// Calls f(line, number) for each line that is not blank until it gives false.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos && !f(line, number)) return;
  }
}

// The members that the options name. Not those to be left out, which need not be there.
std::vector<std::string> named_members(const ReadOptions& options) {
  std::vector<std::string> names;
  for (const std::string* one : {&options.columns.label, &options.columns.weight, &options.columns.identifier}) {
    if (!one->empty()) names.push_back(*one);
  }
  for (const auto* list : {&options.columns.categorical, &options.columns.numeric, &options.columns.keep}) {
    names.insert(names.end(), list->begin(), list->end());
  }
  return names;
}

[[noreturn]] void refuse_label(const ReadOptions& options, const std::vector<std::string>& names) {
  throw Error(ErrorKind::data, "no member is named label, class, target or y: which is the label?")
      .at(shown_name(options.path))
      .fix(names.empty() ? "the rows have no members"
                         : "name it with " + option("label") + "; the members are " + shown_names(names));
}

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::size_t Jsonl::infer_schema(std::string_view text, bool whole, const std::function<std::string_view()>& more,
                                Schema& schema) {
  learn_missing(options_, schema);
  know_missing(schema);
  labels_ = {};
  labels_open_ = true;
  const FirstRows rows = look_at(text);
  if (options_.on_note && rows.rows > 0) {
    for (const std::string& name : options_.columns.drop) {
      if (!rows.members.contains(name))
        options_.on_note({"none of the first rows has the member " + quote(name), option("drop") + " names it"});
    }
  }
  if (options_.schema != nullptr) {
    match_members(rows, schema);
  } else {
    learn_members(rows, text, schema);
  }
  categories_.know(schema, options_);
  ignore_columns(options_.labels, plan_);
  name_members(plan_.names);
  if (schema.labels.names.empty() && !options_.labels.ignore) {
    schema.labels = learn_labels(
        options_, LabelsAre::texts, text, whole, more,
        [&](std::string_view lines, ParsedChunk& chunk) { parse(lines, false, chunk); }, 0, plan_.names[plan_.label]);
  }
  labels_ = schema.labels;
  labels_open_ = has_nameless_class(labels_);
  return 0;
}

void Jsonl::know_missing(const Schema& schema) {
  missing_ = MissingNames(schema.missing);
  missing_labels_ = missing_labels(options_, schema);
}

// Counts the rows that have each member, without bad rows.
Jsonl::FirstRows Jsonl::look_at(std::string_view text) const {
  FirstRows rows;
  JsonNames left_out;
  for (const std::string& name : options_.columns.drop) left_out.add(name, true);
  if (!options_.columns.identifier.empty()) left_out.add(options_.columns.identifier, true);
  JsonMembers members;
  std::vector<std::string> of_row;
  std::uint64_t looked_at = 0;
  for_each_line(text, [&](std::string_view line, std::uint64_t number) {
    of_row.clear();
    Problem problem;
    if (line.size() > options_.line_limit) {
      problem = JsonProblem{line.data() + options_.line_limit, "the line is longer than the limit", "raise the limit"};
    } else {
      problem = members.read(line, left_out, [&](std::string_view name, std::uint32_t, const JsonToken&) -> Problem {
        of_row.emplace_back(name);
        return std::nullopt;
      });
    }
    if (!problem) {
      ++rows.rows;
      for (std::string& name : of_row) {
        const auto [seen, inserted] = rows.members.emplace(name, Seen());
        if (inserted) rows.names.push_back(std::move(name));
        seen->second.rows += seen->second.last == number ? 0 : 1;
        seen->second.last = number;
      }
    } else if (!rows.bad) {
      rows.bad = Error(ErrorKind::data, "no row can be used; the first: " + problem->reason)
                     .at(shown_name(options_.path), number, static_cast<std::uint64_t>(problem->at - line.data()) + 1)
                     .showing(std::string(line.substr(0, options_.line_limit)))
                     .fix(std::move(problem->hint));
    }
    return ++looked_at < options_.inference_rows;
  });
  return rows;
}

void Jsonl::learn_members(const FirstRows& rows, std::string_view text, Schema& schema) {
  if (rows.rows == 0 && rows.bad) throw Error(*rows.bad);
  if (rows.rows == 0) {
    throw Error(ErrorKind::data, "no data rows").at(shown_name(options_.path)).fix("check that it is the right file");
  }
  const std::vector<std::string> named = named_members(options_);
  std::vector<std::string> names;
  for (const std::string& name : rows.names) {
    if (rows.members.at(name).rows * rarest_column >= rows.rows || among(named, name)) names.push_back(name);
  }
  for (const std::string& name : options_.columns.drop) {
    if (!among(names, name)) names.push_back(name);
  }
  schema.format = DataFormat::jsonl;
  if (names.empty()) refuse_label(options_, names);
  const std::vector<std::uint32_t> open = assign_new_columns(options_, names, schema);
  plan_ = {};
  for (std::uint32_t field = 0; field < schema.columns.size(); ++field) {
    if (schema.columns[field].kind == Column::Kind::label) plan_.label = field;
    if (schema.columns[field].kind == Column::Kind::weight) plan_.weight = field;
  }
  // The last of them means nothing where members have no order.
  if (options_.columns.label.empty() && !holds_a_label(names[plan_.label])) refuse_label(options_, names);
  plan_.names = names;
  for (std::uint32_t field = 0; field < schema.columns.size(); ++field) {
    const Column::Kind kind = schema.columns[field].kind;
    if (kind == Column::Kind::numeric || kind == Column::Kind::categorical)
      plan_.features.push_back({field, field, no_field, true});
  }
  name_members(names);
  learn_kinds(text, open, schema);
  plan_ = number_new_features(options_, std::move(names), schema);
  plan_.kept = kept_fields(options_, plan_.names);
  others_ = static_cast<std::uint32_t>(schema.columns.size());
}

// Names the members as the plan numbers them. What it has no use for may be anything.
void Jsonl::name_members(const std::vector<std::string>& names) {
  std::vector<bool> used(names.size());
  for (const ColumnPlan::Feature& feature : plan_.features) used[feature.field] = true;
  if (plan_.label != no_field) used[plan_.label] = true;
  if (plan_.weight != no_field) used[plan_.weight] = true;
  names_ = {};
  for (std::size_t field = 0; field < names.size(); ++field) names_.add(names[field], !used[field]);
}

// Rows that are bad whatever the kinds of their columns must not influence the kinds.
bool Jsonl::usable_for_kinds(JsonlScratch& scratch) const {
  const auto text_of = [&](std::uint32_t field) {
    const JsonToken* const token = token_of(field, scratch);
    return token == nullptr ? std::string_view() : scratch.members.text_of(*token).value_or(std::string_view());
  };
  double ignored = 0;
  return !missing_labels_(text_of(plan_.label)) && !has_line_break(text_of(plan_.label)) &&
         (plan_.weight == no_field || parse_weight(text_of(plan_.weight), ignored));
}

// Decides the kinds of the open columns from the usable first rows: texts make categories unless they mean a missing
// value.
void Jsonl::learn_kinds(std::string_view text, const std::vector<std::uint32_t>& open, Schema& schema) {
  struct Cells {
    std::uint64_t numbers = 0;
    std::set<double> different;
    OddTexts odd;
  };
  JsonlScratch scratch;
  std::vector<Cells> cells(open.size());
  LeadingZeros codes(schema.columns.size());
  std::vector<std::pair<std::size_t, std::string>> texts;
  std::set<std::string> labels;
  std::uint64_t usable = 0;
  for_each_line(text, [&](std::string_view line, std::uint64_t) {
    if (line.size() > options_.line_limit || read_cells(line, scratch) || !usable_for_kinds(scratch)) return true;
    texts.clear();
    for (std::size_t k = 0; k < open.size(); ++k) {
      const JsonToken* const token = token_of(open[k], scratch);
      if (token == nullptr) continue;
      const auto value = scratch.members.text_of(*token);
      if (!value) return true;
      if (!missing_(*value)) texts.emplace_back(k, *value);
    }
    for (const auto& [k, cell] : texts) {
      double value = 0;
      if (parse_number(cell, value) == NumberProblem::not_a_number) {
        cells[k].odd.add(cell);
        continue;
      }
      ++cells[k].numbers;
      if (usable < LeadingZeros::most_rows) codes.add(open[k], cell);
      if (cells[k].different.size() < OddTexts::enough_numbers) cells[k].different.insert(value);
    }
    if (const JsonToken* const label = token_of(plan_.label, scratch))
      labels.emplace(scratch.members.text_of(*label).value_or(""));
    return ++usable < options_.inference_rows;
  });
  FoundMarks found;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const OddTexts& odd = cells[k].odd;
    if (!odd.any()) continue;
    const bool is_class =
        std::any_of(labels.begin(), labels.end(), [&](const std::string& one) { return odd.contains(one); });
    Column& column = schema.columns[open[k]];
    if (options_.table.missing_only || is_class || !odd.are_marks(cells[k].numbers, cells[k].different.size())) {
      column.kind = Column::Kind::categorical;
    } else {
      found.emplace_back(column.name, odd);
    }
  }
  add_marks(found, usable, options_, schema);
  codes.note(options_, schema);
  know_missing(schema);
}

void Jsonl::match_members(const FirstRows& rows, Schema& schema) {
  std::vector<std::string> names;
  others_ = static_cast<std::uint32_t>(schema.columns.size());
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    if (schema.columns[i].kind == Column::Kind::product) continue;
    names.push_back(schema.columns[i].name);
    if (names.back().empty()) others_ = i;
  }
  for (const std::string& name : named_members(options_)) {
    if (rows.members.contains(name) && !among(names, name)) names.push_back(name);
  }
  for (const std::string& name : options_.columns.drop) {
    if (!among(names, name)) names.push_back(name);
  }
  plan_ = match_columns(options_, true, std::move(names), schema);
  std::erase_if(plan_.features, [&](const ColumnPlan::Feature& feature) { return feature.column == others_; });
  tell_absent(rows, schema);
  if (others_ == schema.columns.size()) tell_ignored(rows);
}

// Members of the first rows that no feature of the model is made of.
void Jsonl::tell_ignored(const FirstRows& rows) const {
  std::vector<std::string> ignored;
  for (const std::string& name : rows.names) {
    if (!among(plan_.names, name)) ignored.push_back(name);
  }
  if (ignored.empty() || options_.grow || !options_.on_note) return;
  std::string word;
  for (const std::string& name : ignored) word += (word.empty() ? "" : ",") + name;
  options_.on_note({"ignored " + std::to_string(ignored.size()) + (ignored.size() == 1 ? " member" : " members") +
                        " the model does not know: " + shown_names(ignored),
                    option("drop", ignored.size() > most_shown ? "" : word) + " leaves them out without a note"});
}

// A member that a row lacks is missing from it; one that all of them lack may have another name.
void Jsonl::tell_absent(const FirstRows& rows, const Schema& schema) const {
  std::vector<std::string> absent;
  for (const ColumnPlan::Feature& feature : plan_.features) {
    const std::string& name = schema.columns[feature.column].name;
    if (!rows.members.contains(name)) absent.push_back(name);
  }
  if (absent.empty() || rows.rows == 0) return;
  if (absent.size() == plan_.features.size()) {
    throw Error(ErrorKind::data, "the rows have none of the members the model was learned from: " + shown_names(absent))
        .at(shown_name(options_.path))
        .fix("give them these members, or train a model without them");
  }
  if (!options_.on_note) return;
  options_.on_note({"no value in the first rows of " + shown_names(absent) + ", from which the model was learned",
                    "is it the right file? values that rows lack are taken as missing"});
}

}  // namespace halfspace::stream
