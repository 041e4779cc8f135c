"""docs/KNOBS.md is what scripts/knobs.py makes of the classes and of the values that ship."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_knobs_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, "scripts/knobs.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
