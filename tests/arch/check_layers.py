# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds every include of core/ against the components that core/CMakeLists.txt declares, keeps Qt and threads out of core and
displays out of presenters, and features of the window apart."""
import pathlib
import re
import sys

root, table = pathlib.Path(sys.argv[1]), sys.argv[2]
direct = {}
for line in open(table):
    name, _, deps = line.strip().partition(":")
    direct[name] = [d for d in deps.split(",") if d]
allowed = {name: {name, *deps} for name, deps in direct.items()}

bad = []
for path in sorted((root / "core").rglob("*.[hc]*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    component = path.relative_to(root / "core").parts[0]
    shown = path.relative_to(root)
    if component not in allowed:
        bad.append(f"{shown}: core/{component} is no component of core/CMakeLists.txt")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s+[<"]([\w./]+)', line)
        if not include:
            if re.search(r"\b(std::j?thread|std::exit|getenv|printf)\s*\(", line) or re.search(r"std::j?thread\b(?!::)", line):
                if not re.search(r"snprintf|std::this_thread", line):
                    bad.append(f"{shown}:{number}: threads, exit, getenv and printf stay out of core: {line.strip()}")
            continue
        first = include[1].split("/")[0]
        if first in allowed and "/" in include[1] and first not in allowed[component]:
            bad.append(f"{shown}:{number}: core/{component} may not include {first} (allowed: {', '.join(sorted(allowed[component]))})")
        if re.match(r"Q[A-Z]|Qt", first):
            bad.append(f"{shown}:{number}: core has no Qt: {include[1]}")

# Presenters and models are tested with no display: QtCore only, and nothing that draws. ui/CMakeLists.txt says which files they are.
presenters = [pathlib.Path(line) for line in open(sys.argv[3]).read().split()] if len(sys.argv) > 3 else []
for path in presenters:
    shown = path.relative_to(root)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s+([<"])([\w./]+)', line)
        if not include:
            continue
        if re.match(r"QtGui|QtWidgets|QWidget|QPainter|QColor|QFont|QIcon|QPixmap|QApplication|QGuiApplication", include[2]):
            bad.append(f"{shown}:{number}: it links QtCore only: {include[2]}")
        header = root / "ui" / include[2]
        if include[1] == '"' and header.exists() and header not in presenters:
            bad.append(f"{shown}:{number}: it needs no display, but {include[2]} does")

# A feature of the window may show what another has, but they are few, and never in a circle.
MOST_CROSSINGS = 9
crossings, uses = [], {}
for path in sorted((root / "ui" / "features").rglob("*.[hc]*")):
    feature = path.relative_to(root / "ui" / "features").parts[0]
    for other in re.findall(r'#include "features/([^/"]+)/', path.read_text()):
        if other != feature:
            crossings.append(f"{path.relative_to(root)}: includes features/{other}")
            uses.setdefault(feature, set()).add(other)
if len(crossings) > MOST_CROSSINGS:
    bad += [f"{len(crossings)} includes from feature to feature, at most {MOST_CROSSINGS}:", *crossings]
for path in sorted(path for folder in ("session", "text", "theme", "widgets") for path in (root / "ui" / folder).glob("*.[hc]*")):
    if re.search(r'#include "(features|window)/', path.read_text()):
        bad.append(f"{path.relative_to(root)}: features and the window are above it")
for path in sorted((root / "ui" / "window").rglob("*.[hc]*")):
    if re.search(r'#include "features/', path.read_text()):
        bad.append(f"{path.relative_to(root)}: the window names no feature: see window/feature.h")


def reached(feature, seen):
    for other in uses.get(feature, ()):
        if other not in seen:
            seen.add(other)
            reached(other, seen)
    return seen


bad += [f"ui/features/{feature} includes itself by way of {', '.join(sorted(uses[feature]))}" for feature in sorted(uses) if feature in reached(feature, set())]

print("\n".join(bad) or f"{len(allowed)} components, no violation")
sys.exit(bool(bad))
