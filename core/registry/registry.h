// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Registries of op classes, like Buddy Compiler's ops_registry: each maps a class ("AddOp") to a
// handler. A chain is searched in order, primary first; the first registry whose handler for the
// class accepts the call lowers it.
//
// Built-in registries consist of the files under registries/, collected by the build; several files
// may add to one registry. A user's registry is read from a text file of templates
// (user_registry.h).
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry {

struct Registry {
  std::string name;   ///< "tosa", "linalg", "math", "func", or the name in the user's file
  std::string title;  ///< one line to display
  std::map<std::string, Handler, std::less<>> handlers;  ///< by op class
  std::set<std::string, std::less<>>
      anySizes;  ///< the op classes whose handlers lower symbolic sizes, too
};

class Registries {
 public:
  /// Creates "tosa", "linalg", "math" and "func" without handlers.
  Registries();
  /// Adds a handler to an existing registry, which must not have handlers for these classes yet.
  void add(std::string_view registry, std::initializer_list<std::string_view> opClasses,
           const Handler&);
  /// Declares that the handlers of these classes lower symbolic sizes, or throw BadSizes where they
  /// would compute with them.
  void anySizes(std::string_view registry, std::initializer_list<std::string_view> opClasses);
  const Registry* find(std::string_view name) const;  ///< null if there is none
  const std::vector<Registry>& all() const { return all_; }
  std::vector<std::string> didYouMean(
      std::string_view name) const;  ///< registries with similar names, at most 3

 private:
  std::vector<Registry> all_;
};
void registerAllRegistries(Registries&);
/// "tosa", "linalg", "math" and "func" with all built-in handlers.
const Registries& builtinRegistries();

/// Maps FX targets to Buddy's op classes (resources/registry/op_classes.txt). Classes that fxscope
/// adds for its own registries are marked as extensions.
class OpClasses {
 public:
  static const OpClasses& builtin();
  /// "AddOp" for "aten.add.Tensor"; "" if the target maps to no class.
  std::string_view of(std::string_view target) const;
  bool has(std::string_view opClass) const;
  std::vector<std::string> didYouMean(std::string_view target)
      const;  ///< mapped targets with similar names, closest first, at most 3
  std::vector<std::string> names() const;  ///< all classes, sorted

 private:
  explicit OpClasses(std::string_view table);
  std::map<std::string, std::string, std::less<>> classOf_;  // by target
  std::set<std::string, std::less<>> classes_;
};

}  // namespace fxs::registry
