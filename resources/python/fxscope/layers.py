# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of layers: values that you know of the nodes of a program, for graph(layer=..), the window and `fxscope-cli render --layer`."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from . import programs
from .programs import Error
from .source import Program, Source
from .types import OutputType, Path

if TYPE_CHECKING:
    import torch

    from typing_extensions import Unpack

    from .types import CompareOptions

Value = Union[float, str, "tuple[float, str]"]


def _entry(value: Value) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return {"value": _number(value[0]), "text": str(value[1])}
    return _number(value)


def _number(value: Any) -> float | str:
    try:
        number = float(value)
    except TypeError as error:
        raise ValueError(f"a value of a layer is a number, a text, or both as a tuple, not {value!r}") from error
    return number if abs(number) < float("inf") else str(number).replace("inf", "Infinity").replace("nan", "NaN")


def layer(values: Mapping[str, Value], file: Path, *, title: str, unit: str = "", scale: Literal["linear", "log"] | None = None,
          by: Literal["node", "operator"] = "node") -> pathlib.Path:
    """Writes values of nodes, by name, or of operators ("aten.addmm", "aten.addmm.default"), and returns the file's path.

    A value is a number, a text such as the partition that a node is in, or a number with a text that explains it. Numbers colour the graph
    on a scale, texts by what they say: fxscope.graph(program, layer=path).
    """
    content: dict[str, Any] = {"schema": "fxscope-layer/1", "title": title}
    if unit:
        content["unit"] = unit
    if scale:
        content["scale"] = scale
    content[f"{by}s"] = {name: _entry(value) for name, value in values.items()}
    path = pathlib.Path(os.fspath(file))
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    return path


def profiled(profile: Any) -> dict[str, tuple[float, str]]:
    """The time of each operator with what it calls, in a torch.profiler profile, in µs: layer(profiled(prof), .., unit="µs", by="operator")."""
    out = {}
    for event in profile.key_averages():
        if "::" in event.key:
            out[event.key.replace("::", ".")] = (float(event.cpu_time_total), f"{event.count} calls")
    return out


def dispatched(x: Program, /, to: OutputType, times: Path | Mapping[str, float] | None = None, *, args: Sequence[Any] = (),
               kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None,
               **options: Unpack[CompareOptions]) -> dict[str, tuple[float, str]]:
    """The time of a call of the IREE dispatch that computes each node, in µs, with the name of the dispatch: layer(dispatched(..), .., unit="µs").

    Without `times` it is measured on this machine, as by `fxscope-cli run --dispatches`. `times` are measured elsewhere: µs by the name of a dispatch,
    or a file of `iree-profile dispatch --format=jsonl`, of `tracy-csvexport`, or of Google Benchmark (--benchmark_format=json). Their names are those
    of the pinned IREE; of a dispatch of another name nothing is known, and there is an Error if no name is.
    """
    source = Source(x, args, kwargs, dynamic_shapes)
    arguments = ["run", str(source.path), *programs.options({"to": to, **options}), "--dispatches", "--json"]
    rows = [row for row in json.loads(programs.run(arguments))["stages"] if row["dispatches"]]
    if not rows:
        raise Error("no dispatch was measured: the program does not lower, or IREE is not installed; run `./run --numbers`", programs.FINDINGS)
    known = rows[-1]["dispatches"]
    own = _dispatch_times(times, [each["name"] for each in known]) if times is not None else {each["name"]: each["seconds"] * 1e6 / each["calls"] for each in known}
    if not own:
        raise Error(f"none of the times is of a dispatch of this program, such as {known[0]['name']}")
    out: dict[str, tuple[float, str]] = {}
    for each in known:
        if each["name"] not in own:
            continue
        nodes = f"{len(each['nodes'])} nodes in {each['calls']} calls" if each["calls"] > 1 else f"{len(each['nodes'])} nodes"
        words = each["name"] + (f", {nodes}" if len(each["nodes"]) > 1 else "")
        for node in each["nodes"]:
            time, said = out.get(node, (0.0, ""))
            out[node] = (time + own[each["name"]], f"{said}; {words}" if said else words)
    return out


