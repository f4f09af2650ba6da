// Parses lines of Vowpal Wabbit text, and reports every flaw.
#include "stream/vw/vw_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/text/decimals.h"
#include "stream/text/number.h"
#include "stream/text/plain_decimal.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t window_of_lines = std::size_t{32} << 10;  // text whose separators are known at a time
constexpr std::size_t bytes_of_feature = 10;                    // that are usual
constexpr const char* write_importance = "an importance is a number from 0 to 1e100";

// Returns whether a text is meant as a number; other texts are names of categories.
bool means_number(std::string_view text) {
  const char first = text.front();
  double ignored = 0;
  return is_digit(first) || first == '+' || first == '-' || first == '.' ||
         parse_number(text, ignored) != NumberProblem::not_a_number;
}

}  // namespace

void VwScratch::clear() {
  spaces.clear();
  seed.clear();
  column.clear();
  left_out.clear();
  roles.clear();
  names.clear();
  products.clear();
  factor_spaces.clear();
  integers = false;
  made.clear();
  labels.clear();
}

VwRowReader::VwRowReader(const VwRules& rules, ParsedChunk& chunk)
    : rules_(rules), chunk_(chunk), scratch_(chunk.scratch<VwScratch>()) {
  scratch_.clear();
  scratch_.hashed.begin(rules_.known != nullptr ? rules_.hasher : nullptr);
  scratch_.multiplied.assign(rules_.namespaces.products.size(), 0);
  if (rules_.known != nullptr) known_names_ = rules_.known->snapshot();
  if (rules_.products != nullptr) known_products_ = rules_.products->snapshot();
}

void VwRowReader::read(std::string_view text, bool stop_at_bad) {
  chunk_.rows.expect(text.size() / bytes_of_feature);
  valid_text_ = rules_.hasher != nullptr && valid_utf8(text);
  while (!text.empty()) {
    const std::string_view window = first_lines(text, window_of_lines);
    // A larger window is one line, and refused for its length.
    scratch_.separators.find_in_vw(window.size() <= Separators::most_text ? window : std::string_view());
    text_ = text;
    at_ = scratch_.separators.at();
    kind_ = scratch_.separators.kind();
    for (begin_ = 0; begin_ < window.size(); begin_ = end_ + 1) {
      if (read_quickly()) {
        ++chunk_.data_rows;
        ++chunk_.lines;
        continue;
      }
      chunk_.rows.drop_row();
      const void* const found = std::memchr(text.data() + begin_, '\n', window.size() - begin_);
      end_ = found == nullptr ? window.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
      const Outcome outcome = read_line();
      if (outcome == Outcome::bad) chunk_.rows.drop_row();
      if (outcome != Outcome::nothing) ++chunk_.data_rows;
      ++chunk_.lines;
      if (outcome == Outcome::bad && stop_at_bad) break;
      if (end_ + 1 >= window.size()) continue;
      while (*at_ < end_) next_separator();
      next_separator();
    }
    if (begin_ < window.size()) return;
    text.remove_prefix(window.size());
  }
}

