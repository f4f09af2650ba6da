// The names of an enum's values: names<E>() is the one table of name_of(), help_of(), values() and value_named().
//
//   template <>
//   struct halfspace::NamesOf<Fruit> {
//     static constexpr Name<Fruit> table[] = {{Fruit::apple, "apple", "red or green"}, {Fruit::pear, "pear", ""}};
//   };
//   name_of(Fruit::pear);           // "pear"
//   value_named<Fruit>("apple");    // Fruit::apple
//   for (const Name<Fruit>& name : names<Fruit>()) ...
//   for (const Fruit fruit : values<Fruit>()) ...
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace halfspace {

template <class E>
struct Name {
  E value;
  std::string_view name;  // as in the command line, JSON and files
  std::string_view help;  // a line of help
};

template <class E>
struct NamesOf;

template <class E>
concept Named = requires {
  NamesOf<E>::table;
};

template <Named E>
constexpr std::span<const Name<E>> names() {
  return NamesOf<E>::table;
}

// Returns every value of the enum, in the order of the table.
template <Named E>
constexpr auto values() {
  std::array<E, std::size(NamesOf<E>::table)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = NamesOf<E>::table[i].value;
  return all;
}

// Returns the value's name; empty for a number that is not a value of the enum.
template <Named E>
constexpr std::string_view name_of(E value) {
  for (const Name<E>& entry : names<E>()) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

// Returns the value's help; empty for a number that is not a value of the enum.
template <Named E>
constexpr std::string_view help_of(E value) {
  for (const Name<E>& entry : names<E>()) {
    if (entry.value == value) return entry.help;
  }
  return {};
}

template <Named E>
constexpr std::optional<E> value_named(std::string_view name) {
  for (const Name<E>& entry : names<E>()) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

}  // namespace halfspace
