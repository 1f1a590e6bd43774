// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The calls of a graph as few lines of Python: a value that is used once is written where it is
// used, as far as that makes no line too long.
#include <map>
#include <string>
#include <vector>

#include "fx/python_source.h"

namespace fxs::rewrite {

class NestedCalls {
 public:
  /// Refers to all but the last.
  NestedCalls(fx::PythonSource& source, const fx::Program& program, std::string indent);

  void add(const fx::Node&);
  /// The statements, and one that returns the values: in a list, or as a tuple.
  std::string returning(const fx::ArgumentList& values, bool asList);

 private:
  struct Pending {
    fx::Node node;
    std::size_t length = 0;  ///< of its expression
  };
  template <typename Text>
  void writeUntilShort(const std::vector<const fx::Argument*>& operands, const Text& text);
  void write(fx::NodeId);
  void take(const std::vector<const fx::Argument*>& operands);

  fx::PythonSource& source_;
  const std::string indent_;
  std::string out_;
  std::map<fx::NodeId, std::size_t> uses_;
  std::map<fx::NodeId, Pending> pending_;
};

}  // namespace fxs::rewrite
