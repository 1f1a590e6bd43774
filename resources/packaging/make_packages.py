# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes wheels and an archive of an installed build that links what can be linked statically (FXS_STATIC); run by ./package.

    make_packages.py wheels|archive --tree TREE --out DIST --tools VENV [--url URL]

TREE is what `cmake --install --strip` wrote. The remaining libraries are copied from this system to lib/fxscope and lib/fxscope-window, where
the programs in bin look for them. In a wheel, both are among the files of the environment (sys.prefix), not among those of a package of
Python: so the programs start without Python, and find each other in one folder. `auditwheel repair` would replace them by Python scripts
that start them; here auditwheel gives the platform tag. The same commit gives the same bytes: SOURCE_DATE_EPOCH is the time of every file."""
import argparse
import base64
import hashlib
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = re.search(r"project\(fxscope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
# Every system that the platform tag admits has them, and they must be those of the system.
OF_THE_SYSTEM = re.compile(r"^(linux-vdso|ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s))\.so")
QT_PLUGINS = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqminimal.so", "imageformats/libqsvg.so", "iconengines/libqsvgicon.so",
              "platforminputcontexts/libcomposeplatforminputcontextplugin.so", "platforminputcontexts/libibusplatforminputcontextplugin.so"]
# Packages of Debian whose code the programs contain without a library file.
CONTAINED = ["libre2-dev", "libfmt-dev", "libzip-dev", "libssl-dev", "zlib1g-dev", "nlohmann-json3-dev", "libcli11-dev", "libexpected-dev"]
FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"]


def output(*command, **environment):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout


def die(message):
    sys.exit(f"fxscope: {message}")


def needed(file):
    """{name: path} of the libraries, direct and indirect, that are copied."""
    found = {}
    graphviz = output("pkg-config", "--variable=libdir", "libgvc").strip() + "/graphviz"  # its plugins, of which one is linked
    for line in output("ldd", file, LD_LIBRARY_PATH=graphviz).splitlines():
        name, _, path = line.strip().partition(" => ")
        if not OF_THE_SYSTEM.match(pathlib.Path(name.split()[0]).name):
            if not path or path.startswith("not found"):
                die(f"{file}: {name} is not found on this system")
            found[name] = path.split()[0]
    return found


def owner(path):
    """The package of Debian that a file of this system belongs to."""
    real = os.path.realpath(path)
    for name in (path, real, real.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True).stdout
        if found:
            return found.split(":")[0]
    return die(f"{path} belongs to no package of this system, so its license is not known")


class Tree:
    """The files of one package under the names by which they are installed: {"bin/fxscope": (bytes, mode)}."""

    def __init__(self, tools):
        self.files, self.packages, self.tools = {}, set(CONTAINED), tools

    def add(self, name, path, mode=0o644):
        self.files[name] = (pathlib.Path(path).read_bytes(), mode)

    def add_library(self, name, path, run_path):
        """A library of this system, which looks for others beside itself."""
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(os.path.realpath(path), folder)
            os.chmod(copy, 0o755)
            output(self.tools / "bin/patchelf", "--force-rpath", "--set-rpath", run_path, copy)
            self.add(name, copy, 0o755)
        self.packages.add(owner(path))

    def add_libraries(self, folder, files):
        for name, path in sorted({name: path for file in files for name, path in needed(file).items()}.items()):
            self.add_library(f"{folder}/{name}", path, "$ORIGIN")

    def add_folder(self, source, under):
        for path in sorted((source / under).rglob("*")):
            if path.is_file() and not path.is_symlink():
                self.add(str(path.relative_to(source)), path)

    def licenses(self):
        """{file name: text} of what others hold the rights to."""
        out = {"LICENSE": (ROOT / "LICENSE").read_bytes()}
        for package in sorted(self.packages):
            out[f"others/{package}.txt"] = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes()
        return out


def commands_tree(installed, tools):
    """fxscope-cli, and fxscope-layout with Graphviz."""
    tree = Tree(tools)
    for program in ("fxscope-cli", "fxscope-layout"):
        tree.add(f"bin/{program}", installed / "bin" / program, 0o755)
    tree.add_libraries("lib/fxscope", [installed / "bin/fxscope-layout"])
    if needed(installed / "bin/fxscope-cli"):
        die(f"fxscope-cli links {', '.join(needed(installed / 'bin/fxscope-cli'))}, which another system may not have; configure with FXS_STATIC")
    return tree


def window_tree(installed, tools):
    """The window, with Qt, its plugins and fonts."""
    tree = Tree(tools)
    tree.add("bin/fxscope", installed / "bin/fxscope", 0o755)
    plugins = pathlib.Path(output("qmake6", "-query", "QT_INSTALL_PLUGINS").strip())
    tree.add_libraries("lib/fxscope-window", [installed / "bin/fxscope", *(plugins / name for name in QT_PLUGINS)])
    for name in QT_PLUGINS:
        tree.add_library(f"lib/fxscope-window/plugins/{name}", plugins / name, "$ORIGIN/../..")
    fonts = pathlib.Path("/usr/share/fonts/truetype/dejavu")
    for name in FONTS:
        tree.add(f"lib/fxscope-window/fonts/{name}", fonts / name)
    tree.packages.add(owner(fonts / FONTS[0]))
    tree.add("lib/fxscope-window/fonts/fonts.conf", ROOT / "resources/packaging/fonts.conf")
    tree.add_folder(installed, "share/fxscope/samples")
    return tree


def readme(url):
    """The README as a description elsewhere: links to files of the repository lead to `url`, or, without one, are text; and pictures, nothing."""
    text = (ROOT / "README.md").read_text()

    def linked(match):
        picture, label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        if url:
            return f"{picture}[{label}]({url}/{'raw' if picture else 'blob'}/HEAD/{target})"
        return "" if picture else label

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", linked, text)


def metadata(name, summary, licenses, url, extra):
    """The core metadata, version 2.4."""
    lines = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {VERSION}", f"Summary: {summary}", f"License-Expression: {PROJECT['license']}"]
    lines += [f"License-File: {file}" for file in licenses]
    lines += [f"Classifier: {each}" for each in PROJECT["classifiers"]]
    lines += [f"Keywords: {','.join(PROJECT['keywords'])}", f"Requires-Python: {PROJECT['requires-python']}"]
    if url:
        lines += [f"Project-URL: Source, {url}", f"Project-URL: Changelog, {url}/blob/HEAD/CHANGELOG.md"]
    lines += extra
    lines += ["Description-Content-Type: text/markdown", "", readme(url)]
    return "\n".join(lines).encode()


def zipped(files):
    """An archive of {name: (bytes, mode)}, the same for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(max(EPOCH, 315532800))[:6])  # zip begins in 1980
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, (0o100000 | mode) << 16
            archive.writestr(entry, content)
    return out.getvalue()


