// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <utility>

#include "bundle/content.h"
#include "bundle/public_program.h"
#include "fuzz_input.h"
#include "fx/text.h"
#include "import/import.h"
#include "in_process_layout.h"
#include "mlir/text/document.h"
#include "mlir/text/module.h"
#include "module_dump.h"
#include "node_lab/compose.h"
#include "normalize/normalize.h"
#include "normalized_program.h"
#include "output_type.h"
#include "read/read.h"
#include "registry/direct_lowering.h"
#include "report/diagnose.h"
#include "report/finding.h"
#include "report/inspect.h"
#include "report/lower.h"
#include "report/normalize.h"
#include "report/registry.h"
#include "report/summary.h"
#include "report/svg.h"
#include "rewrite/rewrite.h"
#include "rewrite/rule.h"
#include "trace/origins.h"
#include "whole_way.h"
#include "write/pt2.h"

namespace fxs::fuzz {
namespace {

using Findings = std::vector<fx::Finding>;

class WholeWay {
 public:
  WholeWay(const read::Capture& capture, const RunContext& context)
      : capture_(capture), program_(capture.program), context_(context) {
    if (capture.weights)
      weights_ = [&](const fx::Weight& weight) {
        return capture_.weights->read(weight, kMaxWeightBytes);
      };
  }

  void go() {
    describe();
    readWeights();
    normalize();
    write();
    import(*program_, import::Mode::Frozen, false);
    import(*program_, import::Mode::Program, true);
    lowerAll();
    show(program_, capturedFindings_);
  }

 private:
  void describe() {
    require(fx::verify(*program_).has_value(), "a program that is read is well formed");
    require(!fx::dump(*program_).empty(), "a program can be printed");
    require(!report::inspectText(capture_).empty() && !report::inspectJson(capture_).empty(),
            "a program can be described");
    const report::SummaryReport summary{capture_.label, capture_.format,
                                        summary::summarize(capture_, context_)};
    require(!report::summaryText(summary).empty() && !report::summaryJson(summary).empty(),
            "a program can be counted");
  }

  void readWeights() {
    if (!weights_) return;
    for (const fx::Weight& weight : program_->weights)
      if (const auto dense = weights_(weight))
        require(dense->size() ==
                    weight.elements() * static_cast<std::uint64_t>(facts(weight.dtype).bytes),
                "a weight has as many bytes as its shape asks for");
  }

  void normalize() {
    const auto normalized = normalize::normalize(program_, context_);
    if (!normalized) return;
    require((*normalized)->nodes.size() == program_->nodes.size(), "every node has metadata");
    require(!report::normalizeText({"fuzz", **normalized, {}}).empty(), "metadata can be shown");
    require(!report::normalizeJson({"fuzz", **normalized, {}}).empty(), "metadata can be shown");
    require(fx::verify(*test::normalizedProgram(**normalized)).has_value(),
            "a normalized program is well formed");
  }

  void write() {
    const auto bytes = write::pt2Bytes(*program_, {}, context_);
    if (!bytes) return;
    const auto again = read::readCapture(memorySource(*bytes), "again.pt2", {}, context_);
    if (!again) std::cerr << again.error().message << "\n";
    require(again.has_value(), "what is written can be opened");
  }

  /// The module's text, checked.
  std::string import(const fx::Program& program, import::Mode mode, bool everything) {
    import::ImportOptions options;
    options.mode = mode;
    options.symbolicShapes = options.embedWeights = everything;
    options.weights = weights_;
    if (!weights_) options.embedWeights = false;
    const auto imported = import::importProgram(program, options, context_);
    if (!imported) return "";
    const std::string& text = (*imported)->text;
    isModule(text);
    for (const fx::Finding& finding : (*imported)->findings) isAtNode(finding, program);
    if (capturedFindings_.empty()) capturedFindings_ = usersFindings((*imported)->findings);
    return text;
  }

  void isModule(const std::string& text) {
    const mlir::Module module = mlir::readModule(text);
    const std::string wrong = test::problemOf(module);
    require(wrong.empty(), wrong);
    (void)trace::lineOrigins(*trace::openText(text));
  }

  void isAtNode(const fx::Finding& finding, const fx::Program& program) {
    const fx::Program& user = program.original ? *program.original : program;
    require(!finding.node.valid() || finding.node.index() < user.nodes.size(),
            "a finding is at a node of the user's program");
    require(!finding.message.empty(), "a finding says what is wrong");
  }