def _dispatch_times(times: Path | Mapping[str, float], known: Sequence[str]) -> dict[str, float]:
    """µs of the dispatches that are known; what else was timed is left out."""
    out: dict[str, float] = {}
    rows = times.items() if isinstance(times, Mapping) else _timed(pathlib.Path(os.fspath(times)))
    for name, time in rows:
        # Zones and benchmarks have more in their names than the dispatch; main_dispatch_1 is in main_dispatch_12, too.
        within = max((each for each in known if each in name), key=len, default=None)
        if within is not None and not name[name.index(within) + len(within):][:1].isdigit():
            out[within] = out.get(within, 0.0) + float(time)
    return out


def _timed(path: pathlib.Path) -> Iterator[tuple[str, float]]:
    """Names and µs of a file."""
    text = path.read_text(encoding="utf-8")
    head = text.lstrip()
    try:
        if head.startswith("{") and "benchmarks" in (whole := _json(head)):
            scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
            for each in whole["benchmarks"]:
                if each.get("run_type", "iteration") == "iteration":
                    yield each["name"], each["real_time"] * scale[each.get("time_unit", "ns")]
        elif head.startswith("{"):
            for line in head.splitlines():
                each = json.loads(line) if line.strip() else {}
                if each.get("type") == "host_dispatch_group":
                    yield each["key"], each["total_ns"] / max(1, each["count"]) / 1e3
        else:
            for row in csv.DictReader(io.StringIO(text)):
                yield row["name"], float(row["total_ns"]) / max(1.0, float(row["counts"])) / 1e3
    except (KeyError, TypeError, ValueError) as error:
        raise Error(f"{path}: expected lines of iree-profile, a CSV of tracy-csvexport with name, total_ns and counts, or JSON of Google Benchmark: "
                    f"{type(error).__name__}: {error}", programs.INPUT) from error


def _json(text: str) -> dict[str, Any]:
    try:
        out = json.loads(text)
    except ValueError:  # lines
        return {}
    return out if isinstance(out, dict) else {}


def executed(inspector: Any, names: Mapping[str, Sequence[str]] | None = None) -> dict[str, tuple[float, str]]:
    """The time of each node in an ETDump, by ExecuTorch's Inspector with an ETRecord: layer(executed(inspector), .., unit="ms").

    `inspector` is an Inspector, its event_blocks, or its to_dataframe(). What is read of an event: name, perf_data.avg, delegate_backend_name, and the
    names of its nodes, which are the keys of stack_traces and module_hierarchy; of a DataFrame the columns event_name, avg, delegate_backend_name,
    stack_traces and module_hierarchy. An event of a delegate has the time of all its nodes. The nodes are those of the program that the ETRecord has,
    in the edge dialect; `names`, such as origins(edge_program), says which they are of the program before.
    """
    out: dict[str, tuple[float, str]] = {}
    for event, time, backend, nodes in _events(inspector):
        if time is None or math.isnan(time):
            continue
        words = event + (f", {backend}" if backend else "") + (f", {len(nodes)} nodes" if len(nodes) > 1 else "")
        for node in dict.fromkeys(name for each in nodes for name in ((names or {}).get(each) or [each])):
            before, said = out.get(node, (0.0, ""))
            out[node] = (before + time, f"{said}; {words}" if said else words)
    if not out:
        raise Error("no event has nodes: give the Inspector the ETRecord of the program, and enable profiling in the runtime")
    return out


def _events(inspector: Any) -> Iterator[tuple[str, float | None, str, list[str]]]:
    """Name, time, backend and nodes of each event."""
    if hasattr(inspector, "to_dict"):
        for row in inspector.to_dict("records"):
            time = next((value for name, value in row.items() if name == "avg" or name.startswith("avg (")), None)
            yield (str(row["event_name"]), None if time is None else float(time), str(row.get("delegate_backend_name") or ""),
                   list({**(row.get("stack_traces") or {}), **(row.get("module_hierarchy") or {})}))
        return
    for block in getattr(inspector, "event_blocks", inspector):
        for event in block.events:
            yield (str(event.name), float(event.perf_data.avg) if event.perf_data else None, str(getattr(event, "delegate_backend_name", None) or ""),
                   list({**(event.stack_traces or {}), **(event.module_hierarchy or {})}))


