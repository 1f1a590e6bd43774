// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/filled.h"

namespace fxs::rewrite {

fx::Argument fillValue(DType dtype, int number) {
  return dtype == DType::Bool ? fx::Argument(number != 0) : fx::Argument(std::int64_t{number});
}

Results filledWith(Emitter& e, const fx::Argument& value) {
  const fx::TensorMeta result = e.result();
  return one(e.op("aten.full.default",
                  {e.argument("size"), value, result.dtype, Layout::Strided, result.device, false},
                  result));
}

}  // namespace fxs::rewrite
