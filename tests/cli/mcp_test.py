# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`serve --mcp`: the commands as tools of the Model Context Protocol, within the folders that were given, for requests of any kind."""
import json
import os
import random
import select
import shutil
import signal
import subprocess
import time
import unittest

from full_disk_test import SAID
from serving import Server, ServerTest
from support import ALL, CLI, ENGINE, SAMPLES, needs_engine

TOOLS = ["bundle", "compare", "diagnose", "diff", "explain", "fix", "import", "inspect", "lower", "node", "normalize", "passes", "registry", "render",
         "report", "run", "sweep", "sweep_report", "trace"]
SLEEPING = 'if [ -e "$0.began" ]; then exec sleep 60; fi; exec cat'


class Client(Server):
    def __init__(self, test, folder, engine=ENGINE):
        super().__init__(test, "--mcp", "--folder", folder, engine=engine)

    def write(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def read(self, timeout=60):
        """The next message, or None."""
        end = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                return None
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self.buffer += read
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def ask(self, method, **params):
        self.number += 1
        self.write({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        answer = self.read()
        self.test.assertEqual((answer["jsonrpc"], answer["id"]), ("2.0", self.number))
        return answer.get("result", answer.get("error"))

    def call(self, tool, **arguments):
        """(whether it failed, its texts)"""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer["isError"], [content["text"] for content in answer["content"]]


class Mcp(ServerTest):
    def served(self, **kw):
        folder = self.work / "programs"
        folder.mkdir(exist_ok=True)
        for sample in ("addmm", "masked_attention"):
            shutil.copy(SAMPLES / f"{sample}.pt2", folder)
        return folder, Client(self, folder, **kw)

    def test_tools_are_the_commands_with_their_options(self):
        _, client = self.served()
        for asked, answered in (("2025-03-26", "2025-03-26"), ("1999-01-01", "2025-06-18")):
            hello = client.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "test", "version": "1"})
            self.assertEqual((hello["protocolVersion"], hello["serverInfo"]["name"]), (answered, "fxscope"))
        client.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertEqual(client.ask("ping"), {})
        tools = {tool["name"]: tool for tool in client.ask("tools/list")["tools"]}
        self.assertEqual(sorted(tools), TOOLS)
        lower = tools["lower"]["inputSchema"]
        self.assertEqual((lower["required"], lower["additionalProperties"]), (["file"], False))
        self.assertEqual(lower["properties"]["json"]["type"], "boolean")
        for tool in tools.values():
            self.assertTrue(tool["description"])
            self.assertFalse({"output_types", "color", "help"} & set(tool["inputSchema"]["properties"]), tool["name"])

    @needs_engine
    def test_a_call_answers_what_the_command_prints(self):
        folder, client = self.served()
        for tool, code, arguments in (("inspect", 0, {"file": "addmm.pt2", "json": True}), ("lower", 1, {"file": "masked_attention.pt2", "to": "tosa", "json": True}),
                                      ("diagnose", 1, {"file": "masked_attention.pt2", "to": ["tosa"], "json": True}), ("explain", 0, {"word": "no-pattern"}),
                                      ("trace", 0, {"file": "addmm.pt2", "to": "tosa", "node": "addmm", "json": True})):
            failed, texts = client.call(tool, **arguments)
            words = [tool, *(value for key, value in arguments.items() if key in ("file", "word"))]
            words += [word for key, value in arguments.items() if key not in ("file", "word", "json")
                      for word in (f"--{key}", value if isinstance(value, str) else value[0])] + ["--json"] * ("json" in arguments)
            done = subprocess.run([CLI, *words], cwd=folder, env=self.environment(ENGINE), capture_output=True, text=True)
            self.assertEqual((done.returncode, failed), (code, False), words)
            if "seconds" not in done.stdout:
                self.assertEqual(texts[0], done.stdout)
            self.assertEqual(len(texts), 2 if code else 1)
        failed, texts = client.call("fix", file="masked_attention.pt2", to=["tosa"], o="fixed.pt2", python="fixed.py")
        self.assertFalse(failed, texts)
        self.assertTrue((folder / "fixed.pt2").exists() and (folder / "fixed.py").exists())
        failed, texts = client.call("lower", file="fixed.pt2", to="tosa")
        self.assertEqual((failed, len(texts)), (False, 1))

    def test_nothing_outside_the_folders_is_reached(self):
        folder, client = self.served()
        (folder / "out").symlink_to("/etc")
        (folder / "file").symlink_to(SAMPLES / "addmm.pt2")
        secret = self.work / "programs-2"
        secret.mkdir()
        shutil.copy(SAMPLES / "addmm.pt2", secret)
        for tool, arguments in (("inspect", {"file": "/etc/passwd"}), ("inspect", {"file": "out/passwd"}), ("inspect", {"file": "file"}),
                                ("inspect", {"file": f"{folder}/../programs-2/addmm.pt2"}), ("inspect", {"file": "../programs-2/addmm.pt2"}),
                                ("lower", {"file": "addmm.pt2", "to": "tosa", "o": "../written"}), ("inspect", {"file": str(secret)}),
                                ("lower", {"file": "addmm.pt2", "to": "tosa", "engine": "/bin/sh"}), ("sweep", {"path": ["."], "to": ["tosa"], "o": "/tmp/x"}),
                                ("lower", {"file": "addmm.pt2", "from": "torch=../programs-2/addmm.pt2"}), ("fix", {"file": "addmm.pt2", "python": "python3"}),
                                ("inspect", {"file": "--help"}), ("lower", {"file": "addmm.pt2", "o": "--help"}), ("lower", {"file": "addmm.pt2", "output_types": "x"})):
            with self.subTest(tool=tool, arguments=arguments):
                failed, texts = client.call(tool, **arguments)
                self.assertTrue(failed)
                self.assertRegex(texts[0], "not below|is an option|is not an argument|known programs only")
        self.assertEqual(sorted(path.name for path in self.work.iterdir() if path.is_file()), [])

    def test_a_cancelled_call_ends_and_is_not_answered(self):
        engine = self.fake_engine(SLEEPING)
        folder, client = self.served(engine=engine)
        (self.work / "fake-engine.began").touch()
        client.write({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": {"name": "lower", "arguments": {"file": "addmm.pt2", "to": "raw"}}})
        self.assertEqual(client.ask("ping"), {})
        children = self.wait_for(lambda: self.children(client.process.pid))
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}})
        self.wait_for(lambda: not self.children(client.process.pid))
        self.assertTrue(children)
        self.assertEqual(client.ask("ping"), {})
        # Its end and a signal end what runs.
        client.write({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "lower", "arguments": {"file": "addmm.pt2", "to": "raw"}}})
        self.wait_for(lambda: self.children(client.process.pid))
        client.process.send_signal(signal.SIGTERM)
        self.assertEqual(client.process.wait(30), 130)

    def test_requests_of_any_kind_are_answered(self):
        _, client = self.served()
        for line, code in ((b"{\n", -32700), (b"\xff\xfe\n", -32700), (b"[" * 100_000 + b"\n", -32700), (b"[]\n", -32600), (b"1\n", -32600), (b"{}\n", -32600),
                           (b'{"id": 1, "method": 5}\n', -32600), (b'{"id": 1, "method": "none"}\n', -32601), (b"x" * 5_000_000 + b"\n", -32700),
                           (b'{"id": 1, "method": "tools/call"}\n', -32602), (b'{"id": 1, "method": "tools/call", "params": {"name": "engine"}}\n', -32602),
                           (b'{"id": 1, "method": "tools/call", "params": []}\n', -32602), (b'{"id": 1, "method": "tools/call", "params": {"name": 1}}\n', -32602)):
            client.write(line)
            self.assertEqual(client.read()["error"]["code"], code, line[:80])
        for arguments in ([], "x", {"file": {}}, {"file": [[]]}, {"file": True}, {"file": "addmm.pt2", "json": "yes"}, {"file": "a\0b"}, {"file": ["a", "b"]},
                          {"file": "x" * 10_000}, {"to": "tosa"}, {"file": "addmm.pt2", "": ""}, {"file": "addmm.pt2", "to": None}):
            answer = client.ask("tools/call", name="lower", arguments=arguments)
            self.assertTrue(answer["isError"], arguments)
        client.write(b'{"method": "notifications/cancelled", "params": {"requestId": [1]}}\n\n   \n{"result": 1, "id": 4}\n')
        dice = random.Random(11)
        sound = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "inspect", "arguments": {"file": "addmm.pt2"}}}).encode()
        for _ in range(2000 if ALL else 200):
            line = bytearray(sound)
            for _ in range(dice.randrange(1, 5)):
                line[dice.randrange(len(line))] = dice.choice(b'{}[]",:\\ \x001a-')
            client.write(bytes(line).replace(b"\n", b"") + b"\n")
        client.write({"jsonrpc": "2.0", "id": "last", "method": "ping"})
        while (answer := client.read()) is not None and answer["id"] != "last":
            self.assertTrue("error" in answer or "result" in answer)
        self.assertEqual(answer, {"jsonrpc": "2.0", "id": "last", "result": {}})

    def test_a_thousand_requests_leave_nothing(self):
        _, client = self.served()
        requests = [lambda: client.ask("tools/list"), lambda: client.ask("none"), lambda: client.call("inspect", file="none"), lambda: client.call("explain", word="blocked")]
        sizes = []
        for i in range(1101):
            requests[i % len(requests)]()
            if i % 500 == 100:
                sizes.append(self.resident(client.process.pid))
        # What the allocator keeps for a thread more comes once; what is left of a request comes with each.
        self.assertLess(min(sizes[1] - sizes[0], sizes[2] - sizes[1]), 1 << 18)
        self.assertEqual(self.children(client.process.pid), [])

    def test_a_full_disk_is_said(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, "serve", "--mcp"], input=b'{"id": 1, "method": "ping"}\n', stdout=full, stderr=subprocess.PIPE, cwd=self.work,
                                  env=self.environment(ENGINE), timeout=60)
        self.assertEqual((done.returncode, done.stderr), (5, f"fxscope-cli: standard output: {SAID}\n".encode()))

    def test_usage(self):
        self.refuses("serve", code=2, message="serve: say what to serve, with --mcp or --lsp")
        self.refuses("serve", "--mcp", "--to", "tosa", code=2, message="option '--to' requires --lsp")
        self.refuses("serve", "--mcp", "--folder", "/nowhere", code=2, message="option '--folder': /nowhere is not a folder")


if __name__ == "__main__":
    unittest.main()
