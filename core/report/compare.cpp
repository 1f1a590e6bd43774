// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "base/json.h"
#include "compare/finding.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_document.h"

namespace fxs::report {
namespace {

std::string sizesText(const compare::Sizes& sizes) {
  std::string out;
  for (const auto& [symbol, size] : sizes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", symbol, size);
  return out;
}

void writeSizes(JsonWriter& json, const compare::Sizes& sizes) {
  json.key("sizes").beginObject();
  for (const auto& [symbol, size] : sizes) json.member(symbol, size);
  json.endObject();
}

enum class Histogram : std::uint8_t { No, Yes };

void writeStatistics(JsonWriter& json, std::string_view key, const tensor::Statistics& s,
                     Histogram histogram = Histogram::Yes) {
  json.key(key).beginObject();
  json.member("elements", s.elements).member("nan", s.nans).member("infinite", s.infinities);
  json.member("min", s.min).member("max", s.max).member("mean", s.mean).member("norm", s.norm);
  if (histogram == Histogram::Yes) {
    json.member("histogram", s.histogram);
  }
  json.endObject();
}

void writeDifference(JsonWriter& json, const tensor::Difference& d) {
  json.member("verdict", tensor::name(d.verdict)).member("kind", tensor::name(d.kind));
  json.member("l2", d.l2)
      .member("units", d.units)
      .member("max_abs", d.maxAbs)
      .member("wrong", d.wrong)
      .member("elements", d.elements);
  json.textOrNull("message", d.words).key("worst").beginArray();
  for (const tensor::Element& e : d.worst) {
    json.beginObject().member("index", e.index);
    json.member("found", e.found).member("expected", e.expected).endObject();
  }
  json.endArray();
}

const std::string& nameOf(const fx::Program& program, fx::NodeId id) {
  static const std::string kNone;
  return id.valid() && id.index() < program.nodes.size() ? program.node(id).name : kNone;
}

std::string targetOf(const fx::Program& program, fx::NodeId id) {
  return id.valid() && id.index() < program.nodes.size() ? program.node(id).target : std::string();
}

void writeValues(JsonWriter& json, std::string_view key, compare::Values values) {
  json.key(key).beginArray();
  for (const compare::Value value : values.list()) json.value(name(value));
  json.endArray();
}

void writeTried(JsonWriter& json, const std::vector<compare::Scope::Tried>& all) {
  json.key("values").beginArray();
  for (const compare::Scope::Tried& tried : all) {
    json.beginObject().member("input", tried.input).member("type", facts(tried.dtype).shortName);
    json.key("min");
    tried.min ? json.value(*tried.min) : json.null();
    json.key("max");
    tried.max ? json.value(*tried.max) : json.null();
    json.member("over_range", tried.isWhole);
    writeValues(json, "has", tried.values);
    json.endObject();
  }
  json.endArray();
}

/// `program`: null where the values of the inputs are not of interest.
void writeInputs(JsonWriter& json, const compare::Inputs& inputs, const fx::Program* program) {
  json.beginObject().member("set", name(inputs.set)).member("round", inputs.round);
  writeSizes(json, inputs.sizes);
  json.key("tensors").beginArray();
  for (const tensor::Tensor& t : inputs.tensors) json.value(tensor::typeText(t));
  json.endArray();
  if (program != nullptr) writeTried(json, compare::valuesOf(inputs, *program));
  json.member("notes", inputs.notes).endObject();
}

/// "llvm (exact)".
std::string inVariants(const compare::Run& run) {
  return run.executor + (run.variants.empty() ? std::string() : " (" + joined(run.variants) + ")");
}

/// Of the output types' stages, in which texts were compiled: "; compiled as llvm (exact)".
std::string variantsText(const compare::Comparison& c) {
  std::set<std::string> all;
  for (const compare::TargetComparison& target : c.targets)
    for (const compare::Run& run : target.runs)
      if (!run.variants.empty()) all.insert(inVariants(run));
  return all.empty() ? std::string()
                     : "; compiled as " + joined(std::vector(all.begin(), all.end()));
}

void writeRun(JsonWriter& json, const compare::Run& run, const fx::Program* program,
              bool compared) {
  json.member("executor", run.executor);
  if (compared) json.member("inputs", run.inputs);
  writeSizes(json, run.sizes);
  json.member("outcome", execute::name(run.outcome)).textOrNull("message", run.why);
  if (program != nullptr) json.textOrNull("node", nameOf(*program, run.node));
  json.member("variants", run.variants);
  json.member("compile_seconds", run.compileTime.count())
      .member("run_seconds", run.runTime.count());
  json.key("results").beginArray();
  for (const compare::ResultComparison& result : run.results) {
    json.beginObject().member("name", result.name).member("type", result.type);
    if (compared) {
      json.member("compared", result.compared).textOrNull("why_not", result.whyNot);
      if (result.compared) {
        writeDifference(json, result.difference);
        writeStatistics(json, "expected", result.expected);
      }
    }
    writeStatistics(json, "found", result.found);
    json.endObject();
  }
  json.endArray();
}

void writeFindings(JsonWriter& json, const std::vector<const compare::Run*>& runs) {
  json.key("executors").beginArray();
  for (const compare::Run* run : runs) {
    const compare::Finding finding = compare::findingOf(*run);
    json.beginObject().member("executor", run->executor).member("found", finding.words);
    json.textOrNull("message", finding.why).endObject();
  }
  json.endArray();
}

/// At operators, the values that no operand had and those that were seen; null if not known.
void writeSeen(JsonWriter& json, const compare::Scope& scope) {
  if (!scope.knowsNodes) {
    json.key("not_seen").null().key("seen").null();
    return;
  }
  json.key("not_seen").beginArray();
  for (const compare::Unseen& each : scope.unseen)
    json.beginObject()
        .member("operator", each.packet)
        .member("values", name(each.value))
        .member("calls", each.calls)
        .endObject();
  json.endArray().key("seen").beginArray();
  for (const compare::Sight& each : scope.sights)
    json.beginObject()
        .member("operator", each.packet)
        .member("values", name(each.value))
        .member("calls", each.calls)
        .member("seen", each.seen)
        .endObject();
  json.endArray();
}

/// For what the verdict of a target holds, set by set.
void writeScope(JsonWriter& json, const compare::TargetComparison& target) {
  const compare::Scope& scope = target.scope;
  json.key("scope").beginObject().member("message", scope.words()).key("sets").beginArray();
  for (const auto& [inputs, runs] : compare::runsByInputs(target)) {
    const compare::SetVerdict verdict = compare::judgeSet(runs);
    json.beginObject()
        .member("inputs", inputs)
        .member("set", name(runs.front()->set))
        .member("verdict", compare::name(verdict.verdict));
    json.textOrNull("message", verdict.why);
    writeFindings(json, runs);
    json.endObject();
  }
  json.endArray().key("sizes").beginObject();
  for (const auto& [symbol, sizes] : scope.sizes) {
    json.key(symbol).beginArray();
    for (const std::int64_t size : sizes) json.value(size);
    json.endArray();
  }
  json.endObject();
  writeTried(json, scope.tried);
  json.key("not_tried").beginArray();
  for (const compare::Scope::NotTried& each : scope.notTried) {
    json.beginObject();
    writeValues(json, "values", each.values);
    json.member("inputs", each.inputs).textOrNull("because", each.because).endObject();
  }
  json.endArray();
  writeSeen(json, scope);
  json.key("control").beginArray();
  for (const compare::Scope::Control& each : scope.control) {
    json.beginObject().member("node", each.name).member("loop", each.isLoop);
    json.member("taken", each.taken).endObject();
  }
  json.endArray().key("not_compared").beginArray();
  for (const compare::Scope::NotCompared& each : scope.notCompared)
    json.beginObject().member("name", each.name).member("message", each.why).endObject();
  json.endArray().endObject();
}

/// The worst result of each name over all runs of a target, whichever executor computed it.
std::vector<const compare::ResultComparison*> outputsOf(const compare::TargetComparison& target) {
  std::vector<const compare::ResultComparison*> out;
  for (const compare::Run& run : target.runs)
    for (std::size_t r = 0; r < run.results.size(); ++r) {
      if (r >= out.size()) out.push_back(&run.results[r]);
      else if (run.results[r].compared && (!out[r]->compared || run.results[r].difference.verdict >
                                                                    out[r]->difference.verdict))
        out[r] = &run.results[r];
    }
  return out;
}

std::string seconds(std::chrono::duration<double> s) {
  return s.count() < 0.01 ? "<0.01 s" : fmt::format("{:.2f} s", s.count());
}

std::string rangeText(const tensor::Statistics& s) {
  std::string out = fmt::format("{:.4g} .. {:.4g}, mean {:.4g}", s.min, s.max, s.mean);
  if (s.elements == 0) return "no elements";
  if (s.nans > 0) out += fmt::format(", {} NaN", s.nans);
  if (s.infinities > 0) out += fmt::format(", {} infinite", s.infinities);
  return out;
}

/// "model.py:12: y = gelu(x)"; "" if not known.
std::string placeOf(const fx::Program& program, fx::NodeId node, const Paths& paths) {
  const SourceLocation place = sourceLocationOf(program, node);
  if (!place.line) return place.module;
  return fmt::format("{}:{}: {}", paths.of(place.line->file), place.line->line, place.line->code);
}

std::string inputsText(const compare::Inputs& inputs) {
  std::vector<std::string> types;
  for (const tensor::Tensor& t : inputs.tensors) types.push_back(tensor::typeText(t));
  const std::string sizes = sizesText(inputs.sizes);
  return joined(types) + (sizes.empty() ? "" : " (" + sizes + ")");
}

/// The types of the inputs for each choice of sizes, and the sets that have them.
void addInputs(std::vector<Inline>& out, const std::vector<compare::Inputs>& inputs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> byTypes;
  for (const compare::Inputs& each : inputs) {
    const std::string types = inputsText(each);
    auto known = std::find_if(byTypes.begin(), byTypes.end(),
                              [&](const auto& other) { return other.first == types; });
    if (known == byTypes.end()) known = byTypes.insert(byTypes.end(), {types, {}});
    const std::string set(name(each.set));
    if (std::find(known->second.begin(), known->second.end(), set) == known->second.end())
      known->second.push_back(set);
  }
  for (const auto& [types, sets] : byTypes)
    out.emplace_back(fmt::format("inputs: {}: {}", types, joined(sets)));
}

/// What did not run, once each.
std::vector<std::string> notRun(const compare::TargetComparison& target) {
  std::vector<std::string> out;
  for (const compare::Run& run : target.runs) {
    if (run.outcome == execute::Outcome::Ran) continue;
    // What cannot be compiled cannot be for any sizes.
    const std::string sizes =
        run.outcome == execute::Outcome::NotSupported ? std::string() : sizesText(run.sizes);
    std::string text =
        fmt::format("{}{}: {}: {}", run.executor, sizes.empty() ? "" : " with " + sizes,
                    execute::name(run.outcome), run.why);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  }
  return out;
}

/// "same for 6 input sets, .."; a difference is one whatever else was not tried.
Inline verdictText(const compare::TargetComparison& target) {
  const bool isSame = target.verdict == compare::TargetVerdict::Same;
  const Inline out(compare::name(target.verdict), isSame ? Tone::Good : Tone::Bad);
  if (isSame) return out + " for " + target.scope.words();
  return target.why.empty() ? out : out + ": " + target.why;
}

/// "not compared: ..", or the difference and how large it is.
std::string differenceText(const compare::ResultComparison& result) {
  if (!result.compared) return "not compared: " + result.whyNot;
  if (!result.difference.words.empty()) return result.difference.words;
  return fmt::format("{} (error {:.1g} eps)", tensor::name(result.difference.verdict),
                     result.difference.units);
}

Item firstDifference(const compare::First& first, const fx::Program& program, const Paths& paths) {
  Item out{Inline("first difference: ") + nodeSpan(program, first.node) + " (" +
           targetOf(program, first.node) + "), stage " + first.stage +
           (first.pass.empty() ? "" : ", pass " + first.pass)};
  out.lines.emplace_back(first.how +
                         (first.byItself ? "; the same when it is lowered and run by itself" : ""));
  if (std::string place = placeOf(program, first.node, paths); !place.empty())
    out.lines.emplace_back(std::move(place));
  if (!first.operations.empty()) out.lines.emplace_back("lowered to " + joined(first.operations));
  return out;
}

/// Nodes whose value differs.
Table nodesTable(const compare::TargetComparison& target, const fx::Program& program) {
  constexpr std::size_t kMost = 200;
  Table out{{{"node"}, {"verdict"}, {"error"}, {"difference"}}, {}};
  for (const compare::NodeComparison& node : target.nodes) {
    const tensor::Difference& d = node.difference;
    if (d.verdict == tensor::Verdict::Same || out.rows.size() == kMost) continue;
    out.rows.push_back({{nodeSpan(program, node.node),
                         {tensor::name(d.verdict), Tone::Bad},
                         d.units > 0 ? fmt::format("{:.3g} eps", d.units) : std::string(),
                         d.words}});
  }
  return out;
}

List notesOf(const std::vector<std::string>& notes) {
  List out;
  for (const std::string& note : notes) out.items.push_back({"note: " + note});
  return out;
}

}  // namespace

Section comparisonSection(const compare::TargetComparison& target, const fx::Program& program,
                          const Paths& paths) {
  Section out{lower::name(target.to), verdictText(target)};
  if (target.verdict > compare::TargetVerdict::NotCompared)
    out.blocks.push_back(Paragraph{"compared for " + target.scope.words()});
  Table results{{{"result"}, {"type"}, {"difference"}}, {}};
  for (const compare::ResultComparison* result : outputsOf(target))
    results.rows.push_back({{result->name, result->type, differenceText(*result)}});
  List more;
  for (const std::string& text : notRun(target)) more.items.push_back({text});
  if (!target.fault.empty()) more.items.push_back({target.fault});
  if (target.first) more.items.push_back(firstDifference(*target.first, program, paths));
  out.blocks.insert(out.blocks.end(),
                    {std::move(results), std::move(more),
                     Details{"Nodes that differ", {nodesTable(target, program)}}});
  return out;
}

std::string compareText(const CompareReport& report) {
  const compare::Comparison& c = report.comparison;
  Document out{fmt::format("{}: compared with {}", report.input, c.reference),
               {"lowered via " + c.via, "executors: " + joined(c.executors) + variantsText(c)}};
  addInputs(out.head, c.inputs);
  for (const compare::TargetComparison& target : c.targets)
    out.blocks.push_back(comparisonSection(target, report.program, report.paths));
  out.blocks.push_back(notesOf(c.notes));
  return renderText(out);
}

namespace {

void writeFirst(JsonWriter& json, const CompareReport& report,
                const compare::TargetComparison& target) {
  if (!target.first) {
    json.null();
    return;
  }
  const compare::First& first = *target.first;
  json.beginObject();
  json.member("node", nameOf(report.program, first.node))
      .member("target", targetOf(report.program, first.node));
  json.member("stage", first.stage).textOrNull("pass", first.pass);
  json.member("message", first.how).member("by_itself", first.byItself);
  json.member("operations", first.operations).endObject();
}

void writeTarget(JsonWriter& json, const CompareReport& report,
                 const compare::TargetComparison& target) {
  json.beginObject();
  json.member("to", lower::name(target.to)).member("verdict", compare::name(target.verdict));
  json.textOrNull("message", target.why).member("accusers", target.accusers);
  json.member("defenders", target.defenders).textOrNull("fault", target.fault);
  writeScope(json, target);
  json.key("outputs").beginArray();
  for (const compare::ResultComparison* result : outputsOf(target)) {
    json.beginObject();
    json.member("name", result->name)
        .member("type", result->type)
        .member("compared", result->compared);
    json.textOrNull("why_not", result->whyNot);
    if (result->compared) writeDifference(json, result->difference);
    json.endObject();
  }
  json.endArray().key("first");
  writeFirst(json, report, target);
  json.key("runs").beginArray();
  for (const compare::Run& run : target.runs) {
    json.beginObject();
    writeRun(json, run, &report.program, true);
    json.endObject();
  }
  json.endArray().key("nodes").beginArray();
  for (const compare::NodeComparison& node : target.nodes) {
    json.beginObject().member("node", nameOf(report.program, node.node));
    writeDifference(json, node.difference);
    json.member("operand_units", node.inputUnits);
    writeStatistics(json, "found", node.found, Histogram::No);
    writeStatistics(json, "expected", node.expected, Histogram::No);
    json.endObject();
  }
  json.endArray().endObject();
}

}  // namespace

std::string compareJson(const CompareReport& report) {
  const compare::Comparison& c = report.comparison;
  JsonWriter json;
  json.beginObject();
  json.member("schema", "fxscope-compare/1")
      .member("input", report.input)
      .member("via", c.via)
      .member("reference", c.reference);
  json.member("executors", c.executors).member("executor_seconds", c.executorTime.count());
  json.key("inputs").beginArray();
  for (const compare::Inputs& inputs : c.inputs) writeInputs(json, inputs, &report.program);
  json.endArray().key("targets").beginArray();
  for (const compare::TargetComparison& target : c.targets) writeTarget(json, report, target);
  json.endArray().member("notes", c.notes).endObject();
  return json.take();
}

namespace {

std::chrono::duration<double> timeOf(const std::vector<compare::Dispatch>& dispatches) {
  std::chrono::duration<double> out{0};
  for (const compare::Dispatch& dispatch : dispatches) out += dispatch.measured.time;
  return out;
}

constexpr std::size_t kNodesOfDispatch = 6;

Section dispatchesSection(const std::vector<compare::Dispatch>& dispatches) {
  const auto all = timeOf(dispatches);
  Table table{{{}, {"", true}, {}, {}, {}}, {}};
  for (const auto& [measured, nodes] : dispatches)
    table.rows.push_back(
        {{fmt::format("{:>5.1f} %", all.count() > 0 ? 100 * (measured.time / all) : 0),
          fmt::format("{:.1f} us", measured.time.count() * 1e6),
          fmt::format("x {}", measured.calls), measured.name,
          nodes.empty() ? "of no node" : firstOf(nodes, kNodesOfDispatch)}});
  return {fmt::format("{} dispatches in {:.1f} us", dispatches.size(), all.count() * 1e6),
          {},
          {std::move(table)}};
}

void writeDispatches(JsonWriter& json, const std::vector<compare::Dispatch>& dispatches) {
  const auto all = timeOf(dispatches);
  json.key("dispatches").beginArray();
  for (const auto& [measured, nodes] : dispatches) {
    json.beginObject()
        .member("name", measured.name)
        .member("calls", measured.calls)
        .member("seconds", measured.time.count());
    json.member("share", all.count() > 0 ? measured.time / all : 0.0).member("nodes", nodes);
    json.endObject();
  }
  json.endArray();
}

}  // namespace

std::string runText(const RunReport& report) {
  Document out{
      fmt::format("{}: {}", report.input, inputsText(report.inputs)),
      {fmt::format("lowered via {}", report.via), "executors: " + joined(report.executors)}};
  for (const RunRow& row : report.rows) {
    Section section{fmt::format("{} with {}", row.stage, inVariants(row.run)),
                    execute::name(row.run.outcome)};
    if (row.run.outcome != execute::Outcome::Ran) {
      section.lead += Inline(": " + row.run.why);
    } else {
      section.lead += Inline(fmt::format(", compiled in {}, ran in {}",
                                         seconds(row.run.compileTime), seconds(row.run.runTime)));
      std::vector<Row> rows;
      for (std::size_t r = 0; r < row.run.results.size(); ++r) {
        const compare::ResultComparison& result = row.run.results[r];
        rows.push_back({{result.name, result.type, rangeText(result.found),
                         r < row.files.size() ? row.files[r] : ""}});
      }
      section.blocks.push_back(tableOf(std::move(rows)));
      if (!row.run.dispatches.empty())
        section.blocks.push_back(dispatchesSection(row.run.dispatches));
    }
    out.blocks.push_back(std::move(section));
  }
  out.blocks.push_back(notesOf(report.notes));
  return renderText(out);
}

std::string runJson(const RunReport& report) {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-run/1").member("input", report.input);
  json.member("via", report.via).member("executors", report.executors).key("inputs");
  writeInputs(json, report.inputs, nullptr);
  json.key("stages").beginArray();
  for (const RunRow& row : report.rows) {
    json.beginObject().member("stage", row.stage);
    writeRun(json, row.run, nullptr, false);
    json.member("files", row.files);
    writeDispatches(json, row.run.dispatches);
    json.endObject();
  }
  json.endArray().member("notes", report.notes).endObject();
  return json.take();
}

}  // namespace fxs::report
