// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of variants, and the merge of what several windows made.
#include <algorithm>
#include <utility>

#include "base/file_beside.h"
#include "variant/variants.h"

namespace fxs::variant {
namespace {

Result<Variants> parseFile(std::string_view text, const std::string& label) {
  Result<Variants> out = parse(text, label);
  if (!out)
    out.error().message += "; correct the file, or move it away: until then it is left as it is";
  return out;
}

constexpr FileBeside<Variants> kFile{".variants.json", "variants", kMaxVariantsBytes, parseFile,
                                     print};

bool hasChild(const Variants& variants, const std::string& name) {
  return std::any_of(variants.begin(), variants.end(),
                     [&](const Variant& each) { return each.parent == name; });
}

Variants::iterator named(Variants& variants, const std::string& name) {
  return std::find_if(variants.begin(), variants.end(),
                      [&](const Variant& each) { return each.name == name; });
}

/// Parents before what was made from them, else as they are; a parent that is not there is that of
/// the program as it is.
Variants parentsFirst(Variants variants) {
  Variants out;
  for (Variant& each : variants)
    if (!variantNamed(variants, each.parent)) each.parent.clear();
  while (!variants.empty()) {
    const auto next = std::find_if(variants.begin(), variants.end(), [&](const Variant& each) {
      return each.parent.empty() || variantNamed(out, each.parent);
    });
    // Two windows may each have made one from the other's: their circle is opened.
    const auto at = next == variants.end() ? variants.begin() : next;
    if (next == variants.end()) at->parent.clear();
    out.push_back(std::move(*at));
    variants.erase(at);
  }
  return out;
}

}  // namespace

bool operator==(const Variant& a, const Variant& b) {
  const bool sameEdit = a.edit == b.edit || (a.edit && b.edit && *a.edit == *b.edit);
  return sameEdit && a.name == b.name && a.parent == b.parent && a.change == b.change &&
         a.target == b.target && a.skipped == b.skipped && a.pipelines == b.pipelines;
}

Merged merged(const Variants& base, const Variants& mine, const Variants& theirs) {
  Merged out;
  out.all = theirs;
  std::string previous;  // what is new stays where it is in `mine`
  for (const Variant& each : mine) {
    const Variant* before = variantNamed(base, each.name);
    const Variant* now = variantNamed(theirs, each.name);
    const std::string after = std::exchange(previous, each.name);
    if (now && before && *before == each && *now != each) continue;
    Variant next = each;
    if (const auto parent = out.renamed.find(each.parent); parent != out.renamed.end())
      next.parent = parent->second;
    if (now && (*now == each || (before && *now == *before))) {
      *named(out.all, each.name) = std::move(next);
      continue;
    }
    if (now) {
      Variants taken = out.all;
      taken.insert(taken.end(), mine.begin(), mine.end());
      next.name = out.renamed[each.name] = previous = freeName(taken, each.name);
    }
    const auto position = named(out.all, after);
    out.all.insert(position == out.all.end() ? out.all.begin() : position + 1, std::move(next));
  }
  // Children before their parents, which they hold.
  for (auto each = base.rbegin(); each != base.rend(); ++each) {
    const Variant* inMine = variantNamed(mine, each->name);
    const Variant* inTheirs = variantNamed(theirs, each->name);
    const Variant* left = inMine ? inMine : inTheirs;
    if ((inMine && inTheirs) || !left || *left != *each || hasChild(out.all, each->name)) continue;
    out.all.erase(named(out.all, each->name));
  }
  out.all = parentsFirst(std::move(out.all));
  return out;
}

std::string fileBeside(const std::string& program) { return kFile.pathOf(program); }

Result<Variants> readBeside(const std::string& program) { return kFile.read(program); }

Result<Merged> mergeBeside(const std::string& program, const Variants& base, const Variants& mine) {
  Merged out;
  FXS_TRY(out.all, kFile.change(program, [&](Variants& now) -> Result<> {
    out = merged(base, mine, now);
    now = out.all;
    return {};
  }));
  return out;
}

}  // namespace fxs::variant
