// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/joined.h"
#include "fx/evaluated_text.h"
#include "fx/python_source.h"
#include "fx/python_text.h"

namespace fxs::resource {
std::string_view torchMlirExecution();
}

namespace fxs::upstream {
namespace {

/// Of lines of Python.
constexpr std::size_t kPassColumns = 180, kHanging = 4;

/// Lines with an indentation; empty ones stay empty.
std::string indented(const std::string& lines, std::string_view by) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    const std::string line = lines.substr(at, end - at);
    out += (line.empty() ? std::string() : std::string(by) + line) + "\n";
    at = end == std::string::npos ? lines.size() : end + 1;
  }
  return out;
}

std::string constructorText(const PythonModel& model, bool always) {
  if (model.constructor.empty() && !always) return "";
  return "    def __init__(self):\n        super().__init__()\n" +
         indented(model.constructor, "        ") + "\n";
}

std::string forwardText(const PythonModel& model) {
  return "    def forward(" + model.parameters() + "):\n" + indented(model.forward, "        ");
}

/// "import torch", what forward() uses besides, and the name of the operators.
std::string importsText(const PythonModel& model) {
  std::string out;
  for (const std::string& module : model.imports) out += "import " + module + "\n";
  out += "import torch\n";
  // Which registers its operators.
  if (model.forward.find("torch.ops.quantized_decomposed.") != std::string::npos)
    out += "import torch.ao.quantization.fx._decomposed\n";
  return out;
}

/// What stands before the class.
std::string preambleText(const PythonModel& model) {
  const bool isUsed = model.forward.find("aten.") != std::string::npos;
  return (isUsed ? "aten = torch.ops.aten\n" : "") + model.declarations;
}

/// "Diff" of "aten.diff.default", "LayerNorm" of "aten.layer_norm.default".
std::string camelCase(std::string_view target) {
  std::string out;
  bool upper = true;
  for (const char c : fx::packetOf(target)) {
    if (!isLetter(c) && !(isDigit(c) && !out.empty())) {
      upper = true;
      continue;
    }
    out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return out.empty() ? "Repro" : out;
}

/// "([-1, 3], torch.float32, True)": the form of an input in annotate_args.
std::string annotation(const PythonInput& input) {
  std::vector<std::string> sizes;
  for (std::size_t d = 0; d < input.sizes.size(); ++d)
    sizes.push_back(std::count(input.dynamic.begin(), input.dynamic.end(), d) != 0
                        ? "-1"
                        : std::to_string(input.sizes[d]));
  return fmt::format("([{}], torch.{}, True)", joined(sizes), facts(input.dtype).torchName);
}

/// By the utilities of the suite, which draw it; "" for strides that they do not give.
std::string drawn(const PythonInput& input) {
  if (!input.value.empty()) return input.value;
  if (!input.strides.empty()) {
    const auto order = fx::orderInMemory(input.sizes, input.strides);
    if (!order) return "";
    PythonInput rowMajor = input;
    rowMajor.strides.clear();
    std::vector<std::int64_t> permutation(order->size());
    for (std::size_t at = 0; at < order->size(); ++at) {
      rowMajor.sizes[at] = input.sizes[(*order)[at]];
      permutation[(*order)[at]] = static_cast<std::int64_t>(at);
    }
    const std::string draws = drawn(rowMajor);
    const bool isComparison = input.dtype == DType::Bool;
    return (isComparison ? "(" + draws + ")" : draws) + ".permute(" + joinedNumbers(permutation) +
           ")";
  }
  const std::string sizes = joinedNumbers(input.sizes);
  const std::string type = std::string(facts(input.dtype).torchName);
  if (input.dtype == DType::Bool) return fmt::format("tu.rand({}) > 0.5", sizes);
  if (isIntegral(input.dtype)) {
    const std::string integers =
        fmt::format("tu.randint({}high=2)", sizes.empty() ? "" : sizes + ", ");
    return input.dtype == DType::Int64 ? integers : fmt::format("{}.to(torch.{})", integers, type);
  }
  const std::string floats = fmt::format("tu.rand({})", sizes);
  return input.dtype == DType::Float32 ? floats : fmt::format("{}.to(torch.{})", floats, type);
}

/// The arguments of export_and_import by name, its output type first.
std::vector<std::string> choicesText(const lower::LowerOptions& options) {
  std::vector<std::string> out{
      fmt::format("output_type=\"{}\"", lower::name(torchMlirType(options.target)))};
  if (!options.backendLegalOps.empty()) {
    std::vector<std::string> names;
    for (const std::string& op : options.backendLegalOps) names.push_back(fx::pythonRepr(op));
    out.push_back("backend_legal_ops=[" + joined(names) + "]");
  }
  if (!options.allowNonFinites) out.emplace_back("allow_non_finites=False");
  return out;
}

/// A pipeline in lines, the first of which begins at a column.
std::string brokenAtCommas(std::string_view passes, std::size_t column) {
  std::string out;
  while (column + passes.size() > kPassColumns) {
    std::size_t comma = passes.rfind(',', kPassColumns - column);
    if (comma == std::string_view::npos) comma = passes.find(',');
    if (comma == std::string_view::npos) break;
    out += std::string(passes.substr(0, comma + 1)) + "\n" + std::string(kHanging, ' ');
    passes.remove_prefix(comma + 1);
    column = kHanging;
  }
  return out + std::string(passes);
}

}  // namespace

