# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents against the repository: links and paths lead somewhere, README.md stays short, commands end as the page says."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["FXSCOPE_SOURCE"])
CLI = os.environ["FXSCOPE_CLI"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)\n\1```$", re.S | re.M)
# What a path may begin with, so that `aten/..` or `model.pt2` is none.
TOP = {"app", "cmake", "core", "docs", "resources", "samples", "tests", "ui"}


def prose(page):
    return FENCE.sub("", page.read_text())


def anchors(page):
    """The ids that GitHub gives to a page's headings."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


def shown_paths(page):
    """Paths of the repository in `code`; with `<..>` or `*` in them they are patterns. Examples of CONTRIBUTING.md do not exist yet."""
    text = page.read_text()
    examples = set(re.findall(r"all\s+of\s+`([\w./-]+)`", text))
    for code in re.findall(r"`([^`\n]+)`", prose(page)):
        for word in re.split(r"[\s,;|]+", code):
            word = word.split("#")[0].rstrip(".:")
            if word.split("/")[0] in TOP and "/" in word and re.fullmatch(r"[\w./*<>-]+", word) and word not in examples:
                yield re.sub(r"<[^>]*>", "*", word)


def files(page):
    """(name, text) of each file that a page of docs shows: "This is all of `NAME`:" stands before its block."""
    return [(name, block + "\n") for name, block in re.findall(r"^This is all of `([\w.-]+)`:\n\n```\w+\n(.*?)\n```$", page.read_text(), re.S | re.M)]


def commands(page):
    """(arguments, exit code) of each `fxscope-cli` line in blocks of sh; the code is 0 unless a comment says another. A line of mlir-opt-22 or of Python
    is one for the shell. Blocks that fetch something are left out."""
    for _, language, block in FENCE.findall(page.read_text()):
        if language != "sh" or "engine fetch" in block:
            continue
        for line in map(str.strip, block.splitlines()):
            if line.startswith(("mlir-opt-22 ", "python -m fxscope.ci ")):
                yield line.replace("python ", f"{shlex.quote(sys.executable)} -B ", 1), 0
            if line.startswith("fxscope-cli "):
                said = re.search(r"\s# exit (\d+)", line)
                yield shlex.split(re.sub(r"\s#\s.*", "", line))[1:], int(said[1]) if said else 0


def users_folder(folder):
    """What pages call `models`: programs that lower; and `last-week.jsonl`, an earlier sweep of them."""
    (folder / "models").mkdir()
    for name in ("addmm.pt2", "residual_block.pt2"):
        (folder / "models" / name).symlink_to(ROOT / "samples" / name)
    subprocess.run([CLI, "sweep", "models", "--to", "tosa,stablehlo", "--no-experiments", "-o", "last-week.jsonl"], cwd=folder, check=True, capture_output=True)


class Pages(unittest.TestCase):
    def test_relative_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                with self.subTest(page=page.name, link=target):
                    self.assertTrue(file.exists())
                    self.assertTrue(file.is_relative_to(ROOT))
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_paths_that_are_mentioned_exist(self):
        seen = 0
        for page in PAGES:
            for path in shown_paths(page):
                seen += 1
                with self.subTest(page=page.name, path=path):
                    self.assertTrue(any(ROOT.glob(path.rstrip("/"))))
        self.assertGreater(seen, 30)

    def test_the_readme_is_short(self):
        self.assertLess(len((ROOT / "README.md").read_text().splitlines()), 90)

    def test_every_command_has_a_section_and_an_example(self):
        listed = re.findall(r"^  (\w+) ", subprocess.run([CLI, "--help"], capture_output=True, text=True, check=True).stdout, re.M)
        page = ROOT / "docs/command-line.md"
        self.assertGreater(len(listed), 10)
        for name in listed:
            with self.subTest(command=name):
                self.assertIn(f"\n## {name}\n", page.read_text())
                self.assertTrue(any(arguments[0] == name for arguments, _ in commands(page)))

    def test_commands_end_as_the_page_says(self):
        """All of them, in the order of the page, none left out: together they take seconds."""
        if subprocess.run([CLI, "engine"], capture_output=True).returncode != 0:
            self.skipTest("no engine: FXSCOPE_ENGINE names none and ./run has installed none")
        names = ("command-line", "helion", "buddy", "writing-passes", "pipelines", "layers", "sweep", "ci")
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "resources/python"), "FXSCOPE_CLI": CLI}
        for page in (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in names)):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "samples").symlink_to(ROOT / "samples")
                if page.stem in ("sweep", "ci"):
                    users_folder(pathlib.Path(folder))
                for name, text in files(page):
                    (pathlib.Path(folder) / name).write_text(text)
                for arguments, code in commands(page):
                    is_shell = isinstance(arguments, str)
                    with self.subTest(page=page.name, command=arguments if is_shell else shlex.join(arguments)):
                        command = arguments if is_shell else [CLI, *arguments]
                        done = subprocess.run(command, shell=is_shell, cwd=folder, capture_output=True, text=True, env=variables, timeout=120)
                        self.assertEqual(done.returncode, code, done.stderr)

    def test_what_a_command_prints_is_what_the_page_shows(self):
        if subprocess.run([CLI, "engine"], capture_output=True).returncode != 0:
            self.skipTest("no engine: FXSCOPE_ENGINE names none and ./run has installed none")
        before, _, after = (ROOT / "docs/command-line.md").read_text().partition("\n\nThe first prints:\n\n```text\n")
        block, shown = before[before.rindex("```sh\n"):].splitlines(), after.partition("```")[0]
        words = shlex.split(re.sub(r" # .*", "", block[1]))[1:]
        printed = subprocess.run([CLI, *words], cwd=ROOT, capture_output=True, text=True, timeout=120).stdout
        self.assertIn("raw ", shown)
        self.assertEqual(re.sub(r"\d\.\d{3} s", "0.000 s", printed)[:len(shown)], re.sub(r"\d\.\d{3} s", "0.000 s", shown))


if __name__ == "__main__":
    unittest.main()
