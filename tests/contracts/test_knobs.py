"""docs/KNOBS.md is what scripts/knobs.py makes of the classes and of the values that ship."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_knobs_is_up_to_date() -> None:
    command = [sys.executable, "scripts/knobs.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
