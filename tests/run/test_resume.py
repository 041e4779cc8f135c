"""A resumed run's command line: its own overrides, what it had by default then, and what is typed now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig, OmegaConf

from c4.params.plain import as_plain
from c4.params.train import TrainConfig
from c4.params.walk import ConfigError, build
from c4.run.resume import resumed_overrides

CONF = Path(__file__).parents[2] / "conf"


@pytest.fixture(autouse=True)
def hydra() -> Iterator[None]:
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        yield


def composed(words: list[str]) -> DictConfig:
    return compose("train", overrides=words)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that began with experiment=tiny seed=5, when search.cpuct was 9 and the buckets were others by default."""
    folder = tmp_path / "run"
    (folder / "checkpoints").mkdir(parents=True)
    torch.save({}, folder / "checkpoints" / "state_000003.ckpt")
    (folder / ".hydra").mkdir()
    OmegaConf.save(OmegaConf.create(["experiment=tiny", "seed=5"]), folder / ".hydra" / "overrides.yaml")
    plain = as_plain(build(TrainConfig, composed(["experiment=tiny", "seed=5"])))
    plain["search"]["cpuct"] = 9.0
    plain["inference"]["buckets"] = [32, 64]
    plain["logger"]["wandb"]["tags"] = ["it's", "a tag"]
    OmegaConf.save(OmegaConf.create(plain), folder / "config.yaml")
    return folder


def resumed(*words: str) -> TrainConfig:
    line = resumed_overrides(list(words), composed)
    return build(TrainConfig, composed([word for word in line if not word.startswith("hydra.")]))


def test_a_new_run_is_left_as_it_is_typed() -> None:
    assert resumed_overrides(["seed=3"], composed) == ["seed=3"]


def test_it_is_what_it_was(run: Path) -> None:
    config = resumed(f"resume={run}")
    assert (config.name, config.seed, config.game.name) == ("tiny", 5, "connect4_4x4")
    assert config.search.cpuct == 9.0
    assert config.inference.buckets == (32, 64)
    assert config.logger.wandb.tags == ("it's", "a tag")
    assert config.resume == str(run)


def test_what_is_typed_now_comes_last(run: Path) -> None:
    config = resumed(f"resume={run}", "seed=6", "search.cpuct=3", "budget.generations=99", "network=small")
    assert (config.seed, config.search.cpuct, config.budget.generations) == (6, 3.0, 99)
    assert config.inference.buckets == (32, 64)
    assert config.network.policy_channels == build(TrainConfig, composed(["network=small"])).network.policy_channels


def test_it_goes_on_in_its_folder(run: Path) -> None:
    line = resumed_overrides(["resume=auto", f"paths.runs={run.parent}"], composed)
    assert f"hydra.run.dir='{run}'" in line
    assert f"resume='{run}'" in line
    state = run / "checkpoints" / "state_000003.ckpt"
    line = resumed_overrides([f"resume={state}"], composed)
    assert f"hydra.run.dir='{run}'" in line
    assert f"resume='{state}'" in line


def test_nothing_to_go_on_with_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="resume=auto: there is no run to go on with"):
        resumed_overrides(["resume=auto", f"paths.runs={tmp_path}"], composed)


def test_a_run_with_knobs_under_former_names_goes_on_as_it_was(run: Path) -> None:
    words = ["experiment=tiny", "seed=5", "search.forced_playouts=2.0", "selfplay.cache_entries=4096"]
    OmegaConf.save(OmegaConf.create(words), run / ".hydra" / "overrides.yaml")
    kept = OmegaConf.load(run / "config.yaml")
    del kept["search"]["forced_visits"], kept["selfplay"]["cache_megabytes"]
    kept["search"]["forced_playouts"], kept["selfplay"]["cache_entries"] = 2.0, 4096
    OmegaConf.save(kept, run / "config.yaml")
    assert resumed(f"resume={run}").search.forced_visits == 2.0
    assert resumed(f"resume={run}", "search.forced_visits=1.0").search.forced_visits == 1.0
    OmegaConf.save(OmegaConf.create(words[:2]), run / ".hydra" / "overrides.yaml")
    assert resumed(f"resume={run}").search.forced_visits == 2.0  # pinned: conf/ says 0 today
