# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of a stranger whose every name tries to say something else: to move the cursor, to forge a line of ours, to turn the order of a
line around, to be markup. WORD is in each name, so that a test can see that the name was shown at all."""
import json
import zipfile

WORD = "octopus"
FORGED = "FORGED: the bundle fails in the same way"
#      title, bell, clear      back   a line of its own      CSI in one character     order, width nothing, line end       markup
NAME = (f"{WORD}\x1b]0;title\x07\x1b[2J\r{FORGED}\n{FORGED}\n\tx\x7f\x9b2J\x85\u202egnp.\u2066\u200b\u2028\ufeff"
        '<img src="file:///dev/zero">&amp;`|@octocat](https://evil.example) <!-- \n```\n# heading\n')


def is_raw(character):
    """Whether the character does something to a terminal or hides from a reader; line ends and tabs of reports may stay."""
    code = ord(character)
    return (code < 0x20 and character not in "\n\t") or 0x7F <= code <= 0x9F or code in (0xAD, 0x61C, 0x180E, 0xFEFF) or \
        0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E or 0x2060 <= code <= 0x206F or 0xFFF9 <= code <= 0xFFFB or 0xE0000 <= code <= 0xE0FFF


def lies(text):
    """What in a text that reached the terminal is not ours: raw characters, and lines that a name forged."""
    found = [f"raw {character!r} in {line!r}" for line in text.split("\n") for character in line if is_raw(character)]
    return found + [f"forged: {line!r}" for line in text.split("\n") if line.lstrip(" \t-*>|#").startswith(FORGED)]


def _made_hostile(metadata):
    # The readers split these at commas, semicolons and quotes: a name in one holds none.
    word = NAME.replace('"', "").replace(",", "").replace(";", "")
    frame = word.replace("\n", "\r")
    return {**metadata, "stack_trace": f'File "/srv/{frame.replace("/", "")}.py", line 26, in {frame}\n    {frame}',
            "nn_module_stack": f"L__self__,,{word};L__self__{word},{word},{word}.{word}", "torch_fn": f"{word}_1;{word}",
            "custom": json.dumps({NAME: NAME}), NAME: NAME}


def _objects(value):
    """Every object of a JSON value, outer ones first."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


def hostile_pt2(sample, path):
    """The sample with all metadata made hostile. Names of values, weights and operators are held against a grammar in this format."""
    with zipfile.ZipFile(sample) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    main = next(name for name in members if name.endswith("models/model.json"))
    program = json.loads(members[main])
    for each in _objects(program["graph_module"]):
        if "target" in each and isinstance(each.get("metadata"), dict):
            each["metadata"] = _made_hostile({})
    members[main] = json.dumps(program).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def hostile_capture(capture, path, operators=()):
    """The capture with the names of all nodes, all metadata and the targets of `operators` made hostile. It is still one program."""
    program = json.loads(capture.read_text())
    nodes = {node["name"] for graph in program["graphs"] for node in graph["nodes"]}
    for each in _objects(program):
        if "op" in each:
            each["name"] += NAME
            if each["target"] in operators:
                each["target"] += NAME
            each["meta"] = _made_hostile(each.get("meta", {}))
        elif each.get("node") in nodes:
            each["node"] += NAME
    path.write_text(json.dumps(program))
    return path
