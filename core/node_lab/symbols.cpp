// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/symbols.h"

#include <algorithm>

namespace fxs::node_lab {
namespace {

struct Candidate {
  mlir::OpId op;
  std::string symbol;  ///< old; "" for none
  bool before = true;
  std::string text;                ///< with old symbols and without locations, for comparison
  std::set<std::string> refersTo;  ///< old symbols of the module
};

/// Turns `func.func @f(` into `func.func private @f(`.
void makePrivate(std::string& text) {
  constexpr std::string_view kHead = "func.func @";
  if (text.starts_with(kHead)) text.insert(kHead.size() - 1, "private ");
}

}  // namespace

std::string Symbols::fresh(const std::string& wanted) {
  if (taken_.emplace(wanted, 0).second) return wanted;
  for (std::size_t& next = taken_[wanted];;) {
    std::string symbol = wanted + "_" + std::to_string(next++);
    if (taken_.emplace(symbol, 0).second) return symbol;
  }
}

Result<Hoisted> Symbols::add(const Callee& callee, const std::string& stem, NewNames& names) {
  std::vector<Candidate> candidates;
  const auto refersToFunction = [&](mlir::OpId op) {
    return callee.transcript.symbolsIn(callee.module.op(op).text).contains(callee.name);
  };
  const bool needsFunction =
      callee.severalBlocks ||
      std::any_of(callee.body.begin(), callee.body.end(), refersToFunction) ||
      std::any_of(callee.beside.begin(), callee.beside.end(),
                  [&](const OtherOperation& beside) { return refersToFunction(beside.op); });

  std::set<std::string> own;  // symbols of the module that are copied
  for (const OtherOperation& beside : callee.beside)
    candidates.push_back({beside.op, beside.symbol, beside.beforeFunction, {}, {}});
  if (needsFunction) candidates.push_back({callee.function, callee.name, true, {}, {}});
  for (const Candidate& candidate : candidates)
    if (!candidate.symbol.empty()) own.insert(candidate.symbol);
  NewNames comparing;
  comparing.resources = names.resources;
  comparing.withoutLocations = true;
  for (Candidate& candidate : candidates) {
    const TextRange range = callee.module.op(candidate.op).text;
    FXS_TRY(candidate.text, callee.transcript.of(range, comparing));
    for (const std::string& symbol : callee.transcript.symbolsIn(range))
      if (own.contains(symbol)) candidate.refersTo.insert(symbol);
  }

  // A symbol is shared if it is equal and refers only to symbols shared under the same new names.
  // Iterate to the fixed point.
  std::vector<const Entry*> shared(candidates.size(), nullptr);
  std::vector<std::set<const Entry*>> refused(candidates.size());
  const auto choose = [&](std::size_t i) -> const Entry* {
    const auto found = entries_.find(candidates[i].text);
    if (found == entries_.end()) return nullptr;
    for (const Entry& entry : found->second)
      if (!refused[i].contains(&entry)) return &entry;
    return nullptr;
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) shared[i] = choose(i);
  for (bool changed = true; changed;) {
    changed = false;
    std::map<std::string, std::string> now;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (shared[i] != nullptr) now.emplace(candidates[i].symbol, shared[i]->symbol);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (shared[i] == nullptr) continue;
      const bool same = std::all_of(
          shared[i]->refersTo.begin(), shared[i]->refersTo.end(), [&](const auto& reference) {
            if (reference.first == candidates[i].symbol) return true;
            const auto found = now.find(reference.first);
            return found != now.end() && found->second == reference.second;
          });
      if (same) continue;
      refused[i].insert(shared[i]);
      shared[i] = choose(i);
      changed = true;
    }
  }

  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string& old = candidates[i].symbol;
    if (old.empty() || names.symbols.contains(old)) continue;
    const bool isFunction = candidates[i].op == callee.function;
    const std::string& wanted = isFunction && !stem.empty() ? stem : old;
    names.symbols.emplace(old, shared[i] != nullptr ? shared[i]->symbol : fresh(wanted));
  }
  Hoisted out;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    const bool isFunction = candidate.op == callee.function;
    if (isFunction) out.function = names.symbols[candidate.symbol];
    if (shared[i] != nullptr) continue;
    FXS_TRY(std::string text, callee.transcript.of(callee.module.op(candidate.op).text, names));
    if (isFunction) makePrivate(text);
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
