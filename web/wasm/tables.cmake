# Writes the tables of rules and formats of the WebAssembly build: these rules, CSV alone.
# cmake -DOUT=FOLDER "-DRULES=perceptron;romma" -P tables.cmake
cmake_policy(VERSION 3.25)
get_filename_component(CMAKE_CURRENT_BINARY_DIR ${OUT} ABSOLUTE)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/entry_table.cmake)
list(TRANSFORM RULES PREPEND src/rules/entries/ OUTPUT_VARIABLE rule_entries)
list(TRANSFORM rule_entries APPEND .cc)
entry_table(rule_table RuleEntry rules rules/rule_table.h halfspace/rules/rule_entry.h ${rule_entries})
entry_table(format_table FormatEntry stream::formats stream/formats/format_table.h stream/formats/format_entry.h
  src/stream/csv/entry.cc)
