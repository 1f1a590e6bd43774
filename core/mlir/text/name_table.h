// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers the names of a text and resolves them in nested scopes. A name takes one lookup and no
// allocation; leaving a scope undoes its definitions.
#include <cstdint>
#include <string_view>
#include <vector>

namespace fxs::mlir {

/// Maps strings to consecutive numbers from 0, in order of appearance. The strings must outlive the
/// table.
class NameTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t find(std::string_view name) const;
  std::uint32_t findOrAdd(std::string_view name);
  std::size_t size() const { return names_.size(); }
  std::string_view operator[](std::uint32_t number) const { return names_[number].text; }

 private:
  struct Name {
    std::string_view text;
    std::uint32_t hash;
  };
  std::size_t slot(std::string_view name, std::uint32_t hash) const;
  void grow();

  std::vector<Name> names_;
  std::vector<std::uint32_t> slots_;  ///< hash table with open addressing; the size is a power of
                                      ///< two, at most half is used
};

/// Resolves names in scopes. Definitions and uses are numbers chosen by the caller. A use may
/// precede its definition, because blocks come in any order: it waits for the next definition of
/// its name in an enclosing region.
class Scopes {
 public:
  static constexpr std::uint32_t kNone = NameTable::kNone;

  std::uint32_t nameOf(std::string_view name);
  std::uint32_t definition(std::uint32_t name) const { return entries_[name].definition; }
  /// Adds a waiting use. `use` must be larger than all earlier ones.
  void wait(std::uint32_t name, std::uint32_t use);
  /// Removes the waiting uses of `name` that are at least `firstUse`.
  void forget(std::uint32_t name, std::uint32_t firstUse);
  /// Defines `name` until the scope is left; calls found(use) for each waiting use that is at least
  /// `firstUse`.
  template <class Found>
  void define(std::uint32_t name, std::uint32_t definition, std::uint32_t firstUse, Found found) {
    Entry& entry = entries_[name];
    undo_.push_back({name, entry.definition});
    entry.definition = definition;
    for (; entry.waiting != kNone && waiting_[entry.waiting].use >= firstUse;
         entry.waiting = waiting_[entry.waiting].next)
      found(waiting_[entry.waiting].use);
  }
  std::size_t mark() const { return undo_.size(); }
  void leaveTo(std::size_t mark);

 private:
  struct Entry {
    std::uint32_t definition = kNone;
    std::uint32_t waiting = kNone;  ///< index of `waiting_`, the latest use first
  };
  struct Waiting {
    std::uint32_t use, next;
  };
  struct Undo {
    std::uint32_t name, before;
  };
  NameTable names_;
  std::vector<Entry> entries_;
  std::vector<Waiting> waiting_;
  std::vector<Undo> undo_;
};

}  // namespace fxs::mlir
