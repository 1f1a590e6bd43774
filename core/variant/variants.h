// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The variants of a lowering that a user made, as a tree: each has a name, the one that it was made
// from, and what it changes. They are kept beside the program, as notes are (core/notes), in
// model.pt2.variants.json; what several windows made is merged.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lower/lower.h"

namespace fxs::variant {

inline constexpr std::string_view kVariantsSchema = "fxscope-variants/1";
inline constexpr std::uint64_t kMaxVariantsBytes = std::uint64_t{256} << 20;  ///< of the file

/// All that it changes, also what those that it was made from change.
struct Variant {
  std::string name;    ///< unique
  std::string parent;  ///< name of the one that it was made from; "": the program as it is
  std::string change;  ///< one line for people: "torch, after pass 4 (canonicalize): 1 changed"
  std::string target;  ///< name of the output type
  lower::EditPtr edit;
  std::set<lower::StagePass> skipped;
  std::map<std::string, std::string> pipelines;
  friend bool operator==(const Variant&, const Variant&);
};
/// Parents come before what was made from them.
using Variants = std::vector<Variant>;

const Variant* variantNamed(const Variants&, std::string_view name);
/// `wanted`, or the first of "wanted 2", "wanted 3" .. that is free.
std::string freeName(const Variants&, const std::string& wanted);
/// Without a variant and those that were made from it.
Variants without(const Variants&, std::string_view name);
/// Options that lower the variant, from those of the program as it is.
lower::LowerOptions optionsOf(const Variant&, lower::LowerOptions options);

std::string print(const Variants&);
/// InvalidInput, naming the member.
Result<Variants> parse(std::string_view text, const std::string& label);

/// What a window and others made of the same variants.
struct Merged {
  Variants all;
  std::map<std::string, std::string> renamed;  ///< of `mine`, whose names others gave meanwhile
};
/// `base`: what the file had when `mine` was made from it. What either added or changed is kept, of
/// one that both changed both. One that either dropped goes, unless the other changed it or made
/// others from it.
Merged merged(const Variants& base, const Variants& mine, const Variants& theirs);

/// "model.pt2.variants.json"; the path of a folder may end in '/'.
std::string fileBeside(const std::string& program);
/// Empty if there is no file. Io; InvalidInput, with the member and the way out.
Result<Variants> readBeside(const std::string& program);
/// Replaces the file by merged() with what it has, with the program's file locked; without variants
/// it is removed. Returns what it has then. On Io, and InvalidInput if it would be too large or
/// cannot be read, it is unchanged.
Result<Merged> mergeBeside(const std::string& program, const Variants& base, const Variants& mine);

}  // namespace fxs::variant
