#pragma once
// TensorMeta, SymInt, SymFloat and SymBool of torch/_export/serde/schema.py as values of the program. Equal symbolic
// expressions are parsed once and shared.
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/run_context.h"
#include "fx/tensor_meta.h"
#include "read/pt2/one_of.h"

namespace fxs::read::pt2 {

/// No negative size, no product past 64 bits, no element further away than 64 bits can say.
Result<> checkExtent(const Json& at, const fx::TensorMeta& meta);

class ValueDecoder {
 public:
  /// The context outlives the decoder.
  explicit ValueDecoder(const RunContext& context) : context_(context) {}
  /// Checks what the file claims: a known dtype, as many strides as sizes, no negative size, no product past 64 bits.
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
