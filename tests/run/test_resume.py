"""A resumed run's command line: its own overrides, what it had by default then, and what is typed now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from omegaconf import DictConfig, OmegaConf

from c4.command_line import Composer, check
from c4.params.errors import ConfigError
from c4.params.inference import EngineName, Precision
from c4.params.plain import as_plain
from c4.params.target import asked
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.run.folder import RunFolder
from c4.run.resume import run_overrides
from c4.sources import Sources, opened

CONF = Path(__file__).parents[2] / "conf"
Compose = Callable[[list[str]], DictConfig]
Line = Callable[..., list[str]]
Resumed = Callable[..., TrainConfig]


@pytest.fixture(autouse=True)
def sources() -> Iterator[Sources]:
    with opened(conf=CONF, name="train") as opened_sources:
        yield opened_sources


@pytest.fixture
def composed(sources: Sources) -> Compose:
    return sources.compose


@pytest.fixture
def line(sources: Sources) -> Line:
    """The command line that is made of another."""

    def made(*words: str) -> list[str]:
        checked = check(words, sources=sources, schema=TrainConfig, multirun=False)
        return run_overrides(checked, Composer(sources=sources, schema=TrainConfig))

    return made


@pytest.fixture
def resumed(line: Line, composed: Compose) -> Resumed:
    return lambda *words: build(TrainConfig, composed(line(*words)))


@pytest.fixture
def run(composed: Compose, tmp_path: Path) -> Path:
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


def test_it_is_what_it_was(run: Path, resumed: Resumed) -> None:
    config = resumed(f"resume={run}")
    assert (config.name, config.seed, config.game.name) == ("tiny", 5, "connect4_4x4")
    assert config.search.cpuct == 9.0
    assert config.inference.buckets == (32, 64)
    assert config.logger.wandb.tags == ("it's", "a tag")
    assert config.resume == str(run)


def test_what_is_typed_now_comes_last(run: Path, resumed: Resumed, composed: Compose) -> None:
    config = resumed(f"resume={run}", "seed=6", "search.cpuct=3", "budget.generations=99", "network=small")
    assert (config.seed, config.search.cpuct, config.budget.generations) == (6, 3.0, 99)
    assert config.inference.buckets == (32, 64)
    assert config.network.policy_channels == build(TrainConfig, composed(["network=small"])).network.policy_channels


def test_a_knob_is_in_vain_beside_what_the_run_has(run: Path, sources: Sources) -> None:
    kept = OmegaConf.create(["experiment=classic"])  # which searches with noise, as the default does not
    OmegaConf.save(kept, run / ".hydra" / "overrides.yaml")
    (run / "config.yaml").unlink()
    typed = [f"resume={run}", "search.noise_epsilon=0.1", "search.gumbel_scale=0.5"]
    checked = check(typed, sources=sources, schema=TrainConfig, multirun=False)
    composer = Composer(sources=sources, schema=TrainConfig)
    (sentence,) = composer.in_vain(run_overrides(checked, composer), line=checked)
    assert sentence.startswith("search.gumbel_scale has no effect while search.root_selection is puct")


def test_what_a_run_has_chosen_is_pinned_but_a_number_format_only_with_its_engine(run: Path, resumed: Resumed) -> None:
    kept = OmegaConf.load(run / "config.yaml")
    kept["inference"]["engine"], kept["inference"]["precision"] = "openvino", "int8"
    OmegaConf.save(kept, run / "config.yaml")
    for words in ([], ["inference=auto"]):
        assert resumed(f"resume={run}", *words).inference.engine is EngineName.OPENVINO
    assert resumed(f"resume={run}").inference.precision is Precision.INT8
    for words in (["inference=torch"], ["inference.engine=torch"]):
        other = resumed(f"resume={run}", *words).inference
        assert (other.engine, other.precision) == (EngineName.TORCH, Precision.AUTO)


def test_it_goes_on_in_its_folder(run: Path, line: Line) -> None:
    words = line("resume=auto", f"paths.runs={run.parent}")
    assert f"hydra.run.dir='{run}'" in words
    assert f"resume='{run}'" in words
    state = run / "checkpoints" / "state_000003.ckpt"
    words = line(f"resume={state}")
    assert f"hydra.run.dir='{run}'" in words
    assert f"resume='{state}'" in words


def test_nothing_to_go_on_with_is_said(tmp_path: Path, line: Line) -> None:
    with pytest.raises(ConfigError, match="resume=auto: there is no run to resume"):
        line("resume=auto", f"paths.runs={tmp_path}")


def test_a_run_with_knobs_under_former_names_goes_on_as_it_was(run: Path, resumed: Resumed) -> None:
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


def keeps(run: Path, *words: str) -> None:
    OmegaConf.save(OmegaConf.create(["experiment=tiny", "seed=5", *words]), run / ".hydra" / "overrides.yaml")


@pytest.mark.parametrize(
    "word",
    [
        "+hydra.callbacks.x._target_=os.system",
        "hydra.run.dir=elsewhere",
        "hydra/launcher=basic",
        "++hydra.job.env_set.PATH=.",
        "+search@hydra.callbacks=default",
        "+search@search:hydra.callbacks=default",
        "~hydra.job",
        " +hydra.searchpath=[file:///tmp]",
    ],
)
def test_what_a_folder_says_to_hydra_is_left_out(word: str, run: Path, line: Line) -> None:
    expected = line(f"resume={run}")
    keeps(run, word)
    assert line(f"resume={run}") == expected


def test_nothing_in_a_folder_is_looked_up(
    run: Path, resumed: Resumed, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1234")
    keeps(run, "budget.generations=${oc.env:SECRET}", "name='${oc.env:SECRET}'")
    config = resumed(f"resume={run}")
    assert (config.budget.generations, config.name) == (20, "tiny")  # as the run kept them
    kept = OmegaConf.load(run / "config.yaml")
    kept["name"] = "${oc.env:SECRET}"
    OmegaConf.save(kept, run / "config.yaml")
    with pytest.raises(
        ConfigError, match=r"config\.yaml: name='\$\{oc\.env:SECRET\}' is not a value that a run has used"
    ):
        line(f"resume={run}")
    (run / "config.yaml").unlink()
    with pytest.raises(ConfigError, match="has values that are looked up elsewhere"):
        line(f"resume={run}")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("experiment=../../../tmp/evil", "there is no such option"),
        ("search.cput=3", "did you mean search.cpuct"),
        ("+anything=3", "there is no such key"),
    ],
)
def test_what_could_not_have_been_typed_is_refused(word: str, sentence: str, run: Path, line: Line) -> None:
    keeps(run, word)
    with pytest.raises(ConfigError, match=sentence):
        line(f"resume={run}")


CLUSTERS = (["selfplay=ray", "selfplay.address=10.9.9.9:1"], ["++selfplay={actors: 1, address: 10.9.9.9:1}"])


@pytest.mark.parametrize("words", CLUSTERS, ids=["a knob", "a group"])
def test_a_cluster_that_a_folder_names_is_asked_when_it_is_typed(words: list[str], run: Path, line: Line) -> None:
    """Whoever has it may send what runs here."""
    keeps(run, *words)
    (run / "config.yaml").unlink()
    with pytest.raises(ConfigError, match=r"on a Ray cluster, 10\.9\.9\.9:1, which is not asked unless it is typed"):
        line(f"resume={run}")
    for typed in ("10.9.9.9:1", "auto", "null"):
        line(f"resume={run}", f"selfplay.address={typed}")
    keeps(run, "selfplay=ray")  # of this machine
    line(f"resume={run}")


@pytest.mark.parametrize("content", ["{", "a: [", "\x00", "3", "{a: 1}", "- [1"])
@pytest.mark.parametrize("name", [".hydra/overrides.yaml", "config.yaml"])
def test_a_damaged_file_is_named(name: str, content: str, run: Path, line: Line) -> None:
    if (name, content) == ("config.yaml", "{a: 1}"):
        return
    (run / name).write_text(content)
    with pytest.raises(ConfigError, match=re.escape(str(run / name))):
        line(f"resume={run}")


def test_a_target_of_the_persons_own_is_kept_as_data(run: Path, line: Line, composed: Compose) -> None:
    keeps(run, "++callbacks.mine={_target_:a.B,x:1}", "trusted=[a.B]")
    assert composed(line(f"resume={run}")).callbacks.mine == {"_target_": "a.B", "x": 1}
    assert "a.B" not in asked()


def test_typed_again_a_word_stands_once(run: Path, line: Line) -> None:
    keeps(run, "budget.generations=9", "budget.generations=8")
    assert line(f"resume={run}", "budget.generations=9")[:4] == [
        "experiment=tiny", "seed=5", "budget.generations=8", "search.cpuct=9.0"
    ]  # fmt: skip
    assert "budget.generations=9" in line(f"resume={run}", "budget.generations=9")


def test_a_run_whose_states_were_removed_is_not_begun_again(run: Path, line: Line) -> None:
    (run / "checkpoints" / "state_000003.ckpt").unlink()
    folder = RunFolder(path=run)
    folder.metrics.write_text("generation\n")  # it was stopped in its first generation
    line(f"resume={run}")
    line("resume=auto", f"paths.runs={run.parent}")
    folder.metrics.write_text("generation,a\n1,2\n")
    with pytest.raises(ConfigError, match="the states of this run are gone"):
        line(f"resume={run}")
    with pytest.raises(ConfigError, match="there is no run to resume"):
        line("resume=auto", f"paths.runs={run.parent}")
