"""What happens around training, as Lightning's callbacks and nothing else; each says in which phase (c4/phases.py)."""
