// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/node_text.h"

#include <QStringList>

#include "fx/text.h"
#include "report/source_location.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr qsizetype kTipColumns = 80;

QString placeOf(const fx::StackFrame& line) {
  return text(report::fileNameOf(line.file)) + ':' + QString::number(line.line);
}

}  // namespace

QString pythonPlace(const fx::Program& program, fx::NodeId node) {
  const auto line = report::sourceLocationOf(program, node).line;
  return line ? placeOf(*line) : QString();
}

QString pythonLine(const fx::Program& program, fx::NodeId node) {
  const auto line = report::sourceLocationOf(program, node).line;
  if (!line) return {};
  return line->code.empty() ? placeOf(*line) : placeOf(*line) + "  " + text(line->code);
}

QString callText(const fx::Program& program, const fx::Node& node) {
  const QString call = text(node.target + fx::dumpArguments(program, node));
  return call.size() <= kLongestCall ? call : call.left(kLongestCall) + " …";
}

QString inTipWidth(const QString& line, const QString& indent) {
  QStringList out;
  QString rest = line;
  while (rest.size() > kTipColumns) {
    qsizetype at = rest.lastIndexOf(' ', kTipColumns);
    // A blank of the indentation is not a place to break at.
    if (at < kTipColumns / 2) at = kTipColumns;
    out << rest.left(at);
    rest = indent + rest.mid(at).trimmed();
  }
  out << rest;
  return out.join('\n');
}

}  // namespace fxs::ui
