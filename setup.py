"""Builds c4.native._core, and nothing else: metadata, packages and tools are in pyproject.toml.

C4_PORTABLE=1 leaves out -march=native, for other machines than the one that builds: on x86-64 the module is built
once for each level of the instruction set, and src/c4/native/__init__.py takes the best that the processor has.
Objects are kept in build/native, so that an edit compiles only what includes the edited file.
"""

import fcntl
import os
import platform
import sys
from pathlib import Path

import pybind11
from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import setup

NATIVE = Path("src/c4/native")
OBJECTS = Path("build/native") / str(sys.implementation.cache_tag)
FLAGS = OBJECTS / "flags.txt"

sources = sorted(str(path) for path in NATIVE.rglob("*.cc"))
headers = sorted(str(path) for path in NATIVE.rglob("*.h"))

# No contraction of a * b + c: the search must round as its reference in Python does. -MMD lists an object's headers.
# Pybind11Extension adds -fvisibility=hidden.
compile_args = ["-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-MMD", "-pthread"]
PORTABLE = os.environ.get("C4_PORTABLE", "0") not in ("", "0")
LEVELS = {"_core": []} if PORTABLE else {"_core": ["-march=native"]}
if PORTABLE and platform.machine() == "x86_64":
    LEVELS |= {f"_core_{level}": [f"-march=x86-64-{level}"] for level in ("v3", "v4")}


class BuildInPlace(build_ext):
    """Keeps objects between builds, where pip would give every build an empty temporary folder."""

    def build_extension(self, ext: Pybind11Extension) -> None:
        self.build_temp = str(OBJECTS / ext.name.rpartition(".")[2])
        super().build_extension(ext)

    def run(self) -> None:
        super().run()
        if self.inplace:  # a level of another build must not be taken for one of this
            for path in NATIVE.glob("_core*.so"):
                if path.name.partition(".")[0] not in LEVELS:
                    path.unlink()


def is_stale(obj: str, source: str) -> bool:
    """Whether an object is older than anything it was made from, headers included."""
    target, listing = Path(obj), Path(obj).with_suffix(".d")
    if not (target.exists() and listing.exists()):
        return True
    headers_too = listing.read_text().replace("\\\n", " ").partition(":")[2].split()
    made_from = [Path(source), FLAGS, *map(Path, headers_too)]
    built = target.stat().st_mtime
    return any(not path.exists() or path.stat().st_mtime > built for path in made_from)


def remember_flags() -> None:
    """Touches FLAGS when the compiler is called differently than last time, or for other sources."""
    variables = [f"{name}={os.environ.get(name, '')}" for name in ("CXX", "CC", "CFLAGS", "CXXFLAGS", "LDFLAGS")]
    levels = [" ".join([name, *flags]) for name, flags in LEVELS.items()]
    text = "\n".join(
        [*compile_args, *levels, *variables, *sources, sys.version, f"pybind11 {pybind11.__version__}", ""]
    )
    if not FLAGS.exists() or FLAGS.read_text() != text:
        FLAGS.write_text(text)


OBJECTS.mkdir(parents=True, exist_ok=True)
with (OBJECTS / "lock").open("w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once would mix their objects
    remember_flags()
    ParallelCompile("C4_BUILD_JOBS", needs_recompile=is_stale).install()
    extensions = [
        Pybind11Extension(
            f"c4.native.{name}",
            sources,
            cxx_std=20,
            include_dirs=[str(NATIVE)],
            depends=[*headers, "setup.py", str(FLAGS)],
            extra_compile_args=[*compile_args, *flags],
            extra_link_args=["-pthread"],
        )
        for name, flags in LEVELS.items()
    ]
    setup(ext_modules=extensions, cmdclass={"build_ext": BuildInPlace})
