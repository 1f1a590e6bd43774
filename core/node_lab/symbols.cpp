// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/symbols.h"

#include <algorithm>

namespace fxs::node_lab {
namespace {

/// Turns `func.func @f(` into `func.func private @f(`.
void makePrivate(std::string& text) {
  constexpr std::string_view kHead = "func.func @";
  if (text.starts_with(kHead)) text.insert(kHead.size() - 1, "private ");
}

/// Whether the function is called from its body or from the other operations, or cannot be inlined.
bool needsFunction(const Callee& callee) {
  const auto refersToFunction = [&](mlir::OpId op) {
    return callee.transcript.symbolsIn(callee.module.op(op).text).contains(callee.name);
  };
  return callee.severalBlocks ||
         std::any_of(callee.body.begin(), callee.body.end(), refersToFunction) ||
         std::any_of(callee.beside.begin(), callee.beside.end(),
                     [&](const OtherOperation& beside) { return refersToFunction(beside.op); });
}

}  // namespace

struct Symbols::Candidate {
  mlir::OpId op;
  std::string symbol;  ///< old; "" for none
  bool before = true;
  bool isFunction = false;
  std::string text = {};                ///< with old symbols and without locations, for comparison
  std::set<std::string> refersTo = {};  ///< old symbols of the module
  const Entry* shared = nullptr;        ///< the equal symbol of an earlier module
  std::set<const Entry*> refused = {};  ///< of the same text, but with other references

  /// Whether the references of `shared` have these new names.
  bool refersToSame(const std::map<std::string, std::string>& newNames) const {
    return std::all_of(shared->refersTo.begin(), shared->refersTo.end(),
                       [&](const auto& reference) {
                         if (reference.first == symbol) return true;
                         const auto found = newNames.find(reference.first);
                         return found != newNames.end() && found->second == reference.second;
                       });
  }
};

std::string Symbols::fresh(const std::string& wanted) {
  if (taken_.emplace(wanted, 0).second) return wanted;
  for (std::size_t& next = taken_[wanted];;) {
    std::string symbol = wanted + "_" + std::to_string(next++);
    if (taken_.emplace(symbol, 0).second) return symbol;
  }
}

Result<std::vector<Symbols::Candidate>> Symbols::candidatesOf(const Callee& callee,
                                                              const NewNames& names) {
  std::vector<Candidate> out;
  for (const OtherOperation& beside : callee.beside)
    out.push_back({beside.op, beside.symbol, beside.beforeFunction});
  if (needsFunction(callee)) out.push_back({callee.function, callee.name, true, true});
  std::set<std::string> own;  // symbols of the module that are copied
  for (const Candidate& candidate : out)
    if (!candidate.symbol.empty()) own.insert(candidate.symbol);
  NewNames comparing;
  comparing.resources = names.resources;
  comparing.withoutLocations = true;
  for (Candidate& candidate : out) {
    const TextRange range = callee.module.op(candidate.op).text;
    FXS_TRY(candidate.text, callee.transcript.of(range, comparing));
    for (const std::string& symbol : callee.transcript.symbolsIn(range))
      if (own.contains(symbol)) candidate.refersTo.insert(symbol);
  }
  return out;
}

const Symbols::Entry* Symbols::equalTo(const Candidate& candidate) const {
  const auto found = entries_.find(candidate.text);
  if (found == entries_.end()) return nullptr;
  for (const Entry& entry : found->second)
    if (!candidate.refused.contains(&entry)) return &entry;
  return nullptr;
}

/// A symbol is shared if it is equal and refers only to symbols shared under the same new names.
std::vector<Symbols::Candidate> Symbols::shared(std::vector<Candidate> candidates) const {
  for (Candidate& candidate : candidates) candidate.shared = equalTo(candidate);
  // Iterate to the fixed point.
  for (bool changed = true; changed;) {
    changed = false;
    std::map<std::string, std::string> now;
    for (const Candidate& candidate : candidates)
      if (candidate.shared != nullptr) now.emplace(candidate.symbol, candidate.shared->symbol);
    for (Candidate& candidate : candidates) {
      if (candidate.shared == nullptr || candidate.refersToSame(now)) continue;
      candidate.refused.insert(candidate.shared);
      candidate.shared = equalTo(candidate);
      changed = true;
    }
  }
  return candidates;
}

Result<Hoisted> Symbols::add(const Callee& callee, const std::string& stem, NewNames& names) {
  FXS_TRY(std::vector<Candidate> candidates, candidatesOf(callee, names));
  candidates = shared(std::move(candidates));
  for (const Candidate& candidate : candidates) {
    const std::string& old = candidate.symbol;
    if (old.empty() || names.symbols.contains(old)) continue;
    const std::string& wanted = candidate.isFunction && !stem.empty() ? stem : old;
    names.symbols.emplace(old,
                          candidate.shared != nullptr ? candidate.shared->symbol : fresh(wanted));
  }
  Hoisted out;
  for (const Candidate& candidate : candidates) {
    if (candidate.isFunction) out.function = names.symbols[candidate.symbol];
    if (candidate.shared != nullptr) continue;
    FXS_TRY(std::string text, callee.transcript.of(callee.module.op(candidate.op).text, names));
    if (candidate.isFunction) makePrivate(text);
    (candidate.before ? out.before : out.after) += "  " + text + "\n";
    Entry entry;
    if (!candidate.symbol.empty()) entry.symbol = names.symbols[candidate.symbol];
    for (const std::string& symbol : candidate.refersTo)
      entry.refersTo.emplace(symbol, names.symbols[symbol]);
    entries_[candidate.text].push_back(std::move(entry));
  }
  return out;
}

}  // namespace fxs::node_lab
