// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli render: the graph of the program, of a stage or of a pass as SVG, PNG or a page,
// grouped by module; with --to, what blocks the program is marked. A query marks nodes; a
// neighbourhood, or the paths between two nodes, are drawn by themselves.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "base/counted.h"
#include "base/joined.h"
#include "base/nearest.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "command.h"
#include "layer_files.h"
#include "layout/dataflow.h"
#include "layout/graph_layout.h"
#include "layout/part.h"
#include "lower_request.h"
#include "png.h"
#include "query/find.h"
#include "report/graph_page.h"
#include "report/normalize.h"
#include "report/svg.h"
#include "trace/graph_series.h"
#include "trace/op_graph.h"

namespace fxs::cli {
namespace {

/// From "all", "none", "depth N", "N", or module paths.
Result<layout::ViewOptions> viewOptions(const std::vector<std::string>& wanted,
                                        const fx::Program& program, const layout::GroupTree& tree) {
  layout::ViewOptions options;
  if (wanted.empty()) options.expanded = layout::initiallyExpanded(program, tree);
  for (const std::string& word : wanted) {
    if (word == "all") {
      options.everything = true;
      continue;
    }
    if (word == "none") continue;
    std::string_view number = word;
    if (number.starts_with("depth")) number.remove_prefix(5);
    while (number.starts_with(' ') || number.starts_with('=')) number.remove_prefix(1);
    if (const auto depth = numberFrom<std::size_t>(number)) {
      options.expanded.merge(layout::expandedToDepth(tree, *depth));
      continue;
    }
    const layout::GroupId group = tree.find(word);
    if (group.valid()) {
      options.expanded.insert(group);
      continue;
    }
    std::vector<std::string_view> paths;
    for (const layout::Group& each : tree.groups)
      if (each.parent.valid()) paths.push_back(each.path);
    const std::vector<std::string> near = nearest(word, paths, 1);
    return fail(
        ErrorCode::Usage,
        "no module '" + word + "' to expand" +
            (near.empty() ? "; --expand accepts all, none, a depth such as 2, or a module path"
                          : "; did you mean '" + near.front() + "'?"));
  }
  return options;
}

Result<report::SvgTheme> themeFrom(const std::string& text) {
  if (text == "light") return report::SvgTheme::Light;
  if (text == "dark") return report::SvgTheme::Dark;
  return fail(ErrorCode::Usage, "unknown theme '" + text + "'; expected light or dark");
}

/// What is drawn: the program itself, or the operations of a text.
struct Drawn {
  fx::ProgramPtr program;
  std::vector<fx::Finding> findings;  ///< at nodes of `program`
  /// Of operations: by node of `program`, the nodes of the user's program that it comes from.
  std::optional<std::vector<std::vector<fx::NodeId>>> origins;
  /// Of a pass: the graph of the passes around it, which it is drawn as a part of; see
  /// trace/graph_series.h.
  fx::ProgramPtr full = {};
  std::vector<fx::NodeId> positionOf = {};  ///< by node of `program`
};

Drawn drawnOf(const trace::OpenText& text, const session::Snapshot& snapshot,
              const RunContext& context) {
  const trace::OpGraph graph = trace::opGraph(text, *snapshot.capture->program, context);
  return {graph.program, trace::findingsIn(graph, snapshot.findings()), graph.fxNodesOf};
}

Result<Drawn> drawnStage(const std::string& id, const session::Snapshot& snapshot,
                         const RunContext& context) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < snapshot.lowering->stages.size(); ++i) {
    const lower::StageResult& stage = snapshot.lowering->stages[i];
    known.push_back(stage.id);
    if (stage.id != id) continue;
    if (stage.ir().empty() && !lower::isKnown(stage.status))
      FXS_CHECK(lower::ensureAnswered(*snapshot.lowering));
    if (stage.ir().empty())
      return fail(ErrorCode::Usage, "stage '" + id + "' has no module to draw: " +
                                        (stage.message.empty() ? "it failed" : stage.message));
    if (stage.form != mlir::TextForm::Mlir)
      return fail(ErrorCode::Usage, "stage '" + id + "' is not MLIR and has no graph");
    return drawnOf(*trace::openText(stage.ir(), snapshot.origins[i]), snapshot, context);
  }
  return fail(ErrorCode::Usage, "no stage '" + id + "'; expected one of " + joined(known));
}

