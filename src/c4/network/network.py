"""What a network is: any torch module from planes to three answers. Makes one, tries it, prepares it for engines.

planes float32 [B, planes, height, width] of 0 and 1 -> NetworkOutput, or a plain tuple in its order, raw logits all.
A class of a person's own is called with `spec` and what stands beside its `_target_`. It may say more of itself:

    folded()    a module for weights that stay fixed while playing, and how its state is made of the trained one's
    matrices()  the parameters that Muon steps as matrices; without it, the weights of linear layers and convolutions
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from c4.games import GameSpec
from c4.network.folding import Fold, State
from c4.network.output import NetworkOutput
from c4.network.tower import Tower
from c4.params.errors import ConfigError
from c4.params.network import NetworkDesign, NetworkParams
from c4.params.plain import from_plain
from c4.params.target import Target, is_target


def design_of(plain: Mapping[str, Any]) -> NetworkDesign:
    """Of plain values. Raises ConfigError."""
    return Target.from_plain(plain) if is_target(plain) else from_plain(NetworkParams, plain)


def make_network(spec: GameSpec, design: NetworkDesign) -> nn.Module:
    """With random weights. Raises ConfigError for a class that cannot be made, or is no network of this game."""
    if isinstance(design, NetworkParams):
        return Tower(spec, design)
    try:
        network = design.make(spec=spec)
        fault = _fault(network, spec=spec)
    except ConfigError:
        raise
    except Exception as error:  # whatever the code of others may raise
        raise ConfigError(f"network {design.path} fails on {spec.name}: {why(error)}") from error
    if fault:
        raise ConfigError(f"network {design.path} does not fit {spec.name}: {fault}")
    made: nn.Module = network
    return made


def of_its_own(design: NetworkDesign) -> NetworkDesign:
    """Without the tower's knobs beside a class of a person's own that does not name them.

    An experiment may set them, whatever network it is run with. Raises ConfigError when there is no such class.
    """
    if isinstance(design, NetworkParams):
        return design
    tower = {field.name for field in dataclasses.fields(NetworkParams)} - {*design.takes()}
    return Target(design.path, {key: value for key, value in design.arguments.items() if key not in tower})


def answer(network: nn.Module, planes: Tensor) -> NetworkOutput:
    return NetworkOutput(*network(planes))


def fixed(network: nn.Module) -> tuple[nn.Module, Fold]:
    """For engines: a module of its own that evaluates and does not learn, and what makes its state of the network's.

    Its weights are still to be loaded.
    """
    folded = getattr(network, "folded", None)
    module, fold = folded() if callable(folded) else (copy.deepcopy(network), _unchanged)
    return module.eval().requires_grad_(False), fold


def _unchanged(state: State) -> dict[str, Tensor]:
    return {name: tensor.detach().to("cpu", copy=True) for name, tensor in state.items()}


def _fault(network: Any, *, spec: GameSpec) -> str:
    """What is wrong with it; empty when nothing is. Lazy layers have their shapes from here on."""
    if not isinstance(network, nn.Module):
        return f"it is not a torch.nn.Module but {type(network).__name__}"
    rows, plies = 2, spec.max_plies + 1
    with torch.no_grad():
        said = network.eval()(torch.zeros(rows, spec.planes, spec.height, spec.width))
    network.train()
    wanted = f"policy [B, {spec.actions}], value [B, 1] or [B, 3] and moves left [B, {plies}]"
    if not isinstance(said, tuple) or len(said) < 3:
        return f"forward returns {type(said).__name__}, not a tuple of {wanted}"
    shapes = [list(part.shape) if isinstance(part, Tensor) else type(part).__name__ for part in said[:3]]
    if shapes not in [[[rows, spec.actions], [rows, values], [rows, plies]] for values in (1, 3)]:
        return f"for {rows} positions forward returns {', '.join(map(str, shapes))}, not {wanted}"
    extra = said[3] if len(said) > 3 else {}
    if len(said) > 4 or not isinstance(extra, Mapping) or not all(isinstance(part, Tensor) for part in extra.values()):
        return "what forward returns beside the three answers is one mapping from names to tensors"
    if not any(parameter.requires_grad for parameter in network.parameters()):
        return "it has no parameters to learn"
    no_tensors = [name for name, value in network.state_dict().items() if not isinstance(value, Tensor)]
    return f"its state {no_tensors[0]} is not a tensor, and could not be saved" if no_tensors else ""


def why(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