  Findings usersFindings(Findings findings) const {
    std::erase_if(findings, [&](const fx::Finding& f) {
      return f.node.valid() && f.node.index() >= program_->nodes.size();
    });
    return findings;
  }

  void lowerAll() {
    rewrite::RewriteOptions all;
    for (const rewrite::Rule& rule : rewrite::builtinRules().rules())
      all.decompose.insert(rule.target);
    for (const bool everything : {false, true}) {
      const auto rewritten =
          rewrite::rewrite(program_, everything ? all : rewrite::RewriteOptions{}, context_);
      if (!rewritten) continue;
      const fx::Program& program = *(*rewritten)->program;
      require(fx::verify(program).has_value(), "a rewritten program is well formed");
      const std::string raw = import(program, import::Mode::Lowering, everything);
      if (!everything) {
        direct(program, {});
        nodeByNode((*rewritten)->program);
        report((*rewritten)->findings, raw);
      } else {
        registry::DirectOptions options;
        options.arguments = registry::Arguments::Packed;
        options.primary = "linalg";
        options.fallbacks = {"math", "func", "tosa"};
        direct(program, options);
      }
    }
  }

  void direct(const fx::Program& program, registry::DirectOptions options) {
    options.weights = weights_;
    const auto lowering = registry::lowerByRegistries(program, options, context_);
    if (!lowering) return;
    const registry::DirectLowering& result = **lowering;
    const std::size_t own = program.main().nodes.size();  // after a loop, its graphs' nodes follow
    require(
        program.graphs.size() > 1 ? result.coverage.size() >= own : result.coverage.size() == own,
        "every node is accounted for");
    bool complete = true;
    std::size_t without = 0;
    for (const registry::NodeCoverage& node : result.coverage) {
      if (node.status == registry::CoverageStatus::Lowered ||
          node.status == registry::CoverageStatus::Structural)
        continue;
      complete = false;
      ++without;
    }
    for (const fx::Finding& finding : result.findings)
      if (finding.severity == fx::Severity::Error) --without;
    require(without == 0, "what is not lowered has a finding");
    require(complete == result.complete, "complete means that every node is lowered");
    isModule(result.text);
    const report::RegistryReport report{"fuzz",          result,       program, *program_, {},
                                        result.findings, std::nullopt, "",      "",        true};
    require(!report::registryText(report).empty() && !report::registryJson(report).empty(),
            "what lowered it can be shown");
  }

  void nodeByNode(const fx::ProgramPtr& program) {
    node_lab::ComposeOptions options;
    options.targets = {test::outputType("raw")};
    options.import.weights = weights_;
    test::InProcessLayout noEngine;
    const auto composed = node_lab::compose(normalize::withInferredValues(program), *program_,
                                            options, lower::Engine{}, noEngine, context_);
    if (!composed) return;
    for (const node_lab::Composed& one : *composed)
      if (one.complete()) isModule(one.text);
  }

  void show(const fx::ProgramPtr& program, const Findings& findings) {
    const layout::GroupTree tree = layout::groupTree(*program);
    for (const bool everything : {false, true}) {
      layout::ViewOptions options;
      options.everything = everything;
      if (!everything) options.expanded = layout::initiallyExpanded(*program, tree);
      const layout::GraphView view = layout::graphView(*program, tree, options);
      test::InProcessLayout worker;
      const auto placed = layout::layoutGraph(view, {"in this process"}, worker, context_);
      if (!placed) continue;
      const std::string picture =
          report::graphSvg(*program, tree, view, *placed, findings, report::SvgTheme::Light);
      require(picture.find("<svg") != std::string::npos, "a program can be drawn");
      if (everything) page(tree, view, *placed, findings);
    }
  }

