// The fields of a schema, as models and caches hold them (docs/formats/model.md, section 1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fields/archive.h"
#include "base/fields/checks.h"
#include "halfspace/stream/schema.h"
#include "stream/csv/scan.h"
#include "stream/formats/format_entry.h"
#include "stream/formats/format_table.h"
#include "stream/formats/parser.h"
#include "stream/names/sorted_names.h"
#include "stream/vw/products.h"

namespace halfspace::fields {

template <class A, class C>
void describe_text_column(A& archive, C& column) {
  if (column.kind != Column::Kind::text) return;
  archive.value("ngrams", column.ngrams, [](std::uint32_t most) {
    return most >= 1 && most <= stream::most_ngrams ? std::string()
                                                    : shown(std::uint64_t{most}) + " is not from 1 to 16";
  });
  archive.choice("text_values", column.text_values, 3, "a value of tokens");
  archive.choice("text_tokens", column.text_tokens, 2, "a kind of tokens");
  if (column.text_values != TextValues::tf_idf) return;
  archive.value("unseen_factor", column.unseen_factor, positive);
  archive.numbers("factors", column.factors, exactly(column.categories.size(), "the list of categories"),
                  [&](double factor) {
                    return factor > 0 && factor <= column.unseen_factor ? std::string() : "no factor of a token";
                  });
}

template <class A, class S, class C>
void describe_date(A& archive, S& schema, C& column) {
  if (column.kind != Column::Kind::date) return;
  archive.choice("date_order", column.date_order, 3, "an order of a date");
  if (std::uint64_t{column.feature} + 2 >= schema.features) archive.refuse("the date lacks features");
}

// Of one column.
template <class A, class S, class C>
void describe_logarithm(A& archive, S& schema, C& column) {
  archive.value("least", column.least,
                [](double least) { return std::isfinite(least) ? std::string() : std::string("not finite"); });
  archive.value("unit", column.unit, [&](double unit) {
    int exponent = 0;
    return unit > 0 && std::isfinite(unit) && std::frexp(unit, &exponent) == 0.5 && std::isfinite(column.least / unit)
               ? std::string()
               : std::string("no power of two that the least value is a multiple of within the doubles");
  });
  const bool number = schema.columns[column.first].kind == Column::Kind::numeric;
  if (!number || column.feature == Column::no_feature || !column.categories.empty() ||
      column.missing_feature != Column::no_feature)
    archive.refuse("the features of the logarithm do not fit its column");
}

// Products come after the columns that they are made of.
template <class A, class S, class C>
void describe_product(A& archive, S& schema, C& column, std::uint64_t place) {
  if (column.kind != Column::Kind::product) return;
  const auto factor = [&](std::uint32_t number) {
    const bool before = number < place;
    return before && (schema.columns[number].kind == Column::Kind::numeric ||
                      schema.columns[number].kind == Column::Kind::categorical)
               ? std::string()
               : shown(std::uint64_t{number}) + " is no column of numbers or categories before this one";
  };
  archive.value("first", column.first, factor);
  archive.value("second", column.second,
                [&](std::uint32_t number) { return number == Column::no_feature ? std::string() : factor(number); });
  if (column.second == Column::no_feature) return describe_logarithm(archive, schema, column);
  const bool numbers = schema.columns[column.first].kind == Column::Kind::numeric &&
                       schema.columns[column.second].kind == Column::Kind::numeric;
  const bool one = column.feature != Column::no_feature;
  if (one != numbers || (numbers && !column.categories.empty()) || column.missing_feature != Column::no_feature)
    archive.refuse("the features of the product do not fit what is multiplied");
}

// Describes names in the order of their bytes, after their features.
template <class A, class C>
void describe_names(A& archive, C& column, std::uint32_t bound) {
  const auto known = [&](std::uint32_t number) {
    return number < bound ? std::string() : shown(std::uint64_t{number}) + " is beyond the features";
  };
  if constexpr (A::reads) {
    archive.numbers("features", column.features, anything, known);
    const std::size_t after_features = archive.at();
    std::uint64_t bytes = 0;
    archive.value("bytes", bytes, [&](std::uint64_t count) {
      archive.room_for(count, 1);
      return std::string();
    });
    archive.group("categories", [&] {
      const std::size_t begin = archive.at();
      const std::span<const std::uint8_t> texts = archive.take(bytes);
      if (archive.owner) {
        auto encoded = stream::EncodedNames::read(texts, column.features, archive.owner);
        if (!encoded) archive.refuse("no sorted names");
        column.categories = NameList(std::move(encoded));
        return;
      }
      const std::optional<stream::NamesFlaw> flaw =
          stream::read_sorted_names(texts, column.features, column.categories);
      if (!flaw) return;
      const std::size_t feature = after_features - sizeof(std::uint32_t) * (column.features.size() - flaw->at);
      archive.refuse_at(flaw->in_features ? feature : begin + flaw->at, flaw->problem);
    });
  } else {
    archive.demand(exactly(column.categories.size(), "the list of categories")(column.features.size()));
    const auto sorted = archive.once([&] {
      return std::make_shared<const std::optional<stream::SortedNames>>(
          stream::sort_names(column.categories, column.features));
    });
    if (!*sorted) archive.refuse("two categories are alike, or their features do not ascend");
    archive.numbers("features", (*sorted)->features, anything, known);
    archive.implied("bytes", std::uint64_t{(*sorted)->texts.size()}, anything);
    archive.append((*sorted)->texts);
  }
}

// Products of namespaces: the features that are multiplied, and the product.
template <class A, class C>
void describe_products(A& archive, C& column, std::uint32_t bound) {
  const std::uint64_t factors = factors_of_product(column.name);
  const auto known = [&](std::uint32_t number) {
    return number < bound ? std::string() : shown(std::uint64_t{number}) + " is beyond the features";
  };
  const auto whole = [&](std::uint64_t count) {
    return count % factors == 0 ? std::string() : shown(count) + " numbers are no products";
  };
  archive.numbers("products", column.products, whole, known);
  archive.numbers("features", column.features, exactly(column.products.size() / factors, "the list of products"),
                  known);
}

template <class A, class S>
void describe_cutting(A& archive, S& schema) {
  archive.value("thousands", schema.thousands, [&](char mark) {
    return stream::parts_thousands(mark, schema.delimiter, schema.decimal) ? std::string()
                                                                           : "nothing that stands in numbers";
  });
  archive.value("skip_lines", schema.skip_lines, anything);
  archive.text("comment", schema.comment);
  const char quote = schema.quote == Quote::single_quote ? '\'' : '"';
  for (std::size_t i = 0; i < schema.comment.size(); ++i) {
    if (!stream::may_begin_comments(schema.comment[i], schema.delimiter, quote) ||
        (i > 0 && schema.comment[i] <= schema.comment[i - 1]))
      archive.refuse("no characters that comments begin with, ascending");
  }
}

// The table is the last of the features.
template <class A, class S>
void describe_hashed(A& archive, S& schema) {
  archive.value("hash_bits", schema.hashed.bits, [&](std::uint32_t bits) {
    return bits <= HashedNames::most_bits && std::uint64_t{1} << bits <= schema.features + std::uint64_t{bits == 0}
               ? std::string()
               : "no table of 2^" + shown(std::uint64_t{bits}) + " features is among " +
                     shown(std::uint64_t{schema.features});
  });
  if (schema.hashed.bits == 0) return;
  archive.implied("hash_version", std::uint8_t{1}, [](std::uint8_t version) {
    return version == 1 ? std::string() : shown(std::uint64_t{version}) + " is no hash of names";
  });
  archive.value("names_to_keep", schema.hashed.to_keep, anything);
  archive.names("hashed_names", schema.hashed.names);
  if (schema.hashed.names.size() > schema.hashed.to_keep) archive.refuse("more names than are kept");
  const auto among = [&](std::uint32_t feature) {
    return feature >= schema.first_hashed() && feature < schema.features
               ? std::string()
               : shown(std::uint64_t{feature}) + " is no feature of the table of hashed names";
  };
  archive.numbers("hashed_features", schema.hashed.features, exactly(schema.hashed.names.size(), "the hashed names"),
                  among);
  for (const auto& column : schema.columns) {
    if (!column.categories.empty()) archive.refuse("a column numbers its names, which are hashed");
  }
}

// The texts of missing values, and the decimal mark.
template <class A, class S>
void describe_missing(A& archive, S& schema) {
  std::string before;
  archive.list("missing", schema.missing, 5, anything, [&](auto& name, std::uint64_t) {
    archive.text("name", name);
    if (name <= before) archive.refuse("the names do not ascend from one that is not empty");
    before = name;
  });
  archive.value("decimal", schema.decimal, [&](char mark) {
    return mark == '.' || mark == ',' ? std::string() : "no mark of this table's numbers";
  });
}

template <class A, class S>
void describe_schema(A& archive, S& schema) {
  archive.choice("format", schema.format, stream::number_after_formats(), "a data format");
  archive.flag("zero_based", schema.zero_based);
  archive.value("delimiter", schema.delimiter, [](char c) {
    return c != '\0' && c != '\n' && c != '\r' && c != '"' ? std::string() : "no column ends with this byte";
  });
  archive.flag("header", schema.header);
  archive.value("features", schema.features, at_most(std::uint64_t{1} << 31, "the largest number of features"));
  const auto feature = [&](std::uint32_t number) {
    return number < schema.features || number == Column::no_feature
               ? std::string()
               : shown(std::uint64_t{number}) + " is beyond the " + shown(std::uint64_t{schema.features}) + " features";
  };
  archive.list("columns", schema.columns, 29, anything, [&](auto& column, std::uint64_t place) {
    archive.text("name", column.name);
    if (schema.format == DataFormat::vw && std::count(column.name.begin(), column.name.end(), ':') > 2)
      archive.refuse("more than three namespaces are multiplied");
    archive.choice("kind", column.kind, 9, "a kind of column");
    archive.value("feature", column.feature, feature);
    archive.value("missing_feature", column.missing_feature, feature);
    if (stream::multiplies(schema, column)) {
      describe_products(archive, column, schema.features);
    } else {
      describe_names(archive, column, schema.features);
    }
    describe_text_column(archive, column);
    describe_date(archive, schema, column);
    describe_product(archive, schema, column, place);
  });
  archive.group("columns", [&] { archive.demand(stream::check_products(schema)); });
  archive.list("labels", schema.labels.names, 4, at_least_one,
               [&](auto& name, std::uint64_t) { archive.text("name", name); });
  if constexpr (A::reads) schema.labels.are = stream::entry_of(schema.format).labels;
  archive.numbers("exponents", schema.exponents, at_most(schema.features, "the features"), anything);
  archive.flag("row_normalised", schema.row_normalised);
  archive.flag("single", schema.single);
  describe_missing(archive, schema);
  archive.choice("quote", schema.quote, 3, "a kind of quotes");
  describe_cutting(archive, schema);
  describe_hashed(archive, schema);
}

}  // namespace halfspace::fields
