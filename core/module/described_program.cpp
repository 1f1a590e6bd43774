// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/described_program.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fx/module_path.h"

namespace fxs::module {
namespace {

constexpr std::string_view kStack = "stack_trace";
constexpr std::string_view kModules = "nn_module_stack";

/// The lines of a stack_trace, which two programs may write with and without code.
std::string linesOf(std::string_view stack) {
  std::string out;
  for (const fx::StackFrame& frame : fx::parseStackTrace(stack))
    out += frame.file + ":" + std::to_string(frame.line) + "\n";
  return out;
}

class Describer {
 public:
  Describer(const fx::Program& source, const fx::Program& program)
      : source_(source), out_(std::make_shared<fx::Program>(program)) {
    for (const fx::Node& node : source.nodes) {
      byName_.try_emplace(node.name, &node);
      const std::string lines = linesOf(source.meta(node, kStack).value_or(""));
      if (lines.empty()) continue;
      const auto [known, isNew] = byLines_.try_emplace(lines, &node);
      if (!isNew && known->second != nullptr &&
          source.meta(*known->second, kModules) != source.meta(node, kModules))
        known->second = nullptr;
    }
  }

  void describe(fx::Node& node, const read::OwnLocation& own) {
    if (const auto named = byName_.find(own.name); named != byName_.end()) {
      take(kStack, *named->second, node);
      take(kModules, *named->second, node);
    } else if (const auto same = byLines_.find(linesOf(own.stack));
               same != byLines_.end() && same->second != nullptr) {
      take(kModules, *same->second, node);
    }
  }

  fx::ProgramPtr program(const std::vector<read::OwnLocation>& own) && {
    for (std::size_t i = 0; i < own.size(); ++i) describe(out_->nodes[i], own[i]);
    return isDescribed_ ? std::move(out_) : nullptr;
  }

 private:
  void take(std::string_view key, const fx::Node& from, fx::Node& to) {
    const auto text = source_.meta(from, key);
    if (!text) return;
    std::erase_if(to.meta, [&](const fx::MetaString& each) { return out_->text(each.key) == key; });
    to.meta.push_back({intern(key), intern(*text)});
    isDescribed_ = true;
  }

  fx::StringId intern(std::string_view text) {
    const auto [entry, isNew] =
        strings_.try_emplace(std::string(text), fx::StringId::of(out_->strings.size()));
    if (isNew) out_->strings.emplace_back(text);
    return entry->second;
  }

  const fx::Program& source_;
  std::shared_ptr<fx::Program> out_;
  std::unordered_map<std::string_view, const fx::Node*> byName_;
  std::map<std::string, const fx::Node*> byLines_;  ///< null if their modules differ
  std::unordered_map<std::string, fx::StringId> strings_;
  bool isDescribed_ = false;
};

}  // namespace

bool hasOwnLocations(const read::SourceModule& module) {
  return std::any_of(module.own.begin(), module.own.end(), [](const read::OwnLocation& own) {
    return !own.name.empty() || !own.stack.empty();
  });
}

fx::ProgramPtr describedBy(const fx::Program& source, const fx::Program& program,
                           const read::SourceModule& module) {
  return Describer(source, program).program(module.own);
}

}  // namespace fxs::module
