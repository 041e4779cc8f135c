"""Writes src/c4/native/_core.pyi from the built module; with --check only says whether it would change."""

import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path

STUB = Path(__file__).parent.parent / "src/c4/native/_core.pyi"


def generate() -> str:
    """The stub of the module as it is built now, formatted by ruff."""
    tools = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [
            tools / "pybind11-stubgen",
            "--exit-code",
            "--output-dir",
            folder,
            "c4.native._core",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        text = (Path(folder) / "c4/native/_core.pyi").read_text()
    formatter: list[str | Path] = [tools / "ruff", "format", "--stdin-filename", STUB, "-"]
    return subprocess.run(formatter, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """0 if the stub is what the module says, or was written to be so."""
    text = generate()
    if "--check" not in sys.argv[1:]:
        STUB.write_text(text)
        return 0
    standing = STUB.read_text()
    sys.stdout.writelines(
        unified_diff(standing.splitlines(keepends=True), text.splitlines(keepends=True), "_core.pyi", "the module")
    )
    if standing != text:
        print("src/c4/native/_core.pyi is not what the built module says: run `make stubs`", file=sys.stderr)
    return int(standing != text)


if __name__ == "__main__":
    sys.exit(main())
