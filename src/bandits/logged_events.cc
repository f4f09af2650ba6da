// Events of logs, one at a time.
#include "bandits/logged_events.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "bandits/feature_hash.h"
#include "halfspace/base/error.h"
#include "stream/source/source.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::bandits {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t longest_line = std::size_t{64} << 20;
constexpr std::size_t most_event_actions = 100'000;
constexpr double least_probability = 1e-30;  // of smaller ones sums of weights leave the doubles

// Lines of a source, without their ends.
class Lines {
 public:
  Lines(const std::string& path, const std::atomic<bool>* interrupt) : source_(stream::open_source(path, interrupt)) {}

  // Valid until the next call. Returns nothing at the end.
  std::optional<std::string_view> next() {
    for (;;) {
      const std::size_t end = text_.find('\n', looked_);
      if (end != std::string::npos || (ended_ && begin_ < text_.size())) {
        std::string_view line = std::string_view(text_).substr(begin_, std::min(end, text_.size()) - begin_);
        begin_ = looked_ = std::min(end, text_.size() - 1) + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (number_++ == 0 && line.starts_with(stream::byte_order_mark))
          line.remove_prefix(stream::byte_order_mark.size());
        return line;
      }
      if (ended_) return std::nullopt;
      text_.erase(0, std::exchange(begin_, 0));
      looked_ = text_.size();
      if (looked_ > longest_line) throw Error(ErrorKind::data, "a line of more than 64 MB").fix("check the file");
      std::array<char, 65536> more;
      const std::size_t bytes = source_->read(more.data(), more.size());
      ended_ = bytes == 0;
      text_.append(more.data(), bytes);
    }
  }
  std::uint64_t number() const noexcept { return number_; }

 private:
  std::unique_ptr<stream::Source> source_;
  std::string text_;
  std::size_t begin_ = 0, looked_ = 0;
  bool ended_ = false;
  std::uint64_t number_ = 0;
};

double number_of(std::string_view text, const char* what) {
  double number = 0;
  if (stream::parse_number(std::string(text), number) != stream::NumberProblem::none)
    throw Error(ErrorKind::data, std::string(what) + " is no number").showing(std::string(text)).fix("mend the line");
  return number;
}

// What a line says of an event, but for its features.
struct Label {
  std::optional<double> cost, probability, dropped;
  std::optional<std::int64_t> index, action, first;  // from 0, from 1, from 1
  std::optional<double> first_probability;
  bool skipped = false;
};

}  // namespace

struct LoggedEvents::Impl {
  Impl(const std::string& path, unsigned bits, bool products, const std::atomic<bool>* interrupt)
      : file(path), lines(path, interrupt), rows(bits, products) {}

  const LoggedEvent* next() {
    while (const std::optional<std::string_view> line = lines.next()) {
      try {
        const std::size_t begin = line->find_first_not_of(" \t");
        const char first = begin == std::string_view::npos ? '\n' : (*line)[begin];
        if (first == '{' ? read_json(*line) : read_text(*line, first)) return &event;
      } catch (Error& error) {
        throw std::move(error).at(file, lines.number());
      }
    }
    return in_event && end_text() ? &event : nullptr;
  }

  // ---- decision-service JSON ----

  bool read_json(std::string_view line) {
    dom::object object;
    if (const auto problem = parser.parse(line.data(), line.size()).get(object); problem != simdjson::SUCCESS)
      throw Error(ErrorKind::data, std::string("no JSON object: ") + simdjson::error_message(problem))
          .fix("mend the line, or leave it out");
    Label label;
    dom::element c;
    bool has_c = false;
    event.id.clear();
    for (const auto [key, value] : object) {
      if (key == "c") {
        c = value;
        has_c = true;
      } else {
        read_label(key, value, label);
      }
    }
    dom::array multi;
    if (!has_c || c["_multi"].get(multi) != simdjson::SUCCESS) {
      ++counts.not_events;
      return false;
    }
    if (label.skipped) {
      ++counts.skipped;
      return false;
    }
    context.clear();
    add_features(c, of_context, context);
    actions.clear();
    names.clear();
    for (const dom::element one : multi) {
      std::string_view tag;
      if (one.is_object() && one["_tag"].get(tag) == simdjson::SUCCESS && !tag.empty()) names.emplace_back(tag);
      add_features(one, of_action, actions.emplace_back());
    }
    return finish(label);
  }

