// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The bookmarks and notes beside a program, as text and as JSON
// (resources/schemas/notes_list.schema.json).
#include <string>
#include <vector>

#include "notes/notes.h"

namespace fxs::report {

/// One line each, to be searched: node, target, what became of the node, text.
std::string notesText(const std::string& file, const std::vector<notes::Placed>&);
std::string notesJson(const std::string& file, const std::vector<notes::Placed>&);
std::string notesSchema();

}  // namespace fxs::report
