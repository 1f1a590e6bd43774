// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Grammars of the strings in a .pt2 that PyTorch evaluates. torch.export.load passes symbolic sizes
// to sympy's eval, resolves targets attribute by attribute, and generates Python source from the
// names of values, arguments, parameters and from guards. It validates none of them, so other text
// could run as code. Readers reject such text where no valid program has it, the writer rejects all
// of it. Sources: torch/_export/serde/serialize.py, torch/fx/graph.py, torch/export/_unlift.py
// (2.13), sympy/parsing/sympy_parser.py (1.13). Strings that PyTorch treats as data are not checked
// here: quoted string arguments, JSON metadata, and lookup keys.
#include <string>
#include <string_view>

namespace fxs::fx {

/// The name of a value, argument, subgraph or device type: ASCII letters, digits and '_', not
/// starting with a digit.
bool isIdentifier(std::string_view);
/// The name of an argument of forward(): an identifier that may also contain non-ASCII characters,
/// as in Python.
bool isArgumentName(std::string_view);
/// "lambda", "None" ..: an identifier that Python source cannot have as a name or attribute.
bool isPythonKeyword(std::string_view);
/// The name of a parameter or buffer as Python source can have it: "blocks.lambda_.weight" for
/// "blocks.lambda.weight".
std::string attributeName(std::string_view);
/// "s27", "u0", "zuf3": an identifier. Numbers of unbacked symbols have at most six digits here,
/// because PyTorch counts up to them.
bool isSymbolName(std::string_view);
/// A function of sympy or torch.utils._sympy.functions from numbers to a number, such as
/// "FloorDiv"; without operands a constant
/// ("oo", "true") or a number of more than 64 bits. Python would resolve other names among its
/// builtins.
bool isSympyHead(std::string_view head, bool hasOperands);
/// "aten.add.Tensor", "acme::x" or "#space:name": words separated by dots and colons. For targets
/// in a file.
bool isTargetText(std::string_view);
/// `aten.add.Tensor` -> `add`; `higher_order.cond` -> `cond`; a text without a dot is its own.
std::string_view packetOf(std::string_view target);
/// A Node::target that torch.export.save can write: an operator overload, a higher-order operator,
/// or one of the Python functions that an exported program may call, but not, say,
/// "torch.os.system".
bool isExportedTarget(std::string_view);
/// The FQN of a parameter, buffer, constant or module: nonempty text without quotes, backslashes
/// and control characters.
bool isQualifiedName(std::string_view);
/// A condition on input sizes, "L['x'].size()[0] <= 8": operators, numbers, and the names that
/// torch.export uses in guards.
bool isGuard(std::string_view);

/// The first 60 bytes of a text in quotes, for messages.
std::string shownText(std::string_view);

}  // namespace fxs::fx
