// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The options of fxscope, the desktop program, besides --help and --version.
#include <string>
#include <vector>

#include "option.h"

namespace fxs::app {

inline constexpr const char* kWindowFileHelp =
    "A .pt2 file of torch.export.save, an MLIR module or lit test, a trace or a log of passes, a "
    "capture (.json), a bundle, or a folder of captures. Each is a tab; without one, the window "
    "reopens what was open last.";

inline std::vector<Option> windowOptions() {
  return {
      {"--target", "TYPE", "Output type: ${output-types}."},
      {"--output-types", "FILE",
       "User-defined output types, in the form of resources/output_types.json; may be repeated."},
      {"--set", "NAME=VALUE",
       "Set a parameter of output types, such as cuda-target=sm_89; may be repeated."},
      {"--engine", "ENGINE",
       "Engine to use: a name that 'fxscope-cli engine list' shows, or the path of a "
       "torch-mlir-opt."},
      {"--python", "PATH",
       "Python interpreter with PyTorch (auto: python3), to try PyTorch's decompositions too, for "
       "each file where you allow it."},
      {"--registry", "FILE",
       "User registry (.fxreg), consulted before the others; may be repeated."},
      {"--theme", "THEME", "light, dark or system.", false, {"light", "dark", "system"}},
      {"--watch", "", "Reload a file whenever it changes; selection and arrangement stay."},
      {"--layer", "FILE", "Open a layer, values of the nodes as JSON or CSV; may be repeated."},
      {"--select", "NODE", "Select this node after opening the program."},
      {"--screenshot", "OUT.png",
       "Write a screenshot of the window to OUT once the program is lowered and laid out, and "
       "exit. Needs no display with "
       "QT_QPA_PLATFORM=offscreen."},
      {"--size", "WxH", "Size of the window, e.g. 1600x1000."},
      {"--text-scale", "FACTOR",
       "Size of the text, 1 to 3; 2 is 200 %. Without it, that of the system."},
      {"--arrangement",
       "NAME",
       "Arrangement of the panes: graph, stages, passes, diagnosis or numbers.",
       false,
       {"graph", "stages", "passes", "diagnosis", "numbers"}},
      {"--expand", "", "With --screenshot: expand every group of the graph."},
      {"--pass", "N", "With --screenshot: show the module before and after pass N of the list."},
      {"--diff", "A:B",
       "With --screenshot: compare the modules after passes A and B; 0 is the module before the "
       "first."},
      {"--do", "ACTION,..",
       "With --screenshot: trigger these actions first, by id, e.g. keys or next-problem."},
      {"--settings", "FILE.ini", "File of the window's settings; not written with --screenshot."},
      {"--time-first-picture", "",
       "Print the time from the start to the first drawing of FILE's graph, and exit."},
  };
}

}  // namespace fxs::app
