# Writes a C++ source with the given files as texts: cmake -DOUTPUT=assets.cc "-DFILES=a.css;b.js" -P embed.cmake
set(entries "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(FIND "${text}" ")asset\"" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${file} holds the delimiter of the text it is embedded as")
  endif()
  string(APPEND entries "    {\"${name}\", R\"asset(${text})asset\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed.cmake from web/, examples/ and docs/.
#include \"report/pages/assets.h\"

namespace halfspace::report {
namespace {

constexpr Asset all[] = {
${entries}};

}  // namespace

std::span<const Asset> assets() {
  return all;
}

}  // namespace halfspace::report
")
