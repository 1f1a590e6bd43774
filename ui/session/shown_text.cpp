// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/shown_text.h"

#include "node_lab/node_lab.h"
#include "text/words.h"

namespace fxs::ui {

QString name(const ShownText& shown) {
  if (const auto* stage = std::get_if<StageId>(&shown)) return stage->id;
  if (const auto* alternative = std::get_if<Alternative>(&shown)) {
    switch (*alternative) {
      case Alternative::Registries: return text(session::kRegistries.name);
      case Alternative::Nodes: return text(node_lab::kNodes.name);
      case Alternative::Engine: return "engine";
      case Alternative::Type: break;
    }
    return "type";
  }
  if (const auto* handle = std::get_if<Handle>(&shown)) return *handle == Handle::From ? "a" : "b";
  if (const auto* snapshot = std::get_if<PassSnapshot>(&shown))
    return QString("snapshot-%1").arg(snapshot->index);
  if (const auto* variant = std::get_if<VariantStage>(&shown))
    return QString("variant-%1-%2").arg(variant->variant).arg(variant->stage);
  return std::holds_alternative<NodeAlone>(shown) ? "alone" : "backend";
}

ShownText shownTextFrom(const QString& text) {
  for (const ShownText& shown : {ShownText(LastStage{}), ShownText(NodeAlone{}),
                                 ShownText(Alternative::Registries), ShownText(Alternative::Nodes),
                                 ShownText(Alternative::Engine), ShownText(Alternative::Type)})
    if (name(shown) == text) return shown;
  return StageId(text);
}

}  // namespace fxs::ui
