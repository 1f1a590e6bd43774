// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes reproducer bundles of what a session lowered.
#include <functional>

#include "bundle/bundle.h"

namespace fxs::ui {

/// Writes a bundle: sessionBundler(), or a test double. BundleOptions::describe is set by it.
using Bundler = std::function<Result<bundle::BundleResult>(
    const session::SnapshotPtr&, const bundle::BundleOptions&, const RunContext&)>;
Bundler sessionBundler(session::Environment environment);

}  // namespace fxs::ui
