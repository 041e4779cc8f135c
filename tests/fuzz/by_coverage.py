"""Runs a target of Python under atheris, libFuzzer for Python: by_coverage.py TARGET [what libFuzzer is told]."""

from __future__ import annotations

import importlib
import sys

import atheris

with atheris.instrument_imports(include=["c4", "tests.fuzz"]):
    target = importlib.import_module(f"tests.fuzz.{sys.argv[1]}")

atheris.Setup([sys.argv[0], *sys.argv[2:]], target.run)
atheris.Fuzz()
