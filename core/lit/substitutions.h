// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// `%s`, `%t` and the like in the words of a command. Words were separated before, so what is put in
// is never read as more than a part of one.
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fxs::lit {

struct WordContext {
  std::string testFile;  ///< `%s`, a name in the working directory
  std::string file;      ///< the absolute path of the test; "" if it has none
  const std::map<std::string, std::string, std::less<>>& substitutions;
  bool namesFolder = false;     ///< set if a word leads to the folder of the test
  bool namesTemporary = false;  ///< set if a word has `%t`, which may be read
};

/// Unsupported, as a phrase: "has %shlibext, which the settings do not know".
Result<std::string> substituted(std::string_view word, WordContext&);

}  // namespace fxs::lit
