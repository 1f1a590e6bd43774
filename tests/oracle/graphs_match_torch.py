# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds fxscope's graphs and normalized metadata against PyTorch's own: python3 graphs_match_torch.py CLI [--all] [FILE.pt2 ..]

Without files, a sample of the programs of oracle_programs is exported, with --all each. For each node of torch.export.load(FILE), in every graph:
  - its line of `inspect --graph`: name, op, target, arguments and number of users, as print(graph_module.graph) has them;
  - its value there: dtype and sizes, symbols included;
  - `normalize --json`: each field of the TensorMetadata that torch.fx.passes.shape_prop extracts from meta['val'], the module
    stack, and original_aten where PyTorch has one.
Prints what differs and exits 1; a program that PyTorch itself cannot export or load is counted and named.
"""
import argparse
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from torch.fx.passes.shape_prop import _extract_tensor_metadata

warnings.filterwarnings("ignore")
SAMPLED = 12
PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


# What the dump says of a value beyond dtype and sizes; the normalized metadata is held against PyTorch's strides.
LAYOUT = re.compile(r" (stride=\[[^]]*\]|offset=(?:-?\d+|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))|device=[\w:]+|layout=\w+)")


def name_text(name):
    return name if name and set(name) <= PLAIN and not name[0].isdigit() else repr(name)


def argument(arg):
    if isinstance(arg, torch.fx.Node):
        return "%" + name_text(arg.name)
    if isinstance(arg, (list, tuple)):
        return "[" + ", ".join(argument(a) for a in arg) + "]"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{name_text(k)}: {argument(v)}" for k, v in arg.items()) + "}"
    if isinstance(arg, (str, complex, float, bool, int, type(None))):
        return repr(arg)
    return str(arg)   # dtypes, layouts, memory formats, devices, operators


def line(node):
    head = f"%{name_text(node.name)} [num_users={len(node.users)}] = {node.op}"
    if node.op == "placeholder":
        return head + f"[target={node.target}]"
    if node.op == "get_attr":
        return head + f"[target={node.target}]"
    if node.op == "output":
        return f"return {[argument(a) for a in flat(node.args[0])]}"
    args = ", ".join(argument(a) for a in node.args) + ("," if len(node.args) == 1 else "")
    kwargs = ", ".join(f"{k}: {argument(v)}" for k, v in node.kwargs.items())
    return head + f"[target={node._pretty_print_target(node.target)}](args = ({args}), kwargs = {{{kwargs}}})"


def flat(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def value_text(val):
    """dtype and sizes, or the symbol; None when a value's text is of no interest here."""
    if isinstance(val, torch.Tensor):
        return f"{val.dtype.abbr}[{', '.join(str(s) for s in val.shape)}]"
    if isinstance(val, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return f"{type(val).__name__.replace('SymInt', 'Sym')}({val})"
    if isinstance(val, (list, tuple)):
        parts = [value_text(v) for v in val]
        return None if None in parts else "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
    return None


class Ours:
    """The nodes of `inspect --graph`, by graph path and name."""

    def __init__(self, cli, path):
        text = subprocess.run([cli, "inspect", "--graph", path], capture_output=True, text=True, check=True).stdout
        self.lines, self.values, self.order = {}, {}, {}
        graph = None
        for row in text.splitlines():
            if row.startswith("graph"):
                graph = row[len("graph"):row.rindex("()")].strip()
                self.order[graph] = []
            elif row.startswith("    return "):
                self.lines[graph, "output"] = row.strip()
                self.order[graph].append("output")
            elif row.startswith("    %"):
                head, rest = row.strip().split(" : ", 1)
                at = rest.index("[num_users=")
                name = head[1:]
                self.lines[graph, name] = f"%{name} {rest[at:]}"
                self.values[graph, name] = rest[:at].strip()
                self.order[graph].append(name)


def graphs(module, path=""):
    """Every graph of a module with its path, as the dump names them."""
    yield path, module.graph
    for node in module.graph.nodes:
        held = getattr(module, node.target, None) if node.op == "get_attr" else None
        if isinstance(held, torch.fx.GraphModule):
            yield from graphs(held, f"{path}.{node.name}" if path else node.name)


def tensor_meta(val):
    if isinstance(val, torch.Tensor):
        m = _extract_tensor_metadata(val)
        sizes = lambda v: [int(s) if isinstance(s, int) else str(s) for s in v]
        return [{
            "shape": sizes(m.shape), "dtype": str(m.dtype).removeprefix("torch."), "requires_grad": m.requires_grad,
            "stride": sizes(m.stride), "memory_format": None if m.memory_format is None else str(m.memory_format),
            "is_quantized": m.is_quantized,
        }]
    return [m for v in val for m in tensor_meta(v)] if isinstance(val, (list, tuple)) else []


def returned(text):
    """The values of a return line, without the tuple's brackets and the kinds of the outputs."""
    rest = text.removeprefix("return ")
    if rest.startswith("("):
        rest = rest[1:rest.rindex(")")]
    depth, parts, part = 0, [], ""
    for c in rest:
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
            continue
        depth += (c in "[{") - (c in "]}")
        part += c
    parts.append(part.strip())
    return [p.removeprefix("%") for p in parts if p]


def compare(cli, path, program):
    """What differs, a line each; and how much was compared."""
    ours = Ours(cli, path)
    meta = {}
    for node in json.loads(subprocess.run([cli, "normalize", "--json", path], capture_output=True, text=True, check=True).stdout)["nodes"]:
        meta.setdefault(node["graph"], {})[node["name"]] = node
    wrong, nodes, undecided = [], 0, 0
    for graph_path, graph in graphs(program.graph_module):
        theirs = [n.name for n in graph.nodes]
        if graph_path not in ours.order:
            wrong.append(f"graph '{graph_path}' is missing")
            continue
        if ours.order[graph_path] != [name_text(n) for n in theirs]:
            wrong.append(f"graph '{graph_path}': nodes {[a for a in theirs if a not in ours.order[graph_path]]} are missing, "
                         f"{[a for a in ours.order[graph_path] if a not in theirs]} are extra, or the order differs")
            continue
        ours_meta = meta.get(graph_path.rpartition(".")[2] or "main", {})
        for node in graph.nodes:
            nodes += 1
            key = (graph_path, name_text(node.name))
            if node.op == "output":
                want, have = [argument(a).removeprefix("%") for a in flat(node.args[0])], returned(ours.lines[key])
                if want != have:
                    wrong.append(f"output of '{graph_path}': torch {want}, fxscope {have}")
                continue
            have = ours.lines[key]
            if node.op == "placeholder":
                have = have[:have.index("]", have.index("[target=")) + 1]
            if line(node) != have:
                wrong.append(f"torch   {line(node)}\n    fxscope {have}")
            val = node.meta.get("val")
            text = value_text(val)
            if text is not None and LAYOUT.sub("", ours.values[key]) != text:
                wrong.append(f"{node.name}: value torch {text}, fxscope {ours.values[key]}")
            if graph_path.count(".") or node.name not in ours_meta:
                continue
            mine = ours_meta[node.name]
            want = tensor_meta(val)
            if mine["tensor_meta"] != want:
                for a, b in zip(mine["tensor_meta"], want):
                    # Unbacked sizes may not tell: PyTorch then takes the format for none, fxscope says so.
                    if a["memory_format"] == "unknown" and b["memory_format"] is None and any(str(s)[0] not in "0123456789" for s in b["shape"]):
                        undecided += 1
                        continue
                    wrong += [f"{node.name}: tensor_meta.{f} torch {b[f]}, fxscope {a[f]}" for f in b if a[f] != b[f]]
            if len(want) != len(mine["tensor_meta"]):
                wrong.append(f"{node.name}: torch has {len(want)} tensors, fxscope {len(mine['tensor_meta'])}")
            stack = [[k, p, t] for k, (p, t) in (node.meta.get("nn_module_stack") or {}).items()]
            if stack and [[f["key"], f["path"], f["type"]] for f in mine["module_stack"]] != stack:
                wrong.append(f"{node.name}: module stack torch {stack}, fxscope {mine['module_stack']}")
    return wrong, nodes, undecided


def reason(error):
    return f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"


def given_files(paths):
    for path in paths:
        try:
            yield path, path, torch.export.load(path), None
        except Exception as error:
            yield path, None, None, reason(error)


def exported_programs(folder, forms, step):
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    import oracle_programs

    for name, program in sorted(oracle_programs.load_all().items())[::step]:
        exported = None
        for form in forms:
            if form not in program.forms:
                continue
            path = str(folder / "program.pt2")
            try:
                exported = exported or oracle_programs.export(program, "exported")
                torch.export.save(oracle_programs.decompose(exported, form), path)
                loaded = torch.export.load(path)
            except Exception as error:
                yield f"{name}.{form}", None, None, reason(error)
                continue
            yield f"{name}.{form}", path, loaded, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--forms", default="exported,decomposed")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        exported = exported_programs(pathlib.Path(folder), options.forms.split(","), 1 if options.all else SAMPLED)
        cases = given_files(options.files) if options.files else exported
        programs = nodes = bad = undecided = 0
        refused = []
        for label, path, loaded, why in cases:
            if path is None:
                refused.append(f"{label}: {why}")
                continue
            try:
                wrong, count, open_formats = compare(options.cli, path, loaded)
            except subprocess.CalledProcessError as error:
                wrong, count = [f"fxscope failed: {error.stderr.strip()}"], 0, 0
            programs += 1
            nodes += count
            undecided += open_formats
            bad += bool(wrong)
            for text in wrong[:20]:
                print(f"{label}: {text}")
            if len(wrong) > 20:
                print(f"{label}: {len(wrong) - 20} more")
    for text in refused:
        print(f"not comparable: {text}")
    print(f"{programs} programs, {nodes} nodes; {bad} programs differ; {undecided} memory formats left open; {len(refused)} that PyTorch cannot export, save or load")
    sys.exit(1 if bad or not programs else 0)


if __name__ == "__main__":
    main()
