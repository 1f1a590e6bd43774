// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Interned torch-dialect types: values store a small id, and each text exists once.
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.h"
#include "fx/tensor_meta.h"

namespace fxs::import {

using TypeId = StrongId<struct TypeTag>;

enum class Contents : std::uint8_t { Value, Mutable };  ///< !torch.vtensor or !torch.tensor

class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  TypeId of(std::string_view text);
  std::string_view text(TypeId id) const { return texts_[id.index()]; }
  TypeId tensor(const fx::TensorMeta&, Contents = Contents::Value);
  /// The type of a node's recorded value: a tensor, a symbolic scalar, `!torch.list<vtensor>` for a
  /// Tensor[], `!torch.none`, or
  /// `!torch.any` if unknown.
  TypeId value(const fx::Value&);
  TypeId scalar(fx::SymKind) const;
  bool isTensor(TypeId id) const { return text(id).starts_with("!torch.vtensor"); }
  bool isList(TypeId id) const { return text(id).starts_with("!torch.list"); }
  bool isScalar(TypeId id) const { return id == integer || id == floating || id == boolean; }

  TypeId integer, floating, boolean, string, none, device, any, tensorList;

 private:
  std::deque<std::string> texts_;  // stable addresses: the index below refers into them
  std::unordered_map<std::string_view, TypeId> ids_;
  std::string scratch_;
};

}  // namespace fxs::import
