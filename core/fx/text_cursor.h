// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses one line of a program's text: words, quoted strings, arguments and values, in the grammar
// of text.h.
#include <functional>
#include <string>
#include <string_view>

#include "fx/program.h"

namespace fxs::fx {

class TextCursor {
 public:
  TextCursor(std::string_view line, std::size_t number) : line_(line), number_(number) {}

  /// InvalidInput: "line 3: <what>".
  tl::unexpected<Error> wrong(std::string message) const;
  /// "line 3: expected <what>, got '<the rest>'".
  tl::unexpected<Error> expected(std::string_view message) const;

  /// From now on, bare names in arguments are nodes, as in the short form and after "return";
  /// otherwise nodes have a '%'.
  void readBareNames() { bareNames_ = true; }
  bool atEnd();
  bool startsWith(std::string_view text);
  bool consume(
      std::string_view text);  ///< skips blanks, then `text`; false if something else is next
  Result<> expect(std::string_view text);
  std::string_view word();             ///< letters, digits, '_' and '.'; "" if there is none
  Result<std::string> nameOrString();  ///< a word, or a quoted string
  Result<std::string> quoted();
  Result<std::int64_t> integer();
  /// A plain target or a quoted string.
  Result<std::string> target();

  /// Finds a node by name.
  using Resolve = std::function<std::optional<NodeId>(const std::string&)>;
  Result<Argument> argument(const Resolve&, std::size_t depth = 0);
  Result<Value> value(std::size_t depth = 0);

 private:
  static constexpr std::size_t kMaxNesting = 64;

  void skipBlanks();
  std::string_view balanced();  ///< up to a ',' or closing bracket outside of nested brackets
  Result<SymInt> symInt(std::string_view text) const;
  Result<std::vector<SymInt>> symInts();
  bool hasIndex() const;  ///< whether ":0" is next
  Result<std::string> quotedInBrackets();
  Result<Device> device();
  Result<Layout> layout();
  Result<Argument> number();
  Result<Argument> complex();
  Result<Argument> slice(const Resolve&, std::size_t depth);
  Result<Argument> nodeReference(const Resolve&);
  Result<Argument> wordArgument(const Resolve&, std::size_t depth);
  Result<Argument> bracketed(const Resolve&, std::size_t depth);
  Result<Argument> dictionary(const Resolve&, std::size_t depth);
  Result<Value> tensor(std::string_view dtype);
  Result<Value> symbol(SymKind);

  std::string_view line_;
  std::size_t number_;
  std::size_t at_ = 0;
  bool bareNames_ = false;
};

}  // namespace fxs::fx
