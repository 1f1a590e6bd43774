// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one node as text to show, from the program and its normalized metadata.
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "features/inspector/node_presenter.h"
#include "fx/module_path.h"
#include "fx/text.h"
#include "ops/schema.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// The path comes from the opened file, so only small regular files are read.
constexpr qint64 kMaxSourceBytes = 4 << 20;
constexpr int kLinesAround = 2;

QString defaultText(const ops::DefaultValue& value) {
  struct Print {
    QString operator()(const ops::NoDefault&) const { return {}; }
    QString operator()(const ops::NoneDefault&) const { return "None"; }
    QString operator()(bool b) const { return b ? "True" : "False"; }
    QString operator()(std::int64_t i) const { return QString::number(i); }
    QString operator()(double d) const {
      return QString::number(d, 'g', 17).contains(QRegularExpression("[.en]"))
                 ? QString::number(d)
                 : QString::number(d) + ".0";
    }
    QString operator()(const std::string& s) const { return '\'' + text(s) + '\''; }
    QString operator()(const ops::DefaultList& list) const {
      QStringList items;
      for (const auto& item : list)
        items << std::visit(*this, std::variant<std::int64_t, double, bool>(item));
      return '[' + items.join(", ") + ']';
    }
    QString operator()(const std::variant<std::int64_t, double, bool>& item) const {
      return std::visit(*this, item);
    }
  };
  return std::visit(Print{}, value);
}

QString valueText(const fx::Value& value) {
  struct Print {
    QString operator()(const fx::Unknown&) const { return "unknown"; }
    QString operator()(const fx::NoneValue&) const { return "None"; }
    QString operator()(const fx::TensorMeta& tensor) const { return text(tensor.text()); }
    QString operator()(const fx::SymValue& symbol) const {
      return symbol.expr ? text(fx::infix(*symbol.expr)) : QString("a constant");
    }
    QString operator()(const fx::CustomObject& object) const { return text(object.classFqn); }
    QString operator()(const fx::Token&) const { return "token"; }
    QString operator()(const fx::ValueList& list) const {
      QStringList items;
      for (const fx::Value& item : list) items << valueText(item);
      return '(' + items.join(", ") + (list.size() == 1 ? ",)" : ")");
    }
  };
  return std::visit(
      Print{},
      static_cast<const std::variant<fx::Unknown, fx::NoneValue, fx::TensorMeta, fx::SymValue,
                                     fx::CustomObject, fx::Token, fx::ValueList>&>(value));
}

QString sizesText(const std::vector<fx::SymInt>& sizes) {
  QStringList items;
  for (const fx::SymInt& size : sizes) items << text(size.text());
  return '(' + items.join(", ") + (sizes.size() == 1 ? ",)" : ")");
}

std::vector<ArgumentRow> argumentsOf(const fx::Program& program, const fx::Node& node) {
  std::vector<ArgumentRow> rows;
  const auto add = [&](const QString& name, const fx::Argument& value) {
    ArgumentRow row{name, text(fx::dumpArgument(program, value)), {}, {}, false};
    fx::forEachNode(value, [&](fx::NodeId id) { row.nodes.push_back(id); });
    if (const fx::NodeId* id = value.node()) row.type = valueText(program.node(*id).val);
    rows.push_back(std::move(row));
  };
  const ops::Schema* schema =
      node.op == fx::NodeOp::CallFunction ? ops::SchemaTable::builtin().find(node.target) : nullptr;
  if (!schema) {
    for (std::size_t i = 0; i < node.args.size(); ++i)
      add(node.args[i].name.empty() ? QString::number(i) : text(node.args[i].name),
          node.args[i].value);
    return rows;
  }
  for (const ops::SchemaArgument& argument : schema->arguments) {
    if (const fx::NodeArgument* given = node.find(argument.name))
      add(text(argument.name), given->value);
    else if (argument.hasDefault())
      rows.push_back({text(argument.name), defaultText(argument.defaultValue), {}, {}, true});
  }
  for (const fx::NodeArgument& given : node.args)
    if (!schema->find(given.name))
      add(given.name.empty() ? QString("*") : text(given.name), given.value);
  return rows;
}

