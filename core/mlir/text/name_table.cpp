// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/name_table.h"

#include <cstring>

namespace fxs::mlir {
namespace {

std::uint32_t hashOf(std::string_view text) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ text.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    mix(word);
  }
  std::uint64_t rest = 0;
  for (; at < text.size(); ++at) rest = rest << 8 | static_cast<unsigned char>(text[at]);
  mix(rest);
  return static_cast<std::uint32_t>(hash ^ hash >> 29);
}

}  // namespace

std::size_t NameTable::slot(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint32_t number = slots_[at];
    if (number == kNone || (names_[number].hash == hash && names_[number].text == name)) return at;
  }
}

std::uint32_t NameTable::find(std::string_view name) const {
  return slots_.empty() ? kNone : slots_[slot(name, hashOf(name))];
}

std::uint32_t NameTable::findOrAdd(std::string_view name) {
  if ((names_.size() + 1) * 2 > slots_.size()) grow();
  const std::uint32_t hash = hashOf(name);
  std::uint32_t& number = slots_[slot(name, hash)];
  if (number == kNone) {
    number = static_cast<std::uint32_t>(names_.size());
    names_.push_back({name, hash});
  }
  return number;
}

void NameTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kNone);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < names_.size(); ++number) {
    std::size_t at = names_[number].hash & mask;
    while (slots_[at] != kNone) at = (at + 1) & mask;
    slots_[at] = number;
  }
}

std::uint32_t Scopes::nameOf(std::string_view name) {
  const std::uint32_t number = names_.findOrAdd(name);
  if (number == entries_.size()) entries_.emplace_back();
  return number;
}

void Scopes::wait(std::uint32_t name, std::uint32_t use) {
  waiting_.push_back({use, entries_[name].waiting});
  entries_[name].waiting = static_cast<std::uint32_t>(waiting_.size() - 1);
}

void Scopes::forget(std::uint32_t name, std::uint32_t firstUse) {
  Entry& entry = entries_[name];
  while (entry.waiting != kNone && waiting_[entry.waiting].use >= firstUse)
    entry.waiting = waiting_[entry.waiting].next;
}

void Scopes::leaveTo(std::size_t mark) {
  while (undo_.size() > mark) {
    entries_[undo_.back().name].definition = undo_.back().before;
    undo_.pop_back();
  }
}

}  // namespace fxs::mlir
