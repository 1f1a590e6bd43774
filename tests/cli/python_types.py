# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What types.py of the Python module says, from resources/schemas, resources/output_types.json, and what fxscope-cli and fxscope say of their options:
the manual pages, the tools of `serve --mcp`, and the completions."""
import json
import keyword
import re
import subprocess
import textwrap

HEAD = '''# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Members of results, and options of functions, for type checkers and editors. Written from resources/schemas and the options of the programs
by the test cli.python_types: FXSCOPE_WRITE_SCHEMAS=1 ./test -R cli.python_types

A result has the members of its class by attribute and by item. Options are keyword arguments; None leaves one out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NewType, TypedDict, Union, overload

from .record import Record

Path = Union[str, "os.PathLike[str]"]
'''
# The JSON of which command is which class.
RESULTS = {
    "lower": "Lowering", "diagnose": "Diagnosis", "fix": "Fixed", "trace": "Trace", "trace_node": "NodeTrace", "patterns": "PatternTrace",
    "stop": "Stop", "trace_op": "OperationTrace", "compare": "Comparison", "engine_compare": "EngineComparison",
}
# Options of which command are those of which function; those that the function sets, or that print something other than its result, are left out.
FUNCTIONS = {
    "lower": ("Lower", {"to", "o", "json", "nodes"}),
    "diagnose": ("Diagnose", {"to", "o", "json", "format"}),
    "fix": ("Fix", {"to", "o", "json", "python"}),
    "trace": ("Trace", {"to", "o", "json", "text", "stage", "node", "patterns", "until", "op", "after"}),
    "compare": ("Compare", {"to", "o", "json", "engine"}),
    "render": ("Graph", {"to", "o"}),
    "fxscope": ("Show", {"target", "watch", "screenshot", "time-first-picture", "do", "pass", "diff", "expand"}),
}
OF_A_TERMINAL = {"color", "wide", "timings", "help", "version"}
PLURALS = {"passes": "pass", "branches": "branch", "dispatches": "dispatch"}
COLUMNS = 150


# -- the options ---------------------------------------------------------------------------------------------------------------------


def plain(roff):
    for escape, text in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\&.", "."), ("\\e", "\\")):
        roff = roff.replace(escape, text)
    return roff


def options_of_page(page):
    """{section: {name: (placeholder, help)}} of a manual page; "" for the options of every command, or of the window."""
    out = {}
    for kind, title, text in re.findall(r'^\.(SS|SH) "?(.*?)"?\n(.*?)(?=^\.S[SH] |\Z)', page, re.M | re.S):
        if kind == "SH" and title not in ("OPTIONS", "OPTIONS OF EVERY COMMAND"):
            continue
        found = re.findall(r"^\.TP\n\\fB(.*?)\\fR(?: \\fI(.*?)\\fR)?\n(.*?)\n(?=\.|\Z)", text, re.M | re.S)
        out["" if kind == "SH" else plain(title)] = {
            plain(name).lstrip("-"): (plain(placeholder), plain(help)) for name, placeholder, help in found if name.startswith("\\-")}
    return out


class Options:
    """What the programs say of their options."""

    def __init__(self, cli):
        self.cli = cli
        self.commands = options_of_page(self.run("man"))
        self.window = options_of_page(self.run("man", "fxscope"))[""]
        answer = self.run("serve", "--mcp", input='{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n')
        self.tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in json.loads(answer)["result"]["tools"]}

    def run(self, *arguments, input=""):
        done = subprocess.run([self.cli, *arguments], input=input, capture_output=True, text=True, check=True)
        return done.stdout

    def choices(self, *words):
        return [line.split("\t")[0] for line in self.run("completion", "fish", "--", *words, "").splitlines() if line != ":files"]

    def of(self, command):
        """{name: (type, help)}"""
        out = {}
        if command == "fxscope":
            for name, (placeholder, help) in self.window.items():
                values = self.choices("fxscope", f"--{name}") if placeholder in ("THEME", "NAME") else []
                out[name] = (typed(placeholder, values, "may be repeated" in help), help)
            return out
        for name, (placeholder, help) in {**self.commands[""], **self.commands[command]}.items():
            tool = self.tools[command].get(name.replace("-", "_"), {"type": "array" if ",.." in placeholder else "string"})
            choices = tool.get("enum") or tool.get("items", {}).get("enum") or []
            out[name] = (typed(placeholder, choices, tool["type"] == "array"), help)
        return out


def typed(placeholder, choices, repeated):
    if not placeholder:
        return "bool | None"
    name = placeholder.removesuffix(",..")
    if choices:
        one = f"Literal[{', '.join(map(quoted, choices))}]"
    elif name in ("TIME", "SIZE", "FACTOR"):
        one = "str | float"
    elif name == "N":
        one = "str | int"
    elif name == "TYPE":
        one = "OutputType"
    elif "=" not in name and re.search(r"FILE|DIR|OUT|PATH|ENGINE|TOOL|\.", name):
        one = "Path"
    else:
        one = "str"
    return f"{one} | Sequence[{one}] | None" if repeated else f"{one} | None"


def option_name(name):
    python = name.replace("-", "_")
    return python + "_" if keyword.iskeyword(python) else python


def quoted(text):
    return json.dumps(text)


def docstring(text, indent):
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    text += " " if text.endswith('"') else ""
    lines = textwrap.wrap(text, COLUMNS - len(indent) - 6, break_long_words=False, break_on_hyphens=False)
    return indent + '"""' + ("\n" + indent).join(lines) + '"""\n'


def options_text(cli):
    given = Options(cli)
    found = {kind: {name: each for name, each in given.of(command).items() if name not in without | OF_A_TERMINAL}
             for command, (kind, without) in FUNCTIONS.items()}
    lowering = ("Lower", "Diagnose", "Fix", "Trace", "Compare")
    common = {name: each for name, each in found["Lower"].items() if all(found[kind].get(name) == each for kind in lowering)}
    out = options_class("LoweringOptions", "TypedDict", "Options of every function that lowers.", common)
    for command, (kind, _) in FUNCTIONS.items():
        base = "LoweringOptions" if kind in lowering else "TypedDict"
        own = {name: each for name, each in found[kind].items() if kind not in lowering or name not in common}
        out += options_class(f"{kind}Options", base, f"Options of fxscope.{kind.lower()}.", own)
    return out


def options_class(name, base, text, options):
    """Their descriptions are in the documentation of the class: help() has it."""
    members = sorted(options, key=option_name)
    inherited = "" if base == "TypedDict" else f" Those of {base} as well."
    out = f'\n\nclass {name}({base}, total=False):\n    """{text}{inherited}\n\n'
    for option in members:
        help = options[option][1].replace("\\", "\\\\")
        out += textwrap.fill(f"{option_name(option)}: {help}", COLUMNS - 10, initial_indent="    ", subsequent_indent="        ", break_long_words=False,
                             break_on_hyphens=False) + "\n"
    return out + '    """\n\n' + "".join(f"    {option_name(option)}: {options[option][0]}\n" for option in members)