lower::OutputType torchMlirType(const lower::OutputType& target) {
  lower::OutputType last = target;
  for (const lower::OutputType& type : lower::pathTo(target))
    if (type->file.empty() && type->stage.tool.isEngine()) last = type;
  return last;
}

std::string scriptText(const PythonModel& model, const lower::LowerOptions& options, Given given) {
  const bool isLoaded = given == Given::Loaded;
  std::string out = (isLoaded ? "import io\n" : "") + importsText(model) +
                    "from torch_mlir import fx\n\n" + preambleText(model);
  out += "\n\nclass Repro(torch.nn.Module):\n" + constructorText(model, false) +
         forwardText(model) + "\n\n";
  std::string shapes = model.dynamicShapes(isLoaded);
  if (shapes.find(": dynamic") != std::string::npos)
    out +=
        fmt::format("dynamic = torch.export.Dim.{}\n", model.hasRunTimeSizes ? "AUTO" : "DYNAMIC");
  std::vector<std::string> arguments;
  for (const PythonInput& input : model.inputs) arguments.push_back(PythonModel::example(input));
  if (!shapes.empty()) shapes = "dynamic_shapes=" + shapes;
  if (isLoaded) {
    const std::string examples = "(" + joined(arguments) + (arguments.size() == 1 ? ",)" : ")");
    std::vector<std::string> exported{"Repro()", examples};
    if (!shapes.empty()) exported.push_back(shapes);
    out += model.sizeDeclarations +
           fx::pythonLines("program = torch.export.export(", exported, ", ", ")", "", 4) +
           "saved = io.BytesIO()\ntorch.export.save(program, saved)\nsaved.seek(0)\n";
    arguments = {"torch.export.load(saved)"};
  } else {
    arguments.insert(arguments.begin(), "Repro()");
  }
  for (std::string& choice : choicesText(options)) arguments.push_back(std::move(choice));
  if (!isLoaded && !shapes.empty()) arguments.push_back(std::move(shapes));
  return out + fx::pythonLines("fx.export_and_import(", arguments, ", ", ")", "", 4);
}

