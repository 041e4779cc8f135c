"""The board on a terminal, by textual: what is drawn, the keys, the mouse, the prompt."""
