"""The recorded answers: programs as files and fxscope's own text for them, kept when the live comparison said that it equals torch-mlir's.

One tar.xz: `<program>.<form>.pt2`, deflated anew without the nodes' metadata (which the import does not read and which holds paths), and
`<program>.<form>.<mode>.mlir`.
"""
import io
import json
import pathlib
import tarfile
import zipfile

ARCHIVE = pathlib.Path(__file__).resolve().parent / "recorded" / "import.tar.xz"
LARGEST_FILE = 48 << 10
MODES = ("frozen", "program")


def without_metadata(graph):
    for node in graph["nodes"]:
        node["metadata"] = {}
        for argument in node["inputs"]:
            if "as_graph" in argument["arg"]:
                without_metadata(argument["arg"]["as_graph"]["graph"])


def slim(path):
    """The bytes of a saved program without what only people read."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as target:
        for name in source.namelist():
            data = source.read(name)
            if "/models/" in name:
                model = json.loads(data)
                without_metadata(model["graph_module"]["graph"])
                model["graph_module"]["metadata"] = {}
                model["guards_code"] = []
                data = json.dumps(model, separators=(",", ":")).encode()
            if "/sample_inputs/" in name:
                data = b""
            # Stored: the archive around it packs better than each file by itself.
            target.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def write(members, path=ARCHIVE):
    path.parent.mkdir(exist_ok=True)
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name in sorted(members):
            entry = tarfile.TarInfo(name)
            entry.size = len(members[name])
            archive.addfile(entry, io.BytesIO(members[name]))


def read(path=ARCHIVE):
    with tarfile.open(path, "r:xz") as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive.getmembers()}
