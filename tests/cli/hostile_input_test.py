# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of some kilobytes that ask for hours or gigabytes: each is refused with one error that names the thing and the option, in bounded
memory. The programs are made here; what is large in them is a hole of a sparse file, or a number."""
import json
import signal
import struct
import subprocess
import sys
import time
import unittest
import zipfile

from support import CLI, SOURCE, CliTest, limit_memory

sys.path.insert(0, str(SOURCE / "tests/bench"))
import large_pt2  # noqa: E402

MEMORY = 3 << 30   # of address space
RAISE = "for one input; if you trust it, raise the limit with --limit"


def sizes(*values):
    return large_pt2.tensor(list(values))


def one_node(target, inputs, x, outputs, values, result):
    """main(x): outputs = target(inputs); return result"""
    model, _ = large_pt2.program(7)
    graph = model["graph_module"]["graph"]
    node = large_pt2.node("y", target, inputs, 0, 1, "y")
    node["outputs"] = outputs
    graph["nodes"] = [node]
    graph["inputs"] = [{"as_tensor": {"name": "x"}}]
    graph["tensor_values"] = {"x": x, **values}
    graph["outputs"] = [{"as_tensor": {"name": result}}]
    model["graph_module"]["signature"] = {"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
                                          "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": result}}}}]}
    return model


class HostileInputTest(CliTest):
    def pt2(self, model, compression=zipfile.ZIP_STORED, weights=None, members=None):
        path = self.work / "hostile.pt2"
        with zipfile.ZipFile(path, "w", compression) as out:
            out.writestr("h/archive_format", "pt2")
            out.writestr("h/byteorder", "little")
            for name, data in (members or {}).items():
                out.writestr("h/" + name, data)
            out.writestr("h/data/weights/model_weights_config.json", json.dumps({"config": weights or {}}))
            out.writestr("h/data/constants/model_constants_config.json", json.dumps({"config": {}}))
            out.writestr("h/models/model.json", model if isinstance(model, (str, bytes)) else json.dumps(model))
        return path

    def limited(self, *args, stdin=b"", timeout=60):
        done = subprocess.run([CLI, *map(str, args)], input=stdin, capture_output=True, env=self.environment(None), timeout=timeout,
                              preexec_fn=lambda: limit_memory(MEMORY))
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def is_refused(self, message, *args, **kw):
        self.assertEqual(self.limited(*args, **kw), (3, "", f"fxscope-cli: {message}\n"), args)

    def test_parts_without_end(self):
        """Each made nodes until memory ended."""
        count = 10 ** 10
        as_int = lambda n: {"as_int": n}
        x = ("self", {"as_tensor": {"name": "x"}})
        for target, inputs in (("unbind.int", [x, ("dim", as_int(0))]),
                               ("unsafe_split.Tensor", [x, ("split_size", as_int(1)), ("dim", as_int(0))]),
                               ("unsafe_chunk.default", [x, ("chunks", as_int(count)), ("dim", as_int(0))])):
            path = self.pt2(one_node(target, inputs, sizes(count), [{"as_tensors": [{"name": "p"}]}], {"p": sizes()}, "p"))
            self.is_refused(f"node 'y': exceeds the limit of 4,000,000 nodes {RAISE} nodes=..", "import", path)

    def test_a_megabyte_that_unpacks_to_gigabytes(self):
        """Two copies of the text, and 40 bytes for each of its values."""
        path = self.pt2('{"a": "' + "x" * (110 << 20) + '"}', zipfile.ZIP_DEFLATED)
        self.is_refused(f"{path}: models/model.json: exceeds the limit of 400 MiB of text {RAISE} text=..", "inspect", path, "--limit", "text=400M")
        path = self.pt2("[" + "0," * (6 << 20) + "0]", zipfile.ZIP_DEFLATED)
        self.is_refused(f"{path}: models/model.json: exceeds the limit of 10,000,000 values {RAISE} values=..", "inspect", path, "--limit", "values=10M")

    def test_a_directory_of_the_archive_in_a_hole(self):
        """libzip made room for 200 million members: 6 GB, 36 s."""
        path, count = self.work / "directory.pt2", 200_000_000
        begin, size = 100, count * 46
        with open(path, "wb") as out:
            out.write(b"PK\x03\x04")
            out.seek(begin + size)
            out.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, size, begin))
            out.write(struct.pack("<IIQI", 0x07064B50, 0, begin + size, 1))
            out.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))
        self.is_refused(f"{path}: the archive has 200000000 members, more than the limit of 1048576", "inspect", path)

    def test_small_weights_of_one_large_member(self):
        """Each of them unpacked the member again: 300 scalars times 100 MB."""
        model, weights = large_pt2.program(7 * 300, width=1)
        scalars = {}
        for i, (fqn, entry) in enumerate(weights.items()):
            scalars[fqn] = {**entry, "path_name": "all"}
            scalars[fqn]["tensor_meta"] = {**entry["tensor_meta"], "storage_offset": {"as_int": (25 << 20) - 1 - i}}
        path = self.pt2(model, zipfile.ZIP_DEFLATED, scalars, {"data/weights/all": b"\0" * (100 << 20)})
        status, out, err = self.limited("import", path, "--limit", "unpacked=250M")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("dense<", out)

    def test_standard_input_without_end(self):
        with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
            done = subprocess.run([CLI, "inspect", "-", "--limit", "text=400M"], stdin=endless.stdout, capture_output=True, env=self.environment(None), timeout=60)
            endless.kill()
        self.assertEqual((done.returncode, done.stdout, done.stderr.decode()),
                         (3, b"", f"fxscope-cli: standard input: exceeds the limit of 400 MiB of text {RAISE} text=..\n"))

    def test_names_that_are_taken_are_passed_once(self):
        """20,000 nodes that ask for one name, the first 200,000 of which are taken: each walked them all."""
        model = one_node("relu.default", [("self", {"as_tensor": {"name": "x"}})], sizes(2), [{"as_tensor": {"name": "y"}}], {"y": sizes(2)}, "y")
        graph = model["graph_module"]["graph"]
        graph["tensor_values"].update({f"f_{i}": 0 for i in range(7, 200_000)})
        graph["nodes"] += [{"target": "my.f_7", "inputs": [], "outputs": [], "metadata": {}} for _ in range(20_000)]
        path = self.pt2(model)
        status, out, err = self.limited("inspect", path)
        self.assertEqual((status, err), (0, ""))

    def folder_of_large_files(self):
        folder = self.work / "folder"
        folder.mkdir()
        for i in range(40):
            with open(folder / f"{i:02}.json", "wb") as out:
                out.write(b'{"schema": "fxscope-fx/1"')
                out.truncate(200 << 20)
        return folder

    def test_a_folder_of_large_files(self):
        """Each file is within its limit; all together they are not. It took minutes, deaf to a signal."""
        folder = self.folder_of_large_files()
        self.is_refused(f"{folder}: exceeds the limit of 1 GiB of text {RAISE} text=..", "inspect", folder, "--limit", "text=1G")

    def test_a_signal_ends_the_reading_of_a_folder(self):
        folder = self.folder_of_large_files()
        with subprocess.Popen([CLI, "inspect", folder, "--limit", "text=400G"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment(None)) as running:
            time.sleep(1)
            running.send_signal(signal.SIGINT)
            self.assertEqual(running.wait(20), 130)   # the bound is generous: the machine may be busy
            self.assertEqual(running.stderr.read().decode(), "fxscope-cli: cancelled\n")


if __name__ == "__main__":
    unittest.main()
