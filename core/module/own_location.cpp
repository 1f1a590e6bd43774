// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/own_location.h"

#include <fmt/format.h>

#include <algorithm>

#include "mlir/text/location_table.h"
#include "mlir/text/token_ends.h"

namespace fxs::module {
namespace {

constexpr std::size_t kMaxLocations = 64;  ///< nested in one
constexpr std::size_t kMaxLocationBytes = 4096;

bool couldBeNode(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

class OwnLocationReader {
 public:
  explicit OwnLocationReader(const mlir::Module& module) : module_(module) {}

  read::OwnLocation read(std::string_view body) && {
    add(body);
    return std::move(out_);
  }

 private:
  void add(std::string_view body) {
    body.remove_prefix(std::min(body.find_first_not_of(' '), body.size()));
    if (++locations_ > kMaxLocations || body.size() > kMaxLocationBytes) return;
    if (body.starts_with('#')) add(module_.aliasBody(body));
    else if (body.starts_with('"')) addNamed(body);
    else if (body.starts_with("callsite(")) addCallsite(body);
    else if (body.starts_with("fused")) addFused(body);
  }

  /// `"net.py":3:4`, or `"relu"(..)`.
  void addNamed(std::string_view body) {
    const std::size_t end = mlir::afterQuoted(body, 0);
    const std::string_view text = body.substr(1, end - 2);
    const std::string_view rest = body.substr(end);
    if (rest.starts_with(':')) {
      const std::string_view line = rest.substr(1, rest.find_first_not_of("0123456789", 1) - 1);
      if (text != mlir::kFxFile && line != "0")
        out_.stack += fmt::format("  File \"{}\", line {}\n", text, line);
      return;
    }
    if (out_.name.empty() && couldBeNode(text)) out_.name = text;
    if (rest.starts_with('(')) add(inBrackets(rest, 0));
  }

  void addCallsite(std::string_view body) {
    const std::string_view both = inBrackets(body, body.find('('));
    const std::size_t at = mlir::walkTopLevel(
        both, 0, both.size(), [&](std::size_t i) { return both.substr(i).starts_with(" at "); });
    if (at == both.size()) return;
    add(both.substr(at + 4));
    add(both.substr(0, at));
  }

  /// The parts are those of several operations; lines are those of the first with any.
  void addFused(std::string_view body) {
    const std::size_t open =
        mlir::walkTopLevel(body, 0, body.size(), [&](std::size_t i) { return body[i] == '['; });
    if (open == body.size()) return;
    const std::string_view all = inBrackets(body, open);
    for (std::size_t begin = 0; begin < all.size() && out_.stack.empty();) {
      const std::size_t end =
          mlir::walkTopLevel(all, begin, all.size(), [&](std::size_t i) { return all[i] == ','; });
      add(all.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  static std::string_view inBrackets(std::string_view body, std::size_t open) {
    const std::size_t end = mlir::afterBracket(body, open);
    return end == std::string_view::npos ? std::string_view()
                                         : body.substr(open + 1, end - open - 2);
  }

  const mlir::Module& module_;
  read::OwnLocation out_;
  std::size_t locations_ = 0;
};

}  // namespace

read::OwnLocation ownLocation(const mlir::Module& module, std::string_view body) {
  return OwnLocationReader(module).read(body);
}

}  // namespace fxs::module
