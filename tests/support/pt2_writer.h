// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A small .pt2 for tests, as torch.export.save of PyTorch 2.13 lays it out: y = relu(x + w). Tests
// edit its JSON or its members.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zip_writer.h"

namespace fxs::test {

struct Pt2 {
  Pt2();
  std::string root = "small";
  std::vector<ZipMember> members;  ///< named without the root

  /// Replaces `from`, which must occur once in that member.
  Pt2& edit(std::string_view member, std::string_view from, std::string_view to);
  Pt2& editModel(std::string_view from, std::string_view to) {
    return edit("models/model.json", from, to);
  }
  Pt2& set(std::string_view member, std::string bytes);
  Pt2& remove(std::string_view member);
  Pt2& rename(std::string_view member, std::string to);
  std::string text(std::string_view member) const;

  std::vector<ZipMember> prefixed() const;  ///< the members with the root before their names
  std::string bytes() const { return writeZip(prefixed()); }
};

/// `text` with the one occurrence of `from` replaced.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace fxs::test
