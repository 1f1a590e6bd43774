// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads LLVM IR, assembly and PTX as operations: each instruction is one, inside of its function;
// so are globals and declarations. Their debug lines become locations: `!dbg !8` leads to the body
// `"fx":3:0` of the alias `!8`, and the location of an instruction of assembly or PTX is the body
// of the
// `.loc` directive before it, if that names the file `fx`. Debug line 0 is no place, so the first
// node of a program has none here. Of a text in any other form, only lines are read. Like Reader,
// it never fails and is linear in the text.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

class ListingReader {
 public:
  explicit ListingReader(Module& module) : m_(module), text_(module.text) {}
  void run();

 private:
  void llvmLine(TextRange line);
  void bodyLine(TextRange line);
  void instruction(TextRange line, std::size_t at);
  void uses(Op& op, std::uint32_t user, TextRange range);
  void metadata(TextRange line);
  void resolveMetadata();
  void assemblyLine(TextRange line);
  void assemblyLabel(TextRange line);
  void ptxLine(TextRange line);
  void ptxBodyLine(TextRange line);
  void findPtxFiles();
  void directive(TextRange text);
  void fileDirective(std::string_view arguments);
  TextRange fxLine(TextRange arguments) const;
  /// Appends an operation; its full name is set by the caller.
  std::uint32_t addOp(TextRange text, TextRange name, std::uint32_t line);
  std::uint32_t named(std::uint32_t op);  ///< after the word of the text; returns `op`
  void openFunction(std::uint32_t op);
  void closeFunction(std::size_t end, std::uint32_t line);

  static constexpr std::uint32_t kNone = 0xffffffff;
  Module& m_;
  const std::string_view text_;
  std::uint32_t line_ = 0;
  std::uint32_t function_ = kNone;  ///< the open one
  std::uint32_t firstUse_ = 0;      ///< the first operand of the open function
  bool list_ = false;  ///< inside an instruction of several lines: one for each case of a switch,
                       ///< or the parts of a call in PTX
  std::map<std::string_view, std::uint32_t> values_;  ///< of the open function
  /// `!8`: the fields of a DILocation or a scope, and its alias.
  struct Debug {
    std::string_view scope, file;
    std::uint32_t lineNumber = 0;
    bool isLocation = false;
  };
  std::vector<std::pair<std::string_view, Debug>> debug_;
  std::map<std::string_view, bool> isFx_;  ///< DIFile by its name in the text
  // of assembly and PTX
  TextRange header_;  ///< `.visible .entry main(`, until its `{`; else empty
  std::uint32_t headerLine_ = 0;
  std::map<std::string_view, bool> functions_;  ///< names of `.type main,@function`
  std::string_view fxFile_;                     ///< number of `.file 1 "fx"`
  TextRange position_;  ///< line of the latest `.loc` in the file fx; empty if it is in another one
};

}  // namespace fxs::mlir
