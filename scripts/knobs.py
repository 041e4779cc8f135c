"""Writes docs/KNOBS.md: each knob's meaning, unit, range and shipped values; with --check only compares."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir

from c4.params.evaluate import EvaluateConfig
from c4.params.export import ExportConfig
from c4.params.knob import Params, allowed_text, field_types
from c4.params.pbrain import PbrainConfig
from c4.params.plain import as_plain
from c4.params.play import PlayConfig
from c4.params.target import TARGET
from c4.params.train import TrainConfig
from c4.params.walk import as_typed, build
from c4.players.words import Kinds

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "KNOBS.md"
RECIPES = ("connect4", "quick", "tiny", "classic", "gomoku6", "gomoku8", "gomoku9", "gomoku15")
HEAD = """# Every knob

Made by `python scripts/knobs.py` from the classes in `src/c4/params/`, those of players, and the values in `conf/`; a
test holds it to them. Type a knob as it stands here: `python train.py search.cpuct=3`. Its value is given for the
default and for each recipe (`experiment=...`) that has another.
"""


def knobs(group: Params, *, prefix: str = "") -> Iterator[tuple[str, Params, dataclasses.Field[Any]]]:
    """Each knob with its key, in the order of the classes, groups after the knobs beside them."""
    below = []
    for field in dataclasses.fields(group):
        value = getattr(group, field.name)
        if isinstance(value, Params):
            below.append((field.name, value))
        elif "meaning" in field.metadata:
            yield prefix + field.name, group, field
    for name, value in below:
        yield from knobs(value, prefix=f"{prefix}{name}.")


def leaf(plain: Any, key: str) -> str:
    for step in key.split("."):
        plain = plain[step] if isinstance(plain, dict) and step in plain else None
    if isinstance(plain, dict) and TARGET in plain:
        plain = plain[TARGET]
    return as_typed(tuple(plain) if isinstance(plain, list) else plain)


def section(config: Any, *, recipes: dict[str, Any], known: set[tuple[str, str]]) -> Iterator[str]:
    """Lines for each knob that no section before has told of. A group of a class that was told is a list of values."""
    own, group_before = as_plain(config), None
    told: dict[tuple[type, str], str] = {}  # of this section, by class and name
    for key, group, field in knobs(config):
        said = key, str(field.metadata["meaning"])  # a key may mean another thing in another program
        if said in known:
            continue
        known.add(said)
        heading = key.rpartition(".")[0]
        if heading != group_before:
            yield f"\n### {heading or 'at the top'}\n"
            group_before = heading
        if field.metadata.get("own"):
            yield f"- **`{heading}.NAME`**: {field.metadata['meaning']}"
            continue
        if (same := told.setdefault((type(group), field.name), key)) != key:
            yield f"- **`{key}`**: as `{same}`; ships as `{leaf(own, key)}`."
            continue
        allowed = allowed_text(field, hint=field_types(type(group))[field.name])
        unit = f", in {field.metadata['unit']}" if field.metadata.get("unit") else ""
        needs = field.metadata.get("needs") or {}
        only = "".join(f" Only with {other} {as_typed(wanted)}." for other, wanted in needs.items())
        value = leaf(own, key)
        others = {name: one for name, plain in recipes.items() if (one := leaf(plain, key)) != value}
        differing = "".join(f", {name}: `{one}`" for name, one in others.items())
        yield f"- **`{key}`**: {field.metadata['meaning']}{only}\n  {allowed}{unit}; ships as `{value}`{differing}."


def players() -> Iterator[str]:
    """Lines for the knobs of each kind of player, which stand with the kind."""
    for kind, target in Kinds().targets.items():
        if (group := getattr(target.located(), "knobs", None)) is None:
            continue
        yield f"\n### opponent={kind} (play), player={kind} (arena)\n"
        for field in dataclasses.fields(group):
            allowed = allowed_text(field, hint=field_types(group)[field.name])
            unit = f", in {field.metadata['unit']}" if field.metadata.get("unit") else ""
            value = leaf(target.arguments, field.name)
            yield f"- **`opponent.{field.name}`**, **`player.{field.name}`**: {field.metadata['meaning']}"
            yield f"  {allowed}{unit}; ships as `{value}`."


def page() -> str:
    with initialize_config_dir(config_dir=str(ROOT / "conf"), version_base="1.3"):
        recipes = {
            name: as_plain(build(TrainConfig, compose("train", overrides=[f"experiment={name}"])))
            for name in RECIPES[1:]
        }
        known: set[tuple[str, str]] = set()
        lines = [HEAD]
        for title, entry, schema, others in (
            ("Training: `python train.py`", "train", TrainConfig, recipes),
            ("Grading: `python evaluate.py`", "evaluate", EvaluateConfig, {}),
            ("Play: `python play.py`", "play", PlayConfig, {}),
            ("Export: `python -m c4.export`", "export", ExportConfig, {}),
            ("For Gomoku managers: `python -m c4.adapters.pbrain`", "pbrain", PbrainConfig, {}),
        ):
            config = build(schema, compose(entry))
            lines += [f"\n## {title}", *section(config, recipes=others, known=known)]
        lines += ["\n## Players", *players()]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    made = page()
    if parser.parse_args().check:
        if PAGE.read_text(encoding="utf-8") != made:
            print("docs/KNOBS.md is not up to date: python scripts/knobs.py writes it", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
