#pragma once
// What parts of a program cost in Resource::Values: one for about 20 bytes of memory, or for the work on as many. Everything that makes
// nodes pays for them with spendNode(), so that no loop of a reader or a rewrite can make more than the caller allows.
#include <cstdint>
#include <string_view>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::fx {

/// Of an expression: its parts, and their square over 64, because multiplying out and comparing take longer than linear time.
std::uint64_t costOf(const SymExpr&);
std::uint64_t costOf(const TensorMeta&);
std::uint64_t costOf(const Value&);
std::uint64_t costOf(const Argument&);
/// Of a node with its arguments, its value and its metadata; a text counts a little for every node that refers to it, because what
/// prints or parses the metadata does so for each of them.
std::uint64_t costOf(const Program&, const Node&);
std::uint64_t costOf(const Program&, const std::vector<MetaString>&);

/// Spends a node of `program`, which is named in the error.
void spendNode(const Program& program, const Node&, const RunContext&);
/// What parsing an expression of so many characters costs, at most.
std::uint64_t costOfParsing(std::string_view expression);

}  // namespace fxs::fx
