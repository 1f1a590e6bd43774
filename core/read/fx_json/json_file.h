#pragma once
// What the JSON formats have in common: a "schema" member near the beginning, and a bounded parse of the whole file.
#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "read/format.h"

namespace fxs::read::fx_json {

/// Whether the text is an object that says {"schema": "<family>.."} in what was sniffed.
bool saysSchema(std::string_view head, std::string_view family);
Result<std::shared_ptr<const JsonDocument>> parseFile(const ByteSource&, const std::string& label, const ReadOptions&, const RunContext&);
/// Unsupported when the file is of another version.
Result<> expectSchema(const Json& top, std::string_view schema);

}  // namespace fxs::read::fx_json
