// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
namespace fxs::app {

/// Where the package has fonts of its own (lib/fxscope-window/fonts, beside bin), fontconfig reads
/// them after those of the system, unless $FONTCONFIG_FILE names another configuration. Before Qt
/// starts; a container may have no font and no configuration.
void useBundledFonts();

}  // namespace fxs::app
