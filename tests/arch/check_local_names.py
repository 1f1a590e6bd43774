# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what is file-local to a name of its own in its component: the sources of one are compiled together, in batches that depend
on the build, so two equal names clash in one build and not in the next. A namespace alias is used where it is declared; clang-tidy sees that
only in files that are compiled by themselves."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
declaration = re.compile(r"(?:(?:static |inline )?(?:constexpr|const) [\w:<>, *&]*?\b(\w+) ?(?:\[[^]]*\] ?)?[={(]"
                         r"|(?:class|struct|enum|enum class) (\w+)\b[^;]*$"
                         r"|(?:\[\[\w+\]\] )?\w[\w:<>, *&]*[ *&](\w+\([^)]*\)).*\{.*$)")

bad = []
scanned = 0
for component in [*sorted((root / "core").iterdir()), root / "ui", root / "app"]:
    first = {}
    for path in sorted(component.rglob("*.cpp")) if component.is_dir() else []:
        # Compiled by dialect: see core/CMakeLists.txt.
        dialect = path.name.partition("_")[0] if path.match("registry/registries/*_*.cpp") else None
        scanned += 1
        shown, around, local, text = path.relative_to(root), "", False, path.read_text()
        bad += [f"{shown}: the namespace alias {alias} is not used" for alias in re.findall(r"^ *namespace (\w+) = ", text, re.M)
                if not re.search(rf"\b{alias}::", text)]
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("namespace"):
                local = line == "namespace {"
                around = around if local else line
            elif line.startswith("}  // namespace"):
                local = False
            elif found := local and declaration.match(line):
                name = next(filter(None, found.groups()))
                known = first.setdefault((dialect, around, name), f"{shown}:{number}")
                if known != f"{shown}:{number}" and not known.startswith(f"{shown}:"):
                    bad.append(f"{shown}:{number}: {name} is also {known}")

print("\n".join(bad) or f"{scanned} sources, no name twice")
sys.exit(bool(bad))
