"""Runs docs/tour.ipynb from top to bottom and keeps its outputs, small and without a path of this machine.

python scripts/notebook.py              anew, in place
python scripts/notebook.py FILE.ipynb   into another file
"""

from __future__ import annotations

import base64
import io
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

ROOT = Path(__file__).parents[1]
TOUR = ROOT / "docs/tour.ipynb"
PATIENCE = 900  # seconds a cell


def run(notebook: nbformat.NotebookNode, *, folder: Path) -> nbformat.NotebookNode:
    """Runs it in that folder. Raises CellExecutionError where a cell fails."""
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # a kernel warns of frozen modules otherwise
    where = {"metadata": {"path": str(folder)}}
    done = NotebookClient(notebook, timeout=PATIENCE, startup_timeout=PATIENCE, resources=where).execute()
    for cell in done.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            _tidy(output)
    done.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return done


def _tidy(output: nbformat.NotebookNode) -> None:
    if output.output_type == "stream":
        output.text = re.sub(rf"{re.escape(str(ROOT))}/?", "", output.text).replace("\r\n", "\n")
        output.name = "stdout"  # what a program says besides is no error
    elif "data" in output:
        output.metadata = {}
        if "image/png" in output.data:
            output.data["image/png"] = _smaller(output.data["image/png"])


def _smaller(png: str) -> str:
    few = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB").quantize(64, Image.Quantize.FASTOCTREE)
    few.save(packed := io.BytesIO(), format="PNG", optimize=True)
    return base64.b64encode(packed.getvalue()).decode()


def whole(notebook: nbformat.NotebookNode) -> str:
    """As a file: what is said in pieces becomes one."""
    for cell in notebook.cells:
        joined: list[nbformat.NotebookNode] = []
        for output in cell.get("outputs", []):
            if joined and output.output_type == joined[-1].output_type == "stream":
                joined[-1].text += output.text
            else:
                joined.append(output)
        if cell.cell_type == "code":
            cell.outputs = joined
    return nbformat.writes(notebook) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TOUR
    target.write_text(whole(run(nbformat.read(TOUR, as_version=4), folder=TOUR.parent)), encoding="utf-8")
