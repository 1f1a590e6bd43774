#pragma once
// What a call's results share memory with. The schema tells most of it; some operators return a view or a copy depending on
// their operands (reshape, contiguous, to), and some return their operand although the schema is silent (dropout when not
// training). Decided from the recorded sizes and strides by PyTorch's own rules; with symbolic ones from their recorded hints,
// since the exporter guards what it decided.
#include <cstdint>
#include <optional>
#include <vector>

#include "fx/program.h"

namespace fxs::rewrite {

enum class Sharing : std::uint8_t {
  Fresh,    ///< memory of its own
  View,     ///< a view of `of`
  Same,     ///< `of` itself, or all of it in the same shape
  Perhaps,  ///< not certain; may share with any tensor operand
};

struct Shares {
  Sharing how = Sharing::Fresh;
  fx::NodeId of;             ///< the operand, in the program asked about; valid for View and Same
  std::size_t argument = 0;  ///< its position in Node::args
};

/// For a call that does not write. Tuples of views (split, unbind) share as a whole.
Shares sharesOf(const fx::Program&, const fx::Node&);

/// Whether PyTorch can see a tensor of these sizes and strides as `shape` without a copy; nothing when that is not known.
std::optional<bool> viewable(const fx::TensorMeta&, const std::vector<fx::SymInt>& shape);
/// Whether the elements lie row-major without gaps; nothing when that is not known.
std::optional<bool> isContiguous(const fx::TensorMeta&, MemoryFormat = MemoryFormat::Contiguous);
/// `meta` as an operator's new result has it: no offset, and row-major strides unless its own are dense.
fx::TensorMeta freshMeta(fx::TensorMeta meta);

}  // namespace fxs::rewrite
