// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes an operation's own text with aliases expanded and each region replaced by the types of its
// block arguments. `Names` writes values and successors: define(out, ValueId), use(out, operand
// index), successor(out, index).
#include <string>

#include "mlir/text/expanded_aliases.h"
#include "mlir/text/op_text.h"

namespace fxs::mlir {

/// Writes all values alike and all blocks alike, but definitions and uses differently.
struct NoNames {
  void define(std::string& out, ValueId) const { out += "%="; }
  void use(std::string& out, std::uint32_t) const { out += '%'; }
  void successor(std::string& out, std::uint32_t) const { out += '^'; }
};

template <class Names>
class OpTextWriter {
 public:
  OpTextWriter(const Module& module, const ExpandedAliases& aliases, OpId id, Names names,
               std::string& out)
      : m_(module), aliases_(aliases), names_(names), out_(out) {
    OpText(module, id, *this);
  }

  void text(std::string_view stretch) { out_ += stretch; }
  void space() { out_ += ' '; }
  void defines(ValueId id) { names_.define(out_, id); }
  void uses(std::uint32_t operand) { names_.use(out_, operand); }
  void names(std::uint32_t successor) { names_.successor(out_, successor); }
  void alias(std::string_view name) { out_ += aliases_.text(name); }
  void region(RegionId id) {
    out_ += '{';
    for (const BlockId block : m_.blocksOf(id)) {
      const IndexRange arguments = m_.block(block).arguments;
      const bool entry = m_.block(block).index == 0;
      if (m_.block(block).label.empty() || (entry && arguments.size() == 0)) continue;
      out_ += entry ? "^entry" : "^";
      for (std::uint32_t i = arguments.begin; i < arguments.end; ++i) {
        out_ += i == arguments.begin ? "(" : ", ";
        names_.define(out_, ValueId{i});
        out_ += ": ";
        typeOf(ValueId{i});
      }
      out_ += arguments.size() > 0 ? "):" : ":";
    }
    out_ += '}';
  }

 private:
  void typeOf(ValueId argument) {
    const std::string_view type = m_.typeOf(argument).of(m_.text);
    const bool alias = !type.empty() && type[0] == '!' && !m_.aliasBody(type).empty();
    out_ += alias ? aliases_.text(type) : type;
  }

  const Module& m_;
  const ExpandedAliases& aliases_;
  Names names_;
  std::string& out_;
};

}  // namespace fxs::mlir
