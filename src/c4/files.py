"""Files that are whole: a reader sees the old one or the new one, and what has changed on the disk since is noticed."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CHECKSUM, CHECKSUM_OF_WORDS = "crc32", "crc32_of_words"
"""Metadata of a file of tensors (safetensors): what the bytes of its tensors add up to, and all else in its header."""


def write_beside(path: Path, data: bytes) -> None:
    """Writes beside and renames. Raises OSError, and leaves nothing behind."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb", opener=itself) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def itself(path: str, flags: int) -> int:
    """For open(): never what a link leads to, and no waiting for a pipe's other end. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0), 0o666)


def read_plain(path: Path, *, most: int) -> bytes:
    """A regular file of at most so many bytes. Raises OSError: a pipe or a device would wait, or never end."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if about.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most / 2**20:g} MB", str(path))
        return file.read(about.st_size)  # asked for more, Python takes memory for more


def check_plain(path: Path) -> None:
    """Raises OSError for what is no regular file, before anybody waits for it."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def is_whole_archive(path: Path) -> bool:
    """Whether each part of a zip has the checksum that it says it has. Raises OSError for one with more in it than its
    size: nothing that is written here is packed."""
    check_plain(path)
    with zipfile.ZipFile(path) as parts:
        if sum(part.file_size for part in parts.infolist()) > path.stat().st_size:
            raise OSError(errno.EFBIG, "it holds more than its size", str(path))
        return parts.testzip() is None


def unpacked(data: bytes, *, most: int) -> bytes:
    """What was packed by gzip. Raises OSError for what is none, is cut or damaged, or more than `most` bytes."""
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(most + 1)
    except (EOFError, zlib.error) as error:
        raise OSError(errno.EINVAL, f"packed wrongly: {error}") from error
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most / 2**20:g} MB")
    return content


def with_checksum(save: Callable[[dict[str, str]], bytes], metadata: Mapping[str, str]) -> bytes:
    """A file of tensors as `save` makes it of its metadata, the checksums among them."""
    return _in_order(save({**metadata, CHECKSUM: _tensors_checksum(save({**metadata}))}))


def is_as_written(data: bytes) -> bool:
    """Whether a file of tensors has the checksum that it says it has; one of an older program says nothing."""
    header = json.loads(data[8 : _tensors_begin(data)])
    said = header.get("__metadata__", {})
    of_tensors, of_words = said.get(CHECKSUM), said.get(CHECKSUM_OF_WORDS)
    is_same = of_tensors is None or of_tensors == _tensors_checksum(data)
    return is_same and (of_words is None or of_words == _words_checksum(header))


def _tensors_checksum(data: bytes) -> str:
    return f"{zlib.crc32(memoryview(data)[_tensors_begin(data) :]):08x}"


def _words_checksum(header: Mapping[str, Any]) -> str:
    said = {name: text for name, text in header["__metadata__"].items() if name != CHECKSUM_OF_WORDS}
    return f"{zlib.crc32(json.dumps({**header, '__metadata__': said}, sort_keys=True).encode()):08x}"


def _in_order(data: bytes) -> bytes:
    """The same file with its metadata by name: safetensors writes them in an order of the moment."""
    begin = _tensors_begin(data)
    header = json.loads(data[8:begin])
    header["__metadata__"][CHECKSUM_OF_WORDS] = _words_checksum(header)
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of eight
    return len(text).to_bytes(8, "little") + text + data[begin:]


def _tensors_begin(data: bytes) -> int:
    """After eight bytes with the length of the header, and the header."""
    return 8 + int.from_bytes(data[:8], "little")