  void read_label(std::string_view key, const dom::element& value, Label& label) {
    const auto number = [&](std::optional<double>& to) {
      double read = 0;
      if (value.is_null()) return;
      if (value.get(read) != simdjson::SUCCESS)
        throw Error(ErrorKind::data, std::string(key) + " is no number").fix("mend the line, or leave it out");
      to = read;
    };
    const auto whole = [&](const dom::element& from, std::optional<std::int64_t>& to) {
      std::int64_t read = 0;
      if (from.get(read) == simdjson::SUCCESS) to = read;
    };
    dom::array array;
    if (key == "_label_cost") return number(label.cost);
    if (key == "_label_probability") return number(label.probability);
    if (key == "pdrop") return number(label.dropped);
    if (key == "_labelIndex") return whole(value, label.index);
    if (key == "_label_Action") return whole(value, label.action);
    if (key == "_skipLearn") label.skipped = value.is_bool() && value.get_bool().value_unsafe();
    if ((key == "EventId" || key == "event_id") && value.is_string()) event.id = value.get_string().value_unsafe();
    if (key == "a" && value.get(array) == simdjson::SUCCESS && array.size() > 0)
      whole(array.at(0).value_unsafe(), label.first);
    if (key == "p" && value.get(array) == simdjson::SUCCESS && array.size() > 0) {
      double read = 0;
      if (array.at(0).get(read) == simdjson::SUCCESS) label.first_probability = read;
    }
  }

  // ---- text ----