Result<Drawn> drawnPass(const std::string& word, const session::Snapshot& snapshot,
                        const RunContext& context) {
  const std::size_t count = snapshot.trace->passes().snapshots.size();
  const auto number = numberFrom<std::size_t>(word);
  if (!number || *number >= count)
    return fail(ErrorCode::Usage, "no module " + word + "; expected 0 to " +
                                      std::to_string(count - 1) +
                                      ", as 'fxscope-cli trace' numbers those that passes changed");
  FXS_TRY(const auto text, snapshot.trace->open(*number));
  Drawn drawn = drawnOf(*text, snapshot, context);
  FXS_TRY(auto all, trace::graphSeries(
                        count, [&](std::size_t i) { return snapshot.trace->open(i); },
                        *snapshot.capture->program, context));
  for (trace::GraphSeries& series : all) {
    if (*number < series.first || *number - series.first >= series.positionOf.size()) continue;
    drawn.full = series.program;
    drawn.positionOf = std::move(series.positionOf[*number - series.first]);
  }
  return drawn;
}

struct Picture {
  layout::GroupTree tree;
  layout::GraphView view;
  layout::GraphLayout layout;
};

/// `only`: the nodes to draw; all without it. A pass keeps the places of the passes around it only
/// as a whole.
Result<Picture> pictureOf(const Drawn& drawn, const std::optional<std::vector<fx::NodeId>>& only,
                          const Arguments& arguments, Console& console) {
  const bool isPart = drawn.full && !only;
  const fx::Program& program = isPart ? *drawn.full : *drawn.program;
  Picture out;
  out.tree = layout::groupTree(program);
  FXS_TRY(layout::ViewOptions options, viewOptions(arguments.all("--expand"), program, out.tree));
  if (only) {
    options.only.resize(program.nodes.size());
    for (const fx::NodeId node : *only) options.only[node.index()] = true;
    options.everything =
        options.everything || (!arguments.has("--expand") && only->size() <= layout::kExpandedPart);
  }
  out.view = layout::graphView(program, out.tree, options);
  layout::LayoutWorker worker;
  worker.path = console.layoutWorker;
  FXS_TRY(out.layout,
          layout::layoutGraph(out.view, worker, *console.environment.runner, console.context));
  if (!isPart) return out;
  Picture part;
  part.tree = layout::partTree(out.tree, *drawn.program, drawn.positionOf);
  layout::Part made = layout::partOf({out.tree, out.view, out.layout}, *drawn.program, part.tree,
                                     options, drawn.positionOf);
  part.view = std::move(made.view);
  part.layout = std::move(made.layout);
  return part;
}

constexpr std::size_t kSteps = 2;  // of --around without a number

/// The nodes of the drawn graph that a word names: a node of the user's program, or the operations
/// that come from it.
Result<std::vector<fx::NodeId>> nodesCalled(const std::string& word, const Drawn& drawn,
                                            const fx::Program& user) {
  FXS_TRY(const fx::NodeId node, report::nodeCalled(user, word));
  if (!drawn.origins) return std::vector<fx::NodeId>{node};
  std::vector<fx::NodeId> out;
  for (std::size_t i = 0; i < drawn.origins->size(); ++i)
    if (std::binary_search((*drawn.origins)[i].begin(), (*drawn.origins)[i].end(), node))
      out.push_back(fx::NodeId::of(i));
  if (out.empty())
    return fail(ErrorCode::Usage,
                "no operation of this stage comes from node '" + user.node(node).name + "'");
  return out;
}

/// The nodes that --around or --between leave; std::nullopt without them.
Result<std::optional<std::vector<fx::NodeId>>> partOf(const Arguments& arguments,
                                                      const Drawn& drawn, const fx::Program& user) {
  const auto around = arguments.get("--around"), between = arguments.get("--between");
  if (around && between) return fail(ErrorCode::Usage, "--around and --between exclude each other");
  if (around) {
    const std::size_t colon = around->rfind(':');
    const auto steps = colon == std::string::npos
                           ? std::optional(kSteps)
                           : numberFrom<std::size_t>(std::string_view(*around).substr(colon + 1));
    if (!steps)
      return fail(
          ErrorCode::Usage,
          "--around: expected a node, or a node and a number of steps such as add_3:2, got " +
              printableName(*around));
    FXS_TRY(const std::vector<fx::NodeId> centre,
            nodesCalled(around->substr(0, colon), drawn, user));
    return layout::Dataflow(*drawn.program).around(centre, *steps);
  }
  if (!between) return std::nullopt;
  const std::size_t comma = between->find(',');
  if (comma == std::string::npos)
    return fail(ErrorCode::Usage, "--between: expected two nodes such as add_3,relu_1, got " +
                                      printableName(*between));
  const std::string first = between->substr(0, comma), second = between->substr(comma + 1);
  FXS_TRY(const std::vector<fx::NodeId> from, nodesCalled(first, drawn, user));
  FXS_TRY(const std::vector<fx::NodeId> to, nodesCalled(second, drawn, user));
  std::vector<fx::NodeId> path = layout::Dataflow(*drawn.program).between(from, to);
  if (path.empty())
    return fail(ErrorCode::Usage,
                "no path leads from " + printableName(first) + " to " + printableName(second));
  return path;
}

