"""What happens around training: budget, publishing of weights, checkpoints, health, measurement, progress."""
