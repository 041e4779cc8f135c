"""Who can choose a move: a network with a search, random rollouts, perfect play, chance. None knows another."""