// Fast path: parses a line with a known label and, in the current namespace, features with ascending whole numbers as
// names, so that none is repeated; moves past the line. Returns false for any other line.
bool VwRowReader::read_quickly() {
  if (!space_known_ || space_ >= integer_spaces || std::memcmp(kind_, " |", 2) != 0 || at_[1] != at_[0] + 1)
    return false;
  const std::string_view label = text_.substr(begin_, at_[0] - begin_);
  const auto known_end = known_.begin() + static_cast<std::ptrdiff_t>(known_count_);
  const auto known = std::find_if(known_.begin(), known_end, [&](const Known& one) { return one.label == label; });
  if (known == known_end || text_.substr(at_[1] + std::size_t{1}, at_[2] - at_[1] - 1) != space_name_) return false;

  const std::uint32_t* const at = at_ + 2;
  const char* const kind = kind_ + 2;
  std::size_t ends = 0;  // separators of whole features: a blank and a colon each
  while (std::memcmp(kind + ends, " : : : :", 8) == 0) ends += 8;
  while (std::memcmp(kind + ends, " :", 2) == 0) ends += 2;
  std::size_t last = ends;
  const auto followed_by = [&](char c) { return kind[last + 1] == c && at[last + 1] == at[last] + 1; };
  if (kind[last] == ' ' && (followed_by('\r') || followed_by('\n'))) ++last;
  if (kind[last] == '\r' && followed_by('\n')) ++last;
  if (kind[last] != '\n' || at[last] - begin_ > std::min(rules_.line_limit, Separators::most_text)) return false;

  const std::size_t count = ends / 2;
  if (scratch_.rest.size() < count / 8 + 1) scratch_.rest.resize(count / 4 + 1);
  const BlockBuffer::Room room = chunk_.rows.extend(count + decimals_slack);
  const FeaturesRead plain = read_features(text_, at, count, 0, room.index, room.value, scratch_.rest.data());
  if (!plain.indices || plain.padded) return false;
  if (rules_.hasher != nullptr) {
    hash_integers(count, at, room.index);
  } else {
    for (std::size_t i = 0; i < count; ++i) room.index[i] |= integer_name | space_ << integer_bits;
  }
  for (std::size_t i = 0; !plain.values && i < count; ++i) {
    if ((scratch_.rest[i / 8] >> i % 8 & 1) == 0) continue;
    const std::size_t value_begin = at[2 * i + 1] + std::size_t{1};
    const std::string_view value = text_.substr(value_begin, at[2 * i + 2] - value_begin);
    if (parse_number(value, room.value[i]) != NumberProblem::none) return false;
  }
  scratch_.integers = rules_.hasher == nullptr;
  chunk_.rows.shorten(decimals_slack);
  chunk_.line_of_row.push_back(chunk_.lines);
  chunk_.rows.end_row(known->class_of, chunk_.data_rows);
  end_ = at[last];
  at_ = at + last + 1;
  kind_ = kind + last + 1;
  return true;
}

// Enables the fast path for lines with this label.
void VwRowReader::remember(std::string_view label, std::int32_t class_of) {
  if (known_count_ == known_.size()) return;
  for (std::size_t i = 0; i < known_count_; ++i) {
    if (known_[i].label == label) return;
  }
  known_[known_count_++] = {label, class_of};
}

VwRowReader::Outcome VwRowReader::read_line() {
  if (const std::size_t limit = std::min(rules_.line_limit, Separators::most_text); end_ - begin_ > limit + 1) {
    return refuse(begin_ + limit, "the line is longer than " + std::to_string(limit) + " bytes",
                  "check that lines end where rows do, or raise the limit");
  }
  Head head;
  const Outcome outcome = read_head(head);
  if (outcome != Outcome::row) return outcome;
  const Outcome features = read_namespaces();
  if (features != Outcome::row) return features;
  if (!rules_.namespaces.products.empty()) {
    const Outcome products = rules_.hasher != nullptr ? hash_products() : add_products();
    if (products != Outcome::row) return products;
  }
  std::int32_t label = -1;
  if (!head.label.empty()) {
    // The last check of all: only good rows may bring new labels.
    const Outcome known = find_class(head.label, label);
    if (known != Outcome::row) return known;
  }
  chunk_.line_of_row.push_back(chunk_.lines);
  chunk_.rows.end_row(label, chunk_.data_rows, head.importance);
  if (label_alone_ && spaces_in_line_ == 1) remember(words_[0], label);
  return Outcome::row;
}

