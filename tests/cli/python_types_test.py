# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""types.py of the Python module says what the schemas and the programs do; FXSCOPE_WRITE_SCHEMAS=1 writes it, after the test Schemas wrote those."""
import inspect
import json
import math
import os
import pydoc
import re
import sys
import typing
import unittest

import python_types
from support import CLI, SOURCE

MODULE = SOURCE / "resources/python"
sys.path.insert(0, str(MODULE))
import fxscope  # noqa: E402


class Types(unittest.TestCase):
    maxDiff = None

    def test_the_file_is_what_is_generated(self):
        file, text = MODULE / "fxscope/types.py", python_types.text(CLI, SOURCE)
        if os.environ.get("FXSCOPE_WRITE_SCHEMAS"):
            file.write_text(text)
        self.assertEqual(file.read_text(), text, "FXSCOPE_WRITE_SCHEMAS=1 ./test -R cli.python_types writes it")

    def test_every_option_of_a_command_has_a_keyword_or_a_reason(self):
        given = python_types.Options(CLI)
        for command, (kind, left_out) in python_types.FUNCTIONS.items():
            with self.subTest(command):
                options = getattr(fxscope.types, f"{kind}Options").__annotations__
                names = {python_types.option_name(name) for name in given.of(command)}
                own = {python_types.option_name(name) for name in left_out}
                self.assertLessEqual(own, names)
                self.assertEqual(names, set(options) | own | (names & python_types.OF_A_TERMINAL))

    def test_a_function_has_no_parameter_twice(self):
        for command, (kind, left_out) in python_types.FUNCTIONS.items():
            function = getattr(fxscope, kind.lower())
            with self.subTest(kind):
                self.assertFalse(set(inspect.signature(function).parameters) & set(getattr(fxscope.types, f"{kind}Options").__annotations__))

    def test_members_are_those_of_the_schemas(self):
        for schema, kind in python_types.RESULTS.items():
            with self.subTest(schema):
                properties = json.loads((SOURCE / f"resources/schemas/{schema}.schema.json").read_text())["properties"]
                members = getattr(fxscope.types, f"{kind}Members").__annotations__
                self.assertEqual({name.rstrip("_") for name in members}, set(properties))
                self.assertTrue(issubclass(getattr(fxscope, kind), getattr(fxscope.types, f"{kind}Members")))

    def test_output_types_are_those_that_are_built_in(self):
        ids = [each["id"] for each in json.loads((SOURCE / "resources/output_types.json").read_text())["types"]]
        self.assertEqual(list(typing.get_args(fxscope.types.BuiltinOutputType)), ids)


class Help(unittest.TestCase):
    def test_it_fits_on_two_screens(self):
        lines = pydoc.plain(pydoc.render_doc(fxscope)).splitlines()
        # From 3.13 on, pydoc gives each parameter a line.
        self.assertLessEqual(sum(max(1, math.ceil(len(line) / 120)) for line in lines), 100 if sys.version_info < (3, 13) else 180)
        for name in fxscope.__all__:
            self.assertTrue(any(re.match(rf"    {name}\(", line) for line in lines), name)

    def test_options_are_described(self):
        text = pydoc.plain(pydoc.render_doc(fxscope.types.LowerOptions))
        self.assertRegex(text, r"keep_node: apply no decomposition to these nodes")

    def test_every_public_name_has_a_documentation(self):
        for name, value in vars(fxscope).items():
            if name[0] != "_" and (inspect.isfunction(value) or inspect.isclass(value)):
                self.assertTrue(inspect.getdoc(value), name)


if __name__ == "__main__":
    unittest.main()
