# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sample diagnosis in its forms, written once for a test program."""
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(os.environ["FXSCOPE_SOURCE"])
_folder = tempfile.TemporaryDirectory()
subprocess.run([os.environ["FXS_WRITE_DIAGNOSIS"], _folder.name], check=True)
FOLDER = pathlib.Path(_folder.name)


def form(extension):
    return (FOLDER / f"diagnosis.{extension}").read_text(encoding="utf-8")
