# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the backends' pipelines make of two RAW modules: the same text, locations and names of resources aside."""
import re
import subprocess

PREFIX = "func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=}"
PIPELINES = {
    "torch": f"builtin.module({PREFIX})",
    "linalg-on-tensors": f"builtin.module({PREFIX},torch-backend-to-linalg-on-tensors-backend-pipeline)",
    "tosa": f"builtin.module({PREFIX},torch-backend-to-tosa-backend-pipeline)",
    "stablehlo": f"builtin.module({PREFIX},torch-backend-to-stablehlo-backend-pipeline)",
}
SECONDS = 20
MEMORY_KIB = 4 << 20


class Stages:
    def __init__(self, engine):
        self.engine = engine

    def lower(self, text, pipeline):
        """The printed module, or nothing when the engine does not lower it."""
        command = ["prlimit", f"--as={MEMORY_KIB << 10}", self.engine, f"--pass-pipeline={pipeline}", "--mlir-disable-threading"]
        try:
            run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None
        return normalized(run.stdout) if run.returncode == 0 else None

    def compare(self, ours, theirs):
        for name, pipeline in PIPELINES.items():
            expected = self.lower(theirs, pipeline)
            if expected is None:
                if name == "torch":
                    break
                continue
            if self.lower(ours, pipeline) != expected:
                return f"stage {name} differs"
        return "equal"


def normalized(text):
    """Each resource under the digits of its bytes, in place of its name."""
    marker = text.find("{-#")
    body, table = (text[:marker], text[marker:]) if marker >= 0 else (text, "")
    data = {key: value[8:] for key, value in re.findall(r'"?([^"\n]*?)"?: "0x([0-9A-Fa-f]*)"', table)}
    data = {key.strip(): value for key, value in data.items()}
    return re.sub(r'dense_resource<"?([^">]*)"?>', lambda m: f"dense_resource<{data.get(m[1], m[1])}>", body)
