// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lexical rules shared by dump and graphFrom.
#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace fxs::fx {

/// A name that needs no quotes: letters, digits, '_' and inner dots, not starting with a digit.
inline bool isPlainName(std::string_view text) {
  return !text.empty() && !isDigit(text[0]) && text[0] != '.' && text.back() != '.' &&
         std::all_of(text.begin(), text.end(), [](char c) { return isWordChar(c) || c == '.'; });
}
/// Words that have another meaning as an argument; devices and nodes with such names are written in
/// longer forms.
inline bool isConstantWord(std::string_view text) {
  return text == "None" || text == "True" || text == "False" || text == "inf" || text == "nan" ||
         text == "device" || text == "operator";
}
/// A target that needs no quotes inside "[target=..]".
inline bool isPlainTarget(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return isWordChar(c) || c == '.' || c == ':' || c == '#' || c == '<' || c == '>' || c == '-';
  });
}

}  // namespace fxs::fx
