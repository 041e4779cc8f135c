"""The notebook of the tour runs from top to bottom, and is kept as a reader should find it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks are an extra: pip install -e '.[docs]'")
pytest.importorskip("nbclient", reason="notebooks are an extra: pip install -e '.[docs]'")

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "docs/tour.ipynb"
USED = ("conf", "evaluate.py", "play.py", "train.py")
SHORTER = {"budget.generations=12": "budget.generations=2 data.generation_samples_first=1000"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # what a kernel and its sockets say when they end
def test_it_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    for name in USED:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "docs").mkdir()
    notebook = nbformat.read(TOUR, as_version=4)
    for cell in notebook.cells:
        for long, short in SHORTER.items():
            cell.source = cell.source.replace(long, short)
    done = importlib.import_module("notebook").run(notebook, folder=tmp_path / "docs")
    told = [output for cell in done.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in told)
    said = "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in told)
    assert re.search(r"^errors, %", said, flags=re.MULTILINE)
    assert re.search(r"'it plays column [1-4]'", said)
    assert re.findall(r"^(?:error:|Traceback).*", said, flags=re.MULTILINE) == []


def test_its_outputs_are_kept_small_and_say_nothing_of_a_machine() -> None:
    text = TOUR.read_text(encoding="utf-8")
    assert len(text) < 150_000
    assert re.findall(r"/(?:root|home|tmp|Users|opt|work)/", text) == []
    code = [cell for cell in nbformat.reads(text, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert all(cell.outputs for cell in code[1:])  # the first only finds the folder
