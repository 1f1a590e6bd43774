"""Decomposes operators of an exported program by PyTorch's own tables.

    python3 decompose_with_torch.py PROGRAM.pt2 DIRECTORY aten.add.Tensor ..

Prints a JSON object a line: first {"python", "torch"}; then for each operator {"op", "file", "default", "table"}, the program
without it and the operators that were decomposed, by torch.export.default_decompositions() and by get_decompositions(), or {"op", "error"}. Each operator is decomposed by itself.
"""
import json
import os
import sys


def say(**what):
    print(json.dumps(what), flush=True)


def first_line(error):
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__


def operators(exported):
    import torch

    return {n.target for n in exported.graph.nodes if isinstance(n.target, torch._ops.OpOverload)}


def main():
    program, directory, *targets = sys.argv[1:]
    import torch
    from torch._decomp import get_decompositions

    say(python=sys.version.split()[0], torch=torch.__version__)
    for number, target in enumerate(targets):
        try:
            space, packet, overload = target.split(".")
            operator = getattr(getattr(getattr(torch.ops, space), packet), overload)
            # What is taken apart by default comes first: its table also has the operators that are made of others.
            default = torch.export.default_decompositions()
            table = {operator: default[operator]} if operator in default else dict(get_decompositions([operator]))
            if not table:
                say(op=target, error="PyTorch has no decomposition of it")
                continue
            by_default, by_table = ([target], []) if operator in default else ([], [target])
            # Loaded anew each time: decomposing changes what was loaded.
            exported = torch.export.load(program)
            before = operators(exported)
            exported = exported.run_decompositions(table)
            # What it becomes is taken apart too, until only operators that every backend should know are new.
            for _ in range(4):
                new = [op for op in operators(exported) - before if torch.Tag.core not in op.tags]
                table = get_decompositions(new)
                if not table:
                    break
                exported = exported.run_decompositions(dict(table))
                by_table += [str(op) for op in table if isinstance(op, torch._ops.OpOverload)]
            path = os.path.join(directory, f"{number}.pt2")
            torch.export.save(exported, path)
            say(op=target, file=path, default=by_default, table=by_table)
        except Exception as error:  # whatever PyTorch raises is the answer
            say(op=target, error=first_line(error))


main()
