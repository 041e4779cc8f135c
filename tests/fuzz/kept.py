"""Inputs that are kept for each target: those that lead somewhere else than all the others, in one archive a target.

python tests/fuzz/kept.py unpack TARGET FOLDER      for who wants files
python tests/fuzz/kept.py keep TARGET FOLDER        in the place of what was kept
"""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).with_name("corpus")
OF_CPP, OF_PYTHON = ("game", "position", "search", "generator", "state"), ("safetensors_file", "positions_file")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # as early as an archive can say, so that the same inputs are the same bytes


def archive_of(target: str) -> Path:
    return FOLDER / f"{target}.zip"


def kept(target: str) -> dict[str, bytes]:
    """By name, which comes of the content."""
    with zipfile.ZipFile(archive_of(target)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def keep(target: str, inputs: Iterable[bytes]) -> None:
    named = {f"{zlib.crc32(data):08x}": data for data in inputs}
    with zipfile.ZipFile(archive_of(target), "w") as archive:
        for name, data in sorted(named.items()):
            entry = zipfile.ZipInfo(name, date_time=LONG_AGO)
            archive.writestr(entry, data, compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)


def main(what: str, target: str, folder: Path) -> None:
    if what == "keep":
        keep(target, (path.read_bytes() for path in folder.iterdir()))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, data in kept(target).items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