  bool read_text(std::string_view line, char first) {
    if (first == '\n') return in_event && end_text();
    if (!in_event) {
      in_event = true;
      context.clear();
      actions.clear();
      names.clear();
      text_label = {};
      event.id.clear();
    }
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos)
      throw Error(ErrorKind::data, "an action without features").showing(std::string(line)).fix("write | before them");
    std::string_view head = line.substr(0, bar);
    const std::size_t begin = std::min(head.find_first_not_of(" \t"), head.size());
    head.remove_prefix(begin);
    head = head.substr(0, head.find_first_of(" \t'"));
    if (head == "shared") {
      if (!actions.empty())
        throw Error(ErrorKind::data, "a shared line after an action").fix("write an empty line between two events");
      read_namespaces(line.substr(bar), of_context, context);
      return false;
    }
    if (actions.size() == most_event_actions)
      throw Error(ErrorKind::data, "an event of more than 100,000 actions")
          .fix("write an empty line between two events");
    if (!head.empty()) read_text_label(head);
    read_namespaces(line.substr(bar), of_action, actions.emplace_back());
    return false;
  }

  // Reads action:cost:probability; the action is that of the line.
  void read_text_label(std::string_view head) {
    const std::size_t one = head.find(':'), two = one == std::string_view::npos ? one : head.find(':', one + 1);
    if (two == std::string_view::npos)
      throw Error(ErrorKind::data, "a label is action:cost:probability")
          .showing(std::string(head))
          .fix("mend the line");
    if (text_label.index)
      throw Error(ErrorKind::data, "a second label in one event").fix("write an empty line between two events");
    text_label.index = static_cast<std::int64_t>(actions.size());
    text_label.cost = number_of(head.substr(one + 1, two - one - 1), "the cost");
    text_label.probability = number_of(head.substr(two + 1), "the probability");
  }

  // Reads |name:weight feature:value feature |name ...
  static void read_namespaces(std::string_view text, std::uint64_t path, HashedFeatures& features) {
    constexpr std::string_view blanks = " \t";
    std::uint64_t within = path;
    double scale = 1;
    for (std::size_t at = 0; at < text.size();) {
      const bool opens = text[at] == '|';
      if (opens) ++at;
      const std::size_t end = std::min(text.find_first_of(" \t|", at), text.size());
      const std::string_view word = text.substr(at, end - at);
      const std::size_t colon = word.rfind(':');
      const std::string_view name = word.substr(0, colon);
      const double value = colon == std::string_view::npos ? 1 : number_of(word.substr(colon + 1), "a value");
      if (opens) {
        within = name.empty() ? path : extend(path, name);
        scale = value;
      } else if (!word.empty()) {
        if (!(std::abs(value * scale) <= 1e15)) throw Error(ErrorKind::data, "a value beyond 1e15").fix("scale it");
        if (value * scale != 0) features.push_back({extend(within, name), value * scale});
      }
      at = std::min(text.find_first_not_of(blanks, end), text.size());
    }
  }

  bool end_text() {
    in_event = false;
    if (actions.empty()) {
      ++counts.not_events;
      return false;
    }
    return finish(text_label);
  }

  // ---- both ----

  bool finish(const Label& label) {
    if (!label.cost) return left_out(counts.no_cost);
    const std::optional<double> probability = label.probability ? label.probability : label.first_probability;
    if (!probability || *probability == 0) return left_out(counts.no_probability);
    if (!(*probability >= least_probability && *probability <= 1))
      throw Error(ErrorKind::data, "a probability must be from 1e-30 to 1").fix("mend the line, or leave it out");
    if (!std::isfinite(*label.cost)) throw Error(ErrorKind::data, "the cost is not finite").fix("mend the line");
    const std::optional<std::int64_t> from_one = label.action ? label.action : label.first;
    if (!label.index && !from_one) return left_out(counts.no_action);
    const std::int64_t index = label.index ? *label.index : *from_one - 1;
    if (index < 0 || index >= static_cast<std::int64_t>(actions.size()))
      throw Error(ErrorKind::data, "the action " + std::to_string(index) + " of " + std::to_string(actions.size()) +
                                       " that are numbered from 0")
          .fix("mend the line, or leave it out");
    const double dropped = label.dropped.value_or(0);
    if (!(dropped >= 0 && dropped < 1))
      throw Error(ErrorKind::data, "pdrop must be a probability below 1").fix("mend the line, or leave it out");
    event.line = lines.number();
    if (event.id.empty()) event.id = "line " + std::to_string(event.line);
    event.action = static_cast<std::size_t>(index);
    event.propensity = *probability;
    event.cost = *label.cost;
    event.weight = 1 / (1 - dropped);
    name_actions();
    rows.begin(context);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (actions[i].empty()) actions[i].push_back({extend(extend(of_action, "id"), event.names[i]), 1});
      rows.add(actions[i]);
    }
    event.rows = rows.finish();
    return true;
  }

  // By their tags, if each has its own; else by their positions.
  void name_actions() {
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    const bool tagged =
        names.size() == actions.size() && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    event.names.clear();
    for (std::size_t i = 0; i < actions.size(); ++i) event.names.push_back(tagged ? names[i] : std::to_string(i));
  }

  static bool left_out(std::uint64_t& count) {
    ++count;
    return false;
  }

  std::string file;
  Lines lines;
  dom::parser parser;
  EventCounts counts;
  LoggedEvent event;
  HashedFeatures context;
  std::vector<HashedFeatures> actions;
  std::vector<std::string> names;  // the tags of the actions
  Label text_label;
  bool in_event = false;  // of text
  ActionRows rows;
};

LoggedEvents::LoggedEvents(const std::string& path, unsigned bits, bool products, const std::atomic<bool>* interrupt)
    : impl_(std::make_unique<Impl>(path, bits, products, interrupt)) {}
LoggedEvents::~LoggedEvents() = default;

bool LoggedEvents::recognises(std::string_view begin) {
  if (begin.starts_with(stream::byte_order_mark)) begin.remove_prefix(stream::byte_order_mark.size());
  const std::size_t at = begin.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return false;
  begin.remove_prefix(at);
  if (begin.front() == '{' || begin.front() == '|') return true;
  const std::string_view line = begin.substr(0, begin.find('\n'));
  const std::string_view head = line.substr(0, line.find('|'));
  return head.size() < line.size() && (head.starts_with("shared") || head.find(':') != std::string_view::npos);
}

const LoggedEvent* LoggedEvents::next() { return impl_->next(); }
const EventCounts& LoggedEvents::left_out() const noexcept { return impl_->counts; }

}  // namespace halfspace::bandits
