// A self-contained HTML page. Its Content-Security-Policy allows no requests, and only this style and script, by hash. Elements that show a
// node have data-n, which the script uses.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/joined.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/page_head.h"
#include "report/source_location.h"
#include "report/svg.h"
#include "trace/origins.h"

namespace fxs::resource {
std::string_view diagnosePageStyle();
std::string_view diagnosePageScript();
}  // namespace fxs::resource

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum lines of a stage in the page: the head, and the context of blocked nodes.
constexpr std::size_t kStageLines = 1200;
constexpr std::size_t kStageHead = 300;
constexpr std::size_t kAround = 3;
constexpr std::size_t kLineCharacters = 300;
constexpr std::size_t kNodesInPage = 200;
constexpr std::size_t kUndrawnNodes = 2000;
constexpr std::size_t kWordLinesInPage = 40;

std::string nodeList(const std::vector<fx::NodeId>& nodes) {
  std::string out;
  for (const fx::NodeId id : nodes) out += fmt::format("{}{}", out.empty() ? "" : " ", id.index());
  return out;
}

class PageWriter {
 public:
  explicit PageWriter(const DiagnoseReport& report) : report_(report), diagnosis_(report.diagnosis) {
    for (const Blocked& entry : diagnosis_.blocked) blamed_.insert(entry.nodes.begin(), entry.nodes.end());
  }

  std::string write() {
    const std::string_view style = resource::diagnosePageStyle(), script = resource::diagnosePageScript();
    const std::string title = fmt::format("{} to {}", fileNameOf(report_.input), targetsOf(diagnosis_));
    out_ += pageHead(title, style, script);
    out_ += "<body>\n";
    head();
    out_ += "<main>\n";
    findings();
    out_ += "<div class=\"panes\">\n";
    graph();
    stages();
    out_ += "</div>\n</main>\n";
    numbers();
    support();
    print("<script>{}</script>\n</body>\n</html>\n", script);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void head() {
    print("<header>\n<h1>{}</h1>\n<p class=\"muted\">to {}; engine {} ({})", richText(report_.input), targetsOf(diagnosis_),
          richText(diagnosis_.engine.version), richText(report_.paths.of(diagnosis_.engine.path)));
    if (!report_.program.torchVersion.empty()) print("; exported by PyTorch {}", richText(report_.program.torchVersion));
    out_ += "</p>\n";
    if (!diagnosis_.complete)
      out_ += "<p class=\"bad\">Incomplete: cancelled or out of time. These results are valid, but there may be more.</p>\n";
    out_ += "<ul class=\"verdicts\">\n";
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) {
      print("<li data-target=\"{0}\"><span class=\"{1}\">{0}</span> {2}", lower::name(target.target),
            target.lowers && !(target.computed && target.computed->isWrong()) ? "good" : "bad", richText(verdictOf(diagnosis_, target)));
      const std::vector<std::string> details = verdictDetails(target);
      if (!details.empty()) out_ += "<ul>";
      for (const std::string& detail : details) print("<li>{}</li>", richText(detail));
      out_ += details.empty() ? "</li>\n" : "</ul></li>\n";
    }
    out_ += "</ul>\n";
    for (const std::string& note : diagnosis_.notes) print("<p class=\"muted\">Note: {}</p>\n", richText(note));
    out_ += "</header>\n";
  }

  void findings() {
    print("<section id=\"findings\">\n<div class=\"bar\"><h2>{}</h2><span class=\"muted\" id=\"selection\"></span></div>\n",
          counted(diagnosis_.blocked.size(), "finding"));
    if (diagnosis_.blocked.empty()) out_ += "<p>No operation blocks the program.</p>\n";
    for (const Blocked& entry : diagnosis_.blocked) finding(entry);
    out_ += "</section>\n";
  }

  void fact(std::string_view name, std::string_view value) {
    if (!value.empty()) print("<dt>{}</dt><dd>{}</dd>\n", name, richText(value));
  }

