// Examines the values of a label and the number of rows of each.
#include "stream/labels/label_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "stream/text/number.h"
#include "stream/text/number_marks.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

// Letters with an accent, as one character and as a letter and a mark (Unicode 15.0, canonical decompositions of the
// Latin, Greek and Cyrillic blocks).

struct AccentedLetters {
  char32_t mark;
  std::u32string_view letters;  // pairs: the letter before the mark, and the character that is both
};
constexpr AccentedLetters accented_letters[] = {
    {U'\u0300',
     U"AÀEÈIÌOÒUÙaàeèiìoòuùÜǛüǜNǸnǹЕЀИЍеѐиѝĒḔēḕŌṐōṑWẀwẁÂẦâầĂẰăằÊỀêềÔỒôồƠỜơờƯỪưừYỲyỳἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢ"
     U"ἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫαὰεὲηὴιὶοὸυὺωὼΑᾺΕῈΗῊ᾿῍ϊῒΙῚ῾῝ϋῢΥῪ¨῭ΟῸΩῺ"},
    {U'\u0301',
     U"AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzźÜǗüǘGǴgǵÅǺåǻÆǼæǽØǾøǿ¨΅ΑΆΕΈΗΉΙΊΟΌΥΎΩΏϊΐαάεέηήιί"
     U"ϋΰοόυύωώϒϓГЃКЌгѓкќÇḈçḉĒḖēḗÏḮïḯKḰkḱMḾmḿÕṌõṍŌṒōṓPṔpṕŨṸũṹWẂwẃÂẤâấĂẮăắÊẾêếÔỐôốƠỚơớƯỨưứἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥ"
     U"ἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬὩὭ᾿῎῾῞"},
    {U'\u0302', U"AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷZẐzẑẠẬạậẸỆẹệỌỘọộ"},
    {U'\u0303', U"AÃNÑOÕaãnñoõIĨiĩUŨuũVṼvṽÂẪâẫĂẴăẵEẼeẽÊỄêễÔỖôỗƠỠơỡƯỮưữYỸyỹ"},
    {U'\u0304', U"AĀaāEĒeēIĪiīOŌoōUŪuūÜǕüǖÄǞäǟȦǠȧǡÆǢæǣǪǬǫǭÖȪöȫÕȬõȭȮȰȯȱYȲyȳИӢиӣУӮуӯGḠgḡḶḸḷḹṚṜṛṝαᾱΑᾹιῑΙῙυῡΥῩ"},
    {U'\u0306', U"AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭУЎИЙийуўЖӁжӂАӐаӑЕӖеӗȨḜȩḝẠẶạặαᾰΑᾸιῐΙῘυῠΥῨ"},
    {U'\u0307', U"CĊcċEĖeėGĠgġIİZŻzżAȦaȧOȮoȯBḂbḃDḊdḋFḞfḟHḢhḣMṀmṁNṄnṅPṖpṗRṘrṙSṠsṡŚṤśṥŠṦšṧṢṨṣṩTṪtṫWẆwẇXẊxẋYẎyẏſẛ"},
    {U'\u0308',
     U"AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸΙΪΥΫιϊυϋϒϔЕЁІЇеёіїАӒаӓӘӚәӛЖӜжӝЗӞзӟИӤиӥОӦоӧӨӪөӫЭӬэӭУӰуӱЧӴчӵЫӸыӹHḦhḧÕṎõṏ"
     U"ŪṺūṻWẄwẅXẌxẍtẗ"},
    {U'\u0309', U"AẢaảÂẨâẩĂẲăẳEẺeẻÊỂêểIỈiỉOỎoỏÔỔôổƠỞơởUỦuủƯỬưửYỶyỷ"},
    {U'\u030A', U"AÅaåUŮuůwẘyẙ"},
    {U'\u030B', U"OŐoőUŰuűУӲуӳ"},
    {U'\u030C', U"CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzžAǍaǎIǏiǐOǑoǒUǓuǔÜǙüǚGǦgǧKǨkǩƷǮʒǯjǰHȞhȟ"},
    {U'\u030F', U"AȀaȁEȄeȅIȈiȉOȌoȍRȐrȑUȔuȕѴѶѵѷ"},
    {U'\u0311', U"AȂaȃEȆeȇIȊiȋOȎoȏRȒrȓUȖuȗ"},
    {U'\u0313', U"αἀΑἈεἐΕἘηἠΗἨιἰΙἸοὀΟὈυὐωὠΩὨρῤ"},
    {U'\u0314', U"αἁΑἉεἑΕἙηἡΗἩιἱΙἹοὁΟὉυὑΥὙωὡΩὩρῥΡῬ"},
    {U'\u031B', U"OƠoơUƯuư"},
    {U'\u0323', U"BḄbḅDḌdḍHḤhḥKḲkḳLḶlḷMṂmṃNṆnṇRṚrṛSṢsṣTṬtṭVṾvṿWẈwẉZẒzẓAẠaạEẸeẹIỊiịOỌoọƠỢơợUỤuụƯỰưựYỴyỵ"},
    {U'\u0324', U"UṲuṳ"},
    {U'\u0325', U"AḀaḁ"},
    {U'\u0326', U"SȘsșTȚtț"},
    {U'\u0327', U"CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţEȨeȩDḐdḑHḨhḩ"},
    {U'\u0328', U"AĄaąEĘeęIĮiįUŲuųOǪoǫ"},
    {U'\u032D', U"DḒdḓEḘeḙLḼlḽNṊnṋTṰtṱUṶuṷ"},
    {U'\u032E', U"HḪhḫ"},
    {U'\u0330', U"EḚeḛIḬiḭUṴuṵ"},
    {U'\u0331', U"BḆbḇDḎdḏKḴkḵLḺlḻNṈnṉRṞrṟTṮtṯZẔzẕhẖ"},
    {U'\u0342', U"ἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯαᾶ¨῁ηῆ᾿῏ιῖϊῗ῾῟υῦϋῧωῶ"},
    {U'\u0345',
     U"ἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮ"
     U"ὯᾯὰᾲαᾳάᾴᾶᾷΑᾼὴῂηῃήῄῆῇΗῌὼῲωῳώῴῶῷΩῼ"},
};

