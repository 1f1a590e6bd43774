// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes operations in MLIR's generic form, which LLVM 22 to 24 parse alike. Appends to one string
// and keeps nothing per operation. The caller supplies functions that write its values and types;
// results are named %0, %1 .. and block arguments %iter0, %iter1 .. (or with another prefix) in
// order.
//   %7:2 = "torch.aten.topk"(%3, %4) <{k = 2 : i64}> : (T, !torch.int) -> (T, I)
//   loc("topk"("fx":9:0)) "torch.prim.If"(%8) ({
//   }, {
//   }) : (!torch.bool) -> () loc("cond"("fx":10:0))
// Never fails; the caller spends the cost of the text before writing it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fxs::mlir {

/// Decimal.
void appendNumber(std::string& out, std::int64_t number);

class GenericOpWriter {
 public:
  /// Upper bound of the bytes in a line besides indentation, names, types, attributes and location.
  static constexpr std::size_t kLineBytes = 64;

  /// `out` and `blockArgument` ("%iter") must outlive the writer. Lines are indented by two spaces
  /// per `depth`.
  GenericOpWriter(std::string& out, std::size_t depth, std::string_view blockArgument)
      : out_(out), blockArgument_(blockArgument), depth_(depth) {}

  /// Sets the location of the following operations and block arguments: ` loc("relu"("fx":3:0))`.
  void setLocation(std::string location) { location_ = std::move(location); }
  const std::string& location() const { return location_; }
  std::size_t depth() const { return depth_; }
  /// The number of operations started.
  std::size_t count() const { return count_; }

  /// Writes `%7:2 = "name"(%3, %4) <{attributes}>` and returns the number in the result name.
  /// appendName(operand) appends to the text.
  template <class Operand, class AppendName>
  std::uint32_t head(std::string_view name, std::span<const Operand> operands, std::size_t results,
                     std::string_view attributes, AppendName appendName) {
    const std::uint32_t number = beginHead(name, results);
    list(operands, appendName);
    endHead(attributes);
    return number;
  }
  /// Writes ` : (T, T) -> T loc(..)` and a newline. typeOf gives the type of an operand or result
  /// as text.
  template <class Operand, class Result, class TypeOf>
  void signature(std::span<const Operand> operands, std::span<const Result> results,
                 TypeOf typeOf) {
    const auto append = [&](const auto& value) { out_ += typeOf(value); };
    out_ += " : (";
    list(operands, append);
    out_ += results.size() == 1 ? ") -> " : ") -> (";
    list(results, append);
    if (results.size() != 1) out_ += ')';
    endLine();
  }

  /// Regions are written between head and signature: beginRegion, blockArguments if any, ..,
  /// endRegion for each, then endRegions.
  void beginRegion(bool isFirst);
  /// Writes `^bb0(%iter0: T loc(..), %iter1: T loc(..)):` and returns the number of the first
  /// argument.
  template <class Type, class TypeOf>
  std::uint32_t blockArguments(std::span<const Type> types, TypeOf typeOf) {
    const std::uint32_t first = nextBlockArgument_;
    out_.append((depth_ - 1) * 2, ' ');
    out_ += "^bb0(";
    list(types, [&](const Type& type) {
      out_ += blockArgument_;
      appendNumber(out_, nextBlockArgument_++);
      out_ += ": ";
      out_ += typeOf(type);
      out_ += location_;
    });
    out_ += "):\n";
    return first;
  }
  void endRegion();
  void endRegions() { out_ += ')'; }

  /// Appends complete lines with `count` operations.
  void lines(std::string_view text, std::size_t count);

  /// A position to roll back to, which discards everything written after it.
  struct Mark {
    std::size_t size, depth, count;
    std::uint32_t nextResult, nextBlockArgument;
  };
  Mark mark() const { return {out_.size(), depth_, count_, nextResult_, nextBlockArgument_}; }
  void rollback(const Mark&);

 private:
  template <class Item, class Append>
  void list(std::span<const Item> items, Append append) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ", ";
      append(items[i]);
    }
  }
  std::uint32_t beginHead(std::string_view name, std::size_t results);
  void endHead(std::string_view attributes);
  void endLine();

  std::string& out_;
  std::string location_;
  std::string_view blockArgument_;
  std::size_t depth_, count_ = 0;
  std::uint32_t nextResult_ = 0, nextBlockArgument_ = 0;
};

}  // namespace fxs::mlir
