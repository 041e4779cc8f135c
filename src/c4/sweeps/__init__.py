"""Searches over knobs: how trials are chosen, stopped early, kept and shown. Plays and trains nothing itself."""
