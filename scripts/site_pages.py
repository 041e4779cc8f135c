"""A hook of mkdocs: each notebook in docs/ becomes a page of the site, with the outputs that are kept in it; and the
search finds what a reader is after before the record of what was tried."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

FOUND = {"KNOBS.md": 3.0, "LOG.md": 0.2}  # how much more, or less, than other pages


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    for path in sorted(Path(config.docs_dir).glob("*.ipynb")):
        files.append(File.generated(config, f"{path.stem}_notebook.md", content=page(path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """A notebook is read as its page: on a code host it is the file itself that is read."""
    page.meta.setdefault("search", {"boost": FOUND.get(page.file.src_uri, 1.0)})
    return re.sub(r"\((\w+)\.ipynb\)", r"(\1_notebook.md)", markdown)


def page(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source if cell.cell_type == "markdown" else _code(cell) for cell in cells)


def _code(cell: Any) -> str:
    return "\n\n".join([f"```python\n{cell.source}\n```", *map(_output, cell.outputs)])


def _output(output: Any) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.strip()}\n```"
    data = output.data
    if "image/svg+xml" in data:
        return "".join(line.strip() for line in data["image/svg+xml"].splitlines())
    if "image/png" in data:
        return f"![]({'data:image/png;base64,' + data['image/png'].strip()})"
    return f"```text\n{data['text/plain'].strip()}\n```"
