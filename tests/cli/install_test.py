# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cmake --install` puts where: programs that run from there, desktop entry, MIME type, man pages, completions."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from support import CLI, SAMPLES, SOURCE, CliTest

BUILD = pathlib.Path(CLI).parent.parent
WINDOW = (pathlib.Path(CLI).parent / "fxscope").exists()


def paths_into(source, text, names=None):
    """The paths in a text that lead into the sources. The path of the sources alone may be any word, such as "/fxscope"."""
    names = names or [path.name for path in source.iterdir() if not path.name.startswith(".")]
    inside = "|".join(re.escape(name) for name in names)
    return re.findall(rf"(?<![\w.~$}}-]){re.escape(str(source))}/(?:{inside})(?![\w-])".encode(), text)


class Paths(unittest.TestCase):
    def test_a_path_into_the_sources_is_told_from_other_text(self):
        source = pathlib.Path("/fxscope")
        self.assertEqual(paths_into(source, b"see /fxscope/docs/a.md or '/fxscope/core'", ["docs", "core"]), [b"/fxscope/docs", b"/fxscope/core"])
        for text in (b"in ~/.cache/fxscope/docs", b"$HOME/fxscope/core", b"a clone at /fxscope", b"/fxscope-docs", b"/fxscope/docstring"):
            self.assertEqual(paths_into(source, text, ["docs", "core"]), [])


@unittest.skipUnless((BUILD / "cmake_install.cmake").exists() and (BUILD / "bin/fxscope-layout").exists(), "the programs are not in a build folder")
class Install(CliTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.work / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, capture_output=True)

    def test_the_files_are_where_they_are_looked_for(self):
        files = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if path.is_file()}
        programs = ["fxscope-cli", "fxscope"] if WINDOW else ["fxscope-cli"]
        expected = {"bin/fxscope-layout", "share/zsh/vendor-completions/_fxscope-cli", "share/fxscope/fxscope_capture.py",
                    "share/fxscope/output_types.json", "share/fxscope/schemas/lower.schema.json", "share/fxscope/samples/masked_attention.pt2",
                    "share/doc/fxscope/copyright", "share/doc/fxscope/changelog.gz", "share/doc/fxscope/docs/command-line.md"}
        for name in programs:
            expected |= {f"bin/{name}", f"share/man/man1/{name}.1.gz", f"share/bash-completion/completions/{name}",
                         f"share/fish/vendor_completions.d/{name}.fish"}
        if WINDOW:
            expected |= {"share/applications/fxscope.desktop", "share/mime/packages/fxscope.xml", "share/icons/hicolor/scalable/apps/fxscope.svg"}
        self.assertEqual(expected - files, set())
        self.assertEqual([name for name in files if name.endswith(".py") and not name.endswith("fxscope_capture.py")], [])
        for name in programs:
            self.assertEqual(gzip.open(self.prefix / f"share/man/man1/{name}.1.gz", "rt").read(), self.check("man", name))
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.parent.name != "bin":
                self.assertEqual(paths_into(SOURCE, path.read_bytes()), [], path)

    def test_the_programs_run_from_there(self):
        done = subprocess.run([self.prefix / "bin/fxscope-cli", "render", SAMPLES / "addmm.pt2"], capture_output=True, text=True,
                              env=self.environment(None))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("<svg"))
        version = re.search(r"^wheel \S+ (\S+) ", (SOURCE / "resources/engine/pinned.txt").read_text(), re.M)[1]
        done = subprocess.run([self.prefix / "bin/fxscope-cli", "engine"], capture_output=True, text=True, env=self.environment(None))
        self.assertEqual((done.returncode, done.stderr),
                         (4, f"fxscope-cli: no engine found (searched {self.work}/data/fxscope/engines/{version}/torch-mlir-opt); run 'fxscope-cli engine fetch' "
                             "to install one, or pass a torch-mlir-opt with --engine or FXSCOPE_ENGINE\n"))

    @unittest.skipUnless(WINDOW, "the window was not built")
    def test_the_desktop_entry_opens_pt2_files(self):
        entry = self.prefix / "share/applications/fxscope.desktop"
        if shutil.which("desktop-file-validate"):
            done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        keys = dict(re.findall(r"^(\w+)=(.*)$", entry.read_text(), re.M))
        self.assertTrue((self.prefix / "bin" / keys["Exec"].split()[0]).exists())
        self.assertTrue((self.prefix / f"share/icons/hicolor/scalable/apps/{keys['Icon']}.svg").exists())
        types = xml.etree.ElementTree.parse(self.prefix / "share/mime/packages/fxscope.xml").getroot()
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        patterns = {each.get("type"): [glob.get("pattern") for glob in each.iter(f"{space}glob")] for each in types}
        self.assertEqual({name: patterns.get(name) for name in keys["MimeType"].strip(";").split(";")},
                         {"application/x-pytorch-exported-program": ["*.pt2"], "application/x-fxscope-bundle": ["*.fxscope.zip"]})
        if shutil.which("update-mime-database"):
            subprocess.run(["update-mime-database", self.prefix / "share/mime"], check=True, capture_output=True)
            self.assertIn("application/x-pytorch-exported-program:*.pt2", (self.prefix / "share/mime/globs").read_text())


if __name__ == "__main__":
    unittest.main()
