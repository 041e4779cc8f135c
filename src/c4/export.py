"""`python -m c4.export kaggle checkpoint=PATH`, or `onnx`: a player as a file for other programs. Help: `--help`."""

import sys

from c4.programs import export

if __name__ == "__main__":
    sys.exit(export())
