// fxscope-cli render: the graph as SVG, grouped by module; with --to, what blocks the program is marked.
#include <charconv>
#include <ostream>

#include "base/nearest.h"
#include "base/safe_text.h"
#include "command.h"
#include "layout/graph_layout.h"
#include "report/svg.h"

namespace fxs::cli {
namespace {

/// From "all", "none", "depth N", "N", or module paths.
Result<layout::ViewOptions> viewOptions(const std::vector<std::string>& wanted, const fx::Program& program, const layout::GroupTree& tree) {
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
    std::size_t depth = 0;
    const auto [end, bad] = std::from_chars(number.data(), number.data() + number.size(), depth);
    if (bad == std::errc() && end == number.data() + number.size()) {
      options.expanded.merge(layout::expandedToDepth(tree, depth));
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
    return fail(ErrorCode::Usage, "no module '" + word + "' to expand" +
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

Result<int> render(const Arguments& arguments, World& world) {
  FXS_TRY(const report::SvgTheme theme, themeFrom(arguments.get("--theme").value_or("light")));
  session::Request request = requestFrom(arguments);
  session::Phase until = session::Phase::Read;
  if (const auto to = arguments.get("--to")) {
    FXS_TRY(request.lower.target, world.environment.outputTypes.from(*to));
    until = session::Phase::Lower;
  }
  FXS_TRY(const session::SnapshotPtr snapshot,
          session::advance(session::start(std::move(request)), until, world.environment, world.context));
  const fx::Program& program = *snapshot->capture->program;
  const layout::GroupTree tree = layout::groupTree(program);
  FXS_TRY(const layout::ViewOptions options, viewOptions(arguments.all("--expand"), program, tree));
  const layout::GraphView view = layout::graphView(program, tree, options);
  layout::LayoutWorker worker;
  worker.path = world.layoutWorker;
  FXS_TRY(const layout::GraphLayout placed, layout::layoutGraph(view, worker, *world.environment.runner, world.context));
  const std::vector<fx::Finding> findings = snapshot->findings();
  FXS_CHECK(writeAnswer(arguments, report::graphSvg(program, tree, view, placed, findings, theme), world));
  if (arguments.has("-o"))
    world.out << printable(*arguments.get("-o")) << ": " << view.boxes.size() << " boxes in " << view.frames.size() << " open modules, "
              << view.edges.size() << " edges, " << view.stubs.size() << " stubs\n";
  for (const fx::Finding& finding : findings)
    if (finding.severity == fx::Severity::Error) return kFindings;
  return kDone;
}

int runRender(const Arguments& arguments, World& world) {
  const Result<int> done = render(arguments, world);
  return done ? *done : reportError(done.error(), world);
}

}  // namespace

void registerRender(Commands& commands) {
  commands.add({"render",
                "draw the graph as SVG, grouped by module",
                {{"FILE", "a .pt2, or - for standard input"}},
                {{"-o", "OUT.svg", "write the picture to OUT.svg (default: standard output)"},
                 {"--expand", "WHAT", "modules to expand: all, none, a depth such as 2, or module paths (default: chosen by size)", true},
                 {"--theme", "NAME", "light or dark", false, {"light", "dark"}},
                 {"--to", "TYPE", "lower to this output type, and mark what blocks the program"}},
                runRender});
}

}  // namespace fxs::cli