std::string valueScriptText(const PythonModel& model, const lower::LowerOptions& options,
                            const ValueCheck& check) {
  // Lines count more than space between them.
  std::string constructor = constructorText(model, false);
  if (!constructor.empty()) constructor.pop_back();
  std::string out = "import ctypes\n" + importsText(model) +
                    "from torch_mlir import execution_engine, fx, passmanager, runtime\n" +
                    preambleText(model) + "\nclass Repro(torch.nn.Module):\n" + constructor +
                    forwardText(model) + "\n";
  std::vector<std::string> inputs;
  for (const PythonInput& input : model.inputs) inputs.push_back(PythonModel::example(input));
  out += fx::pythonLines("inputs = [", inputs, ", ", "]", "", 4);
  out += check.results == 1 ? "expected = [Repro()(*inputs)]\n"
                            : "expected = list(Repro()(*inputs))\n";
  out += "found = [torch.zeros_like(each).contiguous() for each in expected]\n";
  out += fmt::format("lowered = fx.export_and_import(Repro(), *inputs, {})\n",
                     joined(choicesText(options)));
  out += "passes = \"\"\"" + brokenAtCommas(joined(check.passes, ","), 10) + "\"\"\"\n";
  const bool isHalf = std::any_of(model.inputs.begin(), model.inputs.end(),
                                  [](const auto& input) { return input.dtype == DType::BFloat16; });
  const std::string memory =
      isHalf ? "(t.view(torch.int16) if t.dtype == torch.bfloat16 else t)" : "t";
  return out +
         "passmanager.PassManager.parse(f\"builtin.module({passes})\", "
         "lowered.context).run(lowered.operation)\n" +
         fmt::format(
             "pointers = [ctypes.pointer(ctypes.pointer(runtime.get_ranked_memref_descriptor("
             "{}.numpy()))) for t in inputs + found]\n",
             memory) +
         "execution_engine.ExecutionEngine(lowered).invoke(\"main\", *pointers)\n"
         "print(\"expected\", expected, \"\\nfound\", found)\n" +
         fmt::format(
             "torch.testing.assert_close(found, expected, rtol={}, atol={}, "
             "equal_nan=True)\n",
             fx::pythonNumber(check.rtol), fx::pythonNumber(check.atol));
}

std::vector<std::string> executionPasses(const lower::OutputType& type, std::string_view text) {
  std::vector<std::string> out;
  bool isKnown = false;
  const std::string ofType = "type " + std::string(lower::name(type));
  for (std::string_view rest = resource::torchMlirExecution(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    const std::string_view when = line.substr(0, colon);
    const std::string_view passes = line.substr(std::min(line.size(), colon + 2));
    isKnown = isKnown || when == ofType;
    const bool isOfAll = !when.starts_with("type ") && text.find(when) != std::string_view::npos;
    if ((isOfAll || when == ofType) && !passes.empty()) out.emplace_back(passes);
  }
  return isKnown ? out : std::vector<std::string>();
}

std::string e2eTestText(const PythonModel& model, const std::string& fxTarget) {
  if (std::any_of(model.inputs.begin(), model.inputs.end(),
                  [](const PythonInput& input) { return input.number.has_value(); }))
    return "";
  const std::string name = camelCase(fxTarget) + "Module";
  std::string out = importsText(model) +
                    "\nfrom torch_mlir_e2e_test.annotations import annotate_args, export\n"
                    "from torch_mlir_e2e_test.framework import TestUtils\n"
                    "from torch_mlir_e2e_test.registry import register_test_case\n\n" +
                    preambleText(model) + "\n\nclass " + name + "(torch.nn.Module):\n" +
                    constructorText(model, true) +
                    "    @export\n    @annotate_args([\n        None,\n";
  std::vector<std::string> arguments;
  for (const PythonInput& input : model.inputs) {
    out += "        " + annotation(input) + ",\n";
    arguments.push_back(drawn(input));
    if (arguments.back().empty()) return "";
  }
  out += "    ])\n" + forwardText(model) + "\n\n";
  out += fmt::format(
      "@register_test_case(module_factory=lambda: {0}())\n"
      "def {0}_basic(module, tu: TestUtils):\n",
      name);
  return out + fx::pythonLines("module.forward(", arguments, ", ", ")", "    ", 4);
}

std::string litTestText(const LitTest& test) {
  std::string out = fmt::format("// RUN: {} %s -pass-pipeline='{}' | FileCheck %s\n\n",
                                test.program, test.pipeline);
  if (!test.error.empty()) out += "// It ends with: " + test.error + "\n\n";
  out += "// CHECK-LABEL: func.func @main\n";
  if (!test.op.empty()) out += "// CHECK-NOT: " + test.op + "\n";
  return out + test.input + (test.input.ends_with("\n") ? "" : "\n");
}

}  // namespace fxs::upstream
