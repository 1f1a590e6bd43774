"""Lowers a program that fxscope wrote with torch_mlir.fx.export_and_import.

    python3 lower_with_torch_mlir.py PROGRAM.pt2 linalg-on-tensors .. [SCRIPT.py ORIGINAL.pt2]

Prints a JSON object a line: first {"python", "torch", "torch_mlir"}; then {"to", "error"} for each output type, with "" if it lowers. With a script
that fxscope wrote, {"by_script", "error"}, too: what its lower() makes of the original.
"""
import importlib.metadata
import json
import sys


def say(**what):
    print(json.dumps(what), flush=True)


def version(module):
    names = importlib.metadata.packages_distributions().get(module, [])
    return importlib.metadata.version(names[0]) if names else "of unknown version"


def first_line(error):
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__


def main():
    program, *targets = sys.argv[1:]
    script, original = (targets.pop(-2), targets.pop()) if targets and targets[-1].endswith(".pt2") else ("", "")
    import torch
    from torch_mlir import fx
    from torch_mlir.compiler_utils import OutputType

    say(python=sys.version.split()[0], torch=torch.__version__, torch_mlir=version("torch_mlir"))
    for target in targets:
        try:
            fx.export_and_import(torch.export.load(program), output_type=OutputType.get(target))
            say(to=target, error="")
        except Exception as error:  # whatever it raises is the answer
            say(to=target, error=first_line(error))
    names = {}
    if script:
        with open(script) as source:
            exec(source.read(), names)
    for target in targets if script else ():
        try:
            names["lower"](torch.export.load(original), target)
            say(by_script=target, error="")
        except Exception as error:
            say(by_script=target, error=first_line(error))


main()
