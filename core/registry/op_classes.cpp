// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resources/registry/op_classes.txt: "AddOp | Broadcast | add.Tensor", one class per line. Names
// are in aten unless they begin with another namespace, and omit `.default`; " | +" ends the line
// of a class that is not Buddy's; '#' begins a comment.
#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"
#include "registry/registry.h"

namespace fxs::resource {
std::string_view registryOpClasses();
}

namespace fxs::registry {
namespace {

/// The text before the next `separator`; `rest` continues after it.
std::string_view next(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return trimmed(head);
}

/// "aten.add.Tensor" of "add.Tensor", "aten.relu.default" of "relu", "prims.iota.default" of
/// "prims.iota"; Python's operators stay.
std::string targetOf(std::string_view name) {
  std::string out(name);
  if (name.starts_with("_operator.")) return out;
  if (!name.starts_with("prims.") && !name.starts_with("aten.")) out = "aten." + out;
  return std::count(out.begin(), out.end(), '.') == 1 ? out + ".default" : out;
}

}  // namespace

OpClasses::OpClasses(std::string_view table) {
  while (!table.empty()) {
    std::string_view line = next(table, '\n');
    if (line.empty() || line.front() == '#') continue;
    const std::string_view opClass = next(line, '|');
    next(line, '|');  // Buddy's kind of operation, for documentation only
    std::string_view names = next(line, '|');
    classes_.emplace(opClass);
    while (!names.empty())
      if (const std::string_view name = next(names, ','); !name.empty())
        classOf_.emplace(targetOf(name), opClass);
  }
}

const OpClasses& OpClasses::builtin() {
  static const OpClasses table{resource::registryOpClasses()};
  return table;
}

std::string_view OpClasses::of(std::string_view target) const {
  const auto found = classOf_.find(target);
  return found == classOf_.end() ? std::string_view{} : std::string_view(found->second);
}

bool OpClasses::has(std::string_view opClass) const { return classes_.contains(opClass); }

std::vector<std::string> OpClasses::didYouMean(std::string_view target) const {
  std::vector<std::string_view> targets;
  for (const auto& [mapped, opClass] : classOf_) targets.push_back(mapped);
  return nearest(target, targets, 3);
}

std::vector<std::string> OpClasses::names() const { return {classes_.begin(), classes_.end()}; }

}  // namespace fxs::registry