// Leaves the separator at hand at the first bar.
VwRowReader::Outcome VwRowReader::read_head(Head& head) {
  words_.clear();
  std::size_t word = begin_;
  bool tagged = false;  // the last word touches the bar
  for (;; next_separator()) {
    if (*kind_ == ':') {
      while (*kind_ == ':') next_separator();
      if (!at_blank() && !at_bar() && !at_end()) return refuse_separator();
      if (!at_bar() && text_[word] != '\'') return refuse_head(text_.substr(word, *at_ - word));
    }
    if (*at_ > word) words_.push_back(text_.substr(word, *at_ - word));
    tagged = *at_ > word;
    word = *at_ + std::size_t{1};
    if (*kind_ == ' ') continue;
    if (at_bar()) break;
    if (at_end()) {
      if (words_.empty()) return Outcome::nothing;
      return refuse(*at_, "the row has no '|'", "features follow a bar; a row without any is written 1 |");
    }
    if (*kind_ != '\t') return refuse_separator();
    const std::size_t bar = text_.substr(*at_, end_ - *at_).find_first_not_of(" \t\r");
    if (words_.empty() && bar == std::string_view::npos) return Outcome::nothing;
    return refuse(*at_, "a tab before the first '|', after which Vowpal Wabbit restarts the line",
                  "remove the text before the tab, or replace the tab by a blank");
  }
  if (!words_.empty() && (tagged || words_.back().front() == '\'')) {
    const bool number = words_.size() == 1 && words_.back().front() != '\'' && means_number(words_.back());
    if (number && !rules_.ignore_labels) {
      return refuse(static_cast<std::size_t>(words_.back().data() - text_.data()),
                    quote(words_.back()) + " touches the bar and so is the row's tag, not its label",
                    "put a blank between the label and the bar");
    }
    words_.pop_back();
  }
  label_alone_ = words_.size() == 1 && words_[0].data() == text_.data() + begin_ && text_[*at_ - 1] == ' ';
  return read_words(words_, head);
}

VwRowReader::Outcome VwRowReader::read_words(const std::vector<std::string_view>& words, Head& head) {
  const auto place = [&](std::string_view word) { return static_cast<std::size_t>(word.data() - text_.data()); };
  if (rules_.ignore_labels) return Outcome::row;
  if (words.empty()) {
    return refuse(begin_, "the row has no label", "begin it with its label, such as 1 |");
  }
  head.label = words[0];
  if (std::find(vw_heads.begin(), vw_heads.end(), head.label) != vw_heads.end()) return refuse_head(head.label);
  double ignored = 0;
  const NumberProblem problem = parse_number(head.label, ignored);
  if (problem == NumberProblem::not_finite || problem == NumberProblem::overflow) {
    return refuse(place(head.label), "the label " + quote(head.label) + " is not a finite number",
                  "give the row its label");
  }
  if (lists_labels(head.label)) {
    return refuse(place(head.label), quote(head.label) + " is a list of labels, as multilabel learning has them",
                  "give each row one label, such as 1 or spam");
  }
  if (!valid_utf8(head.label)) {
    return refuse(place(head.label), "the label " + quote(head.label) + " is not valid UTF-8", to_utf8);
  }
  const auto tag = std::find_if(words.begin() + 1, words.end(), [](std::string_view word) { return word[0] == '\''; });
  if (tag != words.end()) {
    return refuse(place(*tag), "a blank in the tag, which is one word in Vowpal Wabbit text",
                  "join its words, as in 'user_7");
  }
  if (words.size() > 1 && !parse_weight(words[1], head.importance)) {
    const bool name = !means_number(words[1]);
    return refuse(
        place(words[1]), quote(words[1]) + " is not an importance",
        std::string(write_importance) + (name ? "; a tag is one word in Vowpal Wabbit text, as in 'user_7" : ""));
  }
  if (words.size() == 3) {
    return refuse(place(words[2]), quote(words[2]) + " is an initial prediction, which is not supported",
                  "take the third word out of the lines");
  }
  if (words.size() > 3) {
    return refuse(place(words[2]), "more words before the '|' than a label, an importance and a tag",
                  "several labels a row are not supported");
  }
  return Outcome::row;
}

