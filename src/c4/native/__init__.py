"""The compiled core: games, search and self-play in C++. It knows nothing of torch, Hydra or Lightning."""
