#pragma once
// A node's location in the user's code: the module it belongs to and the Python line that created it.
#include <optional>
#include <string>

#include "fx/module_path.h"
#include "fx/program.h"

namespace fxs::report {

struct SourceLocation {
  std::string module;                  ///< path of the innermost module; "" at the root or when not known
  std::optional<fx::StackFrame> line;  ///< the user's frame, see fx::userFrame
};
/// Of a node of the user's program; empty for an invalid id.
SourceLocation sourceLocationOf(const fx::Program&, fx::NodeId);

/// How a report names files: below the model's folder relative to it, else by what says nothing about the machine; or in full.
struct Paths {
  bool full = false;
  std::string folder = {};  ///< of the model; absolute, or "" where it is not known
  std::string of(const std::string& path) const;
  /// Of a text that may contain paths.
  std::string in(const std::string& text) const;
};

/// "model.py" of "/home/me/model.py".
std::string fileNameOf(const std::string& path);

}  // namespace fxs::report
