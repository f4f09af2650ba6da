// Parsed once for all sources of the WebAssembly build.
#pragma once

#include "compat.h"
// What most sources include.
#include "../../cmake/precompiled.h"
#include "halfspace/base/error.h"
