// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Result<T>: a value or an Error. FXS_TRY binds the value of an expression, FXS_CHECK
// discards it; on error, both return it from the enclosing function.
#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace fxs {

template <class T = void>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error> e) : tl::expected<T, Error>(std::move(e)) {}
};

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), {}});
}

}  // namespace fxs

#define FXS_CAT_(a, b) a##b
#define FXS_CAT(a, b) FXS_CAT_(a, b)
#define FXS_TRY(decl, ...)                                                             \
  auto FXS_CAT(fxsTry, __LINE__) = (__VA_ARGS__);                                      \
  if (!FXS_CAT(fxsTry, __LINE__))                                                      \
    return tl::unexpected<::fxs::Error>(std::move(FXS_CAT(fxsTry, __LINE__)).error()); \
  decl = *std::move(FXS_CAT(fxsTry, __LINE__))
#define FXS_CHECK(...)                                                  \
  do {                                                                  \
    if (auto fxsCheck = (__VA_ARGS__); !fxsCheck)                       \
      return tl::unexpected<::fxs::Error>(std::move(fxsCheck).error()); \
  } while (0)