using About = SurveyNote::About;

constexpr std::size_t fewest_values = 10, fewest_counts = 11, fewest_scattered = 20;
// So many classes of so few rows each are names of things.
constexpr std::size_t most_crowded = 1000, fewest_rows_each = 20, fewest_rows_of_first = 5;

// What most values are, if all of them are one of these.
struct Measures {
  std::size_t numbers = 0, fractions = 0, amounts = 0, dates = 0, times = 0;
};

Measures measures_of(std::span<const LabelCount> labels) {
  Measures measures;
  for (const LabelCount& label : labels) {
    double value = 0;
    if (parse_number(label.text, value) == NumberProblem::none) {
      ++measures.numbers;
      measures.fractions += value != std::floor(value) ? 1 : 0;
    } else if (has_decimal_comma(label.text)) {
      ++measures.numbers;
      ++measures.fractions;
    } else if (looks_like_amount(label.text)) {
      ++measures.amounts;
    } else if (looks_like_date(label.text)) {
      ++measures.dates;
    } else if (looks_like_time(label.text)) {
      ++measures.times;
    }
  }
  return measures;
}

// Rows by value: numbers of classes follow no rule; a quantity has few rows at its ends, more and more towards where most
// are, and neighbours have nearly as many.
bool counts_of_a_quantity(std::span<const LabelCount> labels) {
  std::vector<std::pair<double, double>> counts;
  for (const LabelCount& label : labels) {
    double value = 0;
    if (parse_number(label.text, value) != NumberProblem::none) return false;
    counts.emplace_back(value, static_cast<double>(label.rows));
  }
  if (counts.size() < fewest_counts) return false;
  std::sort(counts.begin(), counts.end());
  double most = 0, least = counts.front().second, path = 0, before = 0, sum = 0;
  for (const auto& [value, count] : counts) {
    path += std::abs(count - before);
    before = count;
    most = std::max(most, count);
    least = std::min(least, count);
    sum += count;
  }
  if (most < 10 * least) return false;
  const double size = static_cast<double>(counts.size()), mean = sum / size;
  if (counts.size() >= fewest_scattered && most >= 50 * least && path + before <= 2.5 * most) return true;
  // Von Neumann's ratio: about 2 of counts in no order, with this standard deviation.
  double steps = 0, spread = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    spread += elementary::pow(counts[i].second - mean, 2);
    if (i > 0) steps += elementary::pow(counts[i].second - counts[i - 1].second, 2);
  }
  const double deviation = 2 * std::sqrt((size - 2) / (size * size - 1));
  return 2 - steps / spread >= 2.5 * deviation;
}