  void finding(const Blocked& entry) {
    print("<article class=\"finding{}\" tabindex=\"0\"", stops(entry) ? "" : " warning");
    if (!entry.nodes.empty()) print(" data-n=\"{}\"", nodeList(entry.nodes));
    print(">\n<h3>{}</h3>\n<p>to {}: {}</p>\n", richText(operationOf(entry)), lower::name(entry.target),
          richText(diagnose::title(entry.kind)));
    print("<p>{}</p>\n", richText(entry.message));
    experiments(entry);
    out_ += "<dl>\n";
    if (entry.op != operationOf(entry)) fact("operation", entry.op);
    fact("types", entry.types);
    fact(entry.kind == diagnose::Kind::WrongResult ? "wrong in" : "stops at",
         entry.stage + (entry.pass.empty() ? "" : ", in " + entry.pass));
    std::string tried;
    for (const std::string& pattern : entry.tried) tried += (tried.empty() ? "" : ", ") + pattern;
    fact("tried", tried);
    if (entry.agreement != diagnose::Agreement::Confirmed)
      fact("whole program",
           fmt::format("{}{}{}", diagnose::name(entry.agreement), entry.agreementWords.empty() ? "" : ": ", entry.agreementWords));
    places(entry);
    out_ += "</dl>\n";
    if (!entry.words.empty()) print("<pre>{}</pre>\n", richLines(shortened(entry.words, kWordLinesInPage, kLineCharacters)));
    out_ += "</article>\n";
  }

  void places(const Blocked& entry) {
    print("<dt>{}</dt><dd class=\"places\">", counted(entry.nodes.size(), "node"));
    if (entry.nodes.empty()) out_ += "not named by the engine";
    for (std::size_t i = 0; i < entry.nodes.size(); ++i) {
      if (i == kNodesInPage) {
        print("<span class=\"muted\">and {} more</span>", entry.nodes.size() - i);
        break;
      }
      nodeButton(entry.nodes[i]);
    }
    out_ += "</dd>\n";
    if (entry.nodes.empty()) return;
    const SourceLocation place = sourceLocationOf(report_.program, entry.nodes.front());
    fact("module", place.module);
    if (place.line) fact("line", fmt::format("{}:{}  {}", report_.paths.of(place.line->file), place.line->line, place.line->code));
  }

  void nodeButton(fx::NodeId id) {
    const fx::Node& node = report_.program.node(id);
    print("<button class=\"node\" data-n=\"{}\" title=\"{}\">{}</button>", id.index(), richText(node.target), richText(node.name));
  }

  void experiments(const Blocked& entry) {
    if (entry.experiments.empty()) {
      out_ += "<p class=\"muted\">No fixes were tried.</p>\n";
      return;
    }
    if (const Experiment* best = bestOf(entry); best != nullptr && !best->snippet.empty())
      print("<p>Fix ({}): {}</p>\n<pre>{}</pre>\n", verdictOf(*best), richText(best->change), richLines(scriptOf(*best)));
    out_ += "<ul class=\"experiments\">\n";
    for (const Experiment& experiment : entry.experiments) {
      const std::string_view mark = markOf(experiment);
      const bool helps = mark == "proved" || mark == "passed";
      const std::string& words = mark == "proved" || mark == "disproved" ? experiment.proofWords : experiment.words;
      print("<li><span class=\"mark {}\">{}</span> {}",
            helps               ? "good"
            : mark == "not run" ? "muted"
                                : "bad",
            verdictOf(experiment), richText(experiment.change));
      if (!experiment.cost.empty()) print(" <span class=\"muted\">({})</span>", richText(experiment.cost));
      if (!words.empty()) print("<br><span class=\"muted\">{}</span>", richLines(shortened(words, 1, kLineCharacters)));
      out_ += "</li>\n";
    }
    out_ += "</ul>\n";
  }

  void graph() {
    out_ += "<section class=\"pane\" id=\"graph\">\n";
    if (report_.picture != nullptr) {
      out_ +=
          "<div class=\"bar\"><h2>Graph</h2><span><button id=\"smaller\" title=\"smaller\">-</button> <button id=\"larger\" "
          "title=\"larger\">+</button> <button id=\"fit\">fit</button></span></div>\n<div class=\"scroll\">\n";
      std::vector<fx::Finding> marks;
      for (const Blocked& entry : diagnosis_.blocked)
        for (const fx::NodeId id : entry.nodes) {
          fx::Finding mark;
          mark.severity = stops(entry) ? fx::Severity::Error : fx::Severity::Warning;
          mark.node = id;
          mark.message = fmt::format("{}: {}", lower::name(entry.target), entry.message);
          marks.push_back(std::move(mark));
        }
      out_ += graphSvg(report_.program, report_.picture->tree, report_.picture->view, report_.picture->layout, marks, SvgTheme::InPage);
    } else {
      out_ += "<h2>Nodes</h2>\n<div class=\"scroll\"><div class=\"text\">\n";
      undrawn();
      out_ += "</div>";
    }
    out_ += "</div>\n</section>\n";
  }

