"""c4's players in other programs: in their forms of a board, of a network, of an agent. Knows no training."""
