#pragma once
// Bytes -> an opened program. The format is found by its content, never by the file's name.
#include "read/format.h"

namespace fxs::read {

/// One clear error that names the file when nothing can be opened. `label` is what messages call it ("-" for stdin).
Result<Capture> readCapture(std::shared_ptr<const ByteSource>, std::string label, const ReadOptions&, const RunContext&);
Result<Capture> openCapture(const std::string& path, const ReadOptions&, const RunContext&);

}  // namespace fxs::read
