"""What speaks to those who follow a run: loggers, with what they are given beside numbers, and whoever shows it."""
