# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m fxscope [FILE]: the window; its options are those of the command fxscope. python -m fxscope explain FILE [--to TYPE,..]: the first answer
about a program; further options are those of fxscope-cli diagnose."""

import argparse
import os
import sys

from .explanation import TORCH_MLIR, explained
from .programs import Error, window


def answer(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m fxscope explain", description="Whether a program lowers, what stops it, and what makes it lower.",
                                     epilog="Further options are those of fxscope-cli diagnose.", allow_abbrev=False)
    parser.add_argument("FILE", help="a .pt2, or another file that fxscope-cli opens")
    parser.add_argument("--to", metavar="TYPE,..", default=",".join(TORCH_MLIR), help="output types (default: %(default)s)")
    given, options = parser.parse_known_args(words)
    explanation = explained(given.FILE, ["--to", given.to, *options])
    print(explanation)
    return explanation.code


def main() -> None:
    try:
        if sys.argv[1:2] == ["explain"]:
            sys.exit(answer(sys.argv[2:]))
        program = str(window())
    except Error as error:
        print(f"fxscope: {error}", file=sys.stderr)
        sys.exit(error.code if sys.argv[1:2] == ["explain"] else 1)
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
