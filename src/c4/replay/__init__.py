"""Samples of self-play: their arrays, the window that training draws from, and their files. No torch."""
