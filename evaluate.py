"""Measures players by perfect play and each other: `python evaluate.py --help` says how. Installed: `c4 evaluate`."""

import sys

from c4.programs import evaluate

# A shell that completes lines takes a file for a program of Hydra's when it reads @hydra.main in it.
if __name__ == "__main__":
    sys.exit(evaluate())
