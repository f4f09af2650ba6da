// Joins the levels of a query; each passes on what later levels use.
#include "model/sql_levels.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace halfspace::model {
namespace {

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// Adds the words of an expression that may be names of columns.
void add_words(std::string_view expression, std::set<std::string, std::less<>>& words) {
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && in_name(expression[end])) ++end;
    const std::string_view word = expression.substr(at, end - at);
    if (word.find_first_of("0123456789") != std::string_view::npos) words.emplace(word);
    at = std::max(end, at + 1);
  }
}

}  // namespace

void SqlLevels::define(std::size_t level, const std::string& name, const std::string& expression) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  levels_[level].push_back({name, expression});
}

std::string SqlLevels::query(const std::string& table,
                             const std::vector<std::pair<std::string, std::string>>& columns) const {
  std::set<std::string, std::less<>> used;
  std::string last;
  for (const auto& [expression, name] : columns) {
    add_words(expression, used);
    last += (last.empty() ? "SELECT " : ", ") + expression + " AS " + name;
  }
  // From the last level to the first: what a level selects, and whether it is needed at all.
  std::vector<std::string> selected;
  for (std::size_t level = levels_.size(); level-- > 0;) {
    std::string list;
    std::set<std::string, std::less<>> before;
    const auto select = [&](const std::string& text) { list += (list.empty() ? "  " : ",\n  ") + text; };
    bool any = level == 0;
    for (const Defined& defined : levels_[level]) {
      if (used.erase(defined.name) == 0) continue;
      any = true;
      select(defined.expression + " AS " + defined.name);
      add_words(defined.expression, before);
    }
    if (!any) continue;
    for (std::size_t earlier = 0; earlier < level; ++earlier) {
      for (const Defined& defined : levels_[earlier]) {
        if (!used.contains(defined.name)) continue;
        select(defined.name);
        before.insert(defined.name);
      }
    }
    selected.push_back(list.empty() ? "  1 AS one" : list);
    used = level == 0 ? std::set<std::string, std::less<>>() : std::move(before);
  }
  std::reverse(selected.begin(), selected.end());
  std::string text = "WITH ";
  for (std::size_t i = 0; i < selected.size(); ++i) {
    text += (i == 0 ? "halfspace_" : ",\nhalfspace_") + std::to_string(i) + " " + dialect_.fence_before() +
            "(SELECT\n" + selected[i] + "\n  FROM " +
            (i == 0 ? table + " AS " + std::string(Dialect::table_alias) : "halfspace_" + std::to_string(i - 1)) +
            dialect_.fence_after() + ")";
  }
  return text + "\n" + last + "\n  FROM halfspace_" + std::to_string(selected.size() - 1);
}

}  // namespace halfspace::model
