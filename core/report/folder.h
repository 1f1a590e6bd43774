// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The captures in a directory, as text and as JSON (resources/schemas/folder.schema.json).
#include <string>
#include <vector>

#include "read/folder.h"

namespace fxs::report {

std::string folderText(const std::string& folder, const std::vector<read::CaptureEntry>&);
std::string folderJson(const std::string& folder, const std::vector<read::CaptureEntry>&);
std::string folderSchema();

}  // namespace fxs::report
