// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/types.h"

namespace fxs::import {

TypeTable::TypeTable() {
  integer = of("!torch.int");
  floating = of("!torch.float");
  boolean = of("!torch.bool");
  string = of("!torch.str");
  none = of("!torch.none");
  device = of("!torch.Device");
  any = of("!torch.any");
  tensorList = of("!torch.list<vtensor>");
}

TypeId TypeTable::of(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const TypeId id = TypeId::of(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

TypeId TypeTable::tensor(const fx::TensorMeta& meta, Contents contents) {
  scratch_ = contents == Contents::Mutable ? "!torch.tensor<[" : "!torch.vtensor<[";
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    if (i != 0) scratch_ += ',';
    if (meta.sizes[i].isStatic()) scratch_ += std::to_string(meta.sizes[i].value());
    else scratch_ += '?';
  }
  scratch_ += "],";
  // The dialect spells an unknown element type `unk`.
  scratch_ += meta.dtype == DType::Unknown ? std::string_view("unk") : facts(meta.dtype).mlir;
  scratch_ += '>';
  return of(scratch_);
}

TypeId TypeTable::scalar(fx::SymKind kind) const {
  switch (kind) {
    case fx::SymKind::Int: return integer;
    case fx::SymKind::Float: return floating;
    case fx::SymKind::Bool: return boolean;
  }
  return any;
}

TypeId TypeTable::value(const fx::Value& value) {
  if (const fx::TensorMeta* meta = value.tensor()) return tensor(*meta);
  if (const fx::SymValue* symbol = value.symbol()) return scalar(symbol->kind);
  if (value.list()) return tensorList;
  if (std::holds_alternative<fx::NoneValue>(value)) return none;
  return any;
}

}  // namespace fxs::import
