# Writes the source that gathers the rules: one call for every file of src/rules/entries, whose function has its name.
file(GLOB rule_entries CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/rules/entries/*.cc)
set(declarations "")
set(calls "")
foreach(entry ${rule_entries})
  get_filename_component(name ${entry} NAME_WE)
  string(APPEND declarations "std::vector<RuleEntry> ${name}();\n")
  string(APPEND calls "  for (RuleEntry& entry : ${name}()) entries.push_back(std::move(entry));\n")
endforeach()
set(rule_table ${CMAKE_CURRENT_BINARY_DIR}/rule_table.cc)
file(CONFIGURE OUTPUT ${rule_table} @ONLY CONTENT
"// Written by cmake/rule_table.cmake from the files of src/rules/entries.
#include \"rules/rule_table.h\"

#include <utility>

#include \"halfspace/rules/rule_entry.h\"

namespace halfspace::rules {

@declarations@
void add_built_in(std::vector<RuleEntry>& entries) {
@calls@}

}  // namespace halfspace::rules
")
