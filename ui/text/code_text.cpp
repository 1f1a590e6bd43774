// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/code_text.h"

#include <QRegularExpression>
#include <algorithm>
#include <cstring>

#include "fx/text.h"
#include "text/code_structure.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

unsigned char lower(char c) {
  return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

Found findPlain(const CodeText& text, const FindQuery& query, const RunContext& context) {
  Found found;
  const auto same = [&](char a, char b) { return query.matchCase ? a == b : lower(a) == lower(b); };
  for (std::size_t i = 0; i < text.lineCount() && !context.stop.stop_requested(); ++i) {
    const std::string_view line = text.line(i);
    for (auto at = line.begin();;) {
      at = std::search(at, line.end(), query.text.begin(), query.text.end(), same);
      if (at == line.end()) break;
      if (found.matches.size() == kMaxMatches) {
        found.more = true;
        return found;
      }
      const auto begin = static_cast<std::uint32_t>(at - line.begin());
      found.matches.push_back({static_cast<std::uint32_t>(i), begin,
                               begin + static_cast<std::uint32_t>(query.text.size())});
      at += static_cast<std::ptrdiff_t>(query.text.size());
    }
  }
  return found;
}

Found findRegex(const CodeText& text, const FindQuery& query, const RunContext& context) {
  Found found;
  QRegularExpression pattern(ui::text(query.text), query.matchCase
                                                       ? QRegularExpression::NoPatternOption
                                                       : QRegularExpression::CaseInsensitiveOption);
  if (!pattern.isValid()) {
    found.error = QString("not a regular expression: %1 at %2")
                      .arg(pattern.errorString())
                      .arg(pattern.patternErrorOffset())
                      .toStdString();
    return found;
  }
  pattern.optimize();
  for (std::size_t i = 0; i < text.lineCount() && !context.stop.stop_requested(); ++i) {
    const QString line = ui::text(text.line(i));
    for (auto it = pattern.globalMatch(line); it.hasNext();) {
      const QRegularExpressionMatch match = it.next();
      if (match.capturedLength() == 0) continue;
      if (found.matches.size() == kMaxMatches) {
        found.more = true;
        return found;
      }
      const auto begin =
          static_cast<std::uint32_t>(line.left(match.capturedStart()).toUtf8().size());
      found.matches.push_back(
          {static_cast<std::uint32_t>(i), begin,
           begin + static_cast<std::uint32_t>(match.captured().toUtf8().size())});
    }
  }
  return found;
}

}  // namespace

CodeText::CodeText(std::string_view text, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), text_(text) {
  starts_.push_back(0);
  for (std::size_t at = 0; at < text_.size();) {
    const void* newline = std::memchr(text_.data() + at, '\n', text_.size() - at);
    const std::size_t end =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data())
                : text_.size();
    longest_ = std::max(longest_, end - at);
    if (!newline || end + 1 == text_.size()) break;
    starts_.push_back(at = end + 1);
  }
}

CodeTextPtr CodeText::of(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  return view(*owner, owner);
}
CodeTextPtr CodeText::view(std::string_view text, std::shared_ptr<const void> owner) {
  return CodeTextPtr(new CodeText(text, std::move(owner)));
}

std::string_view CodeText::line(std::size_t index) const {
  const std::size_t begin = starts_[index];
  std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\n') --end;
  return text_.substr(begin, end - begin);
}

std::uint32_t CodeText::lineAt(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(after - starts_.begin() - 1);
}

std::shared_ptr<const StageText> stageText(std::shared_ptr<const trace::OpenText> open) {
  auto out = std::make_shared<StageText>();
  out->code = CodeText::view(open->text, open);
  out->module = std::shared_ptr<const mlir::Module>(open, open->module.get());
  out->origins = trace::lineOrigins(*open);
  out->folds = foldsOf(*out->module);
  out->open = std::move(open);
  return out;
}

std::shared_ptr<const StageText> fxStageText(const fx::Program& program) {
  auto out = std::make_shared<StageText>();
  out->code = CodeText::of(fx::dump(program));
  out->origins.lines.resize(out->code->lineCount());
  // Each indented line is a node, in program order; "graph name():" and blank lines are not.
  std::size_t next = 0;
  std::vector<bool> isParameter(out->code->lineCount());
  for (std::size_t i = 0; i < out->code->lineCount() && next < program.nodes.size(); ++i) {
    const std::string_view line = out->code->line(i);
    if (line.empty() || line.front() != ' ') continue;
    const fx::Node& node = program.nodes[next++];
    const fx::InputSpec* input = program.inputOf(node.id);
    isParameter[i] = input && input->kind != fx::InputKind::UserInput &&
                     input->kind != fx::InputKind::ConstantInput;
    const fx::NodeId origin = program.originOf(node).id;
    if (origin.valid()) out->origins.lines[i] = {trace::Link::Exact, {origin}};
  }
  out->origins.index();
  out->folds = foldsOf(isParameter);
  return out;
}

Found find(const CodeText& text, const FindQuery& query, const RunContext& context) {
  if (query.text.empty()) return {};
  return query.regex ? findRegex(text, query, context) : findPlain(text, query, context);
}

}  // namespace fxs::ui