  /// Lists the nodes of a program that was not laid out.
  void undrawn() {
    std::size_t shown = 0, left = 0;
    for (const fx::Node& node : report_.program.nodes) {
      if (node.op == fx::NodeOp::Output) continue;
      if (shown == kUndrawnNodes && !blamed_.contains(node.id)) {
        ++left;
        continue;
      }
      if (shown < kUndrawnNodes) ++shown;
      print("<div class=\"line\" data-n=\"{}\">{}{} = {}</div>\n", node.id.index(), blamed_.contains(node.id) ? "! " : "  ",
            richText(node.name), richText(node.target));
    }
    if (left > 0) print("<div class=\"elided\">{} omitted</div>\n", counted(left, "node"));
  }

  void stages() {
    out_ += "<section class=\"pane\" id=\"stages\">\n<h2>Stages</h2>\n<div class=\"scroll\"><div class=\"text\">\n";
    std::set<std::string> seen;
    for (const auto& lowering : report_.lowerings) {
      if (lowering == nullptr) continue;
      for (const lower::StageResult& stage : lowering->stages) {
        const std::string& text = stage.ir();
        // Show texts that targets have in common once, under the first.
        if (!seen.insert(stage.id + "\n" + sha256(text)).second) continue;
        this->stage(lower::name(lowering->target), stage, text);
      }
    }
    if (seen.empty()) out_ += "<div class=\"elided\">the stages are not included</div>\n";
    out_ += "</div></div>\n</section>\n";
  }

  void stage(std::string_view target, const lower::StageResult& stage, const std::string& text) {
    print("<details><summary>{}: {} <span class=\"{}\">{}</span>{}</summary>\n", target,
          richText(stage.title.empty() ? stage.id : stage.title), stage.status == lower::StageStatus::Ok ? "good" : "bad",
          lower::name(stage.status), richText(stage.failingPass.empty() ? std::string() : " in " + stage.failingPass));
    if (text.empty()) {
      print("<div class=\"elided\">{}</div>\n", richText(stage.why.empty() ? "the engine printed no IR" : stage.why));
    } else {
      if (stage.status != lower::StageStatus::Ok) out_ += "<div class=\"elided\">IR at the failing pass:</div>\n";
      lines(*trace::openText(text));
    }
    out_ += "</details>\n";
  }

  /// Which lines of a long text are shown.
  std::vector<bool> kept(const trace::LineOrigins& origins, std::size_t count) const {
    std::vector<bool> keep(count, count <= kStageLines);
    if (count <= kStageLines) return keep;
    std::fill_n(keep.begin(), kStageHead, true);
    std::size_t left = kStageLines - kStageHead;
    for (std::size_t i = 0; i < count && i < origins.lines.size() && left > 0; ++i) {
      const std::vector<fx::NodeId>& nodes = origins.lines[i].nodes;
      if (std::none_of(nodes.begin(), nodes.end(), [&](fx::NodeId id) { return blamed_.contains(id); })) continue;
      for (std::size_t k = i < kAround ? 0 : i - kAround; k < std::min(count, i + kAround + 1) && left > 0; ++k)
        if (!keep[k]) {
          keep[k] = true;
          --left;
        }
    }
    return keep;
  }

