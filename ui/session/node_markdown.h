// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The Markdown summary of a node, or of the program, to paste into an issue: each feature adds what
// it knows.
#include <QString>
#include <functional>
#include <map>

#include "fx/argument.h"

namespace fxs::ui {

class NodeMarkdown {
 public:
  /// `part`: lines about a node, each with its end; "" for none. Parts are in the order of `rank`.
  void add(int rank, std::function<QString(fx::NodeId)> part) {
    parts_.emplace(rank, std::move(part));
  }
  /// The same, about the program.
  void addOfProgram(int rank, std::function<QString()> part) {
    programParts_.emplace(rank, std::move(part));
  }
  QString of(fx::NodeId node) const {
    QString out;
    for (const auto& [rank, part] : parts_) out += part(node);
    return out;
  }
  QString ofProgram() const {
    QString out;
    for (const auto& [rank, part] : programParts_) out += part();
    return out;
  }

 private:
  std::multimap<int, std::function<QString(fx::NodeId)>> parts_;
  std::multimap<int, std::function<QString()>> programParts_;
};

}  // namespace fxs::ui
