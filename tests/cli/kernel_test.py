# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helion kernels on the command line: put together, with chosen sizes of tiles, and refused at their nodes."""
import copy
import json
import re
import unittest

from support import SAMPLES, CliTest, needs_engine

KERNELS = SAMPLES / "kernels"
SERIAL = ("jagged_sum", "scatter_rows")  # their iterations are not known to be independent
NAMES = sorted(path.stem for path in KERNELS.glob("*.json"))


def nodes(kernel):
    return {node["name"]: node for graph in kernel["graphs"] if graph["type"] in ("RootGraphInfo", "ForLoopGraphInfo") for node in graph["nodes"]}


class Kernels(CliTest):
    def changed(self, name, change):
        """A kernel of the samples after `change(kernel, its nodes by name)`; the path."""
        kernel = json.loads((KERNELS / f"{name}.json").read_text())
        change(kernel, nodes(kernel))
        path = self.work / f"{name}.json"
        path.write_text(json.dumps(kernel))
        return path

    def refused(self, name, change):
        """The findings of a changed kernel, which is refused."""
        status, _, err = self.run_cli("registry", self.changed(name, change), engine=None)
        self.assertEqual(status, 1, err)
        return err

    def test_every_kernel_is_one_function_of_loops(self):
        self.assertEqual(len(NAMES), 16)
        for name in NAMES:
            with self.subTest(name):
                text = self.check("registry", KERNELS / f"{name}.json", engine=None)
                self.assertIn('"scf.for"' if name in SERIAL else '"scf.forall"', text)
                self.assertNotIn("fxscope.unmapped", text)

    @needs_engine
    def test_the_engine_takes_every_kernel(self):
        for name in NAMES:
            with self.subTest(name):
                self.check("registry", KERNELS / f"{name}.json", "-o", self.work / "k.mlir")
                self.check("lower", KERNELS / f"{name}.json", "--to", "linalg-on-tensors", "--via", "registry")

    def test_sizes_of_tiles_can_be_chosen(self):
        text = self.check("registry", KERNELS / "matmul.json", "--block-size", "u0=16,u1=8", "--block-size", "u2=4", engine=None)
        self.assertIn("staticStep = array<i64: 16, 8>", text)
        self.assertIn("tensor<16x4xf32>", text)

    def test_sizes_that_are_none_are_usage(self):
        for name, size, message in (
            ("matmul", "u0", "option '--block-size': 'u0' is not a size such as u0=16"),
            ("matmul", "u0=x", "option '--block-size': 'u0=x' is not a size such as u0=16"),
            ("matmul", "u0=-4", "a block size of -4 for 'u0' is out of range; choose one from 1 to 16777216"),
            ("matmul", "u0=0", "a block size of 0 for 'u0' is out of range; choose one from 1 to 16777216"),
            ("matmul", "u0=1000000000000", "a block size of 1000000000000 for 'u0' is out of range; choose one from 1 to 16777216"),
            ("matmul", "u9=4", "the kernel has no block 'u9'; it has u0, u1, u2"),
            ("softmax", "u1=4", "block 'u1' is a whole dimension of a tensor, so its size cannot be chosen"),
        ):
            with self.subTest(size):
                self.refuses("registry", KERNELS / f"{name}.json", "--block-size", size, engine=None, code=2, message=message)
        status, _, err = self.run_cli("registry", SAMPLES / "addmm.pt2", "--block-size", "u0=4", engine=None)
        self.assertEqual(status, 2, err)
        self.assertIn("only a Helion kernel has block sizes to choose", err)

    def test_what_cannot_be_put_together_is_refused_at_its_node(self):
        def gather(kernel, by_name):
            by_name["load"]["args"][1] = {"list": [{"node": "x"}, {"node": "block_size_2"}]}

        def masked(kernel, by_name):
            by_name["store"]["args"][3] = {"node": "relu" if "relu" in by_name else "_phi"}

        def beyond(kernel, by_name):
            by_name["_for_loop"]["args"][2] = {"list": [{"const": 10**12}]}

        def unknown(kernel, by_name):
            by_name["load"]["target"] = "helion.language.random_ops.rand"

        def roots(kernel, by_name):
            kernel["root_ids"] = [1, 0]
            kernel["graphs"][1]["nodes"] = [n for n in kernel["graphs"][1]["nodes"] if n["op"] == "output"]

        for change, words in (
            (gather, "error at registry: 'helion.language.memory_ops.load' is not supported in a kernel; it indexes 'x' by a tensor of integers that "
                     "is not known\n    load\n"),
            (masked, "its extra mask is not a tensor of bools that is known"),
            (beyond, "the loop over 'u2' runs to 1000000000000, but dimension 1 of 'x' has size 32"),
            (unknown, "this construct is not assembled"),
        ):
            with self.subTest(change.__name__):
                self.assertIn(words, self.refused("matmul_f16", change))
        self.assertIn("the file does not say which blocks a root graph runs over", self.refused("matmul_f16", roots))

    def test_a_jagged_tile_that_the_file_does_not_tell_is_refused(self):
        def old(kernel, by_name):
            for block in kernel["block_sizes"]:
                del block["jagged"]

        self.assertIn("the file does not say whether the tile of 'u2' is jagged", self.refused("jagged_sum", old))

    def test_an_argument_that_may_be_one_of_several_is_refused(self):
        def several(kernel, by_name):
            by_name["mul_1"]["target"] = "aten.where.self"
            by_name["mul_1"]["args"] = [{"node": "v"}, {"node": "mul"}, {"const": None}]

        self.assertIn("a None stands for an argument that is there before, and which one is unknown", self.refused("cubic_gelu", several))

    def test_broken_kernels_end_in_a_message(self):
        def no_blocks(kernel, by_name):
            kernel["block_sizes"] = []

        def negative(kernel, by_name):
            kernel["block_sizes"][0]["size"] = -5
            kernel["shape_env"]["u0"] = -64

        def other_blocks(kernel, by_name):
            kernel["grid_block_ids"] = [[7]]

        def cycle(kernel, by_name):
            loop = copy.deepcopy(by_name["_for_loop"])
            loop["name"], loop["args"][3] = "again", {"list": []}
            kernel["graphs"][0]["nodes"].insert(0, loop)

        def huge(kernel, by_name):
            for node in by_name.values():
                if node["target"].endswith("_host_tensor"):
                    node["meta"]["val"]["shape"] = [10**12, 10**12]

        def no_loop(kernel, by_name):
            kernel["graphs"][0]["block_ids"] = []

        def nothing(kernel, by_name):
            kernel["graphs"][1]["nodes"] = [n for n in kernel["graphs"][1]["nodes"] if n["op"] == "output"]

        for change in (no_blocks, negative, other_blocks, cycle, huge, no_loop, nothing):
            with self.subTest(change.__name__):
                status, _, err = self.run_cli("registry", self.changed("matmul_f16", change), engine=None)
                self.assertIn(status, (0, 1, 3), err)
                self.assertNotIn("internal", err)

    def test_operations_are_located_at_nodes(self):
        text = self.check("registry", KERNELS / "attention.json", engine=None)
        inside = text[text.index("^bb0(") :].splitlines()[1:]
        operations = [line for line in inside if re.match(r'\s*(%\S+ = )?"', line) and "({" not in line and '"builtin' not in line]
        self.assertEqual([line for line in operations if ' loc("' not in line], [])


if __name__ == "__main__":
    unittest.main()
