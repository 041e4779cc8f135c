"""Trains a player: `python train.py --help` says how. Installed: `c4 train`."""

import sys

from c4.programs import train

# A shell that completes lines takes a file for a program of Hydra's when it reads @hydra.main in it.
if __name__ == "__main__":
    sys.exit(train())
