# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m fxscope [FILE]: the window; its options are those of the command fxscope."""

import os
import sys

from .programs import Error, window


def main() -> None:
    try:
        program = str(window())
    except Error as error:
        sys.exit(f"fxscope: {error}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
