"""What is taken for a network, and what is said of a class that is none."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tests.network.foreign import FOREIGN, Heads, Mlp
from tests.network.shapes import CONNECT4, GOMOKU, SMALL, random_planes
from torch import Tensor, nn

from c4.games import GameSpec
from c4.network.network import answer, fixed, make_network
from c4.network.tower import Tower
from c4.params.errors import ConfigError
from c4.params.target import ASKED, Target, trust

HERE = "tests.network.test_network"


@pytest.fixture(autouse=True)
def nobody_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASKED, "")


def design(name: str, **arguments: Any) -> Target:
    target = Target(name, arguments)
    trust([target.path])
    return target


def test_knobs_make_the_tower() -> None:
    assert isinstance(make_network(CONNECT4, SMALL), Tower)


@pytest.mark.parametrize("spec", [CONNECT4, GOMOKU], ids=["connect4", "gomoku"])
@pytest.mark.parametrize("name", [cls.__name__ for cls in FOREIGN.values()])
def test_a_class_of_ones_own_is_made_for_the_game(spec: GameSpec, name: str) -> None:
    network = make_network(spec, design(f"tests.network.foreign.{name}"))
    assert network.training
    assert not any(nn.parameter.is_lazy(parameter) for parameter in network.parameters())
    said = answer(network, random_planes(spec, 4).float())
    assert said.policy_logits.shape == (4, spec.actions)
    assert set(said.extra) == ({"fate"} if name == "Attention" else set())


def test_it_is_given_its_arguments() -> None:
    network = make_network(CONNECT4, design("tests.network.foreign.Mlp", hidden=7, values=1))
    assert answer(network, torch.zeros(3, 3, 6, 7)).value_logits.shape == (3, 1)
    assert network.get_parameter("heads.value.weight").shape == (1, 7)


class Odd(Mlp):
    """An Mlp with something wrong."""

    def __init__(self, spec: GameSpec, *, fault: str) -> None:
        super().__init__(spec, hidden=8)
        self.fault = fault
        if fault == "made":
            raise RuntimeError("out of clay\nand of water")
        if fault == "frozen":
            self(torch.zeros(2, spec.planes, spec.height, spec.width))
            self.requires_grad_(False)

    def forward(self, planes: Tensor) -> Any:
        policy, value, moves_left = super().forward(planes)
        return {
            "two": (policy, value),
            "one": policy,
            "order": (value, policy, moves_left),
            "values": (policy, value[:, :2], moves_left),
            "flat": (policy.flatten(), value, moves_left),
            "text": (policy, value, "many"),
            "extra": (policy, value, moves_left, policy),
            "five": (policy, value, moves_left, {}, {}),
        }.get(self.fault, (policy, value, moves_left))

    def get_extra_state(self) -> Any:
        return "words" if self.fault == "state" else torch.zeros(0)

    def set_extra_state(self, state: Any) -> None: ...


def asks_for_more_planes(spec: GameSpec) -> nn.Module:
    network = Mlp(spec)
    network.body[1] = nn.Linear(5, 32)
    return network


def no_module(spec: GameSpec) -> Any:
    return Heads


WANTED = r"policy \[B, 7\], value \[B, 1\] or \[B, 3\] and moves left \[B, 43\]"


@pytest.mark.parametrize(
    ("name", "fault", "sentence"),
    [
        ("Odd", "made", r"network .*\.Odd fails on connect4: RuntimeError: out of clay$"),
        ("asks_for_more_planes", None, r"fails on connect4: RuntimeError: mat1 and mat2 shapes cannot be multiplied"),
        ("no_module", None, r"does not fit connect4: it is not a torch\.nn\.Module but type$"),
        ("Odd", "two", rf"forward returns tuple, not a tuple of {WANTED}"),
        ("Odd", "one", rf"forward returns Tensor, not a tuple of {WANTED}"),
        ("Odd", "order", rf"for 2 positions forward returns \[2, 3\], \[2, 7\], \[2, 43\], not {WANTED}"),
        ("Odd", "values", rf"forward returns \[2, 7\], \[2, 2\], \[2, 43\], not {WANTED}"),
        ("Odd", "flat", rf"forward returns \[14\], \[2, 3\], \[2, 43\], not {WANTED}"),
        ("Odd", "text", rf"forward returns \[2, 7\], \[2, 3\], str, not {WANTED}"),
        ("Odd", "extra", "beside the three answers is one mapping from names to tensors"),
        ("Odd", "five", "beside the three answers is one mapping from names to tensors"),
        ("Odd", "frozen", "it has no parameters to learn"),
        ("Odd", "state", "its state _extra_state is not a tensor, and could not be saved"),
    ],
)
def test_what_is_no_network_is_said_in_a_sentence(name: str, fault: str | None, sentence: str) -> None:
    arguments = {} if fault is None else {"fault": fault}
    with pytest.raises(ConfigError, match=sentence):
        make_network(CONNECT4, design(f"{HERE}.{name}", **arguments))


def test_what_is_fixed_is_a_module_of_its_own() -> None:
    network = make_network(CONNECT4, design("tests.network.foreign.Mlp"))
    module, fold = fixed(network)
    assert network.training
    assert not module.training
    assert not any(parameter.requires_grad for parameter in module.parameters())
    state = fold(network.state_dict())
    assert not {tensor.data_ptr() for tensor in state.values()} & {p.data_ptr() for p in network.parameters()}
    module.load_state_dict(state)
