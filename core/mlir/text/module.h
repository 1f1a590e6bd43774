// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The structure of a printed MLIR text: operations, regions, blocks, values and locations, as
// ranges of the text. Handles the generic form and custom forms without knowing dialects: it relies
// on how MLIR prints (an operation starts a line; regions are between `{` and `}`; the location
// ends the operation). What it does not recognize stays text of the enclosing operation. Never
// fails, never recurses on its input, linear in the text; skips `dialect_resources`. It does not
// parse types, attributes or affine maps, and does not verify.
//
// What a custom form omits is missing here: `linalg.matmul` prints no region, so it has none. An
// empty region `{ }` has no blocks, because a region with an empty block prints the same. An
// undefined name in the head of an operation with regions is an argument that the operation defines
// (`scf.for %i = ..`, `scf.parallel (%i, %j) = ..`, `func.func @f(%x: f32)`); such arguments belong
// to the first block of the first region and are visible in all its regions.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/text_range.h"
#include "mlir/text/grouped.h"
#include "mlir/text/name_table.h"
#include "mlir/text/text_form.h"

namespace fxs::mlir {

struct OpTag {};
struct ValueTag {};
struct BlockTag {};
struct RegionTag {};
struct OperandTag {};
using OpId = StrongId<OpTag>;
using ValueId = StrongId<ValueTag>;
using BlockId = StrongId<BlockTag>;
using RegionId = StrongId<RegionTag>;
using OperandId = StrongId<OperandTag>;

/// A half-open range of indices into a vector.
struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::size_t size() const { return end - begin; }
};

struct Op {
  TextRange text;  ///< from its results to its end, regions and location included
  TextRange head;  ///< from its results to before its first region; without a region, to before its
                   ///< location
  TextRange name;  ///< "torch.aten.relu" as printed, without quotes; the dialect prefix may be
                   ///< missing, see nameOf()
  TextRange
      location;   ///< the body of its `loc(..)`: `#loc3`, `"n"("fx":1:0)`; empty if none is printed
  OpId parent;    ///< invalid at top level
  BlockId block;  ///< invalid at top level
  IndexRange results;     ///< of Module::values; `%5:2` is two values
  IndexRange operands;    ///< of Module::operands, in text order, including operands of successors
  IndexRange successors;  ///< of Module::successors
  std::uint32_t nameNumber = 0;  ///< index in Module::names: equal exactly for equal full names
  std::uint32_t firstLine = 0, lastLine = 0;  ///< 0-based lines of the text
};

/// A use of a value by an operation.
struct Operand {
  ValueId value;   ///< invalid if the name is not defined in scope
  TextRange text;  ///< `%5#1`
  OpId user;
};

/// A successor block of an operation.
struct Successor {
  BlockId block;   ///< invalid if the region has no such block
  TextRange text;  ///< `^bb1`
};

enum class ValueKind : std::uint8_t { Result, Argument };
struct Value {
  ValueKind kind = ValueKind::Result;
  TextRange name;           ///< `%5` (also for `%5:2`), where it is defined
  TextRange location;       ///< of an argument: the body of its `loc(..)`
  OpId op;                  ///< the defining operation, or the parent of an argument's block
  BlockId block;            ///< of an argument; else invalid
  std::uint32_t index = 0;  ///< among the results or the arguments
};

struct Block {
  RegionId region;
  TextRange label;          ///< `^bb0`; empty if not printed
  IndexRange arguments;     ///< of Module::values
  std::uint32_t index = 0;  ///< in its region
};

struct Region {
  OpId op;
  TextRange text;  ///< with its braces
};

class Module {
 public:
  /// Another form than MLIR is read as its instructions, each an operation of its function; see
  /// listing_reader.h.
  explicit Module(std::string_view text, TextForm form = TextForm::Mlir);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  Module(Module&&) noexcept = default;

  const std::string_view text;
  const TextForm form;
  std::vector<Op> ops;  ///< in text order: an operation comes before those in its regions
  std::vector<Value> values;
  std::vector<Operand> operands;
  std::vector<Successor> successors;
  std::vector<Block> blocks;
  std::vector<Region> regions;
  std::vector<OpId> top;                      ///< operations without a parent
  std::vector<std::size_t> lineStarts;        ///< offset of each line
  NameTable names;                            ///< full names of operations
  NameTable aliases;                          ///< `#map`, `!t`, `#loc3`, in order of definition
  std::vector<std::string_view> aliasBodies;  ///< by index in `aliases`; see aliasBody()

  const Op& op(OpId id) const { return ops[id.index()]; }
  const Value& value(ValueId id) const { return values[id.index()]; }
  const Block& block(BlockId id) const { return blocks[id.index()]; }
  const Region& region(RegionId id) const { return regions[id.index()]; }
  std::span<const RegionId> regionsOf(OpId id) const { return regionsOf_.of(id.index()); }
  std::span<const BlockId> blocksOf(RegionId id) const { return blocksOf_.of(id.index()); }
  std::span<const OpId> opsOf(BlockId id) const { return opsOf_.of(id.index()); }
  std::span<const OperandId> usesOf(ValueId id) const { return usesOf_.of(id.index()); }
  std::span<const Operand> operandsOf(OpId id) const {
    return std::span(operands).subspan(op(id).operands.begin, op(id).operands.size());
  }

  /// The operation's full name: "builtin.module" for `module`, "func.return" for a `return` inside
  /// func.func.
  std::string_view nameOf(OpId id) const { return names[op(id).nameNumber]; }
  /// The type of a value if its operation's text has it, else empty. For a result, the type after
  /// `->`, `to` or `into` at the end of the operation, else the single type after the last `:` (not
  /// for comparisons and loads, where it is another type).
  TextRange typeOf(ValueId) const;
  /// The definition of an alias: attributes and types as written (`#map1`, `!t`), locations without
  /// `loc(..)` (`#loc3`); "" if the text does not define it.
  std::string_view aliasBody(std::string_view alias) const;
  /// The innermost operation whose text contains the offset; invalid if there is none.
  OpId opAt(std::size_t offset) const;
  /// The operation that starts on the 0-based line, else the innermost one that spans its
  /// beginning.
  OpId opOfLine(std::uint32_t line) const;
  /// The value whose name is at the offset, in a definition or use; invalid if there is none.
  ValueId valueAt(std::size_t offset) const;
  std::uint32_t lineOf(std::size_t offset) const;

 private:
  friend class Reader;
  friend class ListingReader;
  Grouped<RegionId> regionsOf_;
  Grouped<BlockId> blocksOf_;
  Grouped<OpId> opsOf_;
  Grouped<OperandId> usesOf_;
  std::vector<std::unique_ptr<const std::string>>
      spelled_;  ///< full names that do not occur in the text
};

/// `text` must outlive the result.
inline Module readModule(std::string_view text) { return Module(text); }

}  // namespace fxs::mlir