def with_record(files, information):
    """The files of a wheel in order, dist-info last, with their list."""
    rows = []
    ordered = dict(sorted(files.items(), key=lambda entry: (entry[0].startswith(information), entry[0])))
    for name, (content, _) in ordered.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    ordered[f"{information}/RECORD"] = ("".join([*rows, f"{information}/RECORD,,\n"]).encode(), 0o644)
    return ordered


def information_files(information, tag, described, licenses):
    wheel = f"Wheel-Version: 1.0\nGenerator: fxscope ./package\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()
    return {f"{information}/METADATA": (described, 0o644), f"{information}/WHEEL": (wheel, 0o644),
            **{f"{information}/licenses/{file}": (text, 0o644) for file, text in licenses.items()}}


def platform_tag(tree, name, tools):
    """The oldest manylinux that the programs run on, by auditwheel, which sees them as they are installed."""
    information = f"{name}-{VERSION}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        probe = pathlib.Path(folder, f"{name}-{VERSION}-py3-none-linux_x86_64.whl")
        probe.write_bytes(zipped(with_record({**tree.files, **information_files(information, "linux_x86_64", b"Metadata-Version: 2.4\n", {})}, information)))
        shown = json.loads(output(tools / "bin/python", "-m", "auditwheel", "show", "--json", probe))
    tag = shown.get("overall_tag") or shown.get("overall_policy") or next(iter(shown.values()))
    if not str(tag).startswith("manylinux"):
        die(f"auditwheel gives {name} no manylinux tag:\n{json.dumps(shown, indent=1)[:3000]}")
    return tag


def make_wheel(tree, name, summary, extra, arguments, packages=None):
    """Writes it, and returns its path."""
    tag = platform_tag(tree, name, arguments.tools)
    data, information = f"{name}-{VERSION}.data", f"{name}-{VERSION}.dist-info"
    files = {f"{data}/scripts/{file.removeprefix('bin/')}" if file.startswith("bin/") else f"{data}/data/{file}": content
             for file, content in tree.files.items()}
    files.update(packages or {})
    licenses = tree.licenses()
    files.update(information_files(information, tag, metadata(name.replace("_", "-"), summary, licenses, arguments.url, extra), licenses))
    path = arguments.out / f"{name}-{VERSION}-py3-none-{tag}.whl"
    path.write_bytes(zipped(with_record(files, information)))
    return path


def make_wheels(arguments):
    module = {f"fxscope/{path.name}": (path.read_bytes(), 0o644) for path in sorted((ROOT / "resources/python/fxscope").iterdir()) if path.is_file()}
    commands = commands_tree(arguments.tree, arguments.tools)
    yield make_wheel(commands, "fxscope", PROJECT["description"],
                     ["Provides-Extra: window", f'Requires-Dist: fxscope-window=={VERSION}; extra == "window"'], arguments, module)
    window = window_tree(arguments.tree, arguments.tools)
    yield make_wheel(window, "fxscope_window", "The window of fxscope, which shows how a PyTorch program lowers to MLIR",
                     [f"Requires-Dist: fxscope=={VERSION}"], arguments)


def make_archive(arguments):
    """Both in one folder that may be anywhere, with man pages, completions and documents."""
    commands, window = commands_tree(arguments.tree, arguments.tools), window_tree(arguments.tree, arguments.tools)
    window.packages |= commands.packages
    window.files |= commands.files
    window.add_folder(arguments.tree, "share")
    window.files = {name: file for name, file in window.files.items() if "/lintian/" not in name and not name.endswith("/changelog.gz")}
    window.files |= {name if name == "LICENSE" else f"share/doc/fxscope/{name}": (text, 0o644) for name, text in window.licenses().items()}
    folder = f"fxscope-{VERSION}-linux-x86_64"
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, (content, mode) in sorted(window.files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            archive.addfile(entry, io.BytesIO(content))
    path = arguments.out / f"{folder}.tar.xz"
    path.write_bytes(lzma.compress(out.getvalue(), preset=6))
    yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["wheels", "archive"])
    for name in ("--tree", "--out", "--tools"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--url", default="")
    arguments = parser.parse_args()
    arguments.url = arguments.url.rstrip("/")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for path in make_wheels(arguments) if arguments.kind == "wheels" else make_archive(arguments):
        print(f"{path} {path.stat().st_size / 1e6:.1f} MB")


main()
