"""What all tests share: how hypothesis draws, and a cache of their own. Everybody's runs draw new cases; CI draws the
same ones every time, so that it fails for what was changed and not by luck."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# What c4 keeps for a user is not read here, nor written; what takes long to make is there in the next session again.
CACHE = Path(__file__).parents[1] / "build" / "tests_cache"
_USERS = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
os.environ["XDG_CACHE_HOME"] = str(CACHE)
for installer in ("pip", "uv"):
    os.environ.setdefault(f"{installer.upper()}_CACHE_DIR", str(_USERS / installer))

# Ray's workers give way to all else: on a busy machine they would hardly begin.
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  its name


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once: each session times engines for itself
        (CACHE / "c4" / "engines.json").unlink(missing_ok=True)
