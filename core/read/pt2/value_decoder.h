// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes TensorMeta, SymInt, SymFloat and SymBool of torch/_export/serde/schema.py. Equal symbolic
// expressions are parsed once and shared.
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/run_context.h"
#include "fx/tensor_meta.h"
#include "read/pt2/one_of.h"

namespace fxs::read::pt2 {

inline constexpr std::size_t kMaxRank =
    64;  ///< TensorIterator's own limit; no PyTorch tensor has more

/// What is absurd about a tensor: a negative size, or a size in bytes or an element's offset that
/// does not fit into 64 bits;
/// "" if nothing is.
std::string extentProblem(const fx::TensorMeta& meta);
/// InvalidInput if a size is negative, or the size in bytes or an element's offset does not fit
/// into 64 bits.
Result<> checkExtent(const Json& at, const fx::TensorMeta& meta);

class ValueDecoder {
 public:
  /// `context` must outlive the decoder.
  explicit ValueDecoder(const RunContext& context) : context_(context) {}
  /// InvalidInput if the dtype is unknown, the numbers of sizes and strides differ, or
  /// checkExtent() fails.
  Result<fx::TensorMeta> tensorMeta(const Json&);
  Result<fx::SymInt> symInt(const Json&);
  Result<fx::SymValue> symValue(fx::SymKind, const Json&);
  Result<Device> device(const Json&);
  Result<DType> dtype(const Json&);
  Result<Layout> layout(const Json&);
  Result<MemoryFormat> memoryFormat(const Json&);

 private:
  Result<fx::SymExprPtr> expression(const Json& symExpr);
  Result<std::vector<fx::SymInt>> symInts(const Json& list);

  const RunContext& context_;
  std::unordered_map<std::string, fx::SymExprPtr> expressions_;
};

}  // namespace fxs::read::pt2
