#!/bin/sh
# Installs into a fresh prefix and builds a user's program against it, found by CMake and found by pkg-config.
# usage: install_test.sh CMAKE BUILD_TREE COMPILER FLAGS LIBRARY_FOLDER
set -eu

cmake=$1 build=$2 compiler=$3 flags=$4 library_folder=$5
consumer=$(dirname "$0")/consumer
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix="$folder/a prefix"  # a blank in the path is a classic
unset DESTDIR

DESTDIR='' "$cmake" --install "$build" --prefix "$prefix" >"$folder/install.log"

expect() {
  printed=$("$1")
  [ "$printed" = 'draw 0.814305
a.csv:2:5: not a number' ] || { echo "$1 printed: $printed"; exit 1; }
}

echo '== found by CMake'
"$cmake" -G Ninja -S "$consumer" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="$flags"
"$cmake" --build "$folder/build"
expect "$folder/build/consumer"
expect "$folder/build/whole"

echo '== found by pkg-config'
export PKG_CONFIG_PATH="$prefix/$library_folder/pkgconfig"
# The answer is shell text: blanks in paths come escaped.
eval "set -- $(pkg-config --cflags --libs --static halfspace)"
"$compiler" -std=c++20 $flags "$consumer/main.cc" -o "$folder/by-pkg-config" "$@"
expect "$folder/by-pkg-config"
"$compiler" -std=c++20 $flags "$consumer/main.cc" -o "$folder/by-pkg-config-whole" \
  -Wl,--whole-archive "$prefix/$library_folder/libhalfspace.a" -Wl,--no-whole-archive "$@"
expect "$folder/by-pkg-config-whole"

echo '== the headers are all there'  # the gate `headers` compiles each by itself
(cd "$prefix/include" && find halfspace -name '*.h' | LC_ALL=C sort) >"$folder/headers"
[ -s "$folder/headers" ]
sed 's/.*/#include "&"/' "$folder/headers" >"$folder/forwards.cc"
tac "$folder/forwards.cc" >"$folder/backwards.cc"
for order in forwards backwards; do
  "$compiler" -std=c++20 $flags -fsyntax-only -I "$prefix/include" "$folder/$order.cc"
done

echo '== one header is all of the library'
eval "set -- $(pkg-config --cflags halfspace)"
"$compiler" -std=c++20 $flags -fsyntax-only "$@" "$consumer/whole.cc"

echo '== the documents are there'
for document in tutorial.md bounds.md formats/model.md examples/own_rule.cc; do
  [ -f "$(find "$prefix" -path "*/$document")" ] || { echo "$document is not installed"; exit 1; }
done

if [ -x "$prefix/bin/halfspace" ]; then
  echo '== the command runs'
  "$prefix/bin/halfspace" --help >/dev/null
fi
echo "$(find "$prefix" -type f | wc -l) files installed; the package works"
