"""Engines that evaluate positions behind one interface (engine.py). They know no search and no training."""
