"""c4: an AlphaZero for Connect Four and Gomoku that is measured against perfect play."""
