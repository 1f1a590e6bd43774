// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Fills in a Module from its text in one pass. Nesting is an explicit stack of open operations, so
// that deeply nested input does not overflow the call stack. There are two states: before an
// operation (statement()) and inside one (operation()). See module.h for what is parsed.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

class Reader {
 public:
  explicit Reader(Module& module) : m_(module), text_(module.text) {}
  void run();

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// An operation that has not ended yet; the first entry of the stack stands for the whole text.
  struct OpenOp {
    std::uint32_t op = kNone;
    std::uint32_t depth = 0;  ///< of `(` and `[` in its text
    bool hadRegion = false;
    std::uint32_t blocks = 0;   ///< of the open region, so far
    std::uint32_t segment = 0;  ///< the first of its operands after its latest region
    std::uint32_t region = kNone, block = kNone;  ///< the open ones
    std::uint32_t firstUse = 0,
                  firstSuccessor = 0;  ///< the first operand and successor inside the open region
    std::size_t opMark = 0, regionMark = 0, labelMark = 0;  ///< of the scopes
  };
  struct OpName {
    TextRange range;  ///< empty: no operation begins here
    std::size_t after = 0;
  };
  struct ResultName {
    TextRange range;
    std::uint32_t count = 1;
  };
  struct ArgumentLocation {
    std::uint32_t operand;
    TextRange body;
  };

  void statement();
  void operation();

  // statements (reader.cpp)
  bool readResults(std::size_t at, std::uint32_t parent, OpName& name);
  bool beginsStatement(std::size_t at);
  void beginOp(std::size_t begin, const OpName& name);
  void endOp(std::size_t end);
  void finish();
  void skipLine();
  void label();
  void labelArguments(std::uint32_t block);
  void labelArgument(std::uint32_t block, std::uint32_t index);
  void defineValue(TextRange name, std::uint32_t value, std::uint32_t firstUse);
  bool alias();
  std::size_t afterResources() const;

  // names of operations (reader_names.cpp)
  OpName opNameAt(std::size_t at, std::uint32_t parent);
  bool mayLeaveOutPrefix(std::string_view word, std::uint32_t parent) const;
  std::uint32_t fullNameNumber(std::string_view name, std::uint32_t parent, bool quoted);

  // inside an operation (reader_inside.cpp)
  void skipToken();
  void openBracket();
  void closeBracket();
  void openBrace();
  void closeBrace();
  void endLine();
  void operand();
  void successor();
  bool locationBeginsBefore(std::size_t paren) const;
  std::optional<TextRange> takeLocation();
  void location();
  bool beginsRegion();
  void openRegion();
  void closeRegion(std::size_t end);
  IndexRange takeArguments(OpenOp& open);
  std::uint32_t newBlock(TextRange label, IndexRange arguments);
  std::uint32_t addValue(ValueKind kind, TextRange name, std::uint32_t op, std::uint32_t index);
  ValueId valueOf(std::uint32_t definition, TextRange use) const;

  std::uint32_t lineOf(std::size_t offset);

  Module& m_;
  const std::string_view text_;
  std::size_t at_ = 0;
  bool inside_ = false;  ///< whether inside an operation
  std::vector<OpenOp> open_;
  Scopes values_, labels_;
  std::vector<ResultName> results_;                  ///< of the operation that starts
  std::vector<ArgumentLocation> argumentLocations_;  ///< in the current head
  std::uint32_t line_ = 0;
  std::size_t extraResults_ = 0;  ///< values of `%5:N` beyond the first: bounded by the text
  bool operandsAfterRegions_ = false;
  std::string scratch_;
};

}  // namespace fxs::mlir
