// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The JSON Schemas of resources/schemas that forms generate (core/base/json_form.h).
#include <string>

namespace fxs::test {

/// Expects that text in resources/schemas/<name>.schema.json; writes it there instead if
/// FXSCOPE_WRITE_SCHEMAS is set.
void expectSchemaFile(const std::string& name, const std::string& text);

}  // namespace fxs::test