Result<std::optional<query::Query>> queryFrom(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  FXS_TRY(query::Query query, query::parse(*text));
  if (query.terms.empty())
    return fail(ErrorCode::Usage, "--query: expected a query such as op=aten.add or name~proj");
  return query;
}

std::vector<fx::NodeId> matchesOf(const query::Query& query, const Drawn& drawn,
                                  const fx::Program& user, const RunContext& context) {
  const std::vector<std::string> problems = query::problemsOf(*drawn.program, drawn.findings);
  query::Graph graph{*drawn.program, problems, nullptr, {}};
  if (drawn.origins) graph.user = &user, graph.origins = *drawn.origins;
  return query::find(query, graph, context);
}

/// Colours of the drawn nodes: of operations, the highest of the nodes that each comes from.
std::optional<report::SvgShades> shadesOn(const Drawn& drawn, const Layers& layers) {
  if (layers.shown.empty()) return std::nullopt;
  report::SvgShades ofUser = report::shadesOf(layers.shown);
  if (!drawn.origins) return ofUser;
  report::SvgShades out{ofUser.title, {}, ofUser.legend, {}, ofUser.isScale};
  for (const std::vector<fx::NodeId>& nodes : *drawn.origins) {
    std::optional<std::uint8_t>& level = out.levels.emplace_back();
    std::string& tip = out.tips.emplace_back();
    for (const fx::NodeId node : nodes) {
      if (const auto& of = ofUser.levels[node.index()]) level = std::max(level.value_or(0), *of);
      const std::string& text = ofUser.tips[node.index()];
      if (!text.empty()) tip += (tip.empty() ? "" : "\n") + text;
    }
  }
  return out;
}

/// The page with the picture, and with a table of the layers on the user's program.
std::string pageOf(std::string svg, const Drawn& drawn, const fx::Program& user,
                   const Layers& layers, std::optional<std::size_t> rows,
                   const std::string& title) {
  report::GraphPage page{title, std::move(svg), {}, {}};
  report::LayerReport table{user, layers.shown};
  table.more = "--layer-rows all lists all";
  table.mostRows = rows.value_or(table.mostRows);
  std::vector<std::vector<fx::NodeId>> operations(drawn.origins ? user.nodes.size() : 0);
  for (std::size_t i = 0; drawn.origins && i < drawn.origins->size(); ++i)
    for (const fx::NodeId node : (*drawn.origins)[i])
      operations[node.index()].push_back(fx::NodeId::of(i));
  if (drawn.origins) table.selected = [&](fx::NodeId node) { return operations[node.index()]; };
  page.blocks = report::layerBlocks(table);
  if (!layers.shown.empty()) page.legend = report::legendOf(layers.shown.front());
  return report::graphHtml(page);
}

/// The program, or the operations of the stage or of the pass.
Result<Drawn> drawnFrom(const Arguments& arguments, const session::Snapshot& snapshot,
                        const RunContext& context) {
  if (const auto stage = arguments.get("--stage")) return drawnStage(*stage, snapshot, context);
  if (const auto pass = arguments.get("--pass")) return drawnPass(*pass, snapshot, context);
  return Drawn{snapshot.capture->program, snapshot.findings(), {}};
}

/// As far as the options require.
Result<session::SnapshotPtr> snapshotFrom(const Arguments& arguments, Console& console) {
  session::Request request = requestFrom(arguments);
  session::Phase until = session::Phase::Read;
  const bool stage = arguments.has("--stage"), pass = arguments.has("--pass");
  if (stage && pass) return fail(ErrorCode::Usage, "--stage and --pass exclude each other");
  if (const auto to = arguments.get("--to")) {
    FXS_TRY(const lower::OutputType type, console.environment.outputTypes.from(*to));
    FXS_TRY(const auto set, lower::withSettings({type}, arguments.raw("--set")));
    request.lower.target = set.front();
    request.decomposeForTarget = true;
    until = pass ? session::Phase::Trace : session::Phase::Lower;
  } else if (stage || pass) {
    return fail(ErrorCode::Usage, std::string(stage ? "--stage" : "--pass") +
                                      " requires an output type; add --to TYPE");
  }
  return session::advance(session::start(std::move(request)), until, console.environment,
                          console.context);
}

