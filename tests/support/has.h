// What texts have in them, as assertions that show the text and the part.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

namespace halfspace {

inline ::testing::AssertionResult has_each(std::string_view text, std::initializer_list<std::string_view> parts,
                                           bool wanted) {
  for (const std::string_view part : parts) {
    if ((text.find(part) != std::string_view::npos) != wanted)
      return ::testing::AssertionFailure() << "'" << part << "' is " << (wanted ? "not " : "") << "in:\n" << text;
  }
  return ::testing::AssertionSuccess();
}

// The text has every one of these parts.
template <typename... Parts>
::testing::AssertionResult has(std::string_view text, const Parts&... parts) {
  return has_each(text, {parts...}, true);
}
// It has none of them.
template <typename... Parts>
::testing::AssertionResult lacks(std::string_view text, const Parts&... parts) {
  return has_each(text, {parts...}, false);
}

}  // namespace halfspace
