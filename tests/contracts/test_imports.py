"""Which room may import which foreign package, late imports included. The layers of c4 itself are import-linter's."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/c4"

# Package -> the only places below src/c4 that may import it.
HOMES = {
    "bitbully": ("players/oracle.py",),
    "bitbully_databases": ("players/oracle.py",),
    "fastapi": ("ui/",),
    "matplotlib": ("report/",),
    "openvino": ("network/inference/",),
    "optuna": ("sweeps/",),
    "pybind11": (),
    "pydantic": ("ui/",),
    "ray": ("distributed/",),
    "rich": ("ui/",),
    "starlette": ("ui/",),
    "textual": ("ui/",),
    "uvicorn": ("ui/",),
    "wandb": ("tracking/",),
    "websockets": ("ui/",),
}

# Place -> what must not be imported there, directly or late.
CLOSED = {
    "adapters/kaggle_agent.py": ("c4", "torch", "hydra", "scipy"),
    "params/": ("torch", "lightning", "pytorch_lightning", "hydra", "numpy"),
    "native/": ("torch", "lightning", "pytorch_lightning", "hydra"),
    "reference/": ("torch", "lightning", "pytorch_lightning", "hydra", "c4.native"),
    "replay": ("torch", "lightning", "pytorch_lightning", "hydra"),
    "selfplay/": ("lightning", "pytorch_lightning", "hydra"),
    "distributed/": ("lightning", "pytorch_lightning", "hydra"),
    "run/": ("lightning", "pytorch_lightning", "hydra"),
    "network/": ("lightning", "pytorch_lightning", "hydra"),
    "losses.py": ("lightning", "pytorch_lightning", "hydra"),
    "lightning_module.py": ("hydra", "c4.selfplay", "c4.native"),
}


def imported(source: str) -> set[str]:
    """Every module that a source names in an import, wherever it stands."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if "conf" not in path.relative_to(SOURCE).parts)


@pytest.mark.parametrize("package", HOMES)
def test_a_package_is_imported_at_its_home_only(package: str) -> None:
    strangers = [
        where
        for path in sources()
        if not (where := str(path.relative_to(SOURCE))).startswith(HOMES[package] or ("nowhere",))
        and any(name.split(".")[0] == package for name in imported(path.read_text()))
    ]
    assert strangers == [], f"{package} may be imported in {HOMES[package] or 'no file'} only"


@pytest.mark.parametrize("place", CLOSED)
def test_a_closed_room_does_not_import(place: str) -> None:
    found = {
        f"{where}: {name}"
        for path in sources()
        if (where := str(path.relative_to(SOURCE))).startswith(place)
        for name in imported(path.read_text())
        if name.startswith(tuple(f"{closed}." for closed in CLOSED[place])) or name in CLOSED[place]
    }
    assert found == set()


def test_one_room_draws() -> None:
    """Charts are matplotlib's; a terminal's screen is characters. The pages of `ui/web/static/` are no Python."""
    drawers = [str(path.relative_to(SOURCE)) for path in sources() if "<svg" in path.read_text(encoding="utf-8")]
    assert drawers == ["report/screen.py"]


@pytest.mark.parametrize("module", ["c4.ui.play", "c4.evaluating", "c4.training"])
def test_nothing_that_draws_is_loaded_before_there_is_something_to_draw(module: str) -> None:
    """Lightning loads matplotlib by itself where it finds it, so only the program that plays is free of it."""
    looked = f"import sys, {module}; print('c4.report.chart' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    drawing, matplotlib = done.stdout.split()
    assert drawing == "False"
    assert matplotlib == "False" or module == "c4.training"


def test_late_imports_are_seen() -> None:
    assert imported("def f():\n    from optuna.trial import Trial\n    import torch.nn") == {"optuna.trial", "torch.nn"}
