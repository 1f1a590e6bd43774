// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shared by the JSON formats: a "schema" member near the beginning, and bounded parsing of the
// file.
#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "read/format.h"

namespace fxs::read::fx_json {

/// Whether `head` starts a JSON object with a member "schema" whose value starts with `family`.
bool saysSchema(std::string_view head, std::string_view family);
Result<std::shared_ptr<const JsonDocument>> parseFile(const ByteSource&, const std::string& label,
                                                      const ReadOptions&, const RunContext&);
/// Unsupported if the file has another version.
Result<> expectSchema(const Json& top, std::string_view schema);

}  // namespace fxs::read::fx_json
