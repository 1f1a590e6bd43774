// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What torch.export.load takes of a node's metadata. It splits nn_module_stack and source_fn_stack
// at commas and semicolons and parses others as JSON, and stops at a text that it cannot take
// apart: one with a module named "a,b" does not load, though torch.export.save wrote it. Source:
// deserialize_metadata in torch/_export/serde/serialize.py (2.13).
#include <optional>
#include <string>
#include <string_view>

namespace fxs::fx {

/// The text of an entry as it is written; std::nullopt for one that is left out. Names of modules
/// get '_' for what separates them.
std::optional<std::string> readableMetadata(std::string_view key, std::string_view text);

}  // namespace fxs::fx
