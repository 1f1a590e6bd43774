// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/module_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/counted.h"
#include "base/safe_text.h"
#include "mlir/text/op_text.h"
#include "report/json_parts.h"

namespace fxs::report {
namespace {

using mlir::Module;
using mlir::OpChange;
using mlir::OpId;
using mlir::OpPair;

/// Longer ones are truncated in text, but not in JSON.
constexpr std::size_t kShownText = 400;
constexpr std::size_t kDeepestIndent = 16;

/// An operation's text on one line, with marked ranges between `open` and `close`.
class OneLine {
 public:
  OneLine(const Module& m, OpId id, std::span<const TextRange> marks = {},
          std::string_view open = {}, std::string_view close = {})
      : m_(m), marks_(marks), open_(open), close_(close) {
    mlir::OpText(m, id, *this);
    if (marked_) out_ += close_;
  }
  std::string take() { return std::move(out_); }

  void text(std::string_view stretch) {
    const auto begin = static_cast<std::size_t>(stretch.data() - m_.text.data());
    for (std::size_t i = 0; i < stretch.size(); ++i) put(begin + i, stretch[i]);
  }
  void space() { space_ = true; }
  void defines(mlir::ValueId id) { name(m_.value(id).name); }
  void uses(std::uint32_t operand) { name(m_.operands[operand].text); }
  void names(std::uint32_t successor) { name(m_.successors[successor].text); }
  void alias(std::string_view name) { text(name); }
  void region(mlir::RegionId) {
    endMark();
    if (!out_.ends_with('(')) out_ += ' ';
    out_ += "{..}";
    space_ = false;
  }

 private:
  void name(TextRange range) {
    endMark();
    pendingSpace();
    out_ += range.of(m_.text);
  }
  void put(std::size_t at, char c) {
    while (!marks_.empty() && at >= marks_.front().end) {
      endMark();
      marks_ = marks_.subspan(1);
    }
    const bool inside = !marks_.empty() && at >= marks_.front().begin;
    if (!inside) endMark();
    pendingSpace();
    if (inside && !marked_) {
      out_ += open_;
      marked_ = true;
    }
    out_ += c;
  }
  void pendingSpace() {
    if (space_) out_ += ' ';
    space_ = false;
  }
  void endMark() {
    if (marked_) out_ += close_;
    marked_ = false;
  }

  const Module& m_;
  std::span<const TextRange> marks_;
  std::string_view open_, close_;
  std::string out_;
  bool space_ = false, marked_ = false;
};

std::string shortenedOperation(std::string text) {
  if (text.size() <= kShownText) return text;
  return std::string(utf8Prefix(text, kShownText)) + " ..";
}

std::vector<std::size_t> depthsOf(const Module& m) {
  std::vector<std::size_t> out(m.ops.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = m.ops[i].parent.valid() ? out[m.ops[i].parent.index()] + 1 : 0;
  return out;
}

class TextReport {
 public:
  explicit TextReport(const ModuleDiffReport& report)
      : r_(report), depthsA_(depthsOf(report.a)), depthsB_(depthsOf(report.b)) {}

  std::string write() {
    const auto& pairs = r_.diff.pairs;
    std::vector<char> shown(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].change == OpChange::Same) continue;
      const std::size_t from = i - std::min(i, r_.context);
      const std::size_t to = std::min(pairs.size(), i + 1 + r_.context);
      // Skip what was marked after the last difference, so that a large context stays linear.
      for (std::size_t at = std::max(from, marked_); at < to; ++at) shown[at] = true;
      marked_ = std::max(marked_, to);
    }
    std::size_t skipped = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!shown[i]) {
        ++skipped;
        continue;
      }
      skip(skipped);
      pair(pairs[i]);
    }
    if (!r_.diff.empty()) skip(skipped);
    const std::size_t same = static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(), [](const OpPair& p) { return p.change == OpChange::Same; }));
    const std::string hidden =
        r_.diff.hiddenConstants == 0
            ? std::string()
            : fmt::format(", {} hidden", counted(r_.diff.hiddenConstants, "constant"));
    if (r_.diff.empty())
      out_ += fmt::format("no differences between {} and {}: {} the same{}\n", printable(r_.inputA),
                          printable(r_.inputB), same, hidden);
    else
      out_ +=
          fmt::format("{} added, {} removed, {} changed, {} moved, {} the same{}\n", r_.diff.added,
                      r_.diff.removed, r_.diff.changed, r_.diff.moved, same, hidden);
    return std::move(out_);
  }

 private:
  void skip(std::size_t& skipped) {
    if (skipped > 0) out_ += fmt::format("           .. {} the same\n", skipped);
    skipped = 0;
  }
  void line(std::string_view mark, const Module& m, const std::vector<std::size_t>& depths, OpId id,
            std::string text, std::string_view note = {}) {
    out_ += fmt::format("{:2} {:6}  {}{}{}\n", mark, m.op(id).firstLine + 1,
                        std::string(2 * std::min(depths[id.index()], kDeepestIndent), ' '),
                        printable(shortenedOperation(std::move(text))), note);
  }
  void pair(const OpPair& p) {
    switch (p.change) {
      case OpChange::Same: return line("", r_.b, depthsB_, p.b, OneLine(r_.b, p.b).take());
      case OpChange::Added: return line("+", r_.b, depthsB_, p.b, OneLine(r_.b, p.b).take());
      case OpChange::Removed: return line("-", r_.a, depthsA_, p.a, OneLine(r_.a, p.a).take());
      case OpChange::Moved:
        return line(">", r_.b, depthsB_, p.b, OneLine(r_.b, p.b).take(),
                    fmt::format("  (was at {})", r_.a.op(p.a).firstLine + 1));
      case OpChange::Changed:
      case OpChange::MovedAndChanged: break;
    }
    const mlir::WordMarks marks = mlir::wordMarks(r_.a, r_.b, p);
    const bool moved = p.change == OpChange::MovedAndChanged;
    line(moved ? ">-" : "~-", r_.a, depthsA_, p.a, OneLine(r_.a, p.a, marks.a, "[-", "-]").take());
    line(moved ? ">+" : "~+", r_.b, depthsB_, p.b, OneLine(r_.b, p.b, marks.b, "{+", "+}").take(),
         p.otherOperands ? "  (other operands)" : "");
  }

  const ModuleDiffReport& r_;
  const std::vector<std::size_t> depthsA_, depthsB_;
  std::size_t marked_ = 0;
  std::string out_;
};

