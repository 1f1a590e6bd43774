# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module is typed: python3 module_types.py. mypy --strict accepts it, and a script of a user that calls it; what is wrong in one is
found."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = "import fxscope\nanswer = fxscope.lower('x', to='tosa')\nok: bool = answer.ok\nwhole: str = answer.text()\n"
WRONG = {"bool": "str", "lower(": "lowers(", "'x'": "5"}


def mypy(*arguments, **environment):
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, cwd=ROOT)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="fxscope-types-") as folder:
        options = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", f"{folder}/cache")
        script = pathlib.Path(folder, "typed.py")
        for words, others in (("", ""), *WRONG.items()):
            script.write_text(RIGHT.replace(words, others) if words else RIGHT)
            accepted, said = mypy(*options, str(script))
            if accepted == bool(words):
                problems.append(f"with {others!r} for {words!r}: {said}")
        accepted, said = mypy(*options)
        if not accepted:
            problems.append(f"the module: {said}")
    print("\n".join(problems) or "the module and a script are accepted, wrong ones are not")
    return 1 if problems else 0


sys.exit(main())
