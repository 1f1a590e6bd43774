// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a text pane shows, as a value: a stage, an alternative lowering, a single-node lowering, the
// module at a pass, or a stage of a variant.
#include <QString>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace fxs::ui {

/// A stage of the target, by id: "fx", "rewritten", "raw", "torch", "tosa" ..
struct StageId {
  QString id;
  StageId() = default;
  StageId(QString name) : id(std::move(name)) {}
  StageId(const char* name) : id(name) {}
  std::strong_ordering operator<=>(const StageId&) const = default;
};
/// The last stage, whatever the output type is.
struct LastStage {
  auto operator<=>(const LastStage&) const = default;
};
/// A lowering by op registries, node by node, with another engine, or to another output type.
enum class Alternative : std::uint8_t { Registries, Nodes, Engine, Type };
/// The single-node lowering of the selected node.
struct NodeAlone {
  auto operator<=>(const NodeAlone&) const = default;
};
/// The snapshot of handle A or B; see PassPresenter.
enum class Handle : std::uint8_t { From, To };
/// The module at a pass or rewrite, by the index of its snapshot in the trace.
struct PassSnapshot {
  int index = 0;
  auto operator<=>(const PassSnapshot&) const = default;
};

/// A stage of an edited lowering, by its number; see VariantsPresenter.
struct VariantStage {
  int variant = 0;
  QString stage;
  std::strong_ordering operator<=>(const VariantStage&) const = default;
};

using ShownText =
    std::variant<StageId, LastStage, Alternative, NodeAlone, Handle, PassSnapshot, VariantStage>;
/// Whether it is valid for one trace or run only, and so not remembered.
inline bool isTransient(const ShownText& text) {
  return std::holds_alternative<Handle>(text) || std::holds_alternative<PassSnapshot>(text) ||
         std::holds_alternative<VariantStage>(text);
}
using ShownTexts = std::vector<ShownText>;

/// "raw", "backend", "registry", "nodes", "engine", "type", "alone", "a", "snapshot-3",
/// "variant-1-tosa": for file names and settings.
QString name(const ShownText&);
/// The inverse of name(); does not read names of what isTransient().
ShownText shownTextFrom(const QString& name);

}  // namespace fxs::ui
