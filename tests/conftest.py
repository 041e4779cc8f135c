"""What all tests share: how hypothesis draws. Everybody's runs draw new cases; CI draws the same ones every
time, so that it fails for what was changed and not by luck."""

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
