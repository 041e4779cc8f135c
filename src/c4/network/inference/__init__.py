"""Engines that evaluate positions, behind one interface: engine.py. Know no search, no games in progress, no training."""
