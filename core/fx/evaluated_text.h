#pragma once
// The grammars of the texts of a .pt2 that PyTorch evaluates. torch.export.load hands symbolic sizes to sympy's eval, looks targets up
// attribute by attribute, and makes Python source of the names of values, arguments, parameters and guards, none of which it checks:
// a text that is not of its grammar runs as code. Readers refuse such a text where no program has it, the writer refuses all of it.
// Facts: torch/_export/serde/serialize.py, torch/fx/graph.py, torch/export/_unlift.py (2.13), sympy/parsing/sympy_parser.py (1.13).
// What PyTorch reads as data is not here: texts that it quotes (string arguments), JSON (metadata) and keys that it only looks up.
#include <string>
#include <string_view>

namespace fxs::fx {

/// The name of a value, an argument, a subgraph or a kind of device: letters, digits and '_' of ASCII, no digit first.
bool isIdentifier(std::string_view);
/// An argument of forward(), whose letters may be any that are not ASCII, as Python has it.
bool isArgumentName(std::string_view);
/// "s27", "u0", "zuf3": an identifier. PyTorch counts up to the number of an unbacked symbol, which has at most six digits here.
bool isSymbolName(std::string_view);
/// A head of sympy or of torch.utils._sympy.functions, "FloorDiv", that takes numbers and gives one; without operands a constant
/// ("oo", "true") or a number that has more than 64 bits. Any other head would be looked up among Python's own functions.
bool isSympyHead(std::string_view head, bool hasOperands);
/// "aten.add.Tensor", "acme::x" or "#space:name": words between dots and colons. What a file may hold.
bool isTargetText(std::string_view);
/// A target, as fx::Node has it, that torch.export.save writes: an operator with its overload, a higher-order operator, or one of the
/// Python functions that an exported program may call. "torch.os.system" is not among them.
bool isExportedTarget(std::string_view);
/// Of a parameter, buffer, constant or module: any text without quotes, backslashes and control characters.
bool isQualifiedName(std::string_view);
/// A condition on the sizes of inputs, "L['x'].size()[0] <= 8": operators, numbers, and the names that such conditions have.
bool isGuard(std::string_view);

/// A text for a message: in quotes, its first 60 bytes.
std::string shownText(std::string_view);

}  // namespace fxs::fx
