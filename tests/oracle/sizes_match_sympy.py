# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the table of tests/unit/fx/sym_expr_test.cpp (srepr, infix text, value) against sympy and PyTorch's own functions:
python3 sizes_match_sympy.py tests/unit/fx/sym_expr_test.cpp"""
import re
import sys

import sympy
import torch.utils._sympy.functions as functions

S = sympy.Symbol("s27", positive=True, integer=True)
U = sympy.Symbol("u0", integer=True)
VALUES = {S: 7, U: -3}
NAMES = {name: getattr(functions, name) for name in dir(functions) if isinstance(getattr(functions, name), type)}


def evaluated(text, names):
    scope = {**vars(sympy), **NAMES, **names}
    scope.update({name: getattr(functions, name) for name in ("OpaqueUnaryFn_sqrt",)})
    return eval(text, scope)


def main(path):
    rows = re.findall(r'Srepr\{"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)", (\{\}|-?\d+)\}', open(path).read())
    wrong = skipped = simplified_count = 0
    for text, infix, value in rows:
        if "SomethingNew" in text:
            skipped += 1   # a head nobody knows
            continue
        expr = evaluated(text, {"S": S, "U": U})
        # sympy simplifies some calls as they are made (CeilDiv, LShift ..): then only the value can be compared.
        simplified = text[0].isupper() and "(" in text and type(expr).__name__ != text.partition("(")[0] and not isinstance(expr, sympy.Number)
        simplified = simplified or isinstance(expr, sympy.logic.boolalg.BooleanAtom) and text != "true" or text.startswith("IsNon")
        simplified_count += simplified
        if str(expr) != infix and not simplified:
            wrong += 1
            print(f"{text}: sympy prints {expr}, the table has {infix}")
        number = evaluated(text, {"S": sympy.Integer(7), "U": sympy.Integer(-3)})
        number = number.args[0] if type(number).__name__ == "Identity" else number
        number = int(bool(number)) if number in (sympy.true, sympy.false) else number
        whole = int(number) if isinstance(number, int) or number.is_Integer else None
        if value != "{}" and whole != int(value):
            wrong += 1
            print(f"{text}: sympy evaluates to {number}, the table has {value}")
    print(f"{len(rows)} expressions, {wrong} differ, {simplified_count} simplified by sympy (value compared), {skipped} with heads it does not have")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
