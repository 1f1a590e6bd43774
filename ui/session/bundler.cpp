// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/bundler.h"

#include "report/lower.h"

namespace fxs::ui {
namespace {

std::pair<std::string, std::string> described(const session::Snapshot& snapshot) {
  const std::vector<fx::Finding> findings = snapshot.findings();
  return report::bundleTexts({snapshot.request.file, *snapshot.lowering, snapshot.origins, findings,
                              *snapshot.capture->program, snapshot.request.route->name});
}

}  // namespace

Bundler sessionBundler(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& snapshot,
                                                const bundle::BundleOptions& options,
                                                const RunContext& context) {
    bundle::BundleOptions complete = options;
    complete.describe = described;
    return bundle::exportBundle(snapshot, complete, environment, context);
  };
}

}  // namespace fxs::ui
