#pragma once
// What a text pane shows, as a value: a stage, an alternative to its pipeline, the node by itself, or a module between two passes.
#include <QString>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace fxs::ui {

/// Of the output type lowered to: "fx", "rewritten", "raw", "torch", "tosa" ..
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
/// By op registries, and node by node.
enum class Alternative : std::uint8_t { Registries, Nodes };
/// The selected node as a program of its own.
struct NodeAlone {
  auto operator<=>(const NodeAlone&) const = default;
};
/// The modules before and after the chosen pass, or rewrite.
enum class Handle : std::uint8_t { From, To };
/// The module after a pass, or rewrite, by its index in the trace.
struct PassSnapshot {
  int index = 0;
  auto operator<=>(const PassSnapshot&) const = default;
};

using ShownText = std::variant<StageId, LastStage, Alternative, NodeAlone, Handle, PassSnapshot>;
using ShownTexts = std::vector<ShownText>;

/// "raw", "backend", "registry", "nodes", "alone", "a", "snapshot-3": in names of files, and in what is remembered.
QString name(const ShownText&);
/// What name() gave for anything that lasts longer than a trace.
ShownText shownTextFrom(const QString& name);

}  // namespace fxs::ui
