// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Passes the text of an operation to a sink, without locations and comments and with normalized
// white space. Values, successors, aliases and regions are passed as such.
//
// A Sink has: text(string_view), text as printed; space(), for any white space in between;
// defines(ValueId), for a name that the operation defines (the first value: `%5:2` is one name);
// uses(operand index); names(successor index); alias(string_view), for
// `#map` or `!t` that the text defines; region(RegionId), in place of a region.
#include <cstddef>
#include <string_view>

#include "mlir/text/module.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

template <class Sink>
class OpText {
 public:
  OpText(const Module& module, OpId id, Sink& sink)
      : m_(module), text_(module.text), op_(module.op(id)), sink_(sink) {
    operand_ = op_.operands.begin;
    successor_ = op_.successors.begin;
    definition_ = op_.results.begin;
    lastDefinition_ = op_.results.end;
    const auto regions = m_.regionsOf(id);
    std::size_t at = op_.text.begin;
    for (const RegionId region : regions) {
      argumentsOf(region);
      stretch(at, m_.region(region).text.begin);
      sink_.region(region);
      at = m_.region(region).text.end;
    }
    stretch(at,
            op_.location.empty() ? op_.text.end : trimmedEnd(text_, at, op_.location.begin - 4));
  }

 private:
  void flush(std::size_t end) {
    if (end > from_) {
      if (space_ && any_) sink_.space();
      sink_.text(text_.substr(from_, end - from_));
      space_ = false;
      any_ = true;
    }
  }
  void beforeName(std::size_t at) {
    flush(at);
    if (space_ && any_) sink_.space();
    space_ = false;
    any_ = true;
  }

  void stretch(std::size_t at, std::size_t end) {
    from_ = at;
    while (at < end) {
      const char c = text_[at];
      if (!is(c, kOwn)) {
        ++at;
        continue;
      }
      std::size_t next = at + 1;
      switch (c) {
        case '"': at = std::min(afterQuoted(text_, at), end); continue;
        case '%':
        case '^':
        case '#':
        case '!':
          next = std::min(afterName(text_, at), end);
          if (!name(at, next)) {
            at = next;
            continue;
          }
          break;
        case '/':
          if (text_.substr(at, 2) != "//") {
            ++at;
            continue;
          }
          flush(at);
          next = std::min(endOfLine(text_, at), end);
          break;
        case 'l': {
          const std::size_t after = location(at, end);
          if (after == 0) {
            ++at;
            continue;
          }
          flush(at);
          space_ = false;  // the one before it
          next = after;
          break;
        }
        default:  // white space
          flush(at);
          space_ = true;
          break;
      }
      at = from_ = next;
    }
    flush(end);
    space_ = true;
  }

  /// Passes the name from `at` to `next` to the sink; false if it is text like any other.
  bool name(std::size_t at, std::size_t& next) {
    if (text_[at] == '%') return value(at, next);
    return text_[at] == '^' ? successor(at) : alias(at, next);
  }
  bool value(std::size_t at, std::size_t& next) {
    if (operand_ < op_.operands.end && m_.operands[operand_].text.begin == at) {
      beforeName(at);
      next = m_.operands[operand_].text.end;
      sink_.uses(operand_++);
      return true;
    }
    if (definition_ == lastDefinition_) {
      definition_ = arguments_.begin;
      lastDefinition_ = arguments_.end;
      arguments_ = {};
    }
    if (definition_ == lastDefinition_ || m_.values[definition_].name.begin != at) return false;
    beforeName(at);
    sink_.defines(ValueId{definition_});
    while (definition_ < lastDefinition_ && m_.values[definition_].name.begin == at) ++definition_;
    return true;
  }
  /// Arguments defined in the text before a region, not in a block label.
  void argumentsOf(RegionId region) {
    const auto blocks = m_.blocksOf(region);
    arguments_ = !blocks.empty() && m_.block(blocks[0]).label.empty()
                     ? m_.block(blocks[0]).arguments
                     : IndexRange{};
  }

  bool successor(std::size_t at) {
    if (successor_ >= op_.successors.end || m_.successors[successor_].text.begin != at)
      return false;
    beforeName(at);
    sink_.names(successor_++);
    return true;
  }
  bool alias(std::size_t at, std::size_t end) {
    const std::string_view name = text_.substr(at, end - at);
    if (name.size() < 2 || name.find('.') != std::string_view::npos || m_.aliasBody(name).empty())
      return false;
    beforeName(at);
    sink_.alias(name);
    return true;
  }
  /// The end of the `loc(..)` at `at`; 0 if there is none.
  std::size_t location(std::size_t at, std::size_t end) {
    if (text_.substr(at, 4) != "loc(" || at == 0 ||
        !(is(text_[at - 1], kBlank) || text_[at - 1] == '\n' || text_[at - 1] == '('))
      return 0;
    if (at < unclosedTo_) return 0;
    const std::size_t after = afterLocation(text_, at + 3);
    if (after == std::string_view::npos) unclosedTo_ = endOfLine(text_, at);
    return after == std::string_view::npos || after > end ? 0 : after;
  }

  const Module& m_;
  const std::string_view text_;
  const Op& op_;
  Sink& sink_;
  std::uint32_t operand_ = 0, successor_ = 0, definition_ = 0, lastDefinition_ = 0;
  std::size_t from_ = 0;
  std::size_t unclosedTo_ =
      0;  ///< the end of a line with an unclosed location, on which no others are searched
  bool space_ = false, any_ = false;
  IndexRange arguments_;  ///< arguments that the text may define after the results
};

}  // namespace fxs::mlir
