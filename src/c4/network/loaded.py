"""What torch has saved, read as data: nothing in it runs, and it is no larger than its file.

`weights_only` keeps code out. It does not keep out a few hundred bytes that stand for more than any memory: a list that
holds another twice, which does the same, and so on; a tensor that repeats one number without end; a call for so many
bytes. Knows no player and no run.
"""

from __future__ import annotations

import pickle
import pickletools
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from c4.files import is_whole_archive

MOST_VALUES = 2**20
"""In one file, a value that stands in two places counted twice: more than any state has."""

MOST_STEPS = 2**26  # bytes of the list of steps by which it is put together
IN_A_TUPLE = 1000  # values; a tuple may be a key, which is added up before anybody could look at it

CALLED = re.compile(
    r"collections (OrderedDict|Counter)|_codecs encode|(__builtin__|builtins) (set|complex)|torch \w+Storage"
    r"|torch (Size|device|[a-z0-9_]+)|torch\._utils _rebuild_(tensor_v2|tensor_v3|parameter|parameter_with_state)"
    r"|torch\.nn\.parameter Parameter|torch\.serialization _get_layout"
)
"""By which states of today and before are put together; torch lets more be called, some of which take memory."""

GETS, PUTS = ("BINGET", "LONG_BINGET"), ("BINPUT", "LONG_BINPUT")


def load_data(path: Path, *, mmap: bool = False) -> dict[str, Any] | None:
    """None where a part of it has not the checksum that it says it has. Raises UnpicklingError for more than data, and
    for what is made to take memory or time; OSError, ValueError, RuntimeError and the like for what is no such file."""
    if not is_whole_archive(path):
        return None
    with zipfile.ZipFile(path) as parts:
        for part in parts.infolist():
            if part.filename.endswith("data.pkl"):
                _check_steps(parts.read(part) if part.file_size <= MOST_STEPS else b"")
    if mmap:
        whole = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    else:
        with path.open("rb") as file:  # given a path, torch goes by its name
            whole = torch.load(file, map_location="cpu", weights_only=True)
    found = dict(whole)
    _check_size(found, most_bytes=path.stat().st_size)
    return found


def _check_steps(steps: bytes) -> None:
    """Follows them by the number of values in each tuple alone. Raises UnpicklingError."""
    stack, below, kept = list[int](), list[list[int]](), dict[int, int]()
    for step, argument, _ in pickletools.genops(steps):
        if step.name == "GLOBAL" and not CALLED.fullmatch(str(argument)):
            raise pickle.UnpicklingError(f"it calls {argument}")
        if step.name == "MARK":
            below.append(stack)
            stack = []
        elif step.name in GETS:
            stack.append(kept[argument])  # type: ignore[index]
        elif step.name in PUTS:
            kept[argument] = stack[-1]  # type: ignore[index]
        else:
            took = step.stack_before
            if pickletools.markobject in took:
                inside, stack = stack, below.pop()
                took = took[: took.index(pickletools.markobject)]
            else:
                inside = []
            inside = [*inside, *(stack.pop() for _ in took)]
            size = 1 + (sum(inside) if step.name.startswith("TUPLE") else 0)
            if size > IN_A_TUPLE:
                raise pickle.UnpicklingError("a tuple in it has no end")
            stack += [size] * len(step.stack_after)


def _check_size(whole: Mapping[Any, Any], *, most_bytes: int) -> None:
    """Raises UnpicklingError."""
    count, waiting, left, seen = 0, list[Any]([whole]), most_bytes, set[int]()
    while waiting:
        one = waiting.pop()
        count += 1
        if isinstance(one, torch.Tensor):
            held = one.untyped_storage()
            left -= 0 if held.data_ptr() in seen else held.nbytes()
            seen.add(held.data_ptr())
            if one.numel() * one.element_size() > held.nbytes() or left < 0:
                raise pickle.UnpicklingError("a tensor in it is larger than its file")
        elif isinstance(one, torch.TypedStorage | torch.UntypedStorage):
            raise pickle.UnpicklingError("it holds a storage that is no tensor's")
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set):
            waiting += one
        if count + len(waiting) > MOST_VALUES:
            raise pickle.UnpicklingError("it has no end")
