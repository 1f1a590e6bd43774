# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bookmarks and notes beside a program."""
import hashlib
import json
import shutil
import unittest

import json_schema
from support import SAMPLES, SOURCE, CliTest


def schema(name):
    return json.loads((SOURCE / f"resources/schemas/{name}.schema.json").read_text())


class Notes(CliTest):
    def setUp(self):
        super().setUp()
        self.program = self.work / "addmm.pt2"
        shutil.copy(SAMPLES / "addmm.pt2", self.program)
        self.file = self.work / "addmm.pt2.fxscope.json"
        version = hashlib.sha256(self.check("inspect", self.program, "--graph").encode()).hexdigest()
        note = {"target": "aten.addmm.default", "text": "", "time": "2026-11-25T15:00:12Z", "program": version}
        self.notes = [{"node": "addmm", **note, "text": "ask Ana\nabout it"}, {"node": "x", **note, "target": "x"},
                      {"graph": "cond", "node": "gone", **note, "text": "old"}]

    def write(self, notes):
        self.file.write_text(json.dumps({"schema": "fxscope-notes/1", "notes": notes}))

    def test_each_is_a_line_with_what_became_of_its_node(self):
        self.write(self.notes)
        self.assertEqual(list(json_schema.errors(json.loads(self.file.read_text()), schema("notes"))), [])
        self.assertEqual(self.check("notes", self.program),
                         f"{self.file}: 2 notes and 1 bookmark, 1 not in this program\n"
                         "  x  x  bookmark\n"
                         "  addmm  aten.addmm.default  ask Ana\\nabout it\n"
                         "  cond.gone  aten.addmm.default  [not in this program]  old\n")
        value = json.loads(self.check("notes", self.program, "--json"))
        self.assertEqual(list(json_schema.errors(value, schema("notes_list"))), [])
        self.assertEqual([(note["node"], note["place"]) for note in value["notes"]], [("x", "same"), ("addmm", "same"), ("gone", "gone")])

    def test_of_another_version_or_operation_says_so(self):
        self.write([{**self.notes[0], "program": "1" * 64}, {**self.notes[1], "target": "y"}])
        self.assertEqual(self.check("notes", self.program).splitlines()[1:],
                         ["  x  y  [was another operation]  bookmark", "  addmm  aten.addmm.default  [of another version]  ask Ana\\nabout it"])

    def test_a_program_without_notes_has_none(self):
        self.assertEqual(self.check("notes", self.program), f"{self.file}: no notes\n")
        self.assertFalse(self.file.exists())

    def test_what_cannot_be_read_is_an_error(self):
        self.write([{**self.notes[0], "text": None}])
        self.assertEqual(self.run_cli("notes", self.program),
                         (3, "", f"fxscope-cli: {self.file}: notes[0].text: expected a string, got null\n"))
        self.assertEqual(self.run_cli("notes", "-"), (2, "", "fxscope-cli: notes are kept beside a file; standard input has none\n"))

    def test_a_folder_of_programs_does_not_list_their_notes(self):
        self.write(self.notes)
        listed = json.loads(self.check("inspect", self.work, "--json"))
        self.assertEqual([capture["file"] for capture in listed["captures"]], ["addmm.pt2"])


if __name__ == "__main__":
    unittest.main()
