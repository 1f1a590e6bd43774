// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a node with a bookmark or a note is marked in the graph and in lists.
#include <cstdint>

namespace fxs::ui {

enum class NoteSign : std::uint8_t { None, Bookmark, Text };

}  // namespace fxs::ui
