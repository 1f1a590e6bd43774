#pragma once
// One step from a value to a view of it, as a rewrite needs it: taken anew on another value, and undone: given what was
// written into the view, what the viewed value is then. A slice is undone by slice_scatter, a permutation by the inverse one,
// a reshape by a reshape back.
#include <cstddef>
#include <string>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

struct ViewStep {
  const fx::Node* view = nullptr;  ///< the call, in the source
  fx::NodeId written;              ///< that call in the draft, whose other operands are reused; invalid for `same`
  std::size_t base = 0;            ///< position among its arguments of what is viewed
  std::size_t part = 0;            ///< which of the results, of a call that has several
  bool hasParts = false;
  bool same = false;                     ///< the view is the value itself: nothing to take or undo
  const fx::TensorMeta* from = nullptr;  ///< what is viewed
  const fx::TensorMeta* to = nullptr;    ///< the view
};

/// Why a write through the step cannot be expressed; "" when it can.
std::string whyNotUndone(const ViewStep&);
/// Whether undoing needs the viewed value too (slice: yes, permute: no).
bool undoNeedsBase(const ViewStep&);
/// The viewed value after `written` was put into the view. `base` is its value before (any older value when undoNeedsBase is false).
fx::Argument undo(Transcription&, const ViewStep&, const fx::Argument& base, const fx::Argument& written);
/// The view of `base`; for a step of several results, the call alone.
fx::Argument takeAnew(Transcription&, const ViewStep&, const fx::Argument& base);

/// `value` with the strides of `meta` (a clone where needed), for as_strided, which addresses memory.
fx::Argument laidOut(Transcription&, const fx::Argument& value, const fx::TensorMeta& meta);

}  // namespace fxs::rewrite
