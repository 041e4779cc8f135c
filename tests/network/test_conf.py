"""Every file in conf/network, conf/model and conf/inference is whole, and makes what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from tests.network.shapes import CONNECT4, random_planes, trained_like

from c4.games import game_names, game_spec
from c4.network.inference.auto import available, precise
from c4.network.inference.factory import make_engine
from c4.network.tower import Tower
from c4.params.inference import EngineName, InferenceParams
from c4.params.model import ModelParams
from c4.params.network import NetworkParams
from c4.params.walk import build

CONF = Path(__file__).parents[2] / "conf"


def names(group: str) -> list[str]:
    return sorted(path.stem for path in (CONF / group).glob("*.yaml") if path.stem != "own")


def composed(group: str, name: str) -> DictConfig:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config: DictConfig = compose(f"{group}/{name}")[group]
    return config


@pytest.mark.parametrize("name", names("network"))
@pytest.mark.parametrize("game", game_names())
def test_each_network_fits_each_game(name: str, game: str) -> None:
    spec = game_spec(game)
    network = Tower(spec, build(NetworkParams, composed("network", name)))
    assert network.eval()(random_planes(spec, 2).float()).policy_logits.shape == (2, spec.actions)


@pytest.mark.parametrize("name", names("model"))
def test_each_model_is_whole(name: str) -> None:
    build(ModelParams, composed("model", name))


@pytest.mark.parametrize("name", names("inference"))
def test_each_engine_evaluates_or_says_why_not(name: str) -> None:
    params = build(InferenceParams, composed("inference", name))
    if params.engine in {EngineName.AUTO, EngineName.TORCH_COMPILE} or params.engine not in available():
        return
    network = build(NetworkParams, composed("network", "tiny"))
    engine = make_engine(params, spec=CONNECT4, network=Tower(CONNECT4, network))
    engine.load(trained_like(CONNECT4, network).state_dict())
    assert np.isfinite(engine.evaluate(random_planes(CONNECT4, 3).numpy()).value).all()
    engine.close()


def test_a_gpu_has_the_same_passes_whether_it_is_chosen_or_asked_for() -> None:
    chosen = precise(build(InferenceParams, composed("inference", "auto")), EngineName.CUDA)
    assert list(chosen.buckets) == list(composed("inference", "cuda").buckets)


@pytest.mark.parametrize("engine", ["torch", "openvino"])
@pytest.mark.parametrize("precision", ["f32", "auto"])
@pytest.mark.parametrize("name", ["tiny", "small", "medium"])
def test_networks_of_connect4_are_the_same_bits_in_whatever_batch(name: str, precision: str, engine: str) -> None:
    if engine == "openvino":
        pytest.importorskip("openvino")
    network = build(NetworkParams, composed("network", name))
    config = composed("inference", engine)
    config.precision = precision
    made = make_engine(build(InferenceParams, config), spec=CONNECT4, network=Tower(CONNECT4, network))
    made.load(trained_like(CONNECT4, network).state_dict())
    planes = random_planes(CONNECT4, 300).numpy()
    once = made.evaluate(planes)
    order = np.random.default_rng(0).permutation(300)
    for rows in (order, order[:1], order[:16], order[:90], order[100:231]):
        for whole, part in zip(once, made.evaluate(planes[rows]), strict=True):
            np.testing.assert_array_equal(whole[rows], part)
    made.close()
