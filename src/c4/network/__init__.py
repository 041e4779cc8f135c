"""The network, the form of what it says, its files, and the engines that run it. Knows no search and no training."""
