#pragma once
// One printed MLIR text as data: its operations, regions, blocks, values and locations, as ranges of the text. It reads the
// generic form and every dialect's own form without knowing a dialect: it relies on how MLIR prints (an operation begins a
// line; regions are between `{` and `}`; the location ends the operation), and what it cannot structure stays text of
// the enclosing operation. Never fails, never recurses on its input, linear in the text; `dialect_resources` are skipped.
// It does not parse types, attributes or affine maps, and does not verify.
//
// What an operation's own form leaves out is not there: `linalg.matmul` prints no region, so it has none here. A region
// `{ }` with nothing in it has no blocks: one with an empty block prints the same. A name in the head of an operation with
// a region that means nothing in scope is taken for an argument that the operation defines (`scf.for %i = ..`,
// `scf.parallel (%i, %j) = ..`, `func.func @f(%x: f32)`); such arguments are those of the first region's first block and
// are seen in all its regions.
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

/// Indices of a vector, half-open.
struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::size_t size() const { return end - begin; }
};

struct Op {
  TextRange text;                             ///< from its results to its end, regions and location included
  TextRange head;                             ///< from its results to before its first region; without a region, to before its location
  TextRange name;                             ///< "torch.aten.relu", without quotes, as printed: a prefix may be left out, see nameOf()
  TextRange location;                         ///< the body of its `loc(..)`: `#loc3`, `"n"("fx":1:0)`; empty when none is printed
  OpId parent;                                ///< the operation around it; invalid at the top
  BlockId block;                              ///< invalid at the top
  IndexRange results;                         ///< of Module::values; `%5:2` is two values
  IndexRange operands;                        ///< of Module::operands, in text order, including operands of successors
  IndexRange successors;                      ///< of Module::successors
  std::uint32_t nameNumber = 0;               ///< of Module::names: equal exactly for equal full names
  std::uint32_t firstLine = 0, lastLine = 0;  ///< 0-based lines of the text
};

/// A use of a value by an operation, and where it is.
struct Operand {
  ValueId value;   ///< invalid when nothing in scope has the name
  TextRange text;  ///< `%5#1`
  OpId user;
};

/// A block that an operation names.
struct Successor {
  BlockId block;   ///< invalid when the region has no such block
  TextRange text;  ///< `^bb1`
};

enum class ValueKind : std::uint8_t { Result, Argument };
struct Value {
  ValueKind kind = ValueKind::Result;
  TextRange name;           ///< `%5` (of `%5:2` too), where it is defined
  TextRange location;       ///< the body of its `loc(..)`, of an argument
  OpId op;                  ///< defines it, or is the parent of the block that it is an argument of
  BlockId block;            ///< of an argument
  std::uint32_t index = 0;  ///< among the results or the arguments
};

struct Block {
  RegionId region;
  TextRange label;          ///< `^bb0`; empty when it is not printed
  IndexRange arguments;     ///< of Module::values
  std::uint32_t index = 0;  ///< in its region
};

struct Region {
  OpId op;
  TextRange text;  ///< with its braces
};

class Module {
 public:
  explicit Module(std::string_view text);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  Module(Module&&) noexcept = default;

  const std::string_view text;
  std::vector<Op> ops;  ///< in order of the text: an operation before those in its regions
  std::vector<Value> values;
  std::vector<Operand> operands;
  std::vector<Successor> successors;
  std::vector<Block> blocks;
  std::vector<Region> regions;
  std::vector<OpId> top;                      ///< operations with no parent
  std::vector<std::size_t> lineStarts;        ///< offset of each line
  NameTable names;                            ///< full names of operations
  NameTable aliases;                          ///< `#map`, `!t`, `#loc3`, in order of definition
  std::vector<std::string_view> aliasBodies;  ///< by number of aliases; see aliasBody()

  const Op& op(OpId id) const { return ops[id.index()]; }
  const Value& value(ValueId id) const { return values[id.index()]; }
  const Block& block(BlockId id) const { return blocks[id.index()]; }
  const Region& region(RegionId id) const { return regions[id.index()]; }
  std::span<const RegionId> regionsOf(OpId id) const { return regionsOf_.of(id.index()); }
  std::span<const BlockId> blocksOf(RegionId id) const { return blocksOf_.of(id.index()); }
  std::span<const OpId> opsOf(BlockId id) const { return opsOf_.of(id.index()); }
  std::span<const OperandId> usesOf(ValueId id) const { return usesOf_.of(id.index()); }
  std::span<const Operand> operandsOf(OpId id) const { return std::span(operands).subspan(op(id).operands.begin, op(id).operands.size()); }

  /// The operation's full name: "builtin.module" for `module`, "func.return" for a `return` inside func.func.
  std::string_view nameOf(OpId id) const { return names[op(id).nameNumber]; }
  /// The type of a value where its operation's text tells it, else empty. Of a result: what follows `->`, `to` or `into` at the
  /// end of the operation, else the one type after the last `:` (not for comparisons and loads, whose type is another).
  TextRange typeOf(ValueId) const;
  /// Expands a location alias such as `#loc3` by one step; `body` itself if it is not an alias.
  std::string_view locationBody(std::string_view body) const;
  /// The definition of an alias: attributes and types as written (`#map1`, `!t`), locations without `loc(..)` (`#loc3`); "" if the text
  /// does not define it.
  std::string_view aliasBody(std::string_view alias) const;
  /// The innermost operation whose text contains the offset; invalid outside of all.
  OpId opAt(std::size_t offset) const;
  /// The operation that begins on the line, or, when none does, the innermost that spans its beginning.
  OpId opOfLine(std::uint32_t line) const;
  /// The value whose name is at the offset, as definition or use; invalid if there is none.
  ValueId valueAt(std::size_t offset) const;
  std::uint32_t lineOf(std::size_t offset) const;

 private:
  friend class Reader;
  Grouped<RegionId> regionsOf_;
  Grouped<BlockId> blocksOf_;
  Grouped<OpId> opsOf_;
  Grouped<OperandId> usesOf_;
  std::vector<std::unique_ptr<const std::string>> spelled_;  ///< full names that the text does not hold
};

/// `text` must outlive the result.
inline Module readModule(std::string_view text) { return Module(text); }

}  // namespace fxs::mlir
