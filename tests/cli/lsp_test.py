# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`serve --lsp`: what blocks a program at its lines of Python, what became of them, verified fixes, and what an engine says of MLIR texts, by the
Language Server Protocol, for requests of any kind."""
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import time
import unittest
import zipfile

from full_disk_test import SAID
from hostile import WORD, hostile_pt2, lies
from serving import Server, ServerTest
from support import ALL, CLI, ENGINE, SAMPLES, SANITIZER_OPTIONS, needs_engine

ATTENTION = "out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)"
UTF16 = {"general": {"positionEncodings": ["utf-16"]}}
CREATES = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}}
PROGRESS = {"window": {"workDoneProgress": True}}
MODULE = """// One operation.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""


def framed(content):
    content = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


class Editor(Server):
    def __init__(self, test, folder, *options, engine=ENGINE):
        self.said = []
        super().__init__(test, "--lsp", "--folder", folder, *options, engine=engine)

    def write(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.write(framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def read(self, timeout=60):
        """The next message, or None."""
        end = time.monotonic() + timeout
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            length = int(head.removeprefix(b"Content-Length: ")) if mark else 0
            if mark and len(rest) >= length:
                self.buffer = rest[length:]
                return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                return None
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self.buffer += read

    def until(self, condition, timeout=60):
        """The first message, of those that were read and those to come, that meets the condition; requests of the server are granted."""
        end = time.monotonic() + timeout
        for at, message in enumerate(self.said):
            if condition(message):
                return self.said.pop(at)
        while (message := self.read(end - time.monotonic())) is not None:
            if "method" in message and "id" in message:
                self.write(framed({"jsonrpc": "2.0", "id": message["id"], "result": None}))
            if condition(message):
                return message
            self.said.append(message)
        self.test.fail(f"not said, but {self.said}")

    def request(self, method, **params):
        self.number += 1
        self.write(framed({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        return self.until(lambda message: message.get("id") == self.number and "method" not in message)

    def ask(self, method, **params):
        return self.request(method, **params)["result"]

    def start(self, capabilities={}, **params):
        answer = self.ask("initialize", processId=None, rootUri=None, capabilities=capabilities, **params)
        self.notify("initialized")
        return answer["capabilities"]

    def open(self, path, language="python", text=None):
        self.notify("textDocument/didOpen", textDocument={"uri": path.as_uri(), "languageId": language, "version": 1, "text": path.read_text() if text is None else text})

    def diagnostics(self, path, timeout=60):
        return self.until(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == path.as_uri(),
                          timeout)["params"]["diagnostics"]

    def at(self, path, line, **more):
        return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": 0}, **more}

    def actions(self, path, line, **context):
        place = {"line": line, "character": 0}
        return self.ask("textDocument/codeAction", textDocument={"uri": path.as_uri()}, range={"start": place, "end": place}, context={"diagnostics": [], **context})


class Lsp(ServerTest):
    def setUp(self):
        super().setUp()
        self.folder = self.work / "repository"
        (self.folder / "samples").mkdir(parents=True)
        for sample in ("addmm", "masked_attention"):
            for suffix in (".pt2", ".py"):
                shutil.copy(SAMPLES / f"{sample}{suffix}", self.folder / "samples")
        self.program, self.python = (self.folder / f"samples/masked_attention{suffix}" for suffix in (".pt2", ".py"))
        self.line = next(i for i, line in enumerate(self.python.read_text().splitlines()) if ATTENTION in line)

    def test_capabilities_and_the_end(self):
        editor = Editor(self, self.folder)
        self.assertEqual(editor.request("textDocument/hover")["error"]["code"], -32002)
        capabilities = editor.start(UTF16)
        self.assertEqual({key: capabilities[key] for key in ("positionEncoding", "hoverProvider")}, {"positionEncoding": "utf-16", "hoverProvider": True})
        self.assertEqual(capabilities["textDocumentSync"], {"openClose": True, "change": 1, "save": True})
        self.assertEqual(editor.request("initialize")["error"]["code"], -32600)
        self.assertEqual(editor.request("textDocument/none")["error"]["code"], -32601)
        editor.notify("$/cancelRequest", id=1)
        editor.notify("textDocument/none")
        self.assertIsNone(editor.ask("shutdown"))
        self.assertEqual(editor.request("textDocument/hover")["error"]["code"], -32600)
        editor.notify("exit")
        self.assertEqual(editor.process.wait(30), 0)
        for end in (lambda editor: editor.notify("exit"), lambda editor: editor.process.stdin.close()):
            editor = Editor(self, self.folder)
            editor.start()
            end(editor)
            self.assertEqual(editor.process.wait(30), 1)

    @needs_engine
    def test_findings_are_at_their_lines(self):
        editor = Editor(self, self.folder, "--program", self.program, "--to", "tosa")
        editor.start()
        (diagnostic,) = editor.diagnostics(self.python)
        self.assertEqual(diagnostic["range"], {"start": {"line": self.line, "character": 0}, "end": {"line": self.line + 1, "character": 0}})
        self.assertEqual((diagnostic["severity"], diagnostic["code"], diagnostic["source"]), (1, "no-pattern", "fxscope"))
        self.assertRegex(diagnostic["message"], r"\Amasked_attention\.pt2: aten\.scaled_dot_product_attention\.default to tosa: no pattern of TOSA lowers .*\n"
                         r"Fix \(whole program lowers with it\): call program\.run_decompositions\(\) first\Z")
        # In a text that is open, the code of the line; where it was moved, there.
        code = "out" + ATTENTION[3:]
        for before, shift in (("", 0), ("# \U0001f600\n\n", 2)):
            editor.open(self.python, text=before + self.python.read_text())
            (diagnostic,) = editor.diagnostics(self.python)
            self.assertEqual(diagnostic["range"], {"start": {"line": self.line + shift, "character": 8}, "end": {"line": self.line + shift, "character": 8 + len(code)}})
        editor.open(self.python, text="import torch\n")
        (diagnostic,) = editor.diagnostics(self.python)
        self.assertEqual(diagnostic["range"], {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}})
        self.assertIn("\nThe program was exported when this line was: " + ATTENTION, diagnostic["message"])
        # What is not below the folders is not known.
        outside = SAMPLES / "masked_attention.py"
        editor.open(outside)
        self.assertIsNone(editor.ask("textDocument/hover", **editor.at(outside, self.line)))

    @needs_engine
    def test_lines_of_libraries_and_of_other_nodes_are_related(self):
        """One of the two nodes is called in a library, the other is of another line."""
        line = b'File \\"samples/masked_attention.py\\", line 24, in forward\\n    ' + ATTENTION.encode()
        library = line + b'\\n  File \\"/usr/lib/python3/dist-packages/lib/attention.py\\", line 7, in attend\\n    return attend(q)'
        other = b'File \\"samples/masked_attention.py\\", line 38, in forward\\n    return x + self.mlp(self.norm2(x))'
        with zipfile.ZipFile(self.program) as old, zipfile.ZipFile(self.folder / "new.pt2", "w") as new:
            for name in old.namelist():
                first, found, rest = old.read(name).partition(line)
                new.writestr(name, first + library + rest.replace(line, other) if found else first)
        editor = Editor(self, self.folder, "--program", self.folder / "new.pt2", "--to", "tosa")
        editor.start()
        at = {diagnostic["range"]["start"]["line"]: diagnostic["relatedInformation"] for diagnostic in editor.diagnostics(self.python)}
        self.assertEqual({line: [(each["location"]["uri"], each["location"]["range"]["start"]["line"], each["message"]) for each in related] for line, related in at.items()},
                         {23: [("file:///usr/lib/python3/dist-packages/lib/attention.py", 6, "in a library"), (self.python.as_uri(), 37, "also scaled_dot_product_attention_1")],
                          37: [("file:///usr/lib/python3/dist-packages/lib/attention.py", 6, "in a library"), (self.python.as_uri(), 23, "also scaled_dot_product_attention")]})

    @needs_engine
    def test_hovers_say_what_lines_became(self):
        editor = Editor(self, self.folder, "--to", "tosa,linalg-on-tensors")
        editor.start(initializationOptions={"programs": ["samples/addmm.pt2", self.program.as_uri()]})
        editor.diagnostics(self.python)
        addmm = self.folder / "samples/addmm.py"
        editor.open(addmm)
        line = next(i for i, line in enumerate(addmm.read_text().splitlines()) if "torch.addmm(" in line)
        hover = editor.ask("textDocument/hover", **editor.at(addmm, line))["contents"]
        self.assertEqual(hover["kind"], "plaintext")
        self.assertRegex(hover["value"], r"\Aaddmm\.pt2 to tosa:\naddmm \(aten\.addmm\.default\) became tosa\.matmul, .*\n"
                         r"addmm\.pt2 to linalg-on-tensors:\naddmm \(aten\.addmm\.default\) became linalg\..*\Z")
        self.assertIsNone(editor.ask("textDocument/hover", **editor.at(addmm, 0)))
        hover = editor.ask("textDocument/hover", **editor.at(self.python, self.line))["contents"]["value"]
        self.assertIn("masked_attention.pt2 to tosa, at the failure of tosa:\nscaled_dot_product_attention and 1 more (aten.scaled_dot_product_attention.default) in layers.0.attention "
                      "became torch.aten.scaled_dot_product_attention\n", hover)

    @needs_engine
    def test_fixes_are_verified_ones(self):
        editor = Editor(self, self.folder, "--program", self.program, "--to", "tosa")
        editor.start(CREATES)
        editor.diagnostics(self.python)
        self.assertEqual(editor.actions(self.python, self.line + 1), [])
        self.assertEqual(editor.actions(self.python, self.line, only=["refactor"]), [])
        actions = editor.actions(self.python, self.line, only=["quickfix"])
        first = actions[0]
        self.assertEqual((first["kind"], first["isPreferred"], first["diagnostics"][0]["code"]), ("quickfix", True, "no-pattern"))
        self.assertEqual(first["title"], "Write masked_attention_run_decompositions.py: masked_attention.pt2 to tosa: call program.run_decompositions() first "
                         "(whole program lowers with it)")
        create, edit = first["edit"]["documentChanges"]
        file = self.folder / "samples/masked_attention_run_decompositions.py"
        self.assertEqual(create, {"kind": "create", "uri": file.as_uri(), "options": {"overwrite": False, "ignoreIfExists": False}})
        self.assertEqual(edit["textDocument"], {"uri": file.as_uri(), "version": None})
        self.assertIn("def lower(program", edit["edits"][0]["newText"])
        compile(edit["edits"][0]["newText"], file, "exec")
        self.assertEqual(first["data"]["python"], edit["edits"][0]["newText"])
        for action in actions:
            self.assertEqual(action["data"]["verified"], "whole program lowers with it")
        self.assertFalse(file.exists())
        # An editor that creates no files shows it.
        editor = Editor(self, self.folder, "--program", self.program, "--to", "tosa")
        editor.start()
        editor.diagnostics(self.python)
        command = editor.actions(self.python, self.line)[0]["command"]
        self.assertNotIn("edit", editor.actions(self.python, self.line)[0])
        self.assertIsNone(editor.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"]))
        shown = editor.until(lambda message: message.get("method") == "window/showMessage")["params"]["message"]
        self.assertIn("call program.run_decompositions() first:\n\n", shown)

    @needs_engine
    def test_modules_are_checked(self):
        editor = Editor(self, self.folder, "--to", "loops,tosa")
        editor.start(UTF16)
        path = self.folder / "new.mlir"  # there is no such file: what counts is the text
        editor.open(path, "mlir", MODULE)
        self.assertEqual(editor.diagnostics(path), [])
        hover = editor.ask("textDocument/hover", **editor.at(path, 3))["contents"]["value"]
        self.assertRegex(hover, r"\Aloops:\nsum \(linalg\.add\) became scf\.for, arith\.addf, .*\Z")
        broken = MODULE.replace("%x, %x", "%x, %y")
        editor.notify("textDocument/didChange", textDocument={"uri": path.as_uri(), "version": 2}, contentChanges=[{"text": broken}])
        editor.notify("textDocument/didSave", textDocument={"uri": path.as_uri()})
        (diagnostic,) = editor.diagnostics(path)
        line = broken.splitlines()[3]
        self.assertEqual(diagnostic, {"range": {"start": {"line": 3, "character": line.index("%y")}, "end": {"line": 3, "character": len(line)}}, "severity": 1, "code": "mlir",
                                      "source": "fxscope", "message": "use of undeclared SSA value name", "relatedInformation": []})
        editor.notify("textDocument/didClose", textDocument={"uri": path.as_uri()})
        self.assertEqual(editor.diagnostics(path), [])
        # The node that a location names.
        located = self.check("import", SAMPLES / "addmm.pt2")
        editor.open(path, "mlir", located)
        editor.diagnostics(path)
        line = next(i for i, line in enumerate(located.splitlines()) if "torch.aten.addmm" in line)
        self.assertIn("torch.aten.addmm: node addmm", editor.ask("textDocument/hover", **editor.at(path, line))["contents"]["value"])

    def test_names_of_modules_have_definitions_and_references(self):
        module = """#map = affine_map<(d0) -> (d0)>
module {
  func.func private @"\u00e9\U0001f600"() // \u00e9
  func.func @main(%x: i1) {
    cf.cond_br %x, ^bb1, ^bb1
  ^bb1:
    call @"\u00e9\U0001f600"() : () -> () call @"\u00e9\U0001f600"() {m = #map} : () -> ()
    return
  }
}
"""
        lines, path = module.splitlines(), self.folder / "a.mlir"
        for offered, units in ((["utf-16"], lambda text: len(text.encode("utf-16-le")) // 2), (["utf-8"], lambda text: len(text.encode()))):
            editor = Editor(self, self.folder, engine=self.work / "none")
            capabilities = editor.start({"general": {"positionEncodings": offered}})
            self.assertEqual((capabilities["definitionProvider"], capabilities["referencesProvider"]), (True, True))
            editor.open(path, "mlir", module)

            def places(name):
                return [{"uri": path.as_uri(), "range": {end: {"line": i, "character": units(line[:at + (end == "end") * len(name)])} for end in ("start", "end")}}
                        for i, line in enumerate(lines) for at in (match.start() for match in re.finditer(re.escape(name), line))]

            for name, count, defined in (("%x", 2, 0), ("^bb1", 3, 2), ('@"\u00e9\U0001f600"', 3, 0), ("#map", 2, 0)):
                all_of_it = places(name)
                self.assertEqual(len(all_of_it), count)
                definition = all_of_it[defined]
                uses = [place for place in all_of_it if place != definition]
                for place in all_of_it:
                    for end in ("start", "end"):  # an editor's cursor may be behind the name
                        at = {"textDocument": {"uri": path.as_uri()}, "position": place["range"][end]}
                        self.assertEqual(editor.ask("textDocument/definition", **at), [definition], name)
                        self.assertEqual(editor.ask("textDocument/references", **at, context={"includeDeclaration": False}), uses)
                        self.assertEqual(editor.ask("textDocument/references", **at, context={"includeDeclaration": True}), [definition, *uses])
            editor.open(self.python)
            for asked in (editor.at(path, 1), editor.at(path, 99), editor.at(self.python, self.line), editor.at(self.folder / "none.mlir", 0), editor.at(self.work / "out.mlir", 0)):
                for method in ("definition", "references"):
                    self.assertEqual(editor.ask(f"textDocument/{method}", **asked), [])

    @needs_engine
    def test_positions_are_in_the_units_that_were_agreed_on(self):
        module = MODULE.replace("  %sum = linalg.add ins(%x, %x", '  %zero = arith.constant {n = "\u00e9\U0001f600"} 0.0 : f32 %sum = linalg.add ins(%x, %y')
        path, line = self.folder / "a.mlir", module.splitlines()[3]
        for offered, agreed, units in (([], "utf-16", lambda text: len(text.encode("utf-16-le")) // 2), (["utf-8", "utf-16"], "utf-8", lambda text: len(text.encode()))):
            editor = Editor(self, self.folder)
            self.assertEqual(editor.start({"general": {"positionEncodings": offered}})["positionEncoding"], agreed)
            editor.open(path, "mlir", module)
            (diagnostic,) = editor.diagnostics(path)
            self.assertEqual(diagnostic["range"], {"start": {"line": 3, "character": units(line[:line.index("%y")])}, "end": {"line": 3, "character": units(line)}})

    @needs_engine
    def test_a_program_of_a_stranger_forges_nothing(self):
        program = self.folder / "samples/hostile.pt2"
        with zipfile.ZipFile(hostile_pt2(self.program, self.work / "hostile.pt2")) as old, zipfile.ZipFile(program, "w") as new:
            for name in old.namelist():
                new.writestr(name, re.sub(rb'File \\"/srv/.*?\.py\\", line 26', rb'File \\"samples/masked_attention.py\\", line 24', old.read(name)))
        editor = Editor(self, self.folder, "--program", program, "--to", "tosa")
        editor.start(CREATES)
        editor.open(self.python)
        diagnostics = editor.diagnostics(self.python)
        said = [*editor.said, diagnostics]
        for line in range(len(self.python.read_text().splitlines())):
            said += [editor.ask("textDocument/hover", **editor.at(self.python, line)), editor.actions(self.python, line)]

        def texts(value, key=None):
            if isinstance(value, (dict, list)):
                for key, each in value.items() if isinstance(value, dict) else ((key, each) for each in value):
                    yield from texts(each, key)
            elif isinstance(value, str) and key not in ("uri", "id", "program"):
                yield value

        shown = list(texts(said))
        self.assertTrue(diagnostics and any(" became " in text for text in shown))
        self.assertTrue(any("when this line was: " + WORD in text for text in shown))
        self.assertEqual([lies(text) for text in shown if lies(text)], [])

    def test_a_superseded_diagnosis_ends(self):
        engine = self.fake_engine('if [ -e "$0.began" ]; then exec sleep 60; fi; exec cat')
        (self.work / "fake-engine.began").touch()
        editor = Editor(self, self.folder, "--program", self.program, "--to", "tosa", engine=engine)
        editor.start(PROGRESS)
        editor.open(self.python)
        editor.until(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "begin")
        first = self.wait_for(lambda: self.children(editor.process.pid))
        # The same program is not diagnosed anew, another one is, and the server answers meanwhile.
        editor.notify("textDocument/didSave", textDocument={"uri": self.python.as_uri()})
        self.assertIsNone(editor.ask("textDocument/hover", **editor.at(self.python, self.line)))
        self.assertTrue(set(first) & set(self.children(editor.process.pid)))
        self.program.write_bytes(self.program.read_bytes())
        editor.notify("textDocument/didSave", textDocument={"uri": self.python.as_uri()})
        self.wait_for(lambda: not set(first) & set(self.children(editor.process.pid)) and self.children(editor.process.pid))
        self.assertIsNone(editor.ask("textDocument/hover", **editor.at(self.python, self.line)))
        # The user stops it: nothing is known then.
        token = next(message for message in editor.said if message.get("method") == "window/workDoneProgress/create")["params"]["token"]
        editor.notify("window/workDoneProgress/cancel", token=token)
        self.wait_for(lambda: not self.children(editor.process.pid))
        self.assertIn("not known", editor.until(lambda message: message.get("method") == "window/logMessage")["params"]["message"])
        editor.until(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end")
        self.program.write_bytes(self.program.read_bytes())
        editor.notify("workspace/didChangeWatchedFiles", changes=[])
        self.wait_for(lambda: self.children(editor.process.pid))
        editor.process.send_signal(signal.SIGTERM)
        self.assertEqual(editor.process.wait(30), 130)

    def test_without_an_engine_nothing_is_known(self):
        editor = Editor(self, self.folder, "--program", self.program, engine=self.work / "none")
        editor.start()
        self.assertIn("not known", editor.until(lambda message: message.get("method") == "window/logMessage")["params"]["message"])
        editor.open(self.python)
        self.assertEqual(editor.diagnostics(self.python), [])

    def test_settings(self):
        editor = Editor(self, self.folder)
        editor.start()
        for options, said in (({"to": "nonsense"}, "fxscope: option 'to': "), ({"to": 1}, "fxscope: option 'to': "), ({"to": []}, "fxscope: option 'to': there is none"),
                              ({"programs": ["/etc/passwd"]}, "fxscope: option 'programs': '/etc/passwd' is not below"),
                              ({"programs": ["file:///etc/passwd"]}, "is not below"), ({"programs": [{}]}, "fxscope: option 'programs': ")):
            editor.notify("workspace/didChangeConfiguration", settings={"fxscope": options})
            self.assertIn(said, editor.until(lambda message: message.get("method") == "window/showMessage")["params"]["message"])

    def test_requests_of_any_kind_are_answered(self):
        editor = Editor(self, self.folder)
        for wrong, said in ((b"x\r\n", "is not a header field"), (b"Content-Length: -1\r\n\r\n", "is not the length"), (b"Content-Length: 99999999999999999999999\r\n\r\n", "is not the length"),
                            (b"Content-Length: x\r\n\r\n{}\r\n", "is not the length"), (b"x" * 100_000 + b"\n" + b"y\n" * 100, "too long"), (b"\xff\xfe\x00\n", "is not a header field")):
            editor.write(wrong)
            error = editor.read()["error"]
            self.assertEqual(error["code"], -32700)
            self.assertIn(said, error["message"])
            # One error, and the next message is read.
            editor.write(framed({"id": 1, "method": "none"}))
            self.assertEqual(editor.read()["error"]["code"], -32002)
        large = (64 << 20) + 1
        editor.write(b"Content-Length: %d\r\n\r\n" % large)
        self.assertIn("too large", editor.read()["error"]["message"])
        for _ in range(large >> 16):
            editor.write(b" " * (1 << 16))
        editor.write(b" " + framed(b"{") + framed(b"[" * 100_000) + framed(b"[]") + framed(b"{}") + framed(b'{"id": 1, "method": 5}') + framed(b"") + framed(b"\xff"))
        self.assertEqual([editor.read()["error"]["code"] for _ in range(7)], [-32700, -32700, -32600, -32600, -32600, -32700, -32700])
        editor.start()
        uri = {"uri": self.python.as_uri()}
        for params in ({}, {"textDocument": 1}, {"textDocument": uri}, {"textDocument": uri, "position": 1}, {"textDocument": uri, "position": {"line": -1, "character": 0}},
                       {"textDocument": uri, "position": {"line": 1e99, "character": 0}}, {"textDocument": {"uri": "file:///%zz"}, "position": {"line": 0, "character": 0}},
                       {"textDocument": {"uri": "file:///a%00b"}, "position": {"line": 0, "character": 0}}, {"textDocument": uri, "range": {"start": {}, "end": {}}}):
            for method in ("textDocument/hover", "textDocument/codeAction", "textDocument/definition", "textDocument/references"):
                self.assertEqual(editor.request(method, **params)["error"]["code"], -32602, params)
        for params in ({}, {"command": "x"}, {"command": "fxscope.showFix", "arguments": [1]}, {"command": "fxscope.showFix", "arguments": {}}):
            self.assertEqual(editor.request("workspace/executeCommand", **params)["error"]["code"], -32602, params)
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            for params in ({}, {"textDocument": []}, {"textDocument": {"uri": 1, "text": 2}}, {"textDocument": uri, "contentChanges": [1, {}, {"text": 1}]}):
                editor.notify(f"textDocument/{method}", **params)
        editor.write(framed({"method": "workspace/didChangeConfiguration"}) + framed({"method": "initialized", "params": 1}) + framed({"id": "fxscope/1", "error": 1}))
        dice = random.Random(11)
        sound = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": editor.at(self.python, 3)}).encode()
        for _ in range(2000 if ALL else 200):
            line = bytearray(sound)
            for _ in range(dice.randrange(1, 5)):
                line[dice.randrange(len(line))] = dice.choice(b'{}[]",:\\ \x001a-')
            editor.write(framed(bytes(line)))
            editor.write(bytes(dice.randrange(256) for _ in range(dice.randrange(20))) + b"\n")
        self.assertIsNone(editor.request("shutdown")["result"])
        editor.notify("exit")
        self.assertEqual(editor.process.wait(30), 0)

    @needs_engine
    def test_many_requests_leave_nothing(self):
        editor = Editor(self, self.folder, "--program", self.program, "--to", "tosa")
        editor.start(CREATES)
        editor.diagnostics(self.python)
        path = self.folder / "a.mlir"

        def change(text):
            editor.notify("textDocument/didChange", textDocument={"uri": path.as_uri(), "version": 1}, contentChanges=[{"text": text}])
            editor.ask("textDocument/hover", **editor.at(path, 3))

        requests = [lambda: editor.ask("textDocument/hover", **editor.at(self.python, self.line)), lambda: editor.actions(self.python, self.line),
                    lambda: editor.request("none"), lambda: (editor.open(path, "mlir", MODULE), editor.diagnostics(path)),
                    lambda: change(MODULE + "// x\n"), lambda: editor.ask("textDocument/references", **editor.at(path, 3), context={}), lambda: editor.notify("textDocument/didClose", textDocument={"uri": path.as_uri()})]
        for i in range(60):
            requests[i % len(requests)]()
        before = self.resident(editor.process.pid)
        for i in range(240):
            requests[i % len(requests)]()
        editor.ask("textDocument/hover", **editor.at(self.python, self.line))
        if not SANITIZER_OPTIONS:  # they keep what was freed for a while
            self.assertLess(self.resident(editor.process.pid) - before, 4 << 20)
        self.wait_for(lambda: not self.children(editor.process.pid))

    def test_a_full_disk_is_said(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, "serve", "--lsp"], input=framed({"id": 1, "method": "initialize", "params": {}}), stdout=full, stderr=subprocess.PIPE, cwd=self.work,
                                  env=self.environment(ENGINE), timeout=60)
        self.assertEqual((done.returncode, done.stderr), (5, f"fxscope-cli: standard output: {SAID}\n".encode()))

    def test_usage(self):
        self.refuses("serve", "--lsp", "--mcp", code=2, message="serve: say what to serve, with --mcp or --lsp")
        self.refuses("serve", "--lsp", "--program", "/nowhere.pt2", code=2, message="option '--program': /nowhere.pt2: no such file")
        self.refuses("serve", "--lsp", "--folder", self.folder, "--program", SAMPLES / "addmm.pt2", code=2,
                     message=f"'{SAMPLES / 'addmm.pt2'}' is not below {self.folder}, the folders of this server")
        self.assertIn("unknown output type 'nonsense'", self.run_cli("serve", "--lsp", "--to", "nonsense")[2])


if __name__ == "__main__":
    unittest.main()