  /// What a diagnosis would say if every finding stopped the program.
  void page(const layout::GroupTree& tree, const layout::GraphView& view,
            const layout::GraphLayout& placed, const Findings& findings) {
    diagnose::Diagnosis diagnosis;
    diagnosis.targets.resize(1);
    for (const fx::Finding& finding : findings) {
      diagnose::Blocked& entry = diagnosis.blocked.emplace_back();
      entry.kind = diagnose::Kind::NotImported;
      entry.fxTarget = finding.target;
      entry.op = finding.op;
      entry.stage = finding.stage;
      entry.message = entry.engineMessage = finding.message;
      if (finding.node.valid()) entry.nodes.push_back(finding.node);
    }
    const report::DiagnosePicture picture{tree, view, placed};
    const report::DiagnoseReport report{"fuzz", diagnosis, *program_, "", &picture};
    require(!report::diagnoseText(report).empty(), "a diagnosis can be shown");
    for (const auto& form : {report::diagnoseJson, report::diagnoseSarif, report::diagnoseMarkdown,
                             report::diagnoseHtml})
      require(!form(report).empty(), "a diagnosis can be shown");
  }

  /// As if the engine had refused the module: the report of a lowering, and a bundle with
  /// everything in it.
  void report(const Findings& findings, const std::string& raw) {
    lower::Lowering lowering;
    lowering.target = test::outputType("torch");
    lowering.engine = {"/opt/engine/torch-mlir-opt", "LLVM 23", std::string(64, 'a'), {}};
    lower::StageResult& stage = lowering.stages.emplace_back();
    stage.id = "raw";
    stage.status = lower::StageStatus::Failed;
    stage.argv = {lowering.engine.path};
    stage.stderrText = stage.failureIr = raw;
    stage.findings = findings;
    for (const fx::Node& node : program_->nodes) {
      if (node.op != fx::NodeOp::CallFunction) continue;
      fx::Finding& refused = stage.findings.emplace_back();
      refused.severity = fx::Severity::Error;
      refused.node = node.id;
      refused.nodeName = node.name;
      refused.target = node.target;
      refused.stage = stage.id;
      refused.message = "refused: " + node.name;
      break;
    }
    const Findings shown = usersFindings(stage.findings);
    require(report::findingsText(shown, *program_).empty() == shown.empty(),
            "findings can be shown");
    const std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins{
        trace::originsOf(mlir::Document(raw))};
    const report::LowerReport answer{"fuzz", lowering, origins, shown, *program_, "torch-mlir"};
    require(!report::lowerText(answer).empty() && !report::lowerJson(answer).empty(),
            "a lowering can be shown");
    if (const auto failure = bundle::failureOf(lowering)) bundle(failure->signature, raw);
  }

  /// What is handed on opens, and whoever receives it writes the same.
  void bundle(const bundle::FailureSignature& signature, const std::string& raw) {
    PrivateText filter({"/home/someone", "someone", "somewhere"});
    const fx::Program handedOn = bundle::publicProgram(*program_, filter).program;
    const auto pt2 = write::pt2Bytes(handedOn, {}, context_);
    if (!pt2) return;
    const auto again = read::readCapture(memorySource(*pt2), "program.pt2", {}, context_);
    if (!again) std::cerr << again.error().message << "\n";
    require(again.has_value(), "a program that is handed on can be opened");
    const auto twice = write::pt2Bytes(*again->program, {}, context_);
    require(twice && *twice == *pt2, "a program that is handed on is written the same again");

    bundle::Content content;
    content.manifest.tool = bundle::toolVersion();
    content.manifest.program = bundle::plainProgramName(program_->nodes.back().name);
    content.manifest.target = test::outputType("torch");
    content.manifest.signature = signature;
    content.manifest.statement = std::string(bundle::kDoesNotHold) + "nobody ran it";
    content.manifest.engineVersion = "LLVM 23";
    content.manifest.engineSha256 = std::string(64, 'a');
    content.manifest.weights = "none";
    content.pt2 = *pt2;
    content.programText = fx::dump(handedOn);
    content.raw = content.input = raw;
    const auto files = bundle::filesOf(content);
    if (!files) return;
    const auto packed = bundle::pack(content.manifest, *files);
    if (!packed) return;
    const auto opened = bundle::open(memorySource(packed->bytes), "fuzz.zip");
    if (!opened) std::cerr << opened.error().message << "\n";
    require(opened.has_value(), "a bundle that is made can be opened");
  }

  const read::Capture& capture_;
  fx::ProgramPtr program_;
  const RunContext& context_;
  import::WeightBytes weights_;
  Findings capturedFindings_;
};

}  // namespace

void goWholeWay(const read::Capture& capture, const RunContext& context) {
  WholeWay(capture, context).go();
}

}  // namespace fxs::fuzz