// Reads all features. Names are looked up afterwards, at once; one of them may be what is wrong before anything else.
VwRowReader::Outcome VwRowReader::read_namespaces() {
  scratch_.row.clear();
  scratch_.in_row.clear();
  Outcome outcome = Outcome::row;
  for (spaces_in_line_ = 0; at_bar() && outcome == Outcome::row; ++spaces_in_line_) outcome = read_namespace();
  if (outcome == Outcome::row && !at_end()) outcome = refuse_separator();
  const auto resolve_names = [&] { return rules_.hasher != nullptr ? hash_names() : this->resolve_names(); };
  if (outcome == Outcome::row) return resolve_names();
  BadRow later = std::move(chunk_.bad.back());
  chunk_.bad.pop_back();
  if (resolve_names() == Outcome::row) chunk_.bad.push_back(std::move(later));
  return Outcome::bad;
}

// The separator at hand is the bar. Leaves it at the next bar or the end of the line, or at what is neither.
VwRowReader::Outcome VwRowReader::read_namespace() {
  const std::size_t name_at = *at_ + std::size_t{1};
  next_separator();
  const std::string_view name = text_.substr(name_at, *at_ - name_at);
  if (name.empty() && *kind_ == ':') {
    return refuse(name_at, "a ':' where the name of a namespace or a blank is expected",
                  "write a scale after the name, as in |name:0.5");
  }
  if (usual_spaces_.size() <= spaces_in_line_) usual_spaces_.push_back(0);
  std::uint32_t& usual = usual_spaces_[spaces_in_line_];
  if (usual >= scratch_.seed.size() || scratch_.spaces[usual].text != name) usual = number_of_space(name);
  if (!scratch_.spaces[usual].valid) {
    return refuse(name_at, "the namespace " + quote(name) + " is not valid UTF-8", to_utf8);
  }
  space_ = usual;
  space_name_ = name;
  left_out_ = scratch_.left_out[space_] != 0;
  space_known_ = rules_.namespaces.products.empty() && !left_out_;
  seed_ = scratch_.seed[space_];
  unnamed_ = 0;
  scale_ = 1;
  if (*kind_ == ':') {
    const std::size_t value_at = *at_ + std::size_t{1};
    next_separator();
    const Outcome outcome = read_value(value_at, scale_);
    if (outcome != Outcome::row) return outcome;
  }
  while (at_blank()) {
    const std::size_t feature_at = *at_ + std::size_t{1};
    next_separator();
    if (*at_ == feature_at && *kind_ != ':') continue;
    const Outcome outcome = read_feature(feature_at);
    if (outcome != Outcome::row) return outcome;
  }
  if (!at_bar() && !at_end()) return refuse_separator();
  return Outcome::row;
}

// Reads name[:value]. The separator at hand ends the name.
VwRowReader::Outcome VwRowReader::read_feature(std::size_t begin) {
  std::string_view name = text_.substr(begin, *at_ - begin);
  double value = 1;
  if (*kind_ == ':') {
    const std::size_t value_at = *at_ + std::size_t{1};
    next_separator();
    const std::string_view value_text = text_.substr(value_at, *at_ - value_at);
    if (!value_text.empty() && !means_number(value_text)) return read_category(begin, name);
    const Outcome outcome = read_value(value_at, value);
    if (outcome != Outcome::row) return outcome;
    if (name.empty()) name = scratch_.made.keep(std::to_string(unnamed_++));
  }
  return add(begin, name, value * scale_);
}

// The separator at hand ends the value.
VwRowReader::Outcome VwRowReader::read_value(std::size_t begin, double& value) {
  const char* const first = text_.data() + begin;
  if (text_.size() - begin > plain_decimal_margin && scan_plain_decimal(first, value) == text_.data() + *at_ &&
      *kind_ != ':') {
    return Outcome::row;
  }
  while (*kind_ == ':') next_separator();
  const std::string_view text = text_.substr(begin, *at_ - begin);
  if (text.empty()) {
    return refuse(begin, "a ':' without a value", "write the value right after the ':', or leave the ':' out");
  }
  switch (parse_number(text, value)) {
    case NumberProblem::none:
      return Outcome::row;
    case NumberProblem::not_a_number:
      return refuse(begin, quote(text) + " is not a number", "write a decimal such as 1.5");
    case NumberProblem::not_finite:
      return refuse(begin, quote(text) + " is not a finite number", "leave the feature out, or give it a value");
    case NumberProblem::overflow:
      break;
  }
  return refuse(begin, quote(text) + " is too large for a double", "scale the feature down");
}

