"""callbacks/ holds Lightning's callbacks, each with its phase, and nothing else."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil

import pytest
from pytorch_lightning import Callback

from c4 import callbacks
from c4.ledger import Phase
from c4.phases import PhaseCallback

MODULES = [found.name for found in pkgutil.iter_modules(callbacks.__path__)]


def classes(module: str) -> list[type]:
    """The public ones that a module of the room defines, but for exceptions and plain records."""
    found = importlib.import_module(f"{callbacks.__name__}.{module}")
    return [
        one
        for name, one in inspect.getmembers(found, inspect.isclass)
        if one.__module__ == found.__name__
        and not name.startswith("_")
        and not issubclass(one, Exception)
        and not dataclasses.is_dataclass(one)
    ]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_one_callback_named_as_its_file_with_a_phase_of_its_own(module: str) -> None:
    (one,) = classes(module)
    assert issubclass(one, Callback)
    assert one.__name__ == "".join(word.capitalize() for word in module.split("_"))
    assert issubclass(one, PhaseCallback)
    assert isinstance(one.phase, Phase)
