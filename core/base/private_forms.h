// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Forms of private data as RE2 patterns, from resources/private/forms.txt. At most kFar bytes of a
// text are looked at, in time linear in them.
#include <re2/re2.h>
#include <re2/set.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/private_scan.h"

namespace fxs {

/// The first field of rows: forms that are tried one after the other, and patterns by themselves.
enum class FormGroup : std::uint8_t {
  Key,
  Option,
  Certain,
  Ip,
  Numbered,
  SecretWord,
  Separator,
  Value,
  Scheme,
  Code,
  Named,
  PublicHost,
  Host,
  Layer,
  Url,
  Root,
  InHome,
  Home,
  File,
  Operand,
  Escape,
  CommonName
};
inline constexpr std::size_t kFormGroups = 22;

/// What a pattern matches, and its groups; empty if it does not match.
using FormParts = std::array<re2::StringPiece, 8>;

class PrivateForms {
 public:
  explicit PrivateForms(std::string_view rows);

  /// The first form of the group that starts at `at` and passes its tests.
  std::optional<PrivateMatch> find(FormGroup, std::string_view text, std::size_t at) const;
  /// Of the group's first row, from `at` on.
  FormParts parts(FormGroup, std::string_view text, std::size_t at) const;
  /// Of the group's first row and all of the text.
  FormParts parts(FormGroup, std::string_view text) const;
  bool matches(FormGroup group, std::string_view text) const {
    return parts(group, text)[0].data() != nullptr;
  }
  const re2::RE2& pattern(FormGroup) const;

 private:
  using Test = bool (*)(std::string_view text, std::string_view part);
  struct Form {
    std::string_view label;
    std::unique_ptr<const re2::RE2> pattern;
    std::size_t removed = 0;                          // the group that is removed
    std::vector<std::pair<std::size_t, Test>> tests;  // by group
    std::optional<PrivateMatch> find(std::string_view text, std::size_t at) const;
  };
  struct Group {
    std::vector<std::pair<std::string_view, std::string>> rows;  // label and pattern
    mutable std::once_flag once;
    mutable std::vector<Form> forms;  // of the rows, once they are asked for
    mutable std::unique_ptr<re2::RE2::Set> all;
    void compile() const;
  };

  const Group& compiled(FormGroup) const;

  std::array<Group, kFormGroups> groups_;
};

/// Those of the resource. Each group is compiled on first use. Thread-safe.
const PrivateForms& privateForms();

}  // namespace fxs