// What a label of measured values is called; null: they may be classes.
const char* quantity_of(std::span<const LabelCount> labels, std::uint64_t rows) {
  const Measures measures = measures_of(labels);
  const std::size_t count = labels.size();
  if (count < fewest_values) return nullptr;
  if (measures.dates == count) return "dates";
  if (measures.times == count) return "times of day";
  if (measures.amounts + measures.numbers < count) return nullptr;
  if (measures.amounts * 2 >= count) return "amounts";
  const bool scattered = count >= fewest_scattered && count * 10 > rows;
  return scattered || measures.fractions * 2 > count || counts_of_a_quantity(labels) ? "numbers" : nullptr;
}

std::string fix_of(const LabelSource& source, bool quantity) {
  const std::string insist = "; " + option("classes", "all") + " learns each value as a class";
  const std::string named = source.in_table ? "name the column of the class with " + option("label") : "";
  if (!quantity) return (source.in_table ? named : "give the rows labels that repeat") + insist;
  return named + (source.in_table ? ", or " : "") + "make classes of it, such as above and below a value" + insist;
}

std::optional<LabelDoubt> doubt_of_all(std::span<const LabelCount> labels, std::uint64_t rows,
                                       const LabelSource& source) {
  const char* const quantity = quantity_of(labels, rows);
  const bool names = labels.size() >= fewest_values && labels.size() * 2 >= rows && rows >= fewest_scattered;
  const bool crowd = labels.size() > most_crowded && labels.size() * fewest_rows_each > rows;
  if (quantity == nullptr && !names && !crowd) return std::nullopt;
  LabelDoubt doubt;
  doubt.text = fmt::format("the label{} has {} different values in {}{} rows", source.column.empty() ? "" : " ",
                           labels.size(), source.first_rows ? "the first " : "", rows);
  if (!source.column.empty()) doubt.text.insert(std::string("the label ").size(), quote(source.column));
  doubt.text += quantity != nullptr
                    ? fmt::format(", all of them {}: it looks like a quantity, where classes are learned", quantity)
                : names ? std::string(": it names the rows rather than their classes")
                        : fmt::format(", fewer than {} rows each: it looks like a name, where classes are learned",
                                      fewest_rows_each);
  doubt.fix = fix_of(source, quantity != nullptr);
  // Of the first rows of many, nearly each would have to be another of tens of thousands of classes.
  const bool each = !source.first_rows || labels.size() * 10 >= rows * 9;
  const bool sparse = crowd && (!source.first_rows || labels.size() * fewest_rows_of_first > rows);
  doubt.too_many = labels.size() > most_values && (quantity != nullptr || each || sparse);
  return doubt;
}

