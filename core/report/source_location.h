// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A node's location in the user's code: the module it belongs to and the Python line that created
// it.
#include <optional>
#include <string>

#include "fx/module_path.h"
#include "fx/program.h"

namespace fxs::report {

struct SourceLocation {
  std::string module;  ///< path of the innermost module; "" at the root or if not known
  std::optional<fx::StackFrame> line;  ///< the user's frame, see fx::userFrame
};
/// The location of a node of the user's program; empty for an invalid id.
SourceLocation sourceLocationOf(const fx::Program&, fx::NodeId);

/// How a report prints paths: relative to the model's directory, or otherwise without private
/// parts; or in full.
struct Paths {
  bool full = false;
  std::string folder = {};  ///< directory of the model, absolute; "" if not known
  std::string of(const std::string& path) const;
  /// Replaces the paths in a text.
  std::string in(const std::string& text) const;
};

/// "model.py" for "/home/me/model.py".
std::string fileNameOf(const std::string& path);

}  // namespace fxs::report
