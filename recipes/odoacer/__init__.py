"""How `odoacer` was made: a network that corrects the scores of `trader` in Struggle for Rome."""
