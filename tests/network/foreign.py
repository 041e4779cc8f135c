"""Networks as other people write them: modules that know a game's shape, and nothing of this program."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from c4.games import GameSpec


class Heads(nn.Module):
    def __init__(self, spec: GameSpec, inputs: int, *, values: int = 3) -> None:
        super().__init__()
        self.policy = nn.Linear(inputs, spec.actions)
        self.value = nn.Linear(inputs, values)
        self.moves_left = nn.Linear(inputs, spec.max_plies + 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.policy(x), self.value(x), self.moves_left(x)


class Mlp(nn.Module):
    """No convolution, a layer whose size is known late, noise while learning."""

    def __init__(self, spec: GameSpec, *, hidden: int = 32, values: int = 3) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(),
            nn.LazyLinear(hidden),
            nn.LayerNorm(hidden),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.BatchNorm1d(hidden),
        )
        self.heads = Heads(spec, hidden, values=values)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        answers: tuple[Tensor, Tensor, Tensor] = self.heads(self.body(planes))
        return answers


class Attention(nn.Module):
    """A transformer over the cells, with an extra head."""

    def __init__(self, spec: GameSpec, *, width: int = 16) -> None:
        super().__init__()
        self.cells = nn.Linear(spec.planes, width)
        self.places = nn.Parameter(torch.randn(spec.height * spec.width, width))
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2)
        self.norm = nn.RMSNorm(width)
        self.heads = Heads(spec, width, values=1)
        self.fate = nn.Linear(width, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor, dict[str, Tensor]]:
        seen = self.norm(self.body(self.cells(planes.flatten(2).transpose(1, 2)) + self.places))
        return *self.heads(seen.mean(dim=1)), {"fate": self.fate(seen).squeeze(2)}


class Convolutions(nn.Module):
    """Convolutions whose norms nobody folds, changes in place, a table that is no part of the state."""

    def __init__(self, spec: GameSpec, *, width: int = 16) -> None:
        super().__init__()
        self.register_buffer("far", torch.linspace(-1, 1, spec.width), persistent=False)
        self.body = nn.Sequential(
            nn.Conv2d(spec.planes, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, 4, 1),
        )
        self.heads = Heads(spec, 4 * spec.height * spec.width)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = self.body(planes)
        seen += self.far
        answers: tuple[Tensor, Tensor, Tensor] = self.heads(seen.view(len(planes), -1))
        return answers


FOREIGN = {"mlp": Mlp, "attention": Attention, "convolutions": Convolutions}


def foreign(name: str, spec: GameSpec, *, seed: int = 0) -> nn.Module:
    """One with random weights and statistics, ready for evaluation."""
    torch.manual_seed(seed)
    network = FOREIGN[name](spec)
    stream = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for _ in range(5):
            network(torch.randint(0, 2, (64, spec.planes, spec.height, spec.width), generator=stream).float())
    return network.eval()
