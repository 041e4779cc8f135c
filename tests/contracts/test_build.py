"""setup.py compiles anew what has changed and nothing else: a header, a switch, a source that went away."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = """
#include <Python.h>
#include "answer.h"
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_core"};
PyMODINIT_FUNC PyInit__core() {
  PyObject* made = PyModule_Create(&module);
  PyModule_AddIntConstant(made, "answer", ANSWER);
  return made;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A native module of two sources, of which one includes the only header; built once."""
    native = tmp_path / "src/c4/native"
    native.mkdir(parents=True)
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "c4"\nversion = "0"\n')
    (native / "answer.h").write_text("#define ANSWER 1\n")
    (native / "module.cc").write_text(MODULE)
    (native / "other.cc").write_text("int other() { return 0; }\n")
    build(tmp_path)
    return tmp_path


def build(project: Path, **environment: str) -> None:
    """Builds after winding back every file, so that whatever is written now is newer than what was there."""
    for path in project.rglob("*"):
        if path.is_file():
            made = path.stat().st_mtime_ns - 2_000_000_000
            os.utime(path, ns=(made, made))
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(command, cwd=project, check=True, env={**os.environ, **environment}, capture_output=True)


def objects(project: Path) -> dict[str, int]:
    """When each object was made, except for the winding back."""
    return {path.stem: path.stat().st_mtime_ns for path in project.glob("build/native/**/*.o")}


def remade(project: Path, **environment: str) -> set[str]:
    """The objects that a build makes anew."""
    before = {name: made - 2_000_000_000 for name, made in objects(project).items()}
    build(project, **environment)
    return {name for name, made in objects(project).items() if made != before.get(name)}


def answer(project: Path) -> str:
    command = [sys.executable, "-c", "import _core; print(_core.answer)"]
    run = subprocess.run(command, cwd=project / "src/c4/native", check=True, capture_output=True, text=True)
    return run.stdout.strip()


def touch(path: Path, text: str) -> None:
    """Writes a file in the future, so that even what is wound back is older than it."""
    path.write_text(text)
    later = path.stat().st_mtime_ns + 2_000_000_000
    os.utime(path, ns=(later, later))


def test_nothing_changed_nothing_compiled(project: Path) -> None:
    assert remade(project) == set()


def test_an_edited_header_reaches_the_module(project: Path) -> None:
    touch(project / "src/c4/native/answer.h", "#define ANSWER 2\n")
    assert remade(project) == {"module"}
    assert answer(project) == "2"


def test_an_edited_source_is_compiled_alone(project: Path) -> None:
    touch(project / "src/c4/native/other.cc", "int other() { return 1; }\n")
    assert remade(project) == {"other"}


def test_other_flags_compile_everything(project: Path) -> None:
    assert remade(project, CFLAGS="-g0") == {"module", "other"}


def test_a_portable_build_has_a_module_for_each_level_and_the_next_plain_one_removes_them(project: Path) -> None:
    def modules() -> set[str]:
        return {path.name.partition(".")[0] for path in (project / "src/c4/native").glob("*.so")}

    build(project, C4_PORTABLE="1")
    assert modules() == ({"_core", "_core_v3", "_core_v4"} if platform.machine() == "x86_64" else {"_core"})
    build(project)
    assert modules() == {"_core"}


def test_a_source_that_went_away_leaves_the_module(project: Path) -> None:
    (project / "src/c4/native/other.cc").unlink()
    remade(project)
    module = next((project / "src/c4/native").glob("_core*.so"))
    assert b"other" not in module.read_bytes()