JsonForm<OpPair> pairForm(const ModuleDiffReport* report) {
  /// An operation of a module.
  using Side = std::pair<const Module*, OpId>;
  const auto side = [report](auto module, auto id) {
    return [report, module, id](const OpPair& pair) {
      return (pair.*id).valid() ? std::optional(Side(&module(*report), pair.*id)) : std::nullopt;
    };
  };
  const auto a = [](const ModuleDiffReport& r) -> auto& { return r.a; };
  const auto b = [](const ModuleDiffReport& r) -> auto& { return r.b; };
  const JsonForm<Side> sideForm = {
      {"op", [](const Side& s) { return s.first->nameOf(s.second); }, "its full name, func.return"},
      {"line", [](const Side& s) { return s.first->op(s.second).firstLine + 1; }, atLeast(1),
       "where it begins"},
      {"text", [](const Side& s) { return OneLine(*s.first, s.second).take(); },
       "its own text on one line: regions as {..}, no locations"}};
  const auto words = [report](auto module, auto marks) {
    return [report, module, marks](const OpPair& pair) {
      std::vector<std::string_view> out;
      if (!pair.otherText) return out;
      const mlir::WordMarks all = mlir::wordMarks(report->a, report->b, pair);
      for (const TextRange range : all.*marks) out.push_back(range.of(module(*report).text));
      return out;
    };
  };
  constexpr const char* kSide = "the operation in that module; null when it is not there";
  constexpr const char* kWords = "stretches of its text that differ";
  return {{"change", [](const OpPair& pair) { return mlir::name(pair.change); },
           JsonNames{"changed", "moved", "moved and changed", "added", "removed"}},
          {"a", side(a, &OpPair::a), sideForm, kSide},
          {"b", side(b, &OpPair::b), sideForm, kSide},
          {"other_operands", &OpPair::otherOperands,
           "an operand comes from another operation that is in both"},
          {"words_a", words(a, &mlir::WordMarks::a), kWords},
          {"words_b", words(b, &mlir::WordMarks::b), kWords}};
}

JsonAnswer<ModuleDiffReport> moduleDiffAnswer(const ModuleDiffReport* report) {
  using R = ModuleDiffReport;
  using mlir::Diff;
  const auto differences = [](const Diff& diff) {
    std::vector<OpPair> out;
    std::copy_if(diff.pairs.begin(), diff.pairs.end(), std::back_inserter(out),
                 [](const OpPair& pair) { return pair.change != OpChange::Same; });
    return out;
  };
  const JsonForm<R> a = {{"input", &R::inputA, kInputMessage},
                         {"ops", [](const R& r) { return r.a.ops.size(); }}};
  const JsonForm<R> b = {{"input", &R::inputB, kInputMessage},
                         {"ops", [](const R& r) { return r.b.ops.size(); }}};
  const JsonForm<Diff> diff = {
      {"same", &Diff::empty, "they differ in names of values, locations and aliases only"},
      {"added", &Diff::added},
      {"removed", &Diff::removed},
      {"changed", &Diff::changed, "moved and changed ones included"},
      {"moved", &Diff::moved, "moved and changed ones included"},
      {"hidden_constants", &Diff::hiddenConstants,
       "constants that differ and are left out, with --hide-constants"},
      {"differences", differences, pairForm(report),
       "in the order of b; removed ones after what preceded them in a"}};
  return {"fxscope-diff/1", "fxscope-cli diff --json",
          JsonForm<R>{{"a", itself, a}, {"b", itself, b}}.with(
              [](const R& r) -> auto& { return r.diff; }, diff)};
}

}  // namespace

std::string moduleDiffText(const ModuleDiffReport& report) { return TextReport(report).write(); }

std::string moduleDiffJson(const ModuleDiffReport& report) {
  return moduleDiffAnswer(&report).text(report);
}
std::string moduleDiffSchema() { return moduleDiffAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
