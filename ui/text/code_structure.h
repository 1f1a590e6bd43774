#pragma once
// What a text pane knows of the MLIR that it shows: which parts fold, where the value at a place is defined and used, and what to
// say about it. Pure; the structure itself is made by a job.
#include <QString>
#include <optional>
#include <vector>

#include "mlir/text/module.h"
#include "text/code_text.h"
#include "text/folded_lines.h"

namespace fxs::ui {

/// Operations with regions, open; a head of several alias lines, folded.
std::vector<Fold> foldsOf(const mlir::Module&);
/// Where a stretch of the text stands; a stretch of several lines ends with its first.
FindMatch placeOf(const CodeText&, TextRange);

struct ValueUse {
  FindMatch place;
  mlir::OpId user;
};
struct ValuePlaces {
  mlir::ValueId value;
  FindMatch definition;
  std::vector<ValueUse> uses;  ///< in order of the text
  /// Definition and uses, ascending.
  std::vector<FindMatch> all() const;
};
/// Nothing when no value stands at the offset.
std::optional<ValuePlaces> valueAt(const mlir::Module&, const CodeText&, std::size_t offset);
/// "%5 : tensor<4xf32>\ndefined by torch.aten.relu in line 12\n3 uses"; "" where no value stands.
QString valueTip(const mlir::Module&, const CodeText&, std::size_t offset);

}  // namespace fxs::ui
