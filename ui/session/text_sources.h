// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Texts besides the stages that panes can show: another lowering of the program, a node lowered by
// itself. A feature registers a source; the panes list, prepare, search and save its text as they
// do those of the stages.
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lower/output_types.h"
#include "mlir/text/text_form.h"
#include "session/stage.h"
#include "text/code_text.h"

namespace fxs::ui {

/// What a source has now.
struct OtherText {
  Stage stage;                   ///< its id is always that of the source
  const void* source = nullptr;  ///< identifies the value that the text is made from; null: none
  std::function<std::shared_ptr<const StageText>()> make = {};  ///< runs in a job
  std::string file = {};                                        ///< the text to save; "" for none
  mlir::TextForm form = mlir::TextForm::Mlir;                   ///< of `file`
};

struct TextSource {
  int rank = 0;  ///< sort key of the list
  ShownText id;
  std::function<OtherText()> now;
  std::function<void()> want;  ///< a pane shows it: it may run from now on
  /// False while the user has not chosen what it needs.
  std::function<bool()> canWant = [] { return true; };
  /// The output type that the text is a lowering to.
  std::function<std::optional<lower::OutputType>()> type = [] { return std::nullopt; };
};

class TextSources final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(TextSource source);
  void remove(const ShownText& id);
  /// By place.
  const std::vector<TextSource>& all() const { return all_; }
  /// Null if there is none.
  const TextSource* find(const ShownText& id) const;

 Q_SIGNALS:
  /// A feature emits it when what a source has changed.
  void changed();
  void added(const fxs::ui::ShownText& id);
  void removed(const fxs::ui::ShownText& id);

 private:
  std::vector<TextSource> all_;
};

}  // namespace fxs::ui
