// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/module.h"

#include <algorithm>

#include "mlir/text/listing_reader.h"
#include "mlir/text/reader.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

Module::Module(std::string_view source, TextForm written) : text(source), form(written) {
  if (form == TextForm::Mlir) Reader(*this).run();
  else ListingReader(*this).run();
}

std::string_view Module::aliasBody(std::string_view alias) const {
  const std::uint32_t number = aliases.find(alias);
  return number == NameTable::kNone ? std::string_view() : aliasBodies[number];
}

OpId Module::opAt(std::size_t offset) const {
  const auto after =
      std::upper_bound(ops.begin(), ops.end(), offset,
                       [](std::size_t at, const Op& op) { return at < op.text.begin; });
  if (after == ops.begin()) return {};
  OpId id = OpId::of(static_cast<std::size_t>(after - ops.begin()) - 1);
  while (id.valid() && !op(id).text.contains(offset)) id = op(id).parent;
  return id;
}

OpId Module::opOfLine(std::uint32_t line) const {
  if (line >= lineStarts.size()) return {};
  const auto at =
      std::lower_bound(ops.begin(), ops.end(), line,
                       [](const Op& op, std::uint32_t wanted) { return op.firstLine < wanted; });
  if (at != ops.end() && at->firstLine == line)
    return OpId::of(static_cast<std::size_t>(at - ops.begin()));
  return opAt(lineStarts[line]);
}

ValueId Module::valueAt(std::size_t offset) const {
  const OpId id = opAt(offset);
  if (!id.valid()) return {};
  for (const Operand& operand : operandsOf(id))
    if (operand.text.contains(offset)) return operand.value;
  const auto among = [&](IndexRange range) {
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      if (values[i].name.contains(offset)) return ValueId{i};
    return ValueId{};
  };
  if (const ValueId result = among(op(id).results); result.valid()) return result;
  for (const RegionId region : regionsOf(id))
    for (const BlockId one : blocksOf(region))
      if (const ValueId argument = among(block(one).arguments); argument.valid()) return argument;
  return {};
}

std::uint32_t Module::lineOf(std::size_t offset) const {
  return static_cast<std::uint32_t>(std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) -
                                    lineStarts.begin()) -
         1;
}

}  // namespace fxs::mlir
