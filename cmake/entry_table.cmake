# Writes a source that gathers entries: one call for each file, whose function has the name of the file or, of an entry.cc,
# of its folder. The source's path goes into the variable `table`.
#   entry_table(rule_table RuleEntry rules rules/rule_table.h halfspace/rules/rule_entry.h FILES...)
function(entry_table table type namespace table_header entry_header)
  set(declarations "")
  set(calls "")
  foreach(entry ${ARGN})
    get_filename_component(name ${entry} NAME_WE)
    if(name STREQUAL "entry")
      get_filename_component(folder ${entry} DIRECTORY)
      get_filename_component(name ${folder} NAME)
    endif()
    string(APPEND declarations "std::vector<${type}> ${name}();\n")
    string(APPEND calls "  for (${type}& entry : ${name}()) entries.push_back(std::move(entry));\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${table}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Written by cmake/entry_table.cmake.
#include \"@table_header@\"

#include <utility>

#include \"@entry_header@\"

namespace halfspace::@namespace@ {

@declarations@
void add_built_in(std::vector<@type@>& entries) {
@calls@}

}  // namespace halfspace::@namespace@
")
  set(${table} ${source} PARENT_SCOPE)
endfunction()