  void lines(const trace::OpenText& text) {
    std::vector<std::string_view> all;
    for (std::string_view rest = text.text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      all.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const trace::LineOrigins origins = trace::lineOrigins(text);
    const std::vector<bool> keep = kept(origins, all.size());
    std::size_t elided = 0;
    for (std::size_t i = 0; i <= all.size(); ++i) {
      if (i < all.size() && !keep[i]) {
        ++elided;
        continue;
      }
      if (elided > 0)
        print("<div class=\"elided\">{} omitted; fxscope-cli lower -o DIR writes everything</div>\n", counted(elided, "line"));
      elided = 0;
      if (i == all.size()) break;
      const bool linked = i < origins.lines.size() && !origins.lines[i].nodes.empty();
      print("<div class=\"line\"{}>{}</div>\n", linked ? fmt::format(" data-n=\"{}\"", nodeList(origins.lines[i].nodes)) : std::string(),
            richLines(shortened(all[i], 1, kLineCharacters)));
    }
  }

  /// What the program computes at each output type: results by executor, then the inner nodes that differ.
  void numbers() {
    if (!report_.comparison) return;
    const compare::Comparison& c = *report_.comparison;
    print("<section id=\"numbers\">\n<h2>Numbers</h2>\n<p class=\"muted\">compared with {}; executed with {}</p>\n", richText(c.reference),
          richText(joined(c.executors)));
    for (const compare::TargetComparison& target : c.targets) {
      print("<h3>{}: <span class=\"{}\">{}</span></h3>\n", lower::name(target.to),
            target.verdict == compare::TargetVerdict::Same ? "good" : "bad", compare::name(target.verdict));
      if (!target.why.empty()) print("<p>{}</p>\n", richText(target.why));
      if (const auto& first = target.first; first && first->node.valid()) {
        out_ += "<p>first difference: ";
        nodeButton(first->node);
        print(" in {}{}: {}</p>\n", richText(first->stage), richText(first->pass.empty() ? std::string() : ", pass " + first->pass),
              richText(first->how));
      }
      out_ += "<table>\n<tr><th>value</th><th>computed by</th><th>type</th><th>verdict</th><th>error</th><th>difference</th></tr>\n";
      for (const compare::Run& run : target.runs) {
        if (run.outcome != execute::Outcome::Ran) row({}, run.executor, "", {execute::name(run.outcome), "bad"}, "", run.why);
        for (const compare::ResultComparison& result : run.results) {
          if (result.compared) row(result.node, run.executor, result.type, result.difference);
          else row(result.node, run.executor, result.type, {"not compared", "muted"}, "", result.whyNot);
        }
      }
      std::size_t left = 0, shown = 0;
      for (const compare::NodeComparison& node : target.nodes) {
        if (node.difference.verdict == tensor::Verdict::Same) continue;
        if (shown++ < kNodesInPage) row(node.node, "inner node", "", node.difference);
        else ++left;
      }
      out_ += "</table>\n";
      if (left > 0) print("<p class=\"muted\">and {} more</p>\n", counted(left, "node"));
    }
    out_ += "</section>\n";
  }
  struct Mark {
    std::string_view word, style;
  };
  void row(fx::NodeId node, std::string_view by, std::string_view type, const tensor::Difference& d) {
    const bool same = d.verdict == tensor::Verdict::Same;
    row(node, by, type, {tensor::name(d.verdict), same ? "good" : "bad"}, d.units > 0 ? fmt::format("{:.3g} eps", d.units) : std::string(),
        d.words);
  }
  void row(fx::NodeId node, std::string_view by, std::string_view type, Mark verdict, std::string_view error, std::string_view words) {
    out_ += "<tr><td>";
    if (node.valid()) nodeButton(node);
    print("</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n", richText(by), richText(type), verdict.style,
          verdict.word, error, richText(words));
  }

  void support() {
    if (diagnosis_.support.empty()) return;
    out_ += "<section id=\"support\">\n<h2>Operators and output types</h2>\n<table>\n<tr><th>operator</th>";
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) print("<th>{}</th>", lower::name(target.target));
    out_ += "</tr>\n";
    std::map<std::string_view, std::vector<fx::NodeId>> byTarget;
    for (const fx::Node& node : report_.program.nodes)
      if (node.op == fx::NodeOp::CallFunction) byTarget[node.target].push_back(node.id);
    for (const diagnose::SupportRow& row : diagnosis_.support) {
      print("<tr data-n=\"{}\"><td>{}</td>", nodeList(byTarget[row.fxTarget]), richText(row.fxTarget));
      for (const diagnose::SupportRow::Cell& cell : row.cells) {
        const std::string_view status = statusOf(cell);
        if (status == "wrong") print("<td class=\"bad\">wrong {} of {}</td>", cell.wrong, cell.count);
        else if (status == "failed") print("<td class=\"bad\">fails {} of {}</td>", cell.blocked, cell.count);
        else if (status == "ok") print("<td class=\"good\">ok {}</td>", cell.count);
        else print("<td class=\"muted\">unknown {}</td>", cell.count);
      }
      out_ += "</tr>\n";
    }
    out_ += "</table>\n</section>\n";
  }

  const DiagnoseReport& report_;
  const diagnose::Diagnosis& diagnosis_;
  std::set<fx::NodeId> blamed_;  ///< nodes of all findings
  std::string out_;
};

}  // namespace

std::string diagnoseHtml(const DiagnoseReport& report) { return PageWriter(report).write(); }

}  // namespace fxs::report
