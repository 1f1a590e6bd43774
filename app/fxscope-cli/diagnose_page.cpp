// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose_page.h"

#include <ostream>

namespace fxs::cli {

std::optional<report::DiagnosePicture> pictureOf(const fx::Program& program,
                                                 const diagnose::Diagnosis& diagnosis,
                                                 Console& console) {
  report::DiagnosePicture picture;
  picture.tree = layout::groupTree(program);
  layout::ViewOptions options;
  options.expanded = layout::initiallyExpanded(program, picture.tree);
  for (const diagnose::Blocked& entry : diagnosis.blocked)
    if (!entry.nodes.empty()) {
      const std::vector<layout::GroupId> path =
          picture.tree.pathTo(picture.tree.groupOf[entry.nodes.front().index()]);
      options.expanded.insert(path.begin(), path.end());
    }
  picture.view = layout::graphView(program, picture.tree, options);
  layout::LayoutWorker worker;
  worker.path = console.layoutWorker;
  Result<layout::GraphLayout> placed =
      layout::layoutGraph(picture.view, worker, *console.environment.runner, console.context);
  if (!placed) {
    console.err << "fxscope-cli: the graph is listed, not drawn: " << toString(placed.error())
                << "\n";
    return std::nullopt;
  }
  picture.layout = std::move(*placed);
  return picture;
}

std::vector<std::shared_ptr<const lower::Lowering>> loweringsOf(
    const session::SnapshotPtr& imported, const diagnose::Diagnosis& diagnosis, Console& console) {
  std::vector<std::shared_ptr<const lower::Lowering>> out;
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
    session::Request request = imported->request;
    request.lower.target = target.target;
    const auto lowered =
        session::advance(session::retarget(imported, std::move(request)), session::Phase::Lower,
                         console.environment, console.context);
    out.push_back(lowered ? (*lowered)->lowering : nullptr);
    if (!lowered)
      console.err << "fxscope-cli: cannot show the stages of " << lower::name(target.target) << ": "
                  << toString(lowered.error()) << "\n";
  }
  return out;
}

}  // namespace fxs::cli
