// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One of the two modules during operation matching (op_match.h), and the search for keys that both
// have.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mlir/compare/hash.h"
#include "mlir/compare/op_keys.h"
#include "mlir/text/module.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

struct Side {
  Side(const Module& module, const OpKeys& all)
      : m(module),
        keys(all),
        name(module.ops.size()),
        symbol(module.ops.size()),
        match(module.ops.size()),
        root(module.ops.size()),
        position(module.ops.size()) {
    Keys names;
    for (std::uint32_t i = 0; i < m.names.size(); ++i) {
      Hash hash;
      hash.add(m.names[i]);
      names.push_back(hash.value());
    }
    for (std::uint32_t i = 0; i < m.ops.size(); ++i) {
      name[i] = names[m.ops[i].nameNumber];
      symbol[i] = symbolOf(OpId{i});
      const OpId parent = m.ops[i].parent;
      root[i] =
          !parent.valid() || m.nameOf(parent) == "builtin.module" ? OpId{i} : root[parent.index()];
    }
  }

  /// A hash of the name and symbol of an operation with regions, a symbol and no results; else 0.
  std::uint64_t symbolOf(OpId id) const {
    const Op& op = m.op(id);
    if (op.results.size() > 0 || m.regionsOf(id).empty()) return 0;
    const std::string_view head = op.head.of(m.text);
    std::string_view found;
    if (const std::size_t generic = head.find("sym_name = \""); generic != std::string_view::npos) {
      found = head.substr(generic + 12, head.find('"', generic + 12) - generic - 12);
    } else if (const std::size_t at = head.find('@'); at < head.find('(')) {
      found = head.substr(at + 1, afterName(head, at) - at - 1);
    }
    if (found.empty()) return 0;
    Hash hash(name[id.index()]);
    hash.add(found);
    return hash.value();
  }
  RegionId regionOf(OpId id) const {
    return m.op(id).block.valid() ? m.block(m.op(id).block).region : RegionId{};
  }
  std::vector<OpId> opsIn(RegionId region) const {
    if (!region.valid()) return m.top;
    std::vector<OpId> out;
    for (const BlockId block : m.blocksOf(region))
      out.insert(out.end(), m.opsOf(block).begin(), m.opsOf(block).end());
    return out;
  }
  bool open(OpId id) const { return !match[id.index()].valid(); }

  const Module& m;
  const OpKeys& keys;
  Keys name, symbol;
  std::vector<OpId> match;
  std::vector<OpId> root;  ///< the enclosing top-level operation of the module, such as a function
  std::vector<std::uint32_t> position;  ///< position in its region, while that is compared
};

struct Keyed {
  std::uint64_t key;
  OpId op;
  friend bool operator<(const Keyed& x, const Keyed& y) {
    return x.key != y.key ? x.key < y.key : x.op < y.op;
  }
};

/// Calls group(beginA, endA, beginB, endB) for each key in both `a` and `b`; sorts them.
template <class Group>
void forEachShared(std::vector<Keyed>& a, std::vector<Keyed>& b, Group group) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->key != j->key) {
      i->key < j->key ? ++i : ++j;
      continue;
    }
    const auto beginA = i;
    const auto beginB = j;
    while (i != a.end() && i->key == beginA->key) ++i;
    while (j != b.end() && j->key == beginA->key) ++j;
    group(beginA, i, beginB, j);
  }
}

}  // namespace fxs::mlir