def tagged(x: Any, key: str | None = None) -> dict[str, str]:
    """The partition that each call is in, of an ExportedProgram or a GraphModule: node.meta[key], and without `key` the first that any node has of
    delegation_tag, partition_tag, partitioner_tag and the attribute `tag` of torch.fx's splitters. Or of partitions, as propose_partitions() of
    CapabilityBasedPartitioner returns. Error if there is no tag."""
    if not hasattr(x, "graph"):
        return {node.name: f"partition {partition.id}" for partition in x for node in partition.nodes}
    calls = [(name, node) for name, node in _nodes(x) if node.op.startswith("call_")]
    for each in [key] if key else ["delegation_tag", "partition_tag", "partitioner_tag", "tag"]:
        tags = {name: str(node.meta.get(each, getattr(node, "tag", None) if each == "tag" else None)) for name, node in calls}
        if out := {name: tag for name, tag in tags.items() if tag != "None"}:
            return out
    raise Error(f"no node has {key or 'a tag of a partition'} in its meta")


def _nodes(x: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """With the names that layers have: those in a nested graph after the names of the get_attr nodes that lead to it."""
    module = getattr(x, "graph_module", x)
    for node in module.graph.nodes:
        yield prefix + node.name, node
        nested = getattr(module, node.target, None) if node.op == "get_attr" and "." not in node.target else None
        if hasattr(nested, "graph"):
            yield from _nodes(nested, f"{prefix}{node.name}.")


def origins(program: Any) -> dict[str, list[str]]:
    """The nodes of the exported program that each node of a program made from it comes from, by PyTorch's node.meta["from_node"], which
    run_decompositions and other passes keep."""

    def first(source: Any) -> Iterator[str]:
        if source.from_node:
            for each in source.from_node:
                yield from first(each)
        else:
            yield source.name

    return {name: list(dict.fromkeys(each for source in node.meta.get("from_node") or [] for each in first(source))) for name, node in _nodes(program)}


def recorded(program: torch.export.ExportedProgram, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> dict[str, torch.Tensor]:
    """The tensor of each call of the main graph, computed by PyTorch, for errors()."""
    import torch

    module = program.module() if isinstance(program, torch.export.ExportedProgram) else program
    out: dict[str, torch.Tensor] = {}

    class Recorder(torch.fx.Interpreter):
        def run_node(self, n: torch.fx.Node) -> Any:
            value = super().run_node(n)
            if n.op.startswith("call_") and isinstance(value, torch.Tensor):
                out[n.name] = value.detach().clone()
            return value

    named = dict(kwargs or {})
    if named and isinstance(program, torch.export.ExportedProgram):  # in the order of the program's inputs
        spec = program.call_spec.in_spec
        named = {name: named[name] for name in (spec.child(1) if hasattr(spec, "child") else spec.children_specs[1]).context}
    with torch.no_grad():
        Recorder(module).run(*args, *named.values())
    return out


def errors(reference: Mapping[str, Any], other: Mapping[str, Any], names: Mapping[str, Sequence[str]] | None = None) -> dict[str, tuple[float, str]]:
    """How far the values of other are from those of reference, such as of a quantized program from the original: the norm of the difference, of
    the norm of the reference, and in words the largest difference and the signal-to-noise ratio. Tensors by node, as recorded() returns them.

    A node is compared with that of its name; with `names`, such as origins(other_program), with the one that it comes from, of which the last node
    that comes from it counts. What has another shape, or is in one of them only, is left out. Error if nothing is compared.
    """
    out = {}
    for name, value in other.items():
        # After a decomposition, a node may have the name that another had before.
        before = [each for each in (names or {}).get(name, [name]) if each in reference]
        if len(before) != 1 or value.shape != reference[before[0]].shape or not value.numel():
            continue
        expected = reference[before[0]].double()
        difference = value.double() - expected
        size, off = float(expected.norm()), float(difference.norm())
        relative = off / size if size else (0.0 if off == 0 else math.inf)
        noise = f"{-20 * math.log10(relative):.1f} dB" if 0 < relative < math.inf else "exact" if relative == 0 else "no signal"
        out[before[0]] = (relative, f"largest difference {float(difference.abs().max()):.3g}, {noise}")
    if not out:
        raise Error("no node of one is in the other with the same shape")
    return out
