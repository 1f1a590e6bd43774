// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One step from a value to a view of it. A step can be applied to another value, and inverted:
// given a new value of the view, it computes that of the viewed value. The inverse of a slice is
// slice_scatter, that of a permutation the inverse permutation, that of a reshape a reshape back.
#include <cstddef>
#include <optional>
#include <string>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

struct ViewStep {
  const fx::Node* view = nullptr;  ///< the call, in the source
  fx::NodeId
      written;  ///< that call in the draft, whose other operands are reused; invalid if `same`
  std::size_t base = 0;  ///< position of the viewed value among its arguments
  std::size_t part = 0;  ///< index of the result, for a call with several
  bool hasParts = false;
  bool same = false;                     ///< the view is the value itself, so the step does nothing
  const fx::TensorMeta* from = nullptr;  ///< the viewed value
  const fx::TensorMeta* to = nullptr;    ///< the view
  std::optional<std::int64_t> begin =
      {};  ///< of as_strided: its first element in the storage; std::nullopt if it is not known
};

/// Whether a row of resources/ops/operators.txt may say "view=NAME".
bool isViewKind(std::string_view name);

/// Why the step cannot be inverted; "" if it can.
std::string undoObstacle(const ViewStep&);
/// Whether undo() needs the previous viewed value (slice: yes, permute: no).
bool undoNeedsBase(const ViewStep&);
/// The viewed value after `written` was written to the view. `base` is its value before that, or
/// any older one unless undoNeedsBase().
fx::Argument undo(Transcription&, const ViewStep&, const fx::Argument& base,
                  const fx::Argument& written);
/// Applies the step to `base`; for a step with several results, returns the call.
fx::Argument takeAnew(Transcription&, const ViewStep&, const fx::Argument& base);

/// How far the view begins after the value that it views, in elements of its storage, from the
/// operator's arguments: files of older PyTorch record 0 for every tensor. std::nullopt if that is
/// symbolic or unknown.
std::optional<std::int64_t> offsetAdded(const ViewStep&);

/// `value` with the strides of `meta`, cloned if necessary; for as_strided, which depends on the
/// memory layout.
fx::Argument laidOut(Transcription&, const fx::Argument& value, const fx::TensorMeta& meta);

}  // namespace fxs::rewrite
