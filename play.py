"""Plays against a person, and shows what the search sees: `python play.py --help` says how. Installed: `c4 play`."""

import sys

from c4.programs import play

# A shell that completes lines takes a file for a program of Hydra's when it reads @hydra.main in it.
if __name__ == "__main__":
    sys.exit(play())
