"""fxscope-cli run and compare: what a program was lowered to is executed, and its results are compared among lowering paths."""
import json
import struct
import unittest

from support import SAMPLES, CliTest, needs_engine


def safetensors(names_and_rows):
    """A safetensors file of f32 matrices."""
    header, data = {}, b""
    for name, rows in names_and_rows.items():
        bytes_ = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
        header[name] = {"dtype": "F32", "shape": [len(rows), len(rows[0])], "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


class Usage(CliTest):
    def test_usage(self):
        addmm = SAMPLES / "addmm.pt2"
        self.refuses("compare", addmm, "--to", "linalg", code=2, message="unknown output type 'linalg'; did you mean 'linalg-on-tensors'?")
        self.refuses("run", addmm, "--to", "tosa", "--size", "s0", code=2, message="option '--size': 's0' is not a size such as s0=4")
        self.refuses("run", addmm, "--to", "tosa", "--inputs", "seed:x", code=2,
                     message="option '--inputs': 'seed:x' is not a seed such as seed:7")


@needs_engine
class Executors(CliTest):
    def setUp(self):
        super().setUp()
        code, out, err = self.run_cli("run", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "--json")
        if code == 2 and "no executor is installed" in err:
            self.skipTest(err.strip())
        self.assertEqual(code, 0, err)
        self.executors = self.check_json("run", out)["executors"]

    def needs_both(self):
        if len(self.executors) < 2:
            self.skipTest("one executor alone proves nothing: " + ", ".join(self.executors))

    def test_results_are_written_and_read_again_as_inputs(self):
        out = self.check("run", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "-o", self.work / "values")
        self.assertIn("linalg-on-tensors with", out)
        again = self.check("run", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "--inputs", self.work / "values/inputs.safetensors",
                           "-o", self.work / "again")
        self.assertIn("f32[4, 16]", again)
        for file in sorted((self.work / "values").glob("*.safetensors")):
            self.assertEqual(file.read_bytes(), (self.work / "again" / file.name).read_bytes(), file.name)

    def test_an_input_of_another_size_is_refused(self):
        (self.work / "x.safetensors").write_bytes(safetensors({"x": [[1.0, 2.0]]}))
        code, _, err = self.run_cli("run", SAMPLES / "tanh_gelu.pt2", "--to", "tosa", "--inputs", self.work / "x.safetensors")
        self.assertEqual(code, 2)
        self.assertIn("x.safetensors", err)

    def test_what_lowers_right_is_the_same_in_every_output_type(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "residual_block.pt2", "--to", "linalg-on-tensors,tosa,stablehlo",
                                                       "--json"))
        self.assertEqual([t["verdict"] for t in answer["targets"]], ["same", "same", "same"])
        self.assertEqual([t["first"] for t in answer["targets"]], [None, None, None])

    def test_what_stands_alone_is_suspicious_down_to_the_node_and_the_pass(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors,tosa", "--json"))
        linalg, tosa = answer["targets"]
        self.assertEqual((linalg["verdict"], tosa["verdict"]), ("suspicious", "same"))
        self.assertEqual({k: linalg["first"][k] for k in ("node", "stage", "pass", "by_itself")},
                         {"node": "gelu", "stage": "linalg-on-tensors", "pass": "convert-torch-to-linalg", "by_itself": True})

    def test_a_size_that_became_a_number_is_found_by_running(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "merge_heads.pt2", "--to", "linalg-on-tensors", "--json", code=1))
        target = answer["targets"][0]
        self.assertEqual(target["verdict"], "differs")
        self.assertIn("size mismatch", target["why"])
        self.assertEqual((target["first"]["stage"], target["first"]["pass"]), ("linalg-on-tensors", "convert-torch-to-linalg"))

    def test_sizes_are_those_given(self):
        answer = self.check_json("run", self.check("run", SAMPLES / "decoder_dynamic.pt2", "--to", "linalg-on-tensors", "--json",
                                                   "--size", self.symbol() + "=9"))
        self.assertEqual(list(answer["inputs"]["sizes"].values()), [9])

    def symbol(self):
        answer = json.loads(self.check("run", SAMPLES / "decoder_dynamic.pt2", "--to", "torch", "--json"))
        return next(iter(answer["inputs"]["sizes"]))


if __name__ == "__main__":
    unittest.main()
