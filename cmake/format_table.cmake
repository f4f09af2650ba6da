# Writes the source that gathers the formats of data: one call for every src/stream/FOLDER/entry.cc, whose function has the
# folder's name.
file(GLOB format_entries CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/stream/*/entry.cc)
set(declarations "")
set(calls "")
foreach(entry ${format_entries})
  get_filename_component(folder ${entry} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  string(APPEND declarations "std::vector<FormatEntry> ${name}();\n")
  string(APPEND calls "  for (FormatEntry& entry : ${name}()) entries.push_back(std::move(entry));\n")
endforeach()
set(format_table ${CMAKE_CURRENT_BINARY_DIR}/format_table.cc)
file(CONFIGURE OUTPUT ${format_table} @ONLY CONTENT
"// Written by cmake/format_table.cmake from the folders of src/stream.
#include \"stream/format_table.h\"

#include <utility>

#include \"stream/format_entry.h\"

namespace halfspace::stream::formats {

@declarations@
void add_built_in(std::vector<FormatEntry>& entries) {
@calls@}

}  // namespace halfspace::stream::formats
")
