#pragma once
// Registries of op classes, as in Buddy Compiler: each maps a class ("AddOp") to a handler. A chain is searched in order, the
// primary first; the first registry whose handler for the class accepts the call lowers it.
//
// Built-in registries are made of files under registries/, collected by the build; several files may add to one registry. A
// user's registry is a text file of templates (see user_registry.h) and has a handler like any other.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry {

struct Registry {
  std::string name;                                      ///< "tosa", "linalg", "math", "func", or what the user's file says
  std::string title;                                     ///< one line for people
  std::map<std::string, Handler, std::less<>> handlers;  ///< by op class
};

class Registries {
 public:
  /// "tosa", "linalg", "math" and "func", empty.
  Registries();
  /// Adds to the registry of that name, which must not have the classes yet.
  void add(std::string_view registry, std::initializer_list<std::string_view> opClasses, const Handler&);
  const Registry* find(std::string_view name) const;
  const std::vector<Registry>& all() const { return all_; }
  std::vector<std::string> didYouMean(std::string_view name) const;

 private:
  std::vector<Registry> all_;
};
void registerAllRegistries(Registries&);
/// What is built in: "tosa", "linalg", "math", "func".
const Registries& builtinRegistries();

/// Buddy's op classes and the FX operators that become them (resources/registry/op_classes.txt), extended by fxscope where its
/// registries lower more; an extension is marked so.
class OpClasses {
 public:
  static const OpClasses& builtin();
  /// "AddOp" of "aten.add.Tensor"; "" when no class has the target.
  std::string_view of(std::string_view target) const;
  bool isExtension(std::string_view opClass) const;  ///< not a class of Buddy's
  bool has(std::string_view opClass) const;
  std::vector<std::string> didYouMean(std::string_view target) const;  ///< mapped targets with similar names, closest first, at most 3
  std::vector<std::string> names() const;                              ///< all classes, sorted

 private:
  explicit OpClasses(std::string_view table);
  std::map<std::string, std::string, std::less<>> classOf_;  // by target
  std::map<std::string, bool, std::less<>> isExtension_;     // by class
};

}  // namespace fxs::registry