PythonLine pythonLine(const fx::StackFrame& frame) {
  PythonLine python{
      exact(frame.file), text(frame.function), text(frame.code), frame.line, false, {}, 0};
  const QFileInfo info(python.file);
  if (!python.file.endsWith(".py") || !info.isFile() || info.size() > kMaxSourceBytes)
    return python;
  QFile file(python.file);
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return python;
  python.fileExists = true;
  python.firstAround = std::max(1, frame.line - kLinesAround);
  for (int number = 1; number <= frame.line + kLinesAround && !file.atEnd(); ++number) {
    QByteArray line = file.readLine();
    while (line.endsWith('\n')) line.chop(1);
    if (number >= python.firstAround)
      python.around << text(
          std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
  }
  return python;
}

std::vector<MetadataRow> metadataOf(const normalize::NodeMetadata& meta) {
  std::vector<MetadataRow> rows;
  for (const normalize::MetadataChange& change : meta.changes) {
    const auto shown = [hasLines = change.key == "stack_trace"](const std::string& value) {
      return hasLines ? lines(value) : text(value);
    };
    rows.push_back({text(change.key), shown(change.before), shown(change.after), text(change.rule),
                    text(change.reason), true});
  }
  const auto unchanged = [&](const QString& key, const QString& value) {
    const bool listed = std::any_of(rows.begin(), rows.end(),
                                    [&](const MetadataRow& row) { return row.key == key; });
    if (!listed && !value.isEmpty()) rows.push_back({key, value, value, {}, {}, false});
  };
  unchanged("val", valueText(meta.val));
  for (std::size_t i = 0; i < meta.tensorMeta.size(); ++i) {
    const normalize::TensorMetadata& tensor = meta.tensorMeta[i];
    const QString at =
        meta.tensorMeta.size() == 1 ? QString("tensor_meta.") : QString("tensor_meta[%1].").arg(i);
    unchanged(at + "shape", sizesText(tensor.shape));
    unchanged(at + "dtype", "torch." + text(facts(tensor.dtype).torchName));
    unchanged(at + "requires_grad", tensor.requiresGrad ? "True" : "False");
    unchanged(at + "stride", sizesText(tensor.stride));
    unchanged(at + "memory_format", text(tensor.memoryFormat));
    unchanged(at + "is_quantized", tensor.isQuantized ? "True" : "False");
  }
  unchanged("original_aten", text(meta.originalAten));
  return rows;
}

QString boundTo(const fx::Program& program, fx::NodeId node) {
  const fx::InputSpec* input = program.inputOf(node);
  if (!input) return {};
  QString kind = text(fx::name(input->kind)).replace('_', ' ');
  if (input->target.empty()) return kind;
  const fx::Weight* weight = program.findWeight(input->target);
  return kind + ' ' + text(input->target) +
         (weight && weight->fileBytes ? ", " + bytesText(weight->fileBytes) : QString());
}

}  // namespace

NodeState nodeState(const fx::Program& program, const normalize::NormalizedProgram* normalized,
                    fx::NodeId id, const std::vector<fx::NodeId>& users) {
  const fx::Node& node = program.node(id);
  const normalize::NodeMetadata meta =
      normalized ? normalized->nodes[id.index()] : normalize::normalizeNode(program, node);
  NodeState state;
  state.node = id;
  state.name = text(node.name);
  state.target = text(node.target);
  state.op = text(fx::name(node.op));
  state.result = node.op == fx::NodeOp::Output ? QString() : valueText(node.val);
  if (const ops::Schema* schema = node.op == fx::NodeOp::CallFunction
                                      ? ops::SchemaTable::builtin().find(node.target)
                                      : nullptr)
    state.schema = text(schema->text());
  state.arguments = argumentsOf(program, node);
  for (const fx::NodeId user : users)
    state.users.push_back({user, text(program.node(user).name), text(program.node(user).target)});
  if (meta.userLine) state.python = pythonLine(*meta.userLine);
  if (!meta.moduleStack.empty()) {
    state.module = text(meta.moduleStack.back().path);
    state.moduleType = text(meta.moduleStack.back().type).section('.', -1);
  }
  state.boundTo = boundTo(program, id);
  state.metadata = metadataOf(meta);
  return state;
}

}  // namespace fxs::ui