# -- the results ---------------------------------------------------------------------------------------------------------------------


class Schemas:
    """Classes of the objects of schemas. Objects of the same members and descriptions share one; it is named after the member that has it, and after
    the class that this is in where the name is taken."""

    def __init__(self, folder):
        self.folder, self.names, self.classes = folder, {}, []

    def result(self, schema, name):
        root = json.loads((self.folder / f"{schema}.schema.json").read_text())
        self.defs = root.get("$defs", {})
        self.write(name + "Members", root, f"{root['title']}: {schema}.schema.json", name)

    def write(self, name, schema, text, prefix):
        required, by_type, records, lines = set(schema["required"]), {}, {}, []
        for member, each in schema["properties"].items():
            kind, nested = self.type_of(member, each, prefix)
            if nested:
                records[member] = nested
            by_type.setdefault(kind, []).append(member)
            attribute = option_name(member) if keyword.iskeyword(member) or not hasattr(dict, member) else member + "_"
            description = self.resolved(each).get("description", "")
            if member not in required:
                description = f"{description}{'; ' if description else ''}it may be missing"
            lines.append(f"    {attribute}: {kind}\n" + (docstring(description, "    ") + "\n" if description else ""))
        body = f"\n\nclass {name}(Record):\n" + docstring(text, "    ") + "\n" + "".join(lines).rstrip("\n") + "\n"
        if records:
            body += "\n    _records = {" + ", ".join(f"{quoted(member)}: {kind}" for member, kind in records.items()) + "}\n"
        body += "\n    if TYPE_CHECKING:\n\n"
        for i, (kind, members) in enumerate(by_type.items()):
            if len(by_type) > 1:
                body += "        @overload" + ("  # type: ignore[override]\n" if i == 0 else "\n")
            ignored = "  # type: ignore[override]" if len(by_type) == 1 else ""
            body += f"        def __getitem__(self, member: Literal[{', '.join(map(quoted, members))}], /) -> {kind}: ...{ignored}\n"
        if len(by_type) > 1:
            body += "        def __getitem__(self, member: str, /) -> Any: ...\n"
        self.classes.append(body)

    def resolved(self, schema):
        if "$ref" not in schema:
            return schema
        return {**self.defs[schema["$ref"].removeprefix("#/$defs/")], **{key: value for key, value in schema.items() if key != "$ref"}}

    def type_of(self, member, schema, prefix):
        """(type, class of the objects in it)"""
        schema = self.resolved(schema)
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join('None' if value is None else quoted(value) for value in values)}]", None
        kinds, nested = schema.get("type", []), None
        out = []
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            if kind == "object" and "properties" in schema:
                nested = self.named(member, schema, prefix)
                out.append(nested)
            elif kind == "object":
                value, nested = self.type_of(member, schema.get("additionalProperties") or {}, prefix)
                out.append(f"dict[str, {value}]")
            elif kind == "array":
                value, nested = self.type_of(member, schema.get("items", {}), prefix)
                out.append(f"list[{value}]")
            else:
                out.append({"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}[kind])
        return " | ".join(out) or "Any", nested

    def named(self, member, schema, prefix):
        key = json.dumps({name: self.resolved(each) for name, each in schema["properties"].items()}, sort_keys=True)
        if key in self.names:
            return self.names[key]
        name = "".join(part.capitalize() for part in re.split(r"[_-]", singular(member)))
        if name in self.names.values() or name in (*RESULTS.values(), "Path", "Any", "Record"):
            name = prefix + name
        assert name not in self.names.values(), f"{name}: two classes of one name"
        self.names[key] = name
        self.write(name, schema, schema.get("description") or f"An object of `{member}`.", name)
        return name


def singular(member):
    if member in PLURALS:
        return PLURALS[member]
    if member.endswith("ies"):
        return member[:-3] + "y"
    return member[:-1] if member.endswith("s") and not member.endswith("ss") and not member.endswith("us") else member


def results_text(folder):
    schemas = Schemas(folder)
    for schema, name in RESULTS.items():
        schemas.result(schema, name)
    return "".join(schemas.classes)


def output_types_text(types):
    names = [each["id"] for each in json.loads(types.read_text())["types"]]
    listed = textwrap.fill(", ".join(map(quoted, names)), COLUMNS, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    return (f"BuiltinOutputType = Literal[\n{listed},\n]\n"
            'UserOutputType = NewType("UserOutputType", str)\n'
            + docstring('An output type of a file of yours, or one that is known only when the program runs: to=UserOutputType(name).', "")
            + "OutputType = Union[BuiltinOutputType, UserOutputType]\nOutputTypes = Union[OutputType, Sequence[OutputType]]\n")


def text(cli, source):
    return HEAD + output_types_text(source / "resources/output_types.json") + options_text(cli) + results_text(source / "resources/schemas")
