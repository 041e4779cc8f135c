"""A run's folder: which files are in it, what they say, how it is found, locked and resumed. No Lightning."""