// Reads name:category, which is the feature name^category. As Vowpal Wabbit does, up to the next blank.
VwRowReader::Outcome VwRowReader::read_category(std::size_t begin, std::string_view name) {
  while (*kind_ == ':' || at_bar()) next_separator();
  const std::size_t value_at = begin + name.size() + 1;
  std::string made(name);
  made += '^';
  made += text_.substr(value_at, *at_ - value_at);
  return add(begin, scratch_.made.keep(made), 1);
}

VwRowReader::Outcome VwRowReader::add(std::size_t begin, std::string_view name, double value) {
  if (left_out_) return check(begin, name, value);
  const std::uint64_t hash = hash_of_name(name, seed_);
  known_names_.prefetch(hash);
  scratch_.names.prefetch(hash);
  scratch_.row.push_back({hash, name, space_, static_cast<std::uint32_t>(begin), value});
  return Outcome::row;
}

// Checks a feature whose namespace is left out as if it were not.
VwRowReader::Outcome VwRowReader::check(std::size_t begin, std::string_view name, double value) {
  if (!valid_utf8(name)) return refuse(begin, "the feature " + quote(name) + " is not valid UTF-8", to_utf8);
  if (std::isfinite(value)) return Outcome::row;
  return refuse(begin, "the value of " + quote(name) + " is too large for a double", "scale the feature down");
}

// Adds the values of the row: names of the pass by feature, others by provisional number.
VwRowReader::Outcome VwRowReader::resolve_names() {
  std::vector<VwScratch::RowName>& row = scratch_.row;
  scratch_.numbers.resize(row.size());
  known_names_.find_all(
      row.size(),
      [&](std::size_t i) {
        return NameKey{row[i].hash, scratch_.column[row[i].space], row[i].text};
      },
      scratch_.numbers.data());
  scratch_.in_row.expect(row.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const VwScratch::RowName name = row[i];
    std::uint32_t index = scratch_.numbers[i];
    if (index == KnownNames::none) {
      std::uint32_t number = scratch_.names.find(NameKey{name.hash, name.space, name.text});
      if (number == ChunkNames::none) {
        if (!valid_utf8(name.text)) {
          return refuse(name.begin, "the feature " + quote(name.text) + " is not valid UTF-8", to_utf8);
        }
        number = scratch_.names.insert_last(name.space, name.hash, name.text);
      }
      index = first_provisional_name + number;
    }
    const std::size_t before = chunk_.rows.values().size();
    if (!add_value(index, name.value)) {
      return refuse(name.begin, "the value of " + quote(name.text) + " is too large for a double",
                    "scale the feature down");
    }
    if (chunk_.rows.values().size() != before) row[kept++] = name;
  }
  row.resize(kept);
  return Outcome::row;
}

// A feature that is in the row already adds its value to the existing one. Returns whether the value is finite.
bool VwRowReader::add_value(std::uint32_t index, double value) {
  const std::uint64_t first = chunk_.rows.offsets().back();
  const auto place = static_cast<std::uint32_t>(chunk_.rows.values().size() - first);
  const std::uint32_t before = scratch_.in_row.find_or_insert(index, place);
  if (before == RowNames::none) {
    chunk_.rows.add(index, value);
  } else {
    value += chunk_.rows.values()[first + before];
    chunk_.rows.values()[first + before] = value;
  }
  return std::isfinite(value);
}

