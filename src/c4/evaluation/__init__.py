"""Measurement: distance from perfect play, who beats whom, and the report a person reads. Trains on none of it."""
