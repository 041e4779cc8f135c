"""What a stranger brings: a network, a callback and a logger. He knows c4 by its documents alone."""

import json
from pathlib import Path

from pytorch_lightning import Callback
from pytorch_lightning.loggers.logger import Logger
from torch import nn


class Net(nn.Module):
    def __init__(self, spec, channels):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(spec.planes, channels, 3, padding=1), nn.ReLU(), nn.Flatten())
        features = channels * spec.height * spec.width
        self.policy = nn.Linear(features, spec.actions)
        self.value = nn.Linear(features, 1)
        self.moves_left = nn.Linear(features, spec.max_plies + 1)

    def forward(self, planes):
        body = self.body(planes)
        return self.policy(body), self.value(body), self.moves_left(body)


class CountGames(Callback):
    def __init__(self, times):
        self.times = times

    def on_train_epoch_end(self, trainer, pl_module):
        pl_module.log("mine/games", float(self.times * len(trainer.datamodule.harvest.games)))


class Lines(Logger):
    name, version = "lines", ""

    def __init__(self, folder):
        super().__init__()
        self.path = Path(folder) / "lines.jsonl"

    def log_hyperparams(self, params, *args, **kwargs):
        pass

    def log_metrics(self, metrics, step=None):
        with self.path.open("a") as file:
            file.write(json.dumps({"generation": step, **metrics}) + "\n")
