# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of JSON Schema that resources/schemas and the SARIF schema use. An unknown keyword is an error: a schema that is not checked is no contract."""
import json
import re

ANNOTATIONS = {"$schema", "title", "description", "$defs", "$id", "id", "definitions", "default", "examples"}
TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list), "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool), "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}

URI_CHARACTERS = r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"
FORMATS = {
    "uri": r"[A-Za-z][A-Za-z0-9+.\-]*:" + URI_CHARACTERS, "uri-reference": URI_CHARACTERS,
    "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)",
}


def errors(value, schema, root=None, path="$"):
    """Every violation, a line each."""
    root = root if root is not None else schema
    if schema is True:
        return
    for key, rule in schema.items():
        if key in ANNOTATIONS:
            continue
        if key == "$ref":
            target = root
            for part in rule.removeprefix("#/").split("/"):
                target = target[part]
            yield from errors(value, target, root, path)
        elif key == "type":
            kinds = rule if isinstance(rule, list) else [rule]
            if not any(TYPES[kind](value) for kind in kinds):
                yield f"{path}: {value!r} is no {' or '.join(kinds)}"
        elif key == "const":
            if value != rule:
                yield f"{path}: {value!r} is not {rule!r}"
        elif key == "enum":
            if value not in rule:
                yield f"{path}: {value!r} is out of range for {rule}"
        elif key in ("anyOf", "oneOf"):
            fitting = sum(not list(errors(value, one, root, path)) for one in rule)
            if fitting == 0 or (key == "oneOf" and fitting > 1):
                yield f"{path}: {value!r} fits {fitting} of the alternatives"
        elif key == "pattern":
            if isinstance(value, str) and not re.search(rule, value):
                yield f"{path}: {value!r} does not match {rule}"
        elif key in ("minimum", "maximum"):
            if isinstance(value, (int, float)) and (value < rule if key == "minimum" else value > rule):
                yield f"{path}: {value} is beyond the {key} {rule}"
        elif key in ("minLength", "minItems", "maxItems", "minProperties", "maxProperties"):
            kind = {"Length": str, "Items": list, "Properties": dict}[key[3:]]
            if isinstance(value, kind) and (len(value) < rule if key.startswith("min") else len(value) > rule):
                yield f"{path}: length {len(value)} breaks {key} {rule}"
        elif key == "required":
            if isinstance(value, dict):
                yield from (f"{path}: has no '{name}'" for name in rule if name not in value)
        elif key == "properties":
            if isinstance(value, dict):
                for name, part in rule.items():
                    if name in value:
                        yield from errors(value[name], part, root, f"{path}.{name}")
        elif key == "additionalProperties":
            if isinstance(value, dict):
                for name in value.keys() - schema.get("properties", {}).keys():
                    if rule is False:
                        yield f"{path}: unexpected '{name}'"
                    else:
                        yield from errors(value[name], rule, root, f"{path}.{name}")
        elif key == "items":
            if isinstance(value, list):
                for i, item in enumerate(value):
                    yield from errors(item, rule, root, f"{path}[{i}]")
        elif key == "uniqueItems":
            if isinstance(value, list) and rule and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
                yield f"{path}: an item is there twice"
        elif key == "format":
            if isinstance(value, str) and not re.fullmatch(FORMATS[rule], value):
                yield f"{path}: {value!r} is no {rule}"
        elif key == "prefixItems":
            if isinstance(value, list):
                for i, (item, part) in enumerate(zip(value, rule)):
                    yield from errors(item, part, root, f"{path}[{i}]")
        else:
            yield f"{path}: the schema's keyword '{key}' is not known to this checker"