// One or two words among numbers are slips, or lines above a table.
std::optional<LabelDoubt> doubt_of_words(std::span<const LabelCount> labels) {
  std::size_t numbers = 0, words = 0;
  const LabelCount* word = nullptr;
  for (const LabelCount& label : labels) {
    if (looks_like_number(label.text)) {
      ++numbers;
    } else {
      ++words;
      if (word == nullptr || label.first_row < word->first_row) word = &label;
    }
  }
  if (numbers < 2 || words == 0 || words > 2 || looks_missing(word->text)) return std::nullopt;
  return LabelDoubt{
      About::class_name,
      fmt::format("the labels are numbers, but for {} (row {}): each is a class", quote(word->text), word->first_row),
      word->text.starts_with(byte_order_mark) ? without_byte_order_marks
                                              : "where it is a slip, correct that row, or take it out"};
}

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t character = more == 0 ? lead : lead & (0x3F >> more);
    for (int k = 0; k < more && at < text.size(); ++k) character = character << 6 | (text[at++] & 0x3F);
    characters += character;
  }
  return characters;
}

// Returns a text with one blank for any run of blanks, none at its ends, and without characters of no width.
std::u32string with_plain_blanks(std::u32string_view text) {
  constexpr std::u32string_view blanks =
      U" \t\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000";
  constexpr std::u32string_view nothing = U"\u00AD\u200B\u200C\u200D\u2060\uFEFF";
  std::u32string plain;
  for (const char32_t c : text) {
    if (nothing.find(c) != nothing.npos) continue;
    const bool blank = blanks.find(c) != blanks.npos;
    if (!blank || (!plain.empty() && plain.back() != ' ')) plain += blank ? U' ' : c;
  }
  if (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain;
}

// Returns a text with each accent as a mark of its own.
std::u32string with_separate_accents(std::u32string_view text) {
  static const auto parts = [] {
    std::unordered_map<char32_t, std::pair<char32_t, char32_t>> found;
    for (const AccentedLetters& some : accented_letters) {
      for (std::size_t i = 0; i < some.letters.size(); i += 2)
        found[some.letters[i + 1]] = {some.letters[i], some.mark};
    }
    return found;
  }();
  std::u32string separate;
  for (char32_t c : text) {
    std::u32string marks;
    for (auto part = parts.find(c); part != parts.end(); part = parts.find(c)) {
      c = part->second.first;
      marks.insert(marks.begin(), part->second.second);
    }
    separate += c + marks;
  }
  return separate;
}

std::u32string in_lower_case(std::u32string text) {
  for (char32_t& c : text) c += c >= 'A' && c <= 'Z' ? 32 : 0;
  return text;
}

std::u32string without_dots(std::u32string text) {
  while (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

// Letters of either case may be classes; a word is more likely the same one.
std::u32string plain_spelling(std::string_view text) {
  const std::u32string accented = with_separate_accents(characters_of(text));
  std::u32string plain = with_plain_blanks(without_dots(with_plain_blanks(accented)));
  const bool quoted =
      plain.size() > 2 && (plain.front() == '"' || plain.front() == '\'') && plain.back() == plain.front();
  if (quoted) plain = plain.substr(1, plain.size() - 2);
  return plain.size() > 1 ? in_lower_case(std::move(plain)) : plain;
}

std::string difference(std::string_view first, std::string_view second) {
  const std::u32string a = characters_of(first), b = characters_of(second);
  if (without_dots(a) == without_dots(b)) return "the dot at its end";
  if (with_plain_blanks(a) == with_plain_blanks(b)) return "the kind of its blanks";
  if (with_separate_accents(a) == with_separate_accents(b)) return "how its accents are encoded";
  if (in_lower_case(a) == in_lower_case(b)) return "the case of its letters";
  return "its spelling";
}

std::optional<LabelDoubt> doubt_of_spellings(std::span<const LabelCount> labels) {
  std::unordered_map<std::u32string, const LabelCount*> seen;
  for (const LabelCount& label : labels) {
    if (looks_like_number(label.text)) continue;
    const auto [other, inserted] = seen.emplace(plain_spelling(label.text), &label);
    if (inserted) continue;
    return LabelDoubt{
        About::class_name,
        fmt::format("the labels {} and {} differ by {} alone, and are two classes", quote(other->second->text),
                    quote(label.text), difference(label.text, other->second->text)),
        label.text.starts_with(byte_order_mark) ? without_byte_order_marks : "write them alike in the file"};
  }
  return std::nullopt;
}

// A word and its first letter, as true and T.
std::optional<LabelDoubt> doubt_of_initials(std::span<const LabelCount> labels) {
  for (const LabelCount& label : labels) {
    const std::string word = lower_case(label.text);
    for (const std::string_view full : {"true", "false", "yes", "no", "male", "female", "positive", "negative"}) {
      if (word != full) continue;
      const auto initial = std::find_if(labels.begin(), labels.end(), [&](const LabelCount& other) {
        return lower_case(other.text) == full.substr(0, 1);
      });
      if (initial == labels.end()) continue;
      return LabelDoubt{
          About::class_name,
          fmt::format("the labels {} and {} may be one class, and are two", quote(label.text), quote(initial->text)),
          "where they are one class, write them alike in the file"};
    }
  }
  return std::nullopt;
}

// Returns the first texts that are one number, so many of them; fewer if there are none.
std::vector<std::string_view> spellings_of_a_number(std::span<const LabelCount> labels, std::size_t many) {
  std::map<ExactNumber, std::vector<std::string_view>> spellings;
  for (const LabelCount& label : labels) {
    const auto number = exact_number(label.text);
    if (!number) continue;
    std::vector<std::string_view>& same = spellings[*number];
    same.push_back(label.text);
    if (same.size() == many) return same;
  }
  return {};
}

std::optional<LabelDoubt> doubt_of_numbers(std::span<const LabelCount> labels) {
  const auto same = spellings_of_a_number(labels, 2);
  if (same.empty()) return std::nullopt;
  return LabelDoubt{About::class_name,
                    fmt::format("the labels {} and {} are one number, and two classes: labels are texts here",
                                quote(same[0]), quote(same[1])),
                    "where they are one class, write them alike in the file"};
}

}  // namespace

std::vector<LabelDoubt> doubts_of(std::span<const LabelCount> labels, std::uint64_t rows, const LabelSource& source) {
  std::vector<LabelDoubt> doubts;
  const auto take = [&](std::optional<LabelDoubt> doubt) {
    if (doubt) doubts.push_back(std::move(*doubt));
  };
  take(doubt_of_all(labels, rows, source));
  take(doubt_of_words(labels));
  take(doubt_of_spellings(labels));
  take(doubt_of_initials(labels));
  if (source.are == LabelsAre::texts) take(doubt_of_numbers(labels));
  return doubts;
}

std::optional<LabelDoubt> doubt_of_one_class(std::span<const LabelCount> labels) {
  const auto same = spellings_of_a_number(labels, 3);  // +1 and 1 are usual
  if (same.empty()) return std::nullopt;
  return LabelDoubt{
      About::class_name,
      fmt::format("the labels {}, {} and {} are one number, and one class: labels are numbers in this format",
                  quote(same[0]), quote(same[1]), quote(same[2])),
      "where they are other classes, give them names that are no numbers"};
}

Spelling spelled_alike(std::string_view text, std::span<const std::string> known) {
  if (const auto number = exact_number(text)) {
    for (const std::string& name : known) {
      if (exact_number(name) == number) return {name, "how the number is written"};
    }
  }
  if (looks_like_number(text)) return {};
  const std::u32string plain = plain_spelling(text);
  for (const std::string& name : known) {
    if (name != text && !name.empty() && plain_spelling(name) == plain) return {name, difference(text, name)};
  }
  return {};
}

}  // namespace halfspace::stream
