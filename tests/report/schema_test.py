# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A diagnosis as JSON is what its schema says, and the schema knows every member."""
import json
import sys
import unittest

from written import SOURCE, form

sys.path.insert(0, str(SOURCE / "tests" / "cli"))
import json_schema  # noqa: E402


def unknown_members(value, schema, root, path="$"):
    """Members that the schema does not name: new ones are to be described."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if isinstance(value, dict):
        for name, member in value.items():
            if name not in schema.get("properties", {}):
                yield f"{path}.{name}"
            else:
                yield from unknown_members(member, schema["properties"][name], root, f"{path}.{name}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from unknown_members(item, schema.get("items", {}), root, f"{path}[{i}]")


class Json(unittest.TestCase):
    schema = json.loads((SOURCE / "resources" / "schemas" / "diagnose.schema.json").read_text())
    answer = json.loads(form("json"))

    def test_is_what_the_schema_says(self):
        self.assertEqual(list(json_schema.errors(self.answer, self.schema)), [])

    def test_has_no_member_that_the_schema_does_not_describe(self):
        self.assertEqual(list(unknown_members(self.answer, self.schema, self.schema)), [])

    def test_a_wrong_answer_is_refused(self):
        wrong = json.loads(form("json"))
        wrong["findings"][0]["kind"] = "odd"
        del wrong["findings"][1]["experiments"][0]["proof"]
        self.assertEqual(len(list(json_schema.errors(wrong, self.schema))), 2)


if __name__ == "__main__":
    unittest.main()
