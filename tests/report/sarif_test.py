# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A diagnosis as SARIF is valid SARIF 2.1.0, and its locations are the user's Python lines."""
import json
import sys
import unittest

from written import SOURCE, form

sys.path.insert(0, str(SOURCE / "tests" / "cli"))
import json_schema  # noqa: E402


class Sarif(unittest.TestCase):
    schema = json.loads((SOURCE / "tests" / "report" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))

    def setUp(self):
        self.log = json.loads(form("sarif"))
        self.run_ = self.log["runs"][0]

    def test_is_valid_by_the_standards_schema(self):
        self.assertEqual(list(json_schema.errors(self.log, self.schema)), [])

    def test_the_schema_refuses_what_is_wrong(self):
        self.run_["results"][0]["level"] = "fatal"
        self.run_["results"][0]["odd"] = 1
        self.run_["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b"
        del self.run_["results"][2]["message"]
        self.assertEqual(len(list(json_schema.errors(self.log, self.schema))), 4)

    def test_locations_are_the_python_lines_relative_to_the_project(self):
        lines = [[(p["artifactLocation"]["uri"], p["artifactLocation"].get("uriBaseId"), p.get("region", {}).get("startLine"))
                  for p in (location["physicalLocation"] for location in result["locations"])] for result in self.run_["results"]]
        self.assertEqual(lines, [[("model.py", "%SRCROOT%", 12), ("a%20dir/model.py", "%SRCROOT%", 13)],
                                 [("m.pt2", None, None)], [("m.pt2", None, None)]])
        self.assertEqual(self.run_["originalUriBaseIds"], {"%SRCROOT%": {"description": {"text": "the folder in which fxscope was run"}}})

    def test_lines_outside_the_project_are_related(self):
        related = [[(p["physicalLocation"]["artifactLocation"]["uri"], p["physicalLocation"]["region"]["startLine"], p["message"]["text"])
                    for p in result.get("relatedLocations", [])] for result in self.run_["results"]]
        self.assertEqual(related, [[], [("evil%3Cb%3E.py", 7, "in a library")], []])

    def test_nodes_and_modules_are_logical_locations(self):
        first = self.run_["results"][0]["locations"][0]["logicalLocations"]
        self.assertEqual([(place.get("name"), place["fullyQualifiedName"], place["kind"]) for place in first],
                         [("diff", "wte/diff", "fx-node"), (None, "wte", "module")])

    def test_every_rule_is_described_where_its_index_says(self):
        rules = self.run_["tool"]["driver"]["rules"]
        for result in self.run_["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        for rule in rules:
            self.assertIn(f"fxscope-cli explain {rule['id']}", rule["help"]["markdown"])

    def test_no_fix_is_claimed(self):
        self.assertNotIn("fixes", json.dumps(self.log))


if __name__ == "__main__":
    unittest.main()