std::uint32_t VwRowReader::number_of_space(std::string_view name) {
  const CellDictionary::Found found = scratch_.spaces.find_or_insert(0, name);
  if (!found.inserted) return found.number;
  scratch_.seed.push_back(rules_.hasher != nullptr ? seed_of_hashed(name) : seed_of_space(name));
  scratch_.column.push_back(rules_.columns == nullptr ? Column::no_feature : rules_.columns->find(name));
  scratch_.left_out.push_back(rules_.namespaces.leave_out(name) ? 1 : 0);
  for (const VwProduct& product : rules_.namespaces.products) {
    unsigned roles = 0;
    for (std::size_t f = 0; f < product.factors.size(); ++f)
      roles |= is_of_namespaces(product.factors[f], name) ? 1U << f : 0U;
    scratch_.roles.push_back(static_cast<std::uint8_t>(roles));
  }
  return found.number;
}

// Multiplies what the row holds by now.
VwRowReader::Outcome VwRowReader::add_products() {
  const std::span<const VwProduct> products = rules_.namespaces.products;
  std::vector<std::array<std::uint32_t, 2>>& spaces = scratch_.factor_spaces;
  for (std::size_t p = spaces.size(); p < products.size(); ++p) {
    const bool pair = products[p].of_two_names();
    const std::uint32_t first = pair ? number_of_space(products[p].factors[0]) : 0;
    spaces.push_back({first, pair ? number_of_space(products[p].factors[1]) : 0});
  }
  for (std::size_t p = 0; p < products.size(); ++p) {
    const Outcome outcome = products[p].of_two_names() ? add_pairs(p) : multiply(p);
    if (outcome != Outcome::row) return outcome;
  }
  return Outcome::row;
}

// Multiplies two namespaces by name; one by itself: each value by itself and by later ones.
VwRowReader::Outcome VwRowReader::add_pairs(std::size_t product) {
  const std::vector<VwScratch::RowName>& row = scratch_.row;
  const auto [first, second] = scratch_.factor_spaces[product];
  chosen_.resize(2);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].space != first) continue;
    const std::size_t begin = first == second ? i : 0;
    chosen_[0] = i;
    for (std::size_t j = begin; j < row.size(); ++j) {
      if (row[j].space != second) continue;
      chosen_[1] = j;
      const Outcome outcome = add_product(product);
      if (outcome != Outcome::row) return outcome;
    }
  }
  return Outcome::row;
}

// Chooses a value for each factor, and adds the products.
VwRowReader::Outcome VwRowReader::multiply(std::size_t product) {
  const std::size_t products = rules_.namespaces.products.size();
  roles_.resize(scratch_.row.size());
  for (std::size_t k = 0; k < roles_.size(); ++k)
    roles_[k] = scratch_.roles[scratch_.row[k].space * products + product];
  chosen_.clear();
  return choose(product);
}

// Chooses the factors that are not chosen yet. Of choices that differ only in which value is which factor, the first
// alone counts.
VwRowReader::Outcome VwRowReader::choose(std::size_t product) {
  const std::size_t factor = chosen_.size();
  if (factor == rules_.namespaces.products[product].factors.size())
    return rules_.hasher != nullptr ? hash_product(chosen_) : add_product(product);
  const auto has_role = [&](std::size_t k, std::size_t f) { return (roles_[k] >> f & 1) != 0; };
  for (std::size_t k = 0; k < roles_.size(); ++k) {
    if (!has_role(k, factor)) continue;
    bool again = false;
    for (std::size_t f = 0; f < factor; ++f)
      again = again || (k < chosen_[f] && has_role(k, f) && has_role(chosen_[f], factor));
    if (again) continue;
    chosen_.push_back(k);
    const Outcome outcome = choose(product);
    chosen_.pop_back();
    if (outcome != Outcome::row) return outcome;
  }
  return Outcome::row;
}

