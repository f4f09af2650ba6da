// Products of namespaces in files: as numbers, or in files of earlier versions as texts.
//
// Thread-safety: pure functions of their arguments.
#pragma once

#include <string>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns whether a column multiplies namespaces.
bool multiplies(const Schema& schema, const Column& column);

// Returns whether a schema has products of namespaces.
bool has_products(const Schema& schema);

// Returns what is wrong with the products of a schema, or an empty string. Each is of features before its own, one of
// each namespace that its column multiplies, and no two are alike; every feature is that of one name or product.
std::string check_products(const Schema& schema);

// Replaces the texts of products, such as user^x*item^y, by the features of their factors. Where a text can be read in
// several ways, the first factor that is a feature counts. Returns what is wrong, or an empty string.
std::string number_products(Schema& schema);

}  // namespace halfspace::stream
