# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The support matrix: what was measured of an operator, and that it agrees with the surveys of programs."""
import json
import unittest

from support import ENGINE, SAMPLES, CliTest, needs_engine

OPERATOR = "aten.gelu.default"


class BuiltIn(CliTest):
    """The matrix of the engine that ./run installs, without an engine."""

    def test_a_summary_counts_each_operator_once_for_each_output_type(self):
        value = self.check_json("support", self.check("support", "--json", engine="/no/such"))
        self.assertGreaterEqual(value["operators_measured"], 400)
        self.assertEqual(value["missing"], 0)
        for row in value["summary"]:
            self.assertEqual(row["always"] + row["part"] + row["never"] + row["not_measured"], value["operators_measured"])
            self.assertGreater(min(row["always"], row["part"], row["never"]), 0, row)

    def test_an_operator_has_a_verdict_and_cells(self):
        value = self.check_json("support", self.check("support", OPERATOR, "--json", engine="/no/such"))
        self.assertEqual([op["operator"] for op in value["operators"]], [OPERATOR])
        for target in value["operators"][0]["targets"]:
            cells = target["cells"]
            self.assertEqual({cell["dtype"] for cell in cells}, {"f32", "f64", "f16", "bf16"})
            self.assertEqual((sum(c["forms"] for c in cells), sum(c["lower"] for c in cells)), (target["programs"], target["lower"]))
            self.assertEqual(target["standing"], "always" if target["lower"] == target["programs"] else "part" if target["lower"] else "never")

    def test_text_has_a_line_for_each_output_type(self):
        out = self.check("support", OPERATOR, engine="/no/such")
        value = json.loads(self.check("support", OPERATOR, "--json", engine="/no/such"))
        for target in value["operators"][0]["targets"]:
            self.assertRegex(out, rf"(?m)^  {target['target']} +{target['verdict'].split(' ')[0]}")

    def test_a_packet_is_all_its_overloads(self):
        value = json.loads(self.check("support", "softmax", "--json", engine="/no/such"))
        self.assertIn("aten.softmax.int", [op["operator"] for op in value["operators"]])

    def test_an_unknown_operator_is_an_error_with_near_names(self):
        self.refuses("support", "aten.gelu.defualt", code=2,
                     message="no measured operator has 'aten.gelu.defualt' in its name; did you mean 'aten.gelu.default', "
                             "'aten.celu.default', 'aten.elu.default'?")

    def test_options_of_a_measurement_require_it(self):
        self.refuses("support", "--again", code=2, message="option '--again' requires --measure")
        self.refuses("support", "--release", "1", code=2, message="option '--release' requires --measure")


@needs_engine
class Measured(CliTest):
    def test_a_measurement_has_the_outcomes_of_the_built_in_matrix_and_is_kept(self):
        """The engine here is the one that was measured."""
        built_in = json.loads(self.check("support", OPERATOR, "aten.erf.default", "--json"))
        _, out, err = self.run_cli("support", OPERATOR, "aten.erf.default", "--measure", "--release", "mine", "--json", engine=ENGINE)
        self.assertIn("programs measured, kept in ", err)
        value = self.check_json("support", out)
        self.assertEqual(value["engine"]["release"], "mine")
        if value["engine"]["sha256"] == built_in["engine"]["sha256"]:
            self.assertEqual(value["operators"], built_in["operators"])
        # Kept: nothing is measured again, and the file is what a later run shows.
        _, out, err = self.run_cli("support", OPERATOR, "--measure", engine=ENGINE)
        self.assertIn(" 0 programs measured", err)
        self.assertEqual(json.loads(self.check("support", "aten.erf.default", "--json"))["engine"]["release"], "mine")

    def test_a_file_that_is_no_matrix_is_left_out_and_named(self):
        folder = self.work / "cache/fxscope/support"
        folder.mkdir(parents=True)
        (folder / "broken.txt").write_text("nothing\n")
        code, out, err = self.run_cli("support", OPERATOR, engine=ENGINE)
        self.assertEqual(code, 0)
        self.assertEqual(err, f"fxscope-cli: left out {folder}/broken.txt: expected 'fxscope-support 1' in line 1; measure again with "
                              "'fxscope-cli support --measure'\n")

    def test_the_matrix_agrees_with_the_surveys_of_the_samples(self):
        """A call in a measured form has the measured outcome; in another form it may have another."""
        compared = []
        for program in sorted(SAMPLES.glob("*.pt2")):
            value = self.check_json("support", self.check("support", "--of", program, "--json"))
            compared += [(program.name, call) for call in value["program"]["compared"]]
        self.assertGreater(sum(call["agreement"] == "same-form" for _, call in compared), 10)
        self.assertEqual([each for each in compared if each[1]["agreement"] == "differs"], [])
        unlike = sum(call["agreement"] == "other-result" for _, call in compared)
        self.assertLess(unlike, len(compared) / 10)


if __name__ == "__main__":
    unittest.main()