// Multiplies the chosen values. A product of known features is looked up; one that is new, or has a new factor, gets a
// provisional number.
VwRowReader::Outcome VwRowReader::add_product(std::size_t product) {
  const std::size_t begin = chunk_.rows.offsets().back();
  Factors factors{};
  double value = 1;
  bool known = rules_.products != nullptr;
  for (std::size_t f = 0; f < chosen_.size(); ++f) {
    factors[f] = chunk_.rows.indices()[begin + chosen_[f]];
    known = known && factors[f] < first_provisional_name;
    value *= chunk_.rows.values()[begin + chosen_[f]];
  }
  std::uint32_t index = known ? known_products_.find(product, factors) : Column::no_feature;
  if (index == Column::no_feature) {
    index =
        first_provisional_product + scratch_.products.find_or_insert({factors, static_cast<std::uint32_t>(product)});
  }
  scratch_.in_row.expect(1);
  if (add_value(index, value)) return Outcome::row;
  std::string name;
  for (const std::size_t k : chosen_) name += (name.empty() ? "" : "*") + full_name(scratch_.row[k]);
  return refuse(begin_, "the value of " + quote(name) + " is too large for a double", "scale the feature down");
}

// As a model names the feature.
std::string VwRowReader::full_name(const VwScratch::RowName& name) const {
  std::string full(scratch_.spaces[name.space].text);
  if (!full.empty()) full += '^';
  full += name.text;
  return full;
}

VwRowReader::Outcome VwRowReader::find_class(std::string_view text, std::int32_t& label) {
  label = scratch_.labels.find(text, rules_.labels, rules_.labels_open, chunk_);
  if (label != ChunkLabels::none) return Outcome::row;
  LabelProblem problem = describe_unknown(text, rules_.labels, *rules_.options);
  return refuse(static_cast<std::size_t>(text.data() - text_.data()), std::move(problem.reason),
                std::move(problem.hint));
}

VwRowReader::Outcome VwRowReader::refuse(std::size_t at, std::string reason, std::string hint) {
  std::string_view line = text_.substr(begin_, std::min(end_ - begin_, rules_.line_limit));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  chunk_.bad.push_back(
      {chunk_.lines, chunk_.data_rows, at - begin_ + 1, std::move(reason), std::move(hint), std::string(line)});
  return Outcome::bad;
}

bool lists_labels(std::string_view label) {
  const std::size_t comma = label.find(',');
  return comma != std::string_view::npos && comma != 0 && label.back() != ',' &&
         label.find(",,") == std::string_view::npos && label.find_first_not_of("0123456789,") == std::string_view::npos;
}

// A label that means something to other learners than those here.
VwRowReader::Outcome VwRowReader::refuse_head(std::string_view word) {
  const std::size_t at = static_cast<std::size_t>(word.data() - text_.data());
  if (word.find(':') == std::string_view::npos) {
    return refuse(at, quote(word) + " is part of a contextual bandit's example, which has several lines",
                  "one line is one row here, and begins with its label");
  }
  return refuse(at, quote(word) + " is a label with costs, as cost-sensitive learning and contextual bandits have them",
                "give each row one label, such as 1 or spam");
}

// Reports a misplaced separator: no feature, namespace or label contains one.
VwRowReader::Outcome VwRowReader::refuse_separator() {
  if (*kind_ == ':') return refuse(*at_, "one ':' too many", "write a feature as name:value, such as age:0.5");
  if (*kind_ == '\0') return refuse(*at_, "a NUL byte", "convert the file to UTF-8 text");
  if (*kind_ == '\r') return refuse(*at_, "a carriage return within the line", "end lines with LF or CRLF");
  return refuse(*at_, "a control character", "convert the file to UTF-8 text");
}

std::string_view tag_of_vw(std::string_view line) {
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos) return {};
  std::string_view head = line.substr(0, bar);
  if (head.find('\t') != std::string_view::npos) return {};
  const bool touches = !head.empty() && head.back() != ' ';
  head = head.substr(0, head.find_last_not_of(' ') + 1);
  std::string_view word = head.substr(head.find_last_of(' ') + 1);
  const bool quoted = word.starts_with('\'');
  if (!touches && !quoted) return {};
  if (quoted) word.remove_prefix(1);
  return word;
}

}  // namespace halfspace::stream
