# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a bundle hands on holds no private data that has a form, wherever it stood; what was removed is listed."""
import io
import json
import re
import unittest
import zipfile

from bundle_test import members, with_metadata
from secrets_table import IN_NAMES, SECRETS
from support import SAMPLES, CliTest

ATTENTION = SAMPLES / "masked_attention.pt2"


class Secrets(CliTest):
    def program(self, name, secret):
        def change(node):
            node["metadata"]["stack_trace"] = f'File "net.py", line 3, in forward\n    # {secret}\n  File "net.py", line 4, in f\n    g("{secret}")'
            node["metadata"]["from_node"] = json.dumps([{"name": "x", "graph_id": 1, "pass": json.dumps({"note": secret})}])
            node["metadata"]["custom"] = json.dumps({"token": secret})
            if name in IN_NAMES:
                node["metadata"]["nn_module_stack"] = f"L__self___{secret},heads.{secret},acme.Net"
        plain = with_metadata(ATTENTION, self.work / "plain.pt2", change)
        stem = "net" if re.search(r"[/\\\n]", secret) else f"net {secret}"[:180]
        path = self.work / f"{stem}.pt2"
        with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w") as new:
            for info in old.infolist():
                content = old.read(info)
                if info.filename.endswith("models/model.json"):
                    model = json.loads(content)
                    model["torch_version"] = f"2.13.0+{secret}"
                    content = json.dumps(model).encode()
                new.writestr(info, content)
        return path

    def engine(self, secret):
        """Says it as its version, and as an error."""
        said, version = self.work / "said", self.work / "version"
        said.write_text(f"fx:1:0: error: {secret}\nsee '{secret}' and {json.dumps(secret)}\n")
        version.write_text(f"  LLVM version 99.0.0 {secret}\n".replace("\n", " ").strip() + "\n")
        path = self.fake_engine(f"cat > /dev/null; cat {said} >&2; exit 1")
        path.write_text(path.read_text().replace("echo '  LLVM version 99.0.0fake'", f"cat {version}"))
        return path

    def test_no_kind_survives_in_any_place(self):
        for name, (secret, traces) in SECRETS.items():
            with self.subTest(name):
                program = self.program(name, secret)
                folder = self.work / re.sub(r"[^\w.@+-]", "", secret)[:180]  # what an option of the engine takes
                folder.mkdir(exist_ok=True)
                library = folder / "library.mlir"
                library.write_text(f"// {secret}\nfunc.func private @f()\n")
                out = self.work / "b.zip"
                status, said, err = self.run_cli("bundle", program, "--to", "tosa", "--extra-library", library, "-o", out, engine=self.engine(secret))
                self.assertEqual((status, err), (0, ""), said)
                everything = {member.split("/", 1)[1]: content for member, content in members(out).items()}
                everything["names"] = "\n".join(members(out)).encode()
                everything.update({f"program.pt2/{n}": c for n, c in members(io.BytesIO(everything["program.pt2"])).items()})
                left = [(member, trace) for member, content in everything.items() for trace in traces if trace.encode() in content]
                self.assertEqual(left, [])
                self.assertRegex(said, r"\nremoved as private or unneeded [^\n]*\n  [0-9]+ ")
                self.assertRegex(said, r"\(now (redacted|net|x\.sock|library)")
                # Its receiver finds the same.
                self.assertEqual(self.run_cli("replay", out, engine=self.engine(secret))[0], 0)

    def test_a_name_on_the_command_line_is_not_changed_silently(self):
        key = SECRETS["Hugging Face"][0]
        status, _, err = self.run_cli("bundle", ATTENTION, "--to", "tosa", "--func-name", key, "-o", self.work / "b.zip", engine=self.engine("x"))
        self.assertEqual((status, err), (2, f"fxscope-cli: '{key}' goes into the bundle and contains a path, a name or a key; choose another name\n"))


if __name__ == "__main__":
    unittest.main()
