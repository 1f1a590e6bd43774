// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/substitutions.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

bool isNameChar(char c) { return isWordChar(c) || c == '-'; }

/// The part of a path before its last `/`.
std::string folderOf(const std::string& path) {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

std::string withoutExtension(const std::string& name) { return name.substr(0, name.rfind('.')); }

class WordReader {
 public:
  WordReader(std::string_view word, WordContext& context) : rest_(word), context_(context) {}

  Result<std::string> read() {
    while (!rest_.empty()) {
      const std::size_t percent = std::min(rest_.find('%'), rest_.size());
      out_ += rest_.substr(0, percent);
      rest_.remove_prefix(percent);
      if (rest_.empty()) break;
      FXS_CHECK(mark());
      if (out_.size() > kMaxCommandBytes)
        return fail(ErrorCode::Unsupported, "has a word that is too long");
    }
    return std::move(out_);
  }

 private:
  /// What follows a `%`.
  Result<> mark() {
    rest_.remove_prefix(1);
    if (rest_.empty() || (!isLetter(rest_[0]) && rest_[0] != '{' && rest_[0] != '/')) {
      out_ += '%';
      if (rest_.starts_with('%')) rest_.remove_prefix(1);
      return {};
    }
    if (rest_[0] == '{') return braced();
    // %/s is %s with slashes, which all paths have here.
    if (rest_[0] == '/' && rest_.size() > 1 && isLetter(rest_[1])) rest_.remove_prefix(1);
    if (rest_[0] == '/') {
      out_ += '%';
      return {};
    }
    std::size_t end = 0;
    while (end < rest_.size() && isNameChar(rest_[end])) ++end;
    return named(rest_.substr(0, end));
  }

  Result<> braced() {
    const std::size_t close = rest_.find('}');
    const std::string name(rest_.substr(1, std::min(close, rest_.size()) - 1));
    if (close == std::string_view::npos) return unknown("{" + name);
    rest_.remove_prefix(close + 1);
    if (const auto own = context_.substitutions.find(name); own != context_.substitutions.end()) {
      out_ += own->second;
      return {};
    }
    const std::string temporary = context_.testFile + ".tmp";
    if (name == "s:basename") out_ += context_.testFile;
    else if (name == "s:stem") out_ += withoutExtension(context_.testFile);
    else if (name == "t:stem") out_ += withoutExtension(temporary);
    else if (name == "pathsep") out_ += ':';
    else if (name == "fs-sep" || name == "fs-src-root" || name == "fs-tmp-root") out_ += '/';
    else return unknown("{" + name + "}");
    return {};
  }

  /// The longest name that is known at the start of `word`.
  Result<> named(std::string_view word) {
    for (std::size_t length = word.size(); length > 0; --length) {
      const std::string_view name = word.substr(0, length);
      const auto own = context_.substitutions.find(name);
      if (own == context_.substitutions.end()) continue;
      out_ += own->second;
      rest_.remove_prefix(length);
      return {};
    }
    if (word == "basename_t") {
      out_ += context_.testFile;
      rest_.remove_prefix(word.size());
      return {};
    }
    // Only `%t` continues as a name: %t1, %t_module.
    const bool standsAlone = word.size() == 1 || !isLetter(word[1]);
    const bool isTemporary = word[0] == 't' && standsAlone;
    if (!isTemporary && word.size() > 1) return unknown(std::string(word));
    rest_.remove_prefix(1);
    return letter(word[0]);
  }
  Result<> letter(char c) {
    switch (c) {
      case 't':
        context_.namesTemporary = true;
        out_ += context_.testFile + ".tmp";
        return {};
      case 'T': out_ += '.'; return {};
      case 's':
        // %s.bc is a file beside the test.
        if (!rest_.starts_with('.')) {
          out_ += context_.testFile;
          return {};
        }
        return folder(context_.file);
      case 'S':
      case 'p': return folder(folderOf(context_.file));
      default: return unknown(std::string(1, c));
    }
  }
  Result<> folder(const std::string& path) {
    if (context_.file.empty())
      return fail(ErrorCode::Unsupported,
                  "names files beside the test, which is not a file; save it first");
    context_.namesFolder = true;
    out_ += path;
    return {};
  }
  static tl::unexpected<Error> unknown(const std::string& name) {
    return fail(ErrorCode::Unsupported, "has %" + printable(name.substr(0, kShownName)) +
                                            ", which the settings do not know");
  }

  static constexpr std::size_t kShownName = 60;
  std::string_view rest_;
  WordContext& context_;
  std::string out_;
};

}  // namespace

Result<std::string> substituted(std::string_view word, WordContext& context) {
  return WordReader(word, context).read();
}

}  // namespace fxs::lit
