// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Opens captures. The format is detected from the content, never from the file name.
#include "read/format.h"

namespace fxs::read {

/// InvalidInput if no format recognizes the bytes, else the errors of the format. Messages start
/// with `label` ("-" for stdin).
Result<Capture> readCapture(std::shared_ptr<const ByteSource>, std::string label,
                            const ReadOptions&, const RunContext&);
Result<Capture> openCapture(const std::string& path, const ReadOptions&, const RunContext&);

}  // namespace fxs::read