int endOf(const session::Snapshot& snapshot) {
  if (snapshot.lowering && !lower::isKnown(snapshot.lowering->stages)) return kEngine;
  const std::vector<fx::Finding> findings = snapshot.findings();
  if (std::any_of(findings.begin(), findings.end(), lower::isNoAnswer)) return kEngine;
  const auto isError = [](const fx::Finding& finding) {
    return finding.severity == fx::Severity::Error;
  };
  return std::any_of(findings.begin(), findings.end(), isError) ? kFindings : kDone;
}

Result<int> runRender(const Arguments& arguments, Console& console) {
  FXS_TRY(const std::optional<double> scale, pngScale(arguments));
  FXS_TRY(const report::SvgTheme theme, themeFrom(arguments.get("--theme").value_or("light")));
  FXS_TRY(const std::optional<std::size_t> rows, layerRowsFrom(arguments));
  const bool isPage = arguments.get("-o").value_or("").ends_with(".html");
  if (rows && !isPage) return fail(ErrorCode::Usage, "--layer-rows is for a page; add -o OUT.html");
  FXS_TRY(const std::optional<query::Query> query, queryFrom(arguments.get("--query")));
  FXS_TRY(const session::SnapshotPtr snapshot, snapshotFrom(arguments, console));
  FXS_TRY(const Drawn drawn, drawnFrom(arguments, *snapshot, console.context));
  const fx::Program& program = *drawn.program;
  std::optional<std::vector<fx::NodeId>> matches;
  if (query) matches = matchesOf(*query, drawn, *snapshot->capture->program, console.context);
  FXS_TRY(const auto part, partOf(arguments, drawn, *snapshot->capture->program));
  const fx::Program& user = *snapshot->capture->program;
  FXS_TRY(const Layers layers, layersFrom(arguments, user, console));
  const auto shades = shadesOn(drawn, layers);
  FXS_TRY(const Picture made, pictureOf(drawn, part, arguments, console));
  const layout::GraphView& view = made.view;
  std::string picture =
      report::graphSvg(program, made.tree, view, made.layout, drawn.findings,
                       isPage ? report::SvgTheme::InPage : theme, matches, shades);
  if (isPage)
    picture = pageOf(std::move(picture), drawn, user, layers, rows,
                     std::filesystem::path(snapshot->request.file).filename().string());
  if (scale) {
    const layout::Rect bounds = report::pictureBounds(made.layout, shades);
    FXS_TRY(picture, pngFrom(std::move(picture), std::ceil(bounds.width), std::ceil(bounds.height),
                             *scale, console));
  }
  FXS_CHECK(writeAnswer(arguments, picture, console));
  if (const auto file = arguments.get("-o")) {
    console.out << printable(*file) << ": " << view.boxes.size() << " boxes in "
                << view.frames.size() << " open modules, " << view.edges.size() << " edges, "
                << view.stubs.size() << " stubs\n";
    if (part)
      console.out << part->size() << " of " << counted(program.nodes.size(), "node") << " drawn\n";
    if (matches)
      console.out << matches->size() << " of " << counted(program.nodes.size(), "node")
                  << " match\n";
  }
  return endOf(*snapshot);
}

}  // namespace

void registerRender(Commands& commands) {
  commands.add(
      {"render",
       "draw the graph of the program, of a stage or of a pass as SVG or PNG, grouped by module",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
       {{"-o", "OUT",
         "write the picture to OUT, as PNG or as a page if it ends with .png or .html (default: "
         "SVG "
         "to standard output)"},
        {"--scale", "FACTOR", "pixels of a PNG for each unit of the SVG (default: 1)"},
        {"--expand", "WHAT",
         "modules to expand: all, none, a depth such as 2, or module paths (default: chosen by "
         "size)",
         true},
        {"--theme", "NAME", "light or dark", false, {"light", "dark"}},
        {"--to", "TYPE", "lower to this output type, and mark what blocks the program"},
        setOption(),
        {"--stage", "STAGE", "draw the operations of this stage: raw, torch, or an output type"},
        {"--pass", "N",
         "draw the operations of module N of 'fxscope-cli trace', each where it is after the "
         "passes around N"},
        {"--query", "QUERY",
         "mark the nodes that match, such as 'op=aten.linear dtype=f16', and dim the others"},
        layerOption("colour the nodes by the first, and show in tool tips and pages"),
        layerRowsOption(),
        {"--around", "NODE[:STEPS]",
         "draw only the nodes that a node's value comes from and goes to, in so many steps "
         "(default: 2)"},
        {"--between", "FROM,TO", "draw only the nodes on paths from one node to another"}},
       reporting<runRender>,
       Group::Look});
}

}  // namespace fxs::cli
