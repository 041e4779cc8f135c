"""Self-play on a Ray cluster. The only room that imports ray."""
