// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What tool tips say of a node.
#include <QString>

#include "fx/program.h"

namespace fxs::ui {

/// "model.py:24"; "" without a line of the user's code.
QString pythonPlace(const fx::Program& program, fx::NodeId node);
/// "model.py:24  x = self.proj(x)"; without the code if it is not recorded, "" without a line of
/// the user's code.
QString pythonLine(const fx::Program& program, fx::NodeId node);
/// "aten.relu.default(%x)": the operator, or the kind of node, and its arguments in full, up to
/// kLongestCall characters.
QString callText(const fx::Program& program, const fx::Node& node);
inline constexpr int kLongestCall = 600;
/// Breaks what is longer than a tool tip is wide at its blanks; the next lines begin with `indent`.
QString inTipWidth(const QString& line, const QString& indent = "    ");

}  // namespace fxs::ui
